import { CHAT_PICTURE_PATH, type DeskChatMessage } from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/button.tsx'
import { ChatBubble } from '@fairlot/ui/chat-bubble.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useStayAtEnd } from '@fairlot/ui/use-stay-at-end.ts'
import { useRef } from 'react'
import { moment } from '../../i18n/moments.ts'
import { useMay } from '../../live/session.ts'
import { useChat } from '../../live/use-chat.ts'
import { AskedPicture } from '../asked-picture.tsx'
import { useNow } from '../use-now.ts'
import { AnswerForm } from './answer-form.tsx'

/** A person's conversation with the support, live, and the field for an answer. */
export function ChatPanel({ id }: { id: number }) {
  const mayView = useMay('viewChat')
  return mayView ? <Conversation key={id} id={id} /> : <p className="text-note text-second">{HIDDEN}</p>
}

const HIDDEN = 'What people write to the support is for the support alone.'

function Conversation({ id }: { id: number }) {
  const chat = useChat(id)
  const { messages, older, problem, seenTo, newest } = chat
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  useStayAtEnd(box, content, newest)
  if (!messages)
    return problem === null ? (
      <Skeleton shape="h-48 w-full" />
    ) : (
      <div role="alert" className="flex flex-col items-start gap-2 text-note text-danger">
        {problem}
        <Button tone="outline" size="small" onClick={chat.retry}>
          Try again
        </Button>
      </div>
    )
  return (
    <section aria-label="Conversation" className="flex flex-col gap-3">
      <div ref={box} className="max-h-[min(26rem,45dvh)] overflow-y-auto">
        <div ref={content} className="flex flex-col gap-3">
          {older && (
            <Button tone="outline" size="small" isBusy={older.isLoading} onClick={older.onOlder}>
              Older messages
            </Button>
          )}
          {messages.length === 0 && <p className="text-note text-second">Nothing was written yet.</p>}
          <Messages messages={messages} seenTo={seenTo} />
        </div>
      </div>
      <AnswerForm id={id} seen={newest} waits={chat.unanswered > 0} />
    </section>
  )
}

function Messages({ messages, seenTo }: { messages: readonly DeskChatMessage[]; seenTo: number }) {
  const now = useNow()
  const lastOwn = messages.findLast(({ operator }) => operator !== null)?.id
  return (
    <ol role="log" aria-label="Messages" className="flex flex-col gap-3">
      {messages.map(({ id, operator, text, picture, time }) => (
        <ChatBubble
          key={id}
          isOwn={operator !== null}
          author={operator ?? 'The person'}
          text={text}
          picture={
            picture !== null && (
              <AskedPicture
                path={`${CHAT_PICTURE_PATH}${picture}`}
                alt={`Sent by ${operator ?? 'the person'}`}
              />
            )
          }
          note={
            <bdi>
              {[operator, moment(time, now), id === lastOwn && (id <= seenTo ? 'seen' : 'not seen yet')]
                .filter(Boolean)
                .join(' · ')}
            </bdi>
          }
        />
      ))}
    </ol>
  )
}
