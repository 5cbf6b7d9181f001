import { changeTerms, previewTerms, type TermsDraft, type TermsPreview } from '@fairlot/contract/desk'
import { ButtonRow } from '@fairlot/ui/controls/button-row.tsx'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { FactList } from '@fairlot/ui/figures/fact-list.tsx'
import { TextField } from '@fairlot/ui/forms/field.tsx'
import { FormFrame, FormNote } from '@fairlot/ui/forms/form-frame.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import type { Form } from '@fairlot/ui/forms/use-form.ts'
import { type ReactNode, useState } from 'react'
import { moment, momentOfField } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { errorText, rejectedField, request } from '../../live/request.ts'
import { ChangeList, shownChanges } from '../../ui/change-list.tsx'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { DetailHead } from '../../ui/split-view.tsx'

type ReviewedFormProps<Values extends object> = {
  /** The line above the title. */
  kind: string
  title: string
  form: Form<Values>
  /** The entered change; null when a field cannot be read, which then shows the problem. */
  draftOf: () => UntimedDraft | null
  children: ReactNode
  onClose: () => void
}

/** A form of terms in the detail; changes are shown before they are sent. */
export function ReviewedForm<Values extends object>(props: ReviewedFormProps<Values>) {
  const { kind, title, form, draftOf, children, onClose } = props
  const { review, isBusy, reviewed, close } = useReview(form)
  return (
    <>
      <DetailHead kind={kind} title={title} />
      <FormFrame
        form={form}
        onSubmit={(event) => {
          event.preventDefault()
          const draft = draftOf()
          if (draft) void review(draft)
        }}
      >
        {children}
        <FormNote text={form.note} />
        <ButtonRow>
          <Button tone="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" isBusy={isBusy}>
            Review
          </Button>
        </ButtonRow>
      </FormFrame>
      {reviewed && <TermsReview title={title} draft={reviewed} onDone={onClose} onClose={close} />}
    </>
  )
}

/** Lets the server check the draft of a form before the review; a problem is shown at its field, else below the form. */
export function useReview<Values extends object>(form: Form<Values>) {
  const [isBusy, setIsBusy] = useState(false)
  const [reviewed, setReviewed] = useState<UntimedDraft | null>(null)
  const review = async (draft: UntimedDraft): Promise<void> => {
    setIsBusy(true)
    try {
      await request(previewTerms, { ...draft, effect: 'earliest', effectiveAt: null })
      setReviewed(draft)
    } catch (error) {
      const [field, text] = [rejectedField(error), errorText(error) ?? '']
      if (field !== null && field in form.values)
        form.reject({ [field]: text } as Record<keyof Values, string>)
      else form.reject({}, text)
    } finally {
      setIsBusy(false)
    }
  }
  return { review, isBusy, reviewed, close: () => setReviewed(null) }
}

/** A change of terms without the time from which it applies. */
type UntimedDraft = Omit<TermsDraft, 'effect' | 'effectiveAt'>
type Effect = TermsDraft['effect']

const EFFECTS: readonly { value: Effect; label: string }[] = [
  { value: 'earliest', label: 'As soon as allowed' },
  { value: 'now', label: 'At once' },
  { value: 'at', label: 'Scheduled' },
]

type TermsReviewProps = {
  title: string
  draft: UntimedDraft
  onDone: () => void
  onClose: () => void
}

/** Reviews a change of terms before it is sent with a reason: what changes, for which orders and from when. */
export function TermsReview({ title, draft, onDone, onClose }: TermsReviewProps) {
  const [effect, setEffect] = useKeptState<Effect>(`effect ${title}`, 'earliest')
  const [typed, setTyped] = useKeptState(`effect ${title} from`, '')
  const effectiveAt = effect === 'at' ? momentOfField(typed) : null
  const isTimed = effect !== 'at' || effectiveAt !== null
  const timed: TermsDraft = { ...draft, effect, effectiveAt }
  const { data: preview, problem } = useDeskQuery(previewTerms, timed, { isOn: isTimed })
  return (
    <ReasonDialog
      title={title}
      endpoint={changeTerms}
      inputOf={(reason) => ({ ...timed, reason })}
      changes={preview ? shownChanges(preview.changes) : []}
      twoOperatorRule={preview?.needsSecond ? 'terms' : null}
      check={() => (isTimed ? problem : 'Choose a time first.')}
      submitLabel={preview?.needsSecond ? 'Request approval' : 'Change'}
      done="Change recorded."
      onDone={onDone}
      onClose={onClose}
    >
      <Segmented label="Takes effect" options={EFFECTS} value={effect} onChange={setEffect} />
      {effect === 'at' && (
        <TextField label="From (UTC)" type="datetime-local" value={typed} onChange={setTyped} />
      )}
      {problem !== null && (
        <p role="alert" className="text-note text-danger">
          {problem}
        </p>
      )}
      {preview && <PreviewFacts preview={preview} effect={effect} />}
      {preview?.withdraws.map((announced) => (
        <Withdrawn key={announced.changeId} {...announced} />
      ))}
    </ReasonDialog>
  )
}

/** An announced change that is withdrawn: what it would have changed, and when. */
function Withdrawn({ changeId, effectiveAt, changes }: TermsPreview['withdraws'][number]) {
  const now = useNow()
  return (
    <section className="flex flex-col gap-1">
      <h3 className="text-note font-medium text-second">
        Withdraws change {changeId}, announced for {moment(effectiveAt, now)} UTC:
      </h3>
      <ChangeList changes={shownChanges(changes)} />
    </section>
  )
}

function PreviewFacts({ preview, effect }: { preview: TermsPreview; effect: Effect }) {
  const now = useNow()
  const { isWorse, needsSecond, effectiveAt, earliestAt, positions, pendingOrders } = preview
  const isAtOnce = effect === 'now' || (effect === 'earliest' && !isWorse)
  return (
    <FactList
      facts={[
        { label: 'Effective from', value: isAtOnce ? 'at once' : `${moment(effectiveAt, now)} UTC` },
        {
          label: 'For users',
          value: isWorse ? 'to their disadvantage' : 'not to their disadvantage',
          ...(isWorse && { tone: 'down' as const }),
        },
        ...(isWorse && needsSecond
          ? [
              {
                label: 'Without a second operator from',
                value: earliestAt === null ? 'never' : `${moment(earliestAt, now)} UTC`,
              },
            ]
          : []),
        { label: 'Positions · pending orders', value: `${positions} · ${pendingOrders}` },
      ]}
    />
  )
}
