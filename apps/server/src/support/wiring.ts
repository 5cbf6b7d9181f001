import { noticesChannel, topicOf } from '@fairlot/contract'
import type { Services } from '../deployment/services.ts'
import type { Addressee } from '../notices/message-writer.ts'
import { settingsNamed, type AppSettings } from '../platform/config/app-settings.ts'
import type { PrivateStream } from '../trading/private-stream.ts'
import { type Chat, createChat, mailUnseenAnswers, unreadOf } from './chat.ts'
import { registerSupport } from './routes.ts'

/** Mails about unread answers are sent at this interval, ms. */
const ANSWER_MAIL_MS = 60_000

type Links = {
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  readonly stream: Pick<PrivateStream, 'publishChat'>
}

/** The support chat: its endpoints, its messages to all sockets of a user, and mails about answers to users who are offline. */
export function registerSupportArea(services: Services, links: Links): { readonly chat: Chat } {
  const { api, deployment, pictures } = services
  const { settings, wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const chat = createChat({
    queries,
    now,
    tie: pictures.tie,
    handOver: pictures.handOver,
    onError,
    limits: settingsNamed(settings, {
      messagesPerMinute: 'chat_messages_per_minute',
      messagesPerDay: 'chat_messages_per_day',
    }),
  })
  registerSupport(api, {
    queries,
    chat,
    ownPictureOf: pictures.ownPictureOf,
    settings: settingsNamed(settings, { email: 'support_email' }),
  })
  publishChat(chat, services, links)
  return { chat }
}

function publishChat(
  chat: Chat,
  { server, deployment, hub, messageWriter }: Services,
  { contactOf, stream }: Links,
): void {
  const { wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const publishing = new Set<Promise<void>>()
  const stopListening = chat.onChanged(({ userId, ...change }) => {
    const published = unreadOf(queries, userId)
      .then((unread) => stream.publishChat({ userId, ...change, unread }))
      .catch((error: unknown) => onError(error, 'publishing a chat message'))
      .finally(() => publishing.delete(published))
    publishing.add(published)
  })
  const isOnline = (userId: number) => hub.readersOf(topicOf(noticesChannel), userId).length > 0
  const mailing = setInterval(() => {
    mailUnseenAnswers({ queries, messageWriter, contactOf, isOnline, now }).catch((error: unknown) =>
      onError(error, 'mailing answers of support staff'),
    )
  }, ANSWER_MAIL_MS)
  server.addHook('onClose', async () => {
    stopListening()
    clearInterval(mailing)
    await Promise.all(publishing)
  })
}

/** The origin of the page that the support screen shows in a frame; null for none. */
export const frameSourceOf = ({
  service_link: link,
  service_opens_in: opensIn,
}: AppSettings): string | null =>
  opensIn === 'chat' && link !== '' ? (URL.parse(link)?.origin ?? null) : null
