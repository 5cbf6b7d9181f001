import type { IdentityField } from '@fairlot/contract'
import { IDENTITY_FAULTS, refuseIdentity, type IdentityFault } from '@fairlot/contract/desk'
import { FormDialog } from '@fairlot/ui/dialog.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { useState } from 'react'
import { useDeskAct } from '../../live/use-desk-act.ts'

const FIELDS = {
  name: 'Name',
  number: 'Number',
  front: 'Front',
  reverse: 'Back',
} as const satisfies Record<IdentityField, string>
const NAMES = Object.keys(FIELDS) as IdentityField[]

const FAULTS: Record<IdentityFault, string> = {
  differs: 'not what stands on the document',
  incomplete: 'not complete',
  unreadable: 'cannot be read',
  cutOff: 'a part is cut off',
  wrongSide: 'the other side, or something else',
  expired: 'has expired',
  notAccepted: 'a kind that is not accepted',
  other: 'something else, in words',
}

type Finding = { fault: IdentityFault | ''; words: string }
type Findings = Record<IdentityField, Finding>

const RIGHT: Finding = { fault: '', words: '' }
const WORDS_LENGTH = 200

type RefuseIdentityProps = { accountId: number; sentAt: number; onDone: () => void; onClose: () => void }

/** Says of each field whether it was right. What was wrong, and only that, is sent again. */
export function RefuseIdentityDialog({ accountId, sentAt, onDone, onClose }: RefuseIdentityProps) {
  const { run, isBusy } = useDeskAct(refuseIdentity, {
    ...{ done: 'The person is told what to send again.', topics: ['waiting'], isQuiet: true },
  })
  const [found, setFound] = useState<Findings>({ name: RIGHT, number: RIGHT, front: RIGHT, reverse: RIGHT })
  const [state, setState] = useState<{ note: string | null; refused: number }>({ note: null, refused: 0 })
  const send = async () => {
    const faults = NAMES.flatMap((field) => {
      const { fault, words } = found[field]
      return fault === '' ? [] : [{ field, fault, words: words.trim() }]
    })
    const done = await run({ accountId, sentAt, faults })
    if (!done.ok) return setState(({ refused }) => ({ note: done.problem, refused: refused + 1 }))
    onDone()
    onClose()
  }
  return (
    <FormDialog
      title={`Reject a part: identity of account ${accountId}`}
      text="The person reads what is wrong with which field, in their language, and sends only these again. Your own words stay as you write them."
      refused={state.refused}
      note={state.note}
      sendLabel="Ask for these again"
      cancelLabel="Cancel"
      tone="danger"
      isBusy={isBusy}
      onClose={onClose}
      onSend={() => void send()}
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
        label={FIELDS[field]}
        value={finding.fault}
        options={[
          { value: '', label: 'is right' },
          ...faults.map((value) => ({ value, label: FAULTS[value] })),
        ]}
        onChange={(fault) => onChange({ ...finding, fault })}
      />
      {finding.fault !== '' && (
        <TextField
          label={`${FIELDS[field]}: your words${finding.fault === 'other' ? '' : ', if any'}`}
          value={finding.words}
          maxLength={WORDS_LENGTH}
          autoComplete="off"
          onChange={(words) => onChange({ ...finding, words })}
        />
      )}
    </div>
  )
}
