import { noticesChannel, topicOf } from '@fairlot/contract'
import type { AuthForOthers } from './auth/routes.ts'
import type { Deployment } from './deployment.ts'
import type { Pictures } from './files/pictures.ts'
import type { Api } from './http/api.ts'
import type { Notifier } from './notifications/notifier.ts'
import { settingsNamed } from './settings/app-settings.ts'
import { mailUnseenAnswers } from './support/answer-mail.ts'
import { createChat, type Chat } from './support/chat.ts'
import { unreadOf } from './support/chat-rows.ts'
import { registerSupport } from './support/routes.ts'
import type { PrivateStream } from './trading/private-stream.ts'
import type { SocketHub } from './websocket/socket-hub.ts'

/** Who was answered and has not seen it is looked for this often, ms. */
const ANSWER_MAIL_MS = 60_000

/** The chat of everybody with the support, with the pictures that they send. */
export const openChat = (
  { database, settings, wallClock, onError }: Deployment,
  { tie, handOver }: Pictures,
): Chat =>
  createChat({
    ...{ queries: database.queries, now: wallClock, tie, handOver, onError },
    limits: settingsNamed(settings, {
      ...{ messagesPerMinute: 'chat_messages_per_minute', messagesPerDay: 'chat_messages_per_day' },
    }),
  })

/** The calls of the chat. */
export const registerChat = (
  api: Api,
  { database, settings }: Deployment,
  chat: Chat,
  { ownPictureOf }: Pictures,
): void =>
  registerSupport(api, {
    ...{ queries: database.queries, chat, ownPictureOf },
    settings: settingsNamed(settings, { email: 'support_email' }),
  })

type Told = {
  readonly chat: Chat
  readonly stream: PrivateStream
  readonly hub: SocketHub
  readonly notifier: Notifier
  readonly contactOf: AuthForOthers['contactOf']
}

/** Tells people of their chat with the support, on all their screens, or by mail if they are not here. Answers how to stop it. */
export function publishChat(told: Told, deployment: Deployment): () => void {
  const { chat, stream, hub, notifier, contactOf } = told
  const {
    database: { queries },
    wallClock: now,
    onError,
  } = deployment
  const stopListening = chat.onChanged(({ userId, ...change }) => {
    unreadOf(queries, userId)
      .then((unread) => stream.tellChat({ userId, ...change, unread }))
      .catch((error: unknown) => onError(error, 'telling of a message'))
  })
  const isOnline = (userId: number) => hub.readersOf(topicOf(noticesChannel), userId).length > 0
  const looking = setInterval(() => {
    mailUnseenAnswers({ queries, notifier, contactOf, isOnline, now }).catch((error: unknown) =>
      onError(error, 'mailing of answers'),
    )
  }, ANSWER_MAIL_MS)
  return () => {
    stopListening()
    clearInterval(looking)
  }
}

/** Whose page the support's screen frames, if it frames one. */
export const framedOrigin = ({
  service_link: link,
  service_opens_in: opensIn,
}: Deployment['settings']): string | null =>
  opensIn === 'chat' && link !== '' ? (URL.parse(link)?.origin ?? null) : null
