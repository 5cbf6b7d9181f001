import type { IdentityField } from '@fairlot/contract'
import {
  approveIdentity,
  DESK_FILE_PATH,
  getIdentity,
  IDENTITY_FAULTS,
  type IdentityDetail,
  type IdentityFault,
  refuseIdentity,
  revealIdentityNumber,
  subjectLabel,
  userNumber,
  type WaitingDetail,
} from '@fairlot/contract/desk'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Dialog, FormDialog } from '@fairlot/ui/overlays/dialog.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { useHotkey } from '@fairlot/ui/hooks/use-hotkey.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useMay } from '../../live/session.ts'
import { useDeskAction } from '../../live/use-desk-action.ts'
import { PrivatePicture } from '../../ui/private-picture.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { TitledBox } from '../../ui/split-view.tsx'
import { UserLink } from '../../ui/user-link.tsx'

/** A user's submitted identity, for compliance only. */
export function IdentityView({ accountId }: { accountId: number }) {
  const mayView = useMay('viewIdentity')
  const { data } = useDeskQuery(getIdentity, { accountId }, { topics: ['waiting'], isOn: mayView })
  if (!mayView)
    return (
      <TitledBox title="Documents">
        <p className="text-note text-second">Only Compliance can see the name, number and pictures.</p>
      </TitledBox>
    )
  return data ? <IdentityBox key={data.sentAt} detail={data} /> : null
}

function IdentityBox({ detail }: { detail: IdentityDetail }) {
  const [isComparing, setIsComparing] = useState(false)
  const duplicates = [
    ...detail.sameNumber.map((id) => `same number as user ${asName(userNumber(id))}`),
    ...detail.samePictures.map((key) => `same picture as ${subjectLabel(key)}`),
  ]
  return (
    <TitledBox title="Documents">
      <DocumentFacts detail={detail} />
      {duplicates.length > 0 && (
        <ul aria-label="Possible duplicates" className="flex flex-wrap gap-1.5 pt-2">
          {duplicates.map((text) => (
            <li key={text}>
              <Badge tone="down">{text}</Badge>
            </li>
          ))}
        </ul>
      )}
      {detail.sameNumber.length > 0 && (
        <p className="pt-1 text-note text-second">
          Compare with{' '}
          {detail.sameNumber.map((id) => (
            <span key={id}>
              <UserLink accountId={id} />{' '}
            </span>
          ))}
        </p>
      )}
      <div className="pt-2">
        <Button tone="outline" size="small" onClick={() => setIsComparing(true)}>
          Compare with the pictures
        </Button>
      </div>
      {isComparing && (
        <Dialog
          isWide
          title={`Documents of user ${asName(userNumber(detail.accountId))}`}
          text="Each image loads when you open it. Opening it is recorded in the audit log."
          onClose={() => setIsComparing(false)}
          footer={
            <Button tone="outline" onClick={() => setIsComparing(false)}>
              Close
            </Button>
          }
        >
          <Documents detail={detail} />
          <DocumentFacts detail={detail} />
        </Dialog>
      )}
    </TitledBox>
  )
}

/** Name and number as the user entered them; the full number is fetched on request. */
function DocumentFacts({ detail: { accountId, name, number } }: { detail: IdentityDetail }) {
  const { run, isBusy } = useDeskAction(revealIdentityNumber)
  const [fullNumber, setFullNumber] = useState<string | null>(null)
  const reveal = async () => {
    const done = await run({ accountId })
    if (done.ok) setFullNumber(done.value.number)
  }
  return (
    <>
      <FactList
        facts={[
          { label: 'Name', value: <bdi translate="no">{name}</bdi> },
          {
            label: 'Number',
            value: (
              <bdi dir="ltr" translate="no">
                {fullNumber ?? number}
              </bdi>
            ),
          },
        ]}
      />
      {fullNumber === null && (
        <TextButton disabled={isBusy} onClick={() => void reveal()}>
          Show the number (recorded in the audit log)
        </TextButton>
      )}
    </>
  )
}

/** Both sides of a document, side by side; on a phone one below the other. */
const Documents = ({ detail: { front, reverse } }: { detail: IdentityDetail }) => (
  <div className="grid gap-4 tablet:grid-cols-2">
    <Side label="Front" pictureKey={front} />
    <Side label="Back" pictureKey={reverse} />
  </div>
)

const Side = ({ label, pictureKey }: { label: string; pictureKey: string }) => (
  <section aria-label={label} className="flex min-w-0 flex-col gap-1">
    <h3 className="text-note text-second">{label}</h3>
    <PrivatePicture path={`${DESK_FILE_PATH}${pictureKey}`} alt={`${label} of the document`} isRotatable />
  </section>
)

type IdentityActionsProps = { open: WaitingDetail; onDone: () => void }

const SIDES = [
  { side: 'front', label: 'front' },
  { side: 'reverse', label: 'back' },
] as const

/** Verifies an identity or rejects parts of it, with the keys `a` and `r`. */
export function IdentityActions({ open, onDone }: IdentityActionsProps) {
  const accountId = open.case.accountId ?? 0
  const { data: detail } = useDeskQuery(getIdentity, { accountId }, { topics: ['waiting'] })
  const [openDialog, setOpenDialog] = useState<'approve' | 'reject' | null>(null)
  const missing = SIDES.filter(({ side }) => !detail?.opened.includes(side))
  const mayApprove = detail !== undefined && missing.length === 0
  useHotkey(mayApprove ? 'a' : null, () => setOpenDialog('approve'))
  useHotkey(detail ? 'r' : null, () => setOpenDialog('reject'))
  if (!detail) return null
  const dialogProps = { accountId, sentAt: detail.sentAt, onDone, onClose: () => setOpenDialog(null) }
  return (
    <>
      <Button tone="outline" aria-keyshortcuts="r" onClick={() => setOpenDialog('reject')}>
        Reject…
      </Button>
      <Button aria-keyshortcuts="a" disabled={!mayApprove} onClick={() => setOpenDialog('approve')}>
        Verify…
      </Button>
      {missing.length > 0 && (
        <p className="w-full basis-full text-note text-second">
          {`To verify, first open the ${missing.map(({ label }) => label).join(' and the ')} of the document.`}
        </p>
      )}
      {openDialog === 'approve' && <ApproveIdentityDialog {...dialogProps} />}
      {openDialog === 'reject' && <RejectIdentityDialog {...dialogProps} />}
    </>
  )
}

type ApproveIdentityProps = { accountId: number; sentAt: number; onDone: () => void; onClose: () => void }

const ApproveIdentityDialog = ({ accountId, sentAt, onDone, onClose }: ApproveIdentityProps) => (
  <ReasonDialog
    title={`Verify user ${asName(userNumber(accountId))}`}
    text="Confirm that name and number match the document, and that it is valid and belongs to the user. The user is notified at once."
    endpoint={approveIdentity}
    inputOf={(reason) => ({ accountId, sentAt, reason })}
    changes={[{ label: 'Identity', before: 'waiting', after: 'verified' }]}
    submitLabel="Verify"
    done="Verified."
    topics={['waiting']}
    onDone={onDone}
    onClose={onClose}
  />
)

const FIELD_NAMES = {
  name: 'Name',
  number: 'Number',
  front: 'Front',
  reverse: 'Back',
} as const satisfies Record<IdentityField, string>
const NAMES = Object.keys(FIELD_NAMES) as IdentityField[]

const FAULT_LABELS: Record<IdentityFault, string> = {
  differs: 'differs from the document',
  incomplete: 'not complete',
  unreadable: 'cannot be read',
  cutOff: 'a part is cut off',
  wrongSide: 'the wrong side or another picture',
  expired: 'has expired',
  notAccepted: 'not an accepted document',
  other: 'something else (describe it)',
}

type Finding = { fault: IdentityFault | ''; words: string }
type Findings = Record<IdentityField, Finding>

const CORRECT: Finding = { fault: '', words: '' }
const WORDS_LENGTH = 200

type RejectIdentityProps = { accountId: number; sentAt: number; onDone: () => void; onClose: () => void }

/** Selects what is wrong with each field; the user submits only these fields again. */
function RejectIdentityDialog({ accountId, sentAt, onDone, onClose }: RejectIdentityProps) {
  const { run, isBusy } = useDeskAction(refuseIdentity, {
    done: 'The user is notified which fields to submit again.',
    topics: ['waiting'],
    suppressErrorToast: true,
  })
  const [found, setFound] = useKeptState<Findings>(`findings ${accountId} ${sentAt}`, {
    name: CORRECT,
    number: CORRECT,
    front: CORRECT,
    reverse: CORRECT,
  })
  const [state, setState] = useState<{ note: string | null; rejections: number }>({
    note: null,
    rejections: 0,
  })
  const send = async () => {
    const faults = NAMES.flatMap((field) => {
      const { fault, words } = found[field]
      return fault === '' ? [] : [{ field, fault, words: words.trim() }]
    })
    const done = await run({ accountId, sentAt, faults })
    if (!done.ok) return setState(({ rejections }) => ({ note: done.problem, rejections: rejections + 1 }))
    onDone()
    onClose()
  }
  return (
    <FormDialog
      title={`Reject the identity of user ${asName(userNumber(accountId))}`}
      text="The user sees what is wrong with each field, in their language, and submits only these again. Your own text is not translated."
      rejections={state.rejections}
      note={state.note}
      submitLabel="Request these again"
      cancelLabel="Cancel"
      tone="danger"
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => void send()}
    >
      {NAMES.map((field) => (
        <FieldFinding
          key={field}
          field={field}
          finding={found[field]}
          onChange={(finding) => {
            setFound({ ...found, [field]: finding })
            setState({ ...state, note: null })
          }}
        />
      ))}
    </FormDialog>
  )
}

type FieldFindingProps = { field: IdentityField; finding: Finding; onChange: (finding: Finding) => void }

function FieldFinding({ field, finding, onChange }: FieldFindingProps) {
  const faults: readonly IdentityFault[] = IDENTITY_FAULTS[field]
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={FIELD_NAMES[field]}
        value={finding.fault}
        options={[
          { value: '', label: 'correct' },
          ...faults.map((value) => ({ value, label: FAULT_LABELS[value] })),
        ]}
        onChange={(fault) => onChange({ ...finding, fault })}
      />
      {finding.fault !== '' && (
        <TextField
          label={`${FIELD_NAMES[field]}: your text${finding.fault === 'other' ? '' : ' (optional)'}`}
          value={finding.words}
          maxLength={WORDS_LENGTH}
          autoComplete="off"
          onChange={(words) => onChange({ ...finding, words })}
        />
      )}
    </div>
  )
}
