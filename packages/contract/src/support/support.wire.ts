import { LANGUAGE_CODES, type LanguageCode } from '../accounts/language.ts'
import { type Codec, object, refine } from '../protocol/codec.ts'
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
import { userLine, userText } from '../protocol/user-text.ts'

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

/** Maximum length of each text of a report, in characters. */
export const REPORTED_TEXT_LENGTH = 500

const language = choice(Object.fromEntries(LANGUAGE_CODES.map((code) => [code, code]))) as Codec<LanguageCode>

/** The path of a screen, without its query. */
const screenPath: Codec<string> = refine(text, {
  decode: (path) => (/^\/[a-z\d/-]{0,60}$/.test(path) ? path : null),
  encode: (path) => path,
  reason: 'notUnderstood',
})

/** A text of the app that reads wrongly. */
export const textReport = object({
  language: ['language', language],
  screen: ['path', screenPath],
  /** The text as it is, or what is wrong with it. */
  wrong: ['wrong', userLine(REPORTED_TEXT_LENGTH)],
  /** What would be better; empty for no suggestion. */
  better: ['better', userLine(REPORTED_TEXT_LENGTH)],
})

/** The last message that the user has seen. */
export const markChatSeenRequest = object({ id: ['id', id] })

export const supportEmail = object({ email: ['email', text] })
