import { answerChat, settleChat } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { useState } from 'react'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { ReasonDialog } from '../reason-dialog.tsx'

type AnswerFormProps = {
  id: number
  /** The newest message on the screen: what comes after it still waits. */
  seen: number
  /** Whether something has no answer yet. */
  waits: boolean
}

/** The field for an answer, and the way to take off the list what needs none. What was refused stays in the field. */
export function AnswerForm({ id, seen, waits }: AnswerFormProps) {
  const [text, setText] = useState('')
  const [isSettling, setIsSettling] = useState(false)
  const { run, isBusy, problem } = useDeskAct(answerChat, { topics: ['waiting'], isQuiet: true })
  const isEmpty = text.trim() === ''
  const send = async () => {
    if (isEmpty || isBusy) return
    const done = await run({ id, text, seen })
    if (done.ok) setText('')
  }
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <TextAreaField
        label="Answer"
        value={text}
        problem={problem}
        dir="auto"
        hint="On their screen at once. They read that it is from the support, not your name."
        onChange={setText}
        onKeyDown={({ key, ctrlKey, metaKey }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) void send()
        }}
      />
      <div className="flex flex-wrap gap-2 *:grow">
        {waits && (
          <Button tone="outline" size="small" onClick={() => setIsSettling(true)}>
            No answer needed…
          </Button>
        )}
        <Button type="submit" size="small" isBusy={isBusy} disabled={isEmpty}>
          Answer
        </Button>
      </div>
      {isSettling && (
        <ReasonDialog
          title="No answer needed"
          text="It goes off the list. The person is told nothing."
          endpoint={settleChat}
          inputOf={(reason) => ({ id, seen, reason })}
          sendLabel="Take it off"
          topics={['waiting']}
          done="Taken off the list."
          onClose={() => setIsSettling(false)}
        />
      )}
    </form>
  )
}
