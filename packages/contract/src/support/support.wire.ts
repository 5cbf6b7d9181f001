import { object } from '../protocol/codec.ts'
import {
  choice,
  flag,
  id,
  int,
  listOf,
  omittable,
  omittableOrBlank,
  nullable,
  text,
  time,
} from '../protocol/field.ts'
import { userText } from '../protocol/user-text.ts'

export const chatMessage = object({
  id: ['id', id],
  from: ['from', choice({ user: 'user', support: 'support' })],
  /** Plain text, never HTML. Empty for a picture alone. */
  text: ['text', text],
  /** The URL of a picture, visible to its sender and to support staff; null for none. */
  picture: ['image', nullable(text)],
  time: ['time', time],
})

/** Messages before this one; without it the newest. */
export const chatQuery = object({ before: ['before_id', omittableOrBlank(id)] })

/** Newest first. */
export const chatPage = object({ messages: ['data', listOf(chatMessage)], hasMore: ['more', flag(1, 0)] })

export const chatState = object({
  /** Answers that the user has not seen. */
  unread: ['unread', int()],
  /** The last of the user's messages that support staff have seen; 0 for none. */
  lastSeenId: ['seen_to', int()],
  /**
   * The 75th percentile of recent response times, in minutes, rounded up to a round figure: three of four questions were
   * answered within it. Null while there are too few answers.
   */
  p75ResponseMinutes: ['usual_minutes', nullable(int(1))],
})

/** A text, the URL of an uploaded picture, or both. */
export const newChatMessage = object({
  text: ['text', omittable(userText)],
  picture: ['image', omittableOrBlank(text)],
})

/** The last message that the user has seen. */
export const markChatSeenRequest = object({ id: ['id', id] })

export const supportEmail = object({ email: ['email', text] })
