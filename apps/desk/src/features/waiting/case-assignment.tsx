import {
  handOnCase,
  letCaseGo,
  listOperators,
  takeCase,
  type OperatorRole,
  type WaitingCase,
} from '@fairlot/contract/desk'
import { FormDialog } from '@fairlot/ui/overlays/dialog.tsx'
import { SelectField } from '@fairlot/ui/forms/select-field.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { useHotkey } from '@fairlot/ui/hooks/use-hotkey.ts'
import { withNames } from '@fairlot/ui/figures/names.tsx'
import { useState } from 'react'
import { since } from '../../i18n/moments.ts'
import { useNow } from '../../live/clock.ts'
import { useKeptState } from '../../live/kept-input.ts'
import { useDeskQuery } from '../../live/queries.ts'
import { useSelf } from '../../live/session.ts'
import { useDeskAction } from '../../live/use-desk-action.ts'
import { holderText } from './waiting-list.tsx'
import { operatorName } from '../../ui/operator-names.ts'

type CaseAssignmentProps = { row: WaitingCase; deciders: readonly OperatorRole[] }

/** The assignment of a case: take it, take it over, hand it over or release it, for roles that may decide it. */
export function CaseAssignment({ row, deciders }: CaseAssignmentProps) {
  const self = useSelf()
  const now = useNow()
  const take = useDeskAction(takeCase)
  const release = useDeskAction(letCaseGo)
  const [isHandingOver, setIsHandingOver] = useState(false)
  const { caseKey, heldBy } = row
  const isMine = heldBy?.id === self.id
  const takeIt = () => void take.run({ caseKey, from: heldBy?.id ?? null })
  const mayTake = !isMine && deciders.includes(self.role)
  useHotkey(mayTake ? 't' : null, takeIt)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 text-note">
      <span className="text-second">
        {heldBy
          ? withNames(`Assigned to ${holderText(row, self.id)} for ${since(heldBy.since, now)}`)
          : 'Not assigned'}
      </span>
      {isMine && (
        <span className="flex gap-4">
          <TextButton onClick={() => setIsHandingOver(true)}>Hand over</TextButton>
          <TextButton onClick={() => void release.run({ caseKey })}>Release</TextButton>
        </span>
      )}
      {mayTake && (
        <TextButton aria-keyshortcuts="t" onClick={takeIt}>
          {heldBy ? 'Take over' : 'Take'}
        </TextButton>
      )}
      {isHandingOver && (
        <HandOverDialog caseKey={caseKey} deciders={deciders} onClose={() => setIsHandingOver(false)} />
      )}
    </div>
  )
}

type HandOverDialogProps = { caseKey: string; deciders: readonly OperatorRole[]; onClose: () => void }

function HandOverDialog({ caseKey, deciders, onClose }: HandOverDialogProps) {
  const self = useSelf()
  const { data } = useDeskQuery(listOperators, null)
  const handOver = useDeskAction(handOnCase, { done: 'Handed over.', suppressErrorToast: true })
  const [chosen, setChosen] = useKeptState(`hand over ${caseKey} to`, '')
  const [note, setNote] = useKeptState(`hand over ${caseKey}`, '')
  const [rejections, setRejections] = useState(0)
  const others = (data?.operators ?? []).filter(
    ({ id, status, role }) => id !== self.id && status === 'active' && deciders.includes(role),
  )
  const send = async () => {
    const done = await handOver.run({ caseKey, operatorId: Number(chosen), note: note.trim() || null })
    if (done.ok) onClose()
    else setRejections(rejections + 1)
  }
  return (
    <FormDialog
      title="Hand over"
      text="The case is assigned to the operator you choose."
      rejections={rejections}
      note={handOver.problem}
      submitLabel="Hand over"
      cancelLabel="Cancel"
      isBusy={handOver.isBusy}
      onClose={onClose}
      onSubmit={() => void (chosen === '' ? setRejections(rejections + 1) : send())}
    >
      <SelectField
        label="To"
        value={chosen}
        problem={rejections > 0 && chosen === '' ? 'Choose an operator.' : null}
        options={[
          { value: '', label: 'Choose' },
          ...others.map((operator) => ({ value: String(operator.id), label: operatorName(operator) })),
        ]}
        onChange={setChosen}
      />
      <TextAreaField label="Note (optional)" value={note} onChange={setNote} />
    </FormDialog>
  )
}
