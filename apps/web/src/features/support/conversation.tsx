import type { ChatMessage } from '@fairlot/contract'
import { ChatBubble } from '@fairlot/ui/chat-bubble.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { useScrollBox } from '@fairlot/ui/scroll-box.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useStayAtEnd } from '@fairlot/ui/use-stay-at-end.ts'
import { Headset } from 'lucide-react'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useChatState } from '../../live/account/chat.ts'
import { useEverySecond } from '../../live/market/market-clock.ts'
import { useOwnPicture } from '../../live/requests/own-picture.ts'
import { MoreButton } from '../../ui/more-button.tsx'
import { Composer } from './composer.tsx'
import { Failed } from './failed.tsx'
import { useChat, useSeen } from './queries.ts'

/** The chat with the support: what was said, the newest last, and a field to write in. */
export function Conversation() {
  const chat = useChat()
  const { messages, error, refetch } = chat
  const t = useTranslations('support')
  const state = useChatState()
  const content = useRef<HTMLDivElement>(null)
  useSeen(messages, state)
  useStayAtEnd(useScrollBox(), content, messages?.at(-1)?.id)
  return (
    <div ref={content} className="mx-auto flex w-full max-w-2xl grow flex-col">
      <div className="flex grow flex-col justify-end gap-3 px-4 pb-3">
        <MoreButton pages={chat} label={t('older')} />
        {messages ? (
          <Messages messages={messages} seenTo={state?.seenTo ?? 0} />
        ) : error ? (
          <Failed error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </div>
      <Composer usualMinutes={state?.usualMinutes ?? null} />
    </div>
  )
}

function Messages({ messages, seenTo }: { messages: readonly ChatMessage[]; seenTo: number }) {
  const t = useTranslations('support')
  if (messages.length === 0)
    return (
      <div className="my-auto">
        <EmptyState icon={Headset} title={t('empty')} text={t('emptyText')} />
      </div>
    )
  const lastOwn = messages.findLast(({ from }) => from === 'user')?.id
  return (
    <ol role="log" aria-label={t('messages')} className="flex flex-col gap-3">
      {messages.map((message) => (
        <Message key={message.id} message={message} isSeen={message.id === lastOwn && message.id <= seenTo} />
      ))}
    </ol>
  )
}

function Message({ message, isSeen }: { message: ChatMessage; isSeen: boolean }) {
  const t = useTranslations('support')
  const { moments } = useLocale()
  const { from, text, picture, time } = message
  const shownTime = useEverySecond(() => moments.soon(time, Date.now()))
  return (
    <ChatBubble
      isOwn={from === 'user'}
      author={t(from === 'user' ? 'you' : 'support')}
      text={text}
      picture={picture !== null && <Picture url={picture} />}
      note={
        <>
          <bdi title={moments.dateTime(time)}>{shownTime}</bdi>
          {isSeen && <> · {t('seen')}</>}
        </>
      }
    />
  )
}

function Picture({ url }: { url: string }) {
  const t = useTranslations('support')
  const { src, isMissing, retry } = useOwnPicture(url)
  if (isMissing)
    return (
      <button type="button" className="text-start text-note underline" onClick={retry}>
        {t('pictureGone')}
      </button>
    )
  if (src === undefined) return <Skeleton shape="h-40 w-40" />
  return (
    <a href={src} target="_blank" rel="noreferrer" title={t('pictureOpen')}>
      <img src={src} alt={t('picture')} className="max-h-64 max-w-full rounded-field" />
    </a>
  )
}

const Loading = () => (
  <div className="flex flex-col gap-3">
    <Skeleton shape="h-14 w-3/5 rounded-card" />
    <Skeleton shape="h-10 w-2/5 self-end rounded-card" />
    <Skeleton shape="h-20 w-3/5 rounded-card" />
  </div>
)
