import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import {
  chatMessage,
  chatPage,
  chatQuery,
  chatSeen,
  chatState,
  chatWritten,
  supportEmail,
} from './wire/chat.ts'

export type ChatMessage = Inside<typeof chatMessage>
export type ChatPage = Inside<typeof chatPage>
export type ChatState = Inside<typeof chatState>
export type ChatWritten = Inside<typeof chatWritten>

/** Messages that come with one answer. */
export const CHAT_PAGE_ROWS = 30
/** Characters of one message. */
export const CHAT_TEXT_LENGTH = 2_000

export const getSupportEmail = defineEndpoint({
  name: 'getSupportEmail',
  method: 'GET',
  path: '/api/default/support_email',
  access: ACCESS.information,
  request: nothing,
  response: supportEmail,
  summary: 'The address for complaints; empty where there is none',
})

export const listChat = defineEndpoint({
  name: 'listChat',
  method: 'GET',
  path: '/api/chat/list',
  access: ACCESS.chat,
  request: chatQuery,
  response: chatPage,
  summary: "The user's messages with the support, the newest first",
})

export const getChatState = defineEndpoint({
  name: 'getChatState',
  method: 'GET',
  path: '/api/chat/state',
  access: ACCESS.chat,
  request: nothing,
  response: chatState,
  summary: 'How many answers are unread, what the support has seen, and how soon it usually answers',
})

export const sendChatMessage = defineEndpoint({
  name: 'sendChatMessage',
  method: 'POST',
  path: '/api/chat/send',
  changes: true,
  access: ACCESS.chat,
  request: chatWritten,
  response: chatMessage,
  summary: `Writes to the support: plain text of at most ${CHAT_TEXT_LENGTH} characters, an uploaded picture, or both`,
})

export const markChatSeen = defineEndpoint({
  name: 'markChatSeen',
  method: 'POST',
  path: '/api/chat/seen',
  access: ACCESS.chat,
  request: chatSeen,
  response: nothing,
  summary: 'Tells up to which message the user has seen the answers',
})
