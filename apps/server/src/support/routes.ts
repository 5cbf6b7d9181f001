import {
  getChatState,
  getSupportEmail,
  listChat,
  markChatSeen,
  PICTURE_PATH,
  sendChatMessage,
  type ChatMessage,
  type ChatWritten,
} from '@fairlot/contract'
import type { ChatMessageTable } from '../database/chat-schema.ts'
import type { Queries } from '../database/open.ts'
import type { Api, UserCall } from '../http/api.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import type { Chat } from './chat.ts'
import { chatOf, messagesOf, unreadOf } from './chat-rows.ts'
import { refusalOfMessage } from './message-text.ts'
import { usualWait } from './usual-wait.ts'

export type SupportOptions = {
  readonly queries: Queries
  readonly chat: Chat
  /** The key and the case of a picture of this user; null for any other. */
  readonly ownPictureOf: (
    url: string,
    userId: number,
  ) => Promise<{ readonly key: string; readonly usedBy: string | null } | null>
  readonly settings: { readonly email: string }
}

/** What people write to the support, and where they complain by e-mail. */
export function registerSupport(api: Api, options: SupportOptions): void {
  const { queries, chat, settings } = options
  api.visitor(getSupportEmail, () => ({ email: settings.email }))
  api.user(listChat, async ({ user, input }) => {
    const { rows, hasMore } = await messagesOf(queries, user.id, input.before)
    return { messages: rows.map(shownMessage), hasMore }
  })
  api.user(getChatState, async ({ user }) => ({
    unread: await unreadOf(queries, user.id),
    seenTo: Number((await chatOf(queries, user.id))?.desk_seen_id ?? 0n),
    usualMinutes: await usualWait(queries),
  }))
  api.user(sendChatMessage, createSend(options))
  api.user(markChatSeen, async ({ user, input }) => {
    await chat.noteSeen(user.id, input.id)
    return null
  })
}

function createSend({ chat, ownPictureOf }: SupportOptions) {
  const pictureOf = async (url: string | null, userId: number): Promise<string | null | Refusal> => {
    if (url === null) return null
    const picture = await ownPictureOf(url, userId)
    return picture && picture.usedBy === null ? picture.key : refuse('chatPictureUnknown', { field: 'image' })
  }

  return async ({ user, input, request }: UserCall<ChatWritten>): Promise<ChatMessage | Refusal> => {
    const known = await chat.repeated(user.id, request)
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

/** A message as the person sees it: of who answered they see that it was the support, never the name. */
const shownMessage = ({
  id,
  operator_id: by,
  text,
  picture,
  sent_at: at,
}: ChatMessageTable): ChatMessage => ({
  ...{ id: Number(id), from: by === null ? 'user' : 'support', text, time: Number(at) },
  picture: picture === null ? null : `${PICTURE_PATH}${picture}`,
})
