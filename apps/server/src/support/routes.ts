import type { Queries } from '../platform/database/open.ts'
import {
  type ChatMessage,
  type NewChatMessage,
  getChatState,
  getSupportEmail,
  listChat,
  markChatSeen,
  PICTURE_PATH,
  reportText,
  sendChatMessage,
  type TextReport,
} from '@fairlot/contract'
import type { ChatMessageTable } from '../platform/database/chat-schema.ts'
import type { Api, UserCall } from '../platform/http/api.ts'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'
import { type Chat, chatOf, messagesOf, refusalOfMessage, unreadOf } from './chat.ts'

/** The response time is computed from this many of the latest answers, and from at least this many. */
const ANSWERS_MAX = 50
const ANSWERS_MIN = 5
const MINUTE_MS = 60_000
/** A response time is rounded up to one of these, minutes; a longer one to whole days. */
const STEPS = [5, 10, 15, 30, 60, 120, 240, 480, 720]
const DAY = 1_440

/** The 75th percentile of the latest response times; null while there are too few answers. */
async function latestP75ResponseMinutes(queries: Queries): Promise<number | null> {
  const rows = await queries
    .selectFrom('chat_answer')
    .select('waited_ms')
    .orderBy('message_id', 'desc')
    .limit(ANSWERS_MAX)
    .execute()
  return p75ResponseMinutes(rows.map(({ waited_ms }) => Number(waited_ms)))
}

/** The 75th percentile of response times in ms, as a round figure in minutes. */
export function p75ResponseMinutes(waits: readonly number[]): number | null {
  if (waits.length < ANSWERS_MIN) return null
  const sorted = waits.toSorted((one, other) => one - other)
  const minutes = (sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0) / MINUTE_MS
  return STEPS.find((step) => minutes <= step) ?? Math.ceil(minutes / DAY) * DAY
}

export type SupportOptions = {
  readonly queries: Queries
  readonly chat: Chat
  /** The key and the case of a picture of this user; null for anything else. */
  readonly ownPictureOf: (
    url: string,
    userId: number,
  ) => Promise<{ readonly key: string; readonly usedBy: string | null } | null>
  readonly settings: { readonly email: string }
}

/** Users' messages to support staff, and the address for complaints. */
export function registerSupport(api: Api, options: SupportOptions): void {
  const { queries, chat, settings } = options
  api.visitor(getSupportEmail, () => ({ email: settings.email }))
  api.user(listChat, async ({ user, input }) => {
    const { rows, hasMore } = await messagesOf(queries, user.id, input.before)
    return { messages: rows.map(shownMessage), hasMore }
  })
  api.user(getChatState, async ({ user }) => ({
    unread: await unreadOf(queries, user.id),
    lastSeenId: Number((await chatOf(queries, user.id))?.desk_seen_id ?? 0n),
    p75ResponseMinutes: await latestP75ResponseMinutes(queries),
  }))
  const send = createSend(options)
  api.user(sendChatMessage, send)
  api.user(reportText, (call) =>
    call.input.wrong === ''
      ? refuse('messageBlank', { field: 'wrong' })
      : send({ ...call, input: { text: messageOfReport(call.input), picture: null } }),
  )
  api.user(markChatSeen, async ({ user, input }) => {
    await chat.noteSeen(user.id, input.id)
    return null
  })
}

/** The message of a report. Its first line is the same in every language, so that support staff recognize and find it. */
const messageOfReport = ({ language, screen, wrong, better }: TextReport): string =>
  [`#translation ${language} ${screen}`, `− ${wrong}`, ...(better === '' ? [] : [`+ ${better}`])].join('\n')

function createSend({ chat, ownPictureOf }: SupportOptions) {
  const pictureOf = async (url: string | null, userId: number): Promise<string | null | Refusal> => {
    if (url === null) return null
    const picture = await ownPictureOf(url, userId)
    return picture && picture.usedBy === null ? picture.key : refuse('chatPictureUnknown', { field: 'image' })
  }

  return async ({ user, input, request }: UserCall<NewChatMessage>): Promise<ChatMessage | Refusal> => {
    const known = await chat.messageOfRequest(user.id, request)
    if (known) return isRefusal(known) ? known : shownMessage(known)
    const text = input.text ?? ''
    const refusal = refusalOfMessage(text, input.picture !== null)
    if (refusal) return refusal
    const picture = await pictureOf(input.picture, user.id)
    if (isRefusal(picture)) return picture
    const row = await chat.write({ userId: user.id, text, picture, request })
    return isRefusal(row) ? row : shownMessage(row)
  }
}

/** A message as shown to the user: answers are from "support", without the operator's name. */
const shownMessage = ({
  id,
  operator_id: by,
  text,
  picture,
  sent_at: at,
}: ChatMessageTable): ChatMessage => ({
  id: Number(id),
  from: by === null ? 'user' : 'support',
  text,
  time: Number(at),
  picture: picture === null ? null : `${PICTURE_PATH}${picture}`,
})
