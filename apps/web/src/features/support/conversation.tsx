import { Headset, ImagePlus, SendHorizontal } from 'lucide-react'
import { type SubmitEvent, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { create } from 'zustand'
import { CallError, CHAT_TEXT_LENGTH, type ChatMessage } from '@fairlot/contract'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { ChatBubble } from '@fairlot/ui/layout/chat-bubble.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { useScrollBox } from '@fairlot/ui/navigation/scroll-box.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { TextAreaField } from '@fairlot/ui/forms/text-area-field.tsx'
import { useStayAtEnd } from '@fairlot/ui/hooks/use-stay-at-end.ts'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useChatState } from '../../live/account/chat.ts'
import { keepText } from '../../live/session/kept-input.ts'
import { useCaller } from '../../live/session/user.ts'
import { useConnection } from '../../live/connection/connection-state.ts'
import { useEverySecond } from '../../live/market/market-clock.ts'
import { failureText } from '../../live/requests/request.ts'
import { useOwnPicture } from '../../live/requests/files.ts'
import { FailedState } from '../../ui/failed-state.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { PictureField } from '../../ui/picture-field.tsx'
import { useChat, useMarkChatSeen, useSendMessage } from './queries.ts'

/** The chat with support: its messages, the newest last, and a field to write in. */
export function Conversation() {
  const chat = useChat()
  const { messages, error, refetch } = chat
  const t = useTranslations('support')
  const state = useChatState()
  const content = useRef<HTMLDivElement>(null)
  useMarkChatSeen(messages, state)
  useStayAtEnd(useScrollBox(), content, messages?.at(-1)?.id)
  return (
    <div ref={content} className="mx-auto flex w-full max-w-2xl grow flex-col">
      <div className="flex grow flex-col justify-end gap-3 px-4 pb-3">
        <MoreButton pages={chat} label={t('older')} />
        {messages ? (
          <Messages messages={messages} lastSeenId={state?.lastSeenId ?? 0} />
        ) : error ? (
          <FailedState title={t('failed')} error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading />
        )}
      </div>
      <Composer p75ResponseMinutes={state?.p75ResponseMinutes ?? null} />
    </div>
  )
}

function Messages({ messages, lastSeenId }: { messages: readonly ChatMessage[]; lastSeenId: number }) {
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
        <Message
          key={message.id}
          message={message}
          isSeen={message.id === lastOwn && message.id <= lastSeenId}
        />
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
          <span title={moments.dateTime(time)}>
            <Name>{shownTime}</Name>
          </span>
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

/** The field to write in. A message that could not be sent stays in it. */
function Composer({ p75ResponseMinutes }: { p75ResponseMinutes: number | null }) {
  const t = useTranslations('support')
  const { text } = useDraft()
  const [picture, setPicture] = useState<string | null>(null)
  const [isAttaching, setIsAttaching] = useState(false)
  const [isUploading, setIsUploading] = useState(false)
  const isOffline = useConnection((state) => state.isOffline)
  const problemOf = useProblem()
  const attach = (isWanted: boolean) => {
    setPicture(null)
    setIsUploading(false)
    setIsAttaching(isWanted)
  }
  const { mutate, isPending, error, reset } = useSendMessage((sent) => {
    dropSent(sent)
    attach(false)
  })
  const mayAttach = useCaller() === 'real'
  // A text that belongs to a picture is not sent before the picture is uploaded.
  const isReady = !isUploading && (text.trim() !== '' || picture !== null)
  const submit = (event?: SubmitEvent) => {
    event?.preventDefault()
    if (!isPending && isReady) mutate({ text: text.trim(), picture })
  }
  return (
    <form
      onSubmit={submit}
      className="sticky bottom-0 flex flex-col gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))]"
    >
      <UsualResponseTime minutes={p75ResponseMinutes} />
      {isAttaching && (
        <PictureField
          label={t('picture')}
          sentText={t('pictureReady')}
          onChange={setPicture}
          onSending={setIsUploading}
        />
      )}
      <TextAreaField
        label={t('write')}
        value={text}
        rows={2}
        dir="auto"
        maxLength={CHAT_TEXT_LENGTH}
        problem={isOffline ? t('offline') : error && problemOf(error)}
        onChange={(next) => {
          if (error) reset()
          setDraft(next)
        }}
        onKeyDown={(event) => {
          const isSend = event.key === 'Enter' && (event.ctrlKey || event.metaKey)
          if (isSend && !event.nativeEvent.isComposing) submit()
        }}
      />
      <div className="flex items-center justify-between gap-2">
        {mayAttach ? (
          <IconButton
            icon={ImagePlus}
            label={t(isAttaching ? 'withoutPicture' : 'addPicture')}
            onClick={() => attach(!isAttaching)}
          />
        ) : (
          <span />
        )}
        <Button type="submit" size="small" isBusy={isPending} disabled={!isReady}>
          <span className="rtl:-scale-x-100">
            <Icon of={SendHorizontal} size={16} />
          </span>
          {t('send')}
        </Button>
      </div>
    </form>
  )
}

/** Describes a failed send to the user. */
function useProblem(): (error: unknown) => string | null {
  const t = useTranslations()
  return (error) =>
    error instanceof CallError
      ? failureText(error.failure, (key, values) => t(`app.${key}`, values))
      : t('support.failedToSend')
}

const HOUR = 60
const DAY = 1_440

function UsualResponseTime({ minutes }: { minutes: number | null }) {
  const t = useTranslations('support')
  if (minutes === null) return null
  return (
    <p className="text-note text-second">
      {minutes >= DAY
        ? t('usualDays', { count: minutes / DAY })
        : minutes >= HOUR
          ? t('usualHours', { count: minutes / HOUR })
          : t('usualMinutes', { count: minutes })}
    </p>
  )
}

/** The text not sent yet: it is kept while other screens are shown, until the user logs out. */
const useDraft = create<{ readonly text: string }>(() => ({ text: '' }))

const setDraft = (text: string): void => useDraft.setState({ text })

/** Removes the text that was sent; what was typed after it stays. */
function dropSent(sent: string): void {
  const { text } = useDraft.getState()
  const typed = text.trimStart()
  setDraft(typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : text)
}

keepText('chat', () => useDraft.getState().text, setDraft)
