import { handOnCase, letCaseGo, listOperators, takeCase, type WaitingCase } from '@fairlot/contract/desk'
import { FormDialog } from '@fairlot/ui/dialog.tsx'
import { SelectField } from '@fairlot/ui/select-field.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { useHotkey } from '@fairlot/ui/use-hotkey.ts'
import { useState } from 'react'
import { since } from '../../i18n/moments.ts'
import { useSelf } from '../../live/session.ts'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { useDeskQuery } from '../../live/use-desk-query.ts'
import { useNow } from '../../ui/use-now.ts'
import { holderText } from './waiting-columns.tsx'

/** Who has a case: taken, taken over, handed on, let go. */
export function CaseHold({ row }: { row: WaitingCase }) {
  const self = useSelf()
  const now = useNow()
  const take = useDeskAct(takeCase)
  const letGo = useDeskAct(letCaseGo)
  const [isHanding, setIsHanding] = useState(false)
  const { caseKey, heldBy } = row
  const isMine = heldBy?.id === self.id
  const takeIt = () => void take.run({ caseKey, from: heldBy?.id ?? null })
  useHotkey(isMine ? null : 't', takeIt)
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 text-note">
      <span className="text-second">
        {heldBy ? `Held by ${holderText(row, self.id)} for ${since(heldBy.since, now)}` : 'Held by nobody'}
      </span>
      {isMine ? (
        <span className="flex gap-4">
          <TextButton onClick={() => setIsHanding(true)}>Hand on</TextButton>
          <TextButton onClick={() => void letGo.run({ caseKey })}>Let go</TextButton>
        </span>
      ) : (
        <TextButton aria-keyshortcuts="t" onClick={takeIt}>
          {heldBy ? 'Take over' : 'Take'}
        </TextButton>
      )}
      {isHanding && <HandOnDialog caseKey={caseKey} onClose={() => setIsHanding(false)} />}
    </div>
  )
}

type HandOnDialogProps = { caseKey: string; onClose: () => void }

function HandOnDialog({ caseKey, onClose }: HandOnDialogProps) {
  const self = useSelf()
  const { data } = useDeskQuery(listOperators, null)
  const handOn = useDeskAct(handOnCase, { done: 'Handed on.', isQuiet: true })
  const [chosen, setChosen] = useState('')
  const [note, setNote] = useState('')
  const [refused, setRefused] = useState(0)
  const others = (data?.operators ?? []).filter(({ id, status }) => id !== self.id && status === 'active')
  const send = async () => {
    const done = await handOn.run({ caseKey, operatorId: Number(chosen), note: note.trim() || null })
    if (done.ok) onClose()
    else setRefused(refused + 1)
  }
  return (
    <FormDialog
      title="Hand on"
      text="It stands in their list as theirs."
      refused={refused}
      note={handOn.problem}
      sendLabel="Hand on"
      cancelLabel="Cancel"
      isBusy={handOn.isBusy}
      onClose={onClose}
      onSend={() => void (chosen === '' ? setRefused(refused + 1) : send())}
    >
      <SelectField
        label="To"
        value={chosen}
        problem={refused > 0 && chosen === '' ? 'Choose who is to have it.' : null}
        options={[
          { value: '', label: 'Choose' },
          ...others.map(({ id, name, role }) => ({ value: String(id), label: `${name} (${role})` })),
        ]}
        onChange={setChosen}
      />
      <TextAreaField label="Note, if there is something to say" value={note} onChange={setNote} />
    </FormDialog>
  )
}
