import { noun } from '../codec.ts'
import { choice, flag, id, listOf, maybe, maybeBlank, orNull, text, time, whole } from '../field.ts'
import { typed } from '../typed-field.ts'

export const chatMessage = noun({
  id: ['id', id],
  from: ['from', choice({ user: 'user', support: 'support' })],
  /** As it was typed: shown as text, never as HTML. Empty under a picture alone. */
  text: ['text', text],
  /** The url of a picture, which is for its sender and the support; null for none. */
  picture: ['image', orNull(text)],
  time: ['time', time],
})

/** Messages before this one; without it the newest. */
export const chatQuery = noun({ before: ['before_id', maybeBlank(id)] })

/** Newest first. */
export const chatPage = noun({ messages: ['data', listOf(chatMessage)], hasMore: ['more', flag(1, 0)] })

export const chatState = noun({
  /** Answers that the user has not seen. */
  unread: ['unread', whole()],
  /** The last of the user's messages that somebody at the support has looked at; 0 for none. */
  seenTo: ['seen_to', whole()],
  /** Three of four recent questions were answered within so many minutes; null while too few were. */
  usualMinutes: ['usual_minutes', orNull(whole(1))],
})

/** A text, the url of an uploaded picture, or both. */
export const chatWritten = noun({ text: ['text', maybe(typed)], picture: ['image', maybeBlank(text)] })

/** Up to which message the user has seen the answers. */
export const chatSeen = noun({ id: ['id', id] })

export const supportEmail = noun({ email: ['email', text] })
