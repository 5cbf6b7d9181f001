import type { Inside } from '../codec.ts'
import { listOf, maybe, orNull, text, time, whole, withDefault } from '../field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, word, yesNo } from './record.ts'

/** `kept`: nothing is set up that could send it. */
export const MESSAGE_STATES = ['waiting', 'sent', 'failed', 'kept'] as const
const state = word(MESSAGE_STATES)
const channel = word(['email', 'sms'])

const fields = {
  ...{ id: text, channel, recipient: text, subject: text, state },
  /** Which of our messages it is; empty for those of an older version. */
  name: text,
  ...{ createdAt: time, tries: whole(), error: orNull(text) },
  /** Holds a code: it is masked here, and cannot be sent again. */
  hasSecret: yesNo,
}
const message = record(fields)
/** A mail or text message, without its text. */
export type Message = Inside<typeof message>

const messageDetail = record({
  ...fields,
  /** As it went out, codes masked; empty for messages of an older version, which did not keep it. */
  text,
  sentAt: orNull(time),
  /** When it will be tried next, while it waits. */
  nextTryAt: orNull(time),
  /** The message that this one sends again. */
  againOf: orNull(text),
})
export type MessageDetail = Inside<typeof messageDetail>

export const listMessages = defineDeskEndpoint({
  name: 'listMessages',
  method: 'GET',
  path: '/desk/api/messages',
  act: 'viewMessages',
  request: record({
    ...{ state: maybe(state), channel: maybe(channel) },
    ...{ search: withDefault(text, ''), page: deskPage },
  }),
  response: record({ messages: listOf(message), total: whole() }),
  summary: 'Mails and text messages, the latest first: what was sent, what waits, what failed',
})

export const getMessage = defineDeskEndpoint({
  name: 'getMessage',
  method: 'GET',
  path: '/desk/api/messages/message',
  act: 'viewMessages',
  request: record({ id: text }),
  response: messageDetail,
  summary: 'One message with its text as it went out; codes are never shown',
})

export const resendMessage = defineDeskEndpoint({
  name: 'resendMessage',
  method: 'POST',
  path: '/desk/api/messages/resend',
  act: 'resendMessage',
  request: record({ id: text, reason }),
  response: record({ id: text }),
  summary:
    'Sends the same text to the same recipient once more, as a message of its own; not one with a code',
})
