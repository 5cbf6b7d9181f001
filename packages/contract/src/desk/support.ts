import type { Inside } from '../codec.ts'
import { id, listOf, maybe, nothing, orNull, text, time, whole } from '../field.ts'
import { typed } from '../typed-field.ts'
import { UPLOAD } from '../files.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record, yesNo } from './record.ts'

const message = record({
  id,
  /** Who has answered; null for the person. */
  operator: orNull(text),
  text,
  /** The key of a picture; null for none. */
  picture: orNull(text),
  time,
})
export type DeskChatMessage = Inside<typeof message>

const page = record({
  /** Newest first. */
  messages: listOf(message),
  hasMore: yesNo,
  /** The person's messages since the last answer. */
  unanswered: whole(),
  /** The last message that the person has seen; 0 for none. */
  seenTo: whole(),
})
export type DeskChatPage = Inside<typeof page>

/** The path of a picture of a chat, before its key. */
export const CHAT_PICTURE_PATH = '/desk/api/support/pictures/'

export const listPersonChat = defineDeskEndpoint({
  name: 'listPersonChat',
  method: 'GET',
  path: '/desk/api/support/messages',
  act: 'viewChat',
  request: record({ id, before: maybe(id) }),
  response: page,
  summary: "A person's messages with the support, the newest first",
})

export const noteChatSeen = defineDeskEndpoint({
  name: 'noteChatSeen',
  method: 'POST',
  path: '/desk/api/support/seen',
  act: 'viewChat',
  request: record({ id, to: id }),
  response: nothing,
  summary: 'The messages up to this one have been looked at: the person sees that',
})

export const answerChat = defineDeskEndpoint({
  name: 'answerChat',
  method: 'POST',
  path: '/desk/api/support/answer',
  act: 'answerChat',
  /**
   * `picture`: the key of one that the same operator has uploaded for it; the text may then be empty. `seen`: the newest message that
   * the writer saw; what has come since still waits.
   */
  request: record({ id, text: typed, picture: maybe(text), seen: whole() }),
  response: message,
  summary: 'Answers a person; not while somebody else has the case',
})

export const uploadChatPicture = defineDeskEndpoint({
  name: 'uploadChatPicture',
  method: 'POST',
  path: '/desk/api/support/picture',
  act: 'answerChat',
  request: nothing,
  response: record({ key: text }),
  summary: `Keeps a picture for an answer of the same operator (multipart/form-data, field "${UPLOAD.field}": JPEG, PNG or WebP of at most 10 MB); nobody sees it before`,
})

export const settleChat = defineDeskEndpoint({
  name: 'settleChat',
  method: 'POST',
  path: '/desk/api/support/settle',
  act: 'answerChat',
  request: record({ id, seen: whole(), reason }),
  response: nothing,
  summary: 'Takes messages off the waiting list that need no answer',
})

export const viewChatPicture = defineDeskEndpoint({
  name: 'viewChatPicture',
  method: 'GET',
  path: `${CHAT_PICTURE_PATH}:key`,
  act: 'viewChat',
  request: record({ key: text }),
  response: nothing,
  summary: 'A picture of a chat: its bytes, without an envelope. Every view is written down',
})
