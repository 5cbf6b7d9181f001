import { answerChat, settleChat, uploadChatPicture } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { IconButton } from '@fairlot/ui/icon-button.tsx'
import { TextAreaField } from '@fairlot/ui/text-area-field.tsx'
import { ImagePlus } from 'lucide-react'
import { useState } from 'react'
import { useDeskAct } from '../../live/use-desk-act.ts'
import { PictureUpload } from '../picture-upload.tsx'
import { ReasonDialog } from '../reason-dialog.tsx'

type AnswerFormProps = {
  id: number
  /** The newest message on the screen: what comes after it still waits. */
  seen: number
  /** Whether something has no answer yet. */
  waits: boolean
}

/** The field for an answer and a picture, and the way to take off the list what needs none. What was refused stays in the field. */
export function AnswerForm({ id, seen, waits }: AnswerFormProps) {
  const [text, setText] = useState('')
  const [picture, setPicture] = useState<string | null>(null)
  const [isAttaching, setIsAttaching] = useState(false)
  const [isLeaving, setIsLeaving] = useState(false)
  const [isSettling, setIsSettling] = useState(false)
  const { run, isBusy, problem } = useDeskAct(answerChat, { topics: ['waiting'], isQuiet: true })
  // What was written to a picture does not go without it.
  const isReady = !isLeaving && (text.trim() !== '' || picture !== null)
  const attach = (isWanted: boolean) => {
    setPicture(null)
    setIsLeaving(false)
    setIsAttaching(isWanted)
  }
  const send = async () => {
    if (!isReady || isBusy) return
    const done = await run({ id, text, picture, seen })
    if (!done.ok) return
    setText('')
    attach(false)
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
      {isAttaching && (
        <PictureUpload
          label="Picture"
          endpoint={uploadChatPicture}
          nameOf={({ key }) => key}
          sentText="Goes along with the answer"
          onChange={setPicture}
          onSending={setIsLeaving}
        />
      )}
      <div className="flex items-start gap-2">
        <IconButton
          icon={ImagePlus}
          label={isAttaching ? 'Without a picture' : 'Add a picture'}
          onClick={() => attach(!isAttaching)}
        />
        <div className="flex grow flex-wrap gap-2 *:grow">
          {waits && (
            <Button tone="outline" size="small" onClick={() => setIsSettling(true)}>
              No answer needed…
            </Button>
          )}
          <Button type="submit" size="small" isBusy={isBusy} disabled={!isReady}>
            Answer
          </Button>
        </div>
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
