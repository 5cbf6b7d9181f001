import {
  answerChat,
  CHAT_PICTURE_PATH,
  type DeskChatMessage,
  listUserChat,
  markUserChatSeen,
  settleChat,
  uploadChatPicture,
} from '@fairlot/contract/desk'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { ChatBubble } from '@fairlot/ui/layout/chat-bubble.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { useStayAtEnd } from '@fairlot/ui/hooks/use-stay-at-end.ts'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ImagePlus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { moment } from '../i18n/moments.ts'
import { useNow } from '../live/clock.ts'
import { useKeptState } from '../live/kept-input.ts'
import { keyOf } from '../live/queries.ts'
import { errorText, request } from '../live/request.ts'
import { useMay } from '../live/session.ts'
import { useDeskAction } from '../live/use-desk-action.ts'
import { PictureUpload } from './picture-field.tsx'
import { PrivatePicture } from './private-picture.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

/** A user's conversation with support, kept up to date, and the form for an answer. */
export function ChatPanel({ id }: { id: number }) {
  const mayView = useMay('viewChat')
  return mayView ? <Conversation key={id} id={id} /> : <p className="text-note text-second">{HIDDEN}</p>
}

const HIDDEN = 'Only the Support role can read these messages.'

function Conversation({ id }: { id: number }) {
  const chat = useChat(id)
  const { messages, older, problem, lastSeenId, newest } = chat
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
          {messages.length === 0 && <p className="text-note text-second">No messages yet.</p>}
          <Messages messages={messages} lastSeenId={lastSeenId} />
        </div>
      </div>
      <AnswerForm id={id} seen={newest} isWaiting={chat.unanswered > 0} />
    </section>
  )
}

function Messages({ messages, lastSeenId }: { messages: readonly DeskChatMessage[]; lastSeenId: number }) {
  const now = useNow()
  const lastOwn = messages.findLast(({ operator }) => operator !== null)?.id
  return (
    <ol role="log" aria-label="Messages" className="flex flex-col gap-3">
      {messages.map(({ id, operator, text, picture, time }) => (
        <ChatBubble
          key={id}
          isOwn={operator !== null}
          author={operator === null ? 'The user' : asName(operator)}
          text={text}
          picture={
            picture !== null && (
              <PrivatePicture
                path={`${CHAT_PICTURE_PATH}${picture}`}
                alt={`Sent by ${operator ?? 'the user'}`}
              />
            )
          }
          note={
            <bdi>
              {withNames(
                [
                  operator !== null && asName(operator),
                  asName(moment(time, now)),
                  id === lastOwn && (id <= lastSeenId ? 'seen' : 'not seen yet'),
                ]
                  .filter(Boolean)
                  .join(' · '),
              )}
            </bdi>
          }
        />
      ))}
    </ol>
  )
}

type AnswerFormProps = {
  id: number
  /** The id of the newest message on the screen; later messages stay unanswered. */
  seen: number
  /** Whether a message is unanswered. */
  isWaiting: boolean
}

/** Sends an answer, with or without a picture, or marks the conversation as needing none. A rejected answer stays in the field. */
function AnswerForm({ id, seen, isWaiting }: AnswerFormProps) {
  const [text, setText] = useKeptState(`answer ${id}`, '')
  const [picture, setPicture] = useState<string | null>(null)
  const [isAttaching, setIsAttaching] = useState(false)
  const [isUploading, setIsUploading] = useState(false)
  const [isSettling, setIsSettling] = useState(false)
  const { run, isBusy, problem } = useDeskAction(answerChat, {
    topics: ['waiting'],
    suppressErrorToast: true,
  })
  // An answer is not sent before its picture is uploaded.
  const isReady = !isUploading && (text.trim() !== '' || picture !== null)
  const attach = (isAttached: boolean) => {
    setPicture(null)
    setIsUploading(false)
    setIsAttaching(isAttached)
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
        hint="The user sees it at once as a message from support, without your name."
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
          sentText="Attached to the answer"
          onChange={setPicture}
          onSending={setIsUploading}
        />
      )}
      <div className="flex items-start gap-2">
        <IconButton
          icon={ImagePlus}
          label={isAttaching ? 'Remove the picture' : 'Add a picture'}
          onClick={() => attach(!isAttaching)}
        />
        <div className="flex grow flex-wrap gap-2 *:grow">
          {isWaiting && (
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
          text="The conversation is removed from the list. The user is not notified."
          endpoint={settleChat}
          inputOf={(reason) => ({ id, seen, reason })}
          submitLabel="Remove from the list"
          topics={['waiting']}
          done="Removed from the list."
          onClose={() => setIsSettling(false)}
        />
      )}
    </form>
  )
}

/** A user's conversation with support, oldest message first; older pages are fetched on request. */
function useChat(id: number) {
  const query = useInfiniteQuery({
    queryKey: keyOf(listUserChat, { id }),
    queryFn: ({ pageParam, signal }) => request(listUserChat, { id, before: pageParam }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ messages, hasMore }) => (hasMore ? messages.at(-1)?.id : undefined),
    staleTime: 0,
  })
  const messages: readonly DeskChatMessage[] | undefined = query.data?.pages
    .flatMap((page) => page.messages)
    .toReversed()
  const first = query.data?.pages[0]
  useReportSeen(id, messages?.findLast(({ operator }) => operator === null)?.id)
  return {
    messages,
    unanswered: first?.unanswered ?? 0,
    lastSeenId: first?.lastSeenId ?? 0,
    newest: messages?.at(-1)?.id ?? 0,
    problem: query.error && errorText(query.error),
    retry: () => void query.refetch(),
    older: query.hasNextPage
      ? { onOlder: () => void query.fetchNextPage(), isLoading: query.isFetchingNextPage }
      : null,
  }
}

/** Reports the user's last message as seen while the page is visible. */
function useReportSeen(id: number, last: number | undefined): void {
  useEffect(() => {
    if (last === undefined) return
    const report = () => {
      if (document.visibilityState === 'visible')
        request(markUserChatSeen, { id, to: last }).catch(() => undefined)
    }
    report()
    document.addEventListener('visibilitychange', report)
    return () => document.removeEventListener('visibilitychange', report)
  }, [id, last])
}
