import { CHAT_TEXT_LENGTH } from '@fairlot/contract'
import { refuse, type Refusal } from '../http/refusal.ts'

/** Control characters, but for the end of a line; and marks that turn the text after them around. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g

/** What somebody has typed, as it is kept: plain text, its ends of lines as they are. Empty only where it may be. */
export function readMessageText(typed: string, mayBeEmpty: boolean): string | Refusal {
  const text = typed
    .replaceAll('\r\n', '\n')
    .replaceAll('\t', ' ')
    .replaceAll(UNSEEN, '')
    .toWellFormed()
    .trim()
  if (text === '' && !mayBeEmpty) return refuse('messageBlank', { field: 'text' })
  return text.length > CHAT_TEXT_LENGTH
    ? refuse('messageTooLong', { field: 'text', maximumLength: CHAT_TEXT_LENGTH })
    : text
}
