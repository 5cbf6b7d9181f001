import type { Infer } from '../protocol/codec.ts'
import { listOf, omittable, nullable, text, time, int, withDefault } from '../protocol/field.ts'
import { searchText } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { deskPage, reason, record, enumeration, yesNo } from './record.ts'

/** `kept`: no transport is configured. */
export const MESSAGE_STATES = ['waiting', 'sent', 'failed', 'kept'] as const
const state = enumeration(MESSAGE_STATES)
const channel = enumeration(['email', 'sms'])

const fields = {
  id: text,
  channel,
  recipient: text,
  subject: text,
  state,
  /** The kind of message; empty for those of an older version. */
  name: text,
  createdAt: time,
  tries: int(),
  error: nullable(text),
  /** Contains a code: masked here, and cannot be sent again. */
  hasSecret: yesNo,
}
const message = record(fields)
/** A mail or text message, without its text. */
export type Message = Infer<typeof message>

const messageDetail = record({
  ...fields,
  /** As sent, codes masked; empty for messages of an older version, which did not store it. */
  text,
  sentAt: nullable(time),
  /** When it is tried next, while it is queued. */
  nextTryAt: nullable(time),
  /** The message that this one repeats. */
  againOf: nullable(text),
})
export type MessageDetail = Infer<typeof messageDetail>

export const listMessages = defineDeskEndpoint({
  name: 'listMessages',
  method: 'GET',
  path: '/desk/api/messages',
  permission: 'viewMessages',
  request: record({
    state: omittable(state),
    channel: omittable(channel),
    search: withDefault(searchText, ''),
    page: deskPage,
  }),
  response: record({ messages: listOf(message), total: int() }),
  summary: 'Mails and text messages, the latest first: what was sent, what waits, what failed',
})

export const getMessage = defineDeskEndpoint({
  name: 'getMessage',
  method: 'GET',
  path: '/desk/api/messages/message',
  permission: 'viewMessages',
  request: record({ id: text }),
  response: messageDetail,
  summary: 'One message with its text as it went out; codes are never shown',
})

export const resendMessage = defineDeskEndpoint({
  name: 'resendMessage',
  method: 'POST',
  path: '/desk/api/messages/resend',
  permission: 'resendMessage',
  request: record({ id: text, reason }),
  response: record({ id: text }),
  summary:
    'Sends the same text to the same recipient once more, as a message of its own; not one with a code',
})
