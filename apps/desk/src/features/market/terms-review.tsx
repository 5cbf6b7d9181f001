import { changeTerms, previewTerms, type TermsDraft, type TermsPreview } from '@fairlot/contract/desk'
import { FactList } from '@fairlot/ui/fact-list.tsx'
import { Segmented } from '@fairlot/ui/segmented.tsx'
import { TextField } from '@fairlot/ui/field.tsx'
import { useState } from 'react'
import { shownChanges } from '../../i18n/field-words.ts'
import { moment } from '../../i18n/moments.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { ReasonDialog } from '../../ui/reason-dialog.tsx'
import { useNow } from '../../ui/use-now.ts'

/** A change of terms before it is known from when it is to hold. */
export type UntimedDraft = Omit<TermsDraft, 'effect' | 'effectiveAt'>
type Effect = TermsDraft['effect']

const EFFECTS: readonly { value: Effect; label: string }[] = [
  { value: 'earliest', label: 'As soon as allowed' },
  { value: 'now', label: 'At once' },
  { value: 'at', label: 'From a moment' },
]

/** `2026-11-22T10:00` of a field, in UTC. */
const momentOf = (typed: string): number | null => {
  const at = Date.parse(`${typed}Z`)
  return Number.isNaN(at) ? null : at
}

type TermsReviewProps = {
  title: string
  draft: UntimedDraft
  onDone: () => void
  onClose: () => void
}

/** What a change of terms would change, whom it touches and from when; then why, and done. */
export function TermsReview({ title, draft, onDone, onClose }: TermsReviewProps) {
  const [effect, setEffect] = useState<Effect>('earliest')
  const [typed, setTyped] = useState('')
  const effectiveAt = effect === 'at' ? momentOf(typed) : null
  const isTimed = effect !== 'at' || effectiveAt !== null
  const timed: TermsDraft = { ...draft, effect, effectiveAt }
  const { data: preview, problem } = useDeskQuery(previewTerms, timed, { isOn: isTimed })
  return (
    <ReasonDialog
      title={title}
      endpoint={changeTerms}
      inputOf={(reason) => ({ ...timed, reason })}
      changes={preview ? shownChanges(preview.changes) : []}
      {...(preview?.needsSecond && { needsSecond: 'always' as const })}
      check={() => (isTimed ? problem : 'Choose a moment first.')}
      sendLabel={preview?.needsSecond ? 'Ask a second person' : 'Change'}
      done="The change is written down."
      onDone={onDone}
      onClose={onClose}
    >
      <Segmented label="Holds" options={EFFECTS} value={effect} onChange={setEffect} />
      {effect === 'at' && (
        <TextField label="From (UTC)" type="datetime-local" value={typed} onChange={setTyped} />
      )}
      {problem !== null && (
        <p role="alert" className="text-note text-danger">
          {problem}
        </p>
      )}
      {preview && <PreviewFacts preview={preview} effect={effect} />}
    </ReasonDialog>
  )
}

function PreviewFacts({ preview, effect }: { preview: TermsPreview; effect: Effect }) {
  const now = useNow()
  const { isWorse, needsSecond, effectiveAt, earliestAt, positions, pendingOrders } = preview
  const isAtOnce = effect === 'now' || (effect === 'earliest' && !isWorse)
  return (
    <FactList
      facts={[
        { label: 'Holds from', value: isAtOnce ? 'at once' : `${moment(effectiveAt, now)} UTC` },
        {
          label: 'For traders',
          value: isWorse ? 'to their disadvantage' : 'not to their disadvantage',
          ...(isWorse && { tone: 'down' as const }),
        },
        ...(isWorse && needsSecond
          ? [{ label: 'Without a second person from', value: `${moment(earliestAt, now)} UTC` }]
          : []),
        { label: 'Positions · pending orders on it', value: `${positions} · ${pendingOrders}` },
      ]}
    />
  )
}
