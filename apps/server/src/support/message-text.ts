import { CHAT_TEXT_LENGTH } from '@fairlot/contract'
import { refuse, type Refusal } from '../http/refusal.ts'

/** Why a message cannot be taken; null when it can. Empty only where it may be. */
export function refusalOfMessage(text: string, mayBeEmpty: boolean): Refusal | null {
  if (text === '' && !mayBeEmpty) return refuse('messageBlank', { field: 'text' })
  return text.length > CHAT_TEXT_LENGTH
    ? refuse('messageTooLong', { field: 'text', maximumLength: CHAT_TEXT_LENGTH })
    : null
}
