import type { Infer } from '../protocol/codec.ts'
import { id, listOf, omittable, nothing, nullable, text, time, int } from '../protocol/field.ts'
import { userText } from '../protocol/user-text.ts'
import { UPLOAD } from '../content/files.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, yesNo } from './record.ts'

const message = record({
  id,
  /** The operator who answered; null for the user. */
  operator: nullable(text),
  text,
  /** The key of a picture; null for none. */
  picture: nullable(text),
  time,
})
export type DeskChatMessage = Infer<typeof message>

const page = record({
  /** Newest first. */
  messages: listOf(message),
  hasMore: yesNo,
  /** The user's messages since the last answer. */
  unanswered: int(),
  /** The last message that the user has seen; 0 for none. */
  lastSeenId: ['seenTo', int()],
})
export type DeskChatPage = Infer<typeof page>

/** The path of a picture of a chat, before its key. */
export const CHAT_PICTURE_PATH = '/desk/api/support/pictures/'

export const listUserChat = defineDeskEndpoint({
  name: 'listPersonChat',
  method: 'GET',
  path: '/desk/api/support/messages',
  permission: 'viewChat',
  request: record({ id, before: omittable(id) }),
  response: page,
  summary: "A user's messages with support staff, the newest first",
})

export const markUserChatSeen = defineDeskEndpoint({
  name: 'noteChatSeen',
  method: 'POST',
  path: '/desk/api/support/seen',
  permission: 'viewChat',
  request: record({ id, to: id }),
  response: nothing,
  summary: 'The messages up to this one have been looked at: the user sees that',
})

export const answerChat = defineDeskEndpoint({
  name: 'answerChat',
  method: 'POST',
  path: '/desk/api/support/answer',
  permission: 'answerChat',
  /**
   * `picture`: the key of a picture uploaded by the same operator; the text may then be empty. `seen`: the newest
   * message the operator saw; later ones stay unanswered.
   */
  request: record({ id, text: userText, picture: omittable(text), seen: int() }),
  response: message,
  summary: 'Answers a user; not while somebody else has the case',
})

export const uploadChatPicture = defineDeskEndpoint({
  name: 'uploadChatPicture',
  method: 'POST',
  path: '/desk/api/support/picture',
  permission: 'answerChat',
  request: nothing,
  response: record({ key: text }),
  summary: `Keeps a picture for an answer of the same operator (multipart/form-data, field "${UPLOAD.field}": JPEG, PNG or WebP of at most 10 MB); nobody sees it before`,
})

export const settleChat = defineDeskEndpoint({
  name: 'settleChat',
  method: 'POST',
  path: '/desk/api/support/settle',
  permission: 'answerChat',
  request: record({ id, seen: int(), reason }),
  response: nothing,
  summary: 'Takes messages off the waiting list that need no answer',
})

export const viewChatPicture = defineDeskEndpoint({
  name: 'viewChatPicture',
  method: 'GET',
  path: `${CHAT_PICTURE_PATH}:key`,
  permission: 'viewChat',
  request: record({ key: text }),
  response: nothing,
  summary: 'A picture of a chat: its bytes, without an envelope. Every view is written down',
})
