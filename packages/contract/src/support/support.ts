import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import {
  chatMessage,
  chatPage,
  chatQuery,
  chatState,
  markChatSeenRequest,
  newChatMessage,
  supportEmail,
  textReport,
} from './support.wire.ts'

export type ChatMessage = Infer<typeof chatMessage>
export type ChatPage = Infer<typeof chatPage>
export type ChatState = Infer<typeof chatState>
export type NewChatMessage = Infer<typeof newChatMessage>
export type TextReport = Infer<typeof textReport>

export { REPORTED_TEXT_LENGTH } from './support.wire.ts'

/** Messages per page. */
export const CHAT_PAGE_ROWS = 30
/** Maximum length of a message, in characters. */
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
  summary: "The user's messages with support staff, the newest first",
})

export const getChatState = defineEndpoint({
  name: 'getChatState',
  method: 'GET',
  path: '/api/chat/state',
  access: ACCESS.chat,
  request: nothing,
  response: chatState,
  summary: 'How many answers are unread, what support staff have seen, and how soon they usually answer',
})

export const sendChatMessage = defineEndpoint({
  name: 'sendChatMessage',
  method: 'POST',
  path: '/api/chat/send',
  changes: true,
  access: ACCESS.chat,
  request: newChatMessage,
  response: chatMessage,
  summary: `Writes to support staff: plain text of at most ${CHAT_TEXT_LENGTH} characters, an uploaded picture, or both`,
})

export const markChatSeen = defineEndpoint({
  name: 'markChatSeen',
  method: 'POST',
  path: '/api/chat/seen',
  access: ACCESS.chat,
  request: markChatSeenRequest,
  response: nothing,
  summary: 'Reports up to which message the user has seen the answers',
})

export const reportText = defineEndpoint({
  name: 'reportText',
  method: 'POST',
  path: '/api/chat/report_text',
  changes: true,
  access: ACCESS.chat,
  request: textReport,
  response: chatMessage,
  summary: 'Reports a text of the app that reads wrongly; support staff get it as a message of the user',
})
