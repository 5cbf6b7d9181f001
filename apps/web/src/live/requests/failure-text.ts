import type { Failure } from '@fairlot/contract'

type Sentences = (key: 'networkError', values: { code: string }) => string

/** Why a call failed, for the reader: a call without an answer has only a technical word. Null for one taken back. */
export function failureText({ reason, message }: Failure, t: Sentences): string | null {
  if (reason === 'cancelled') return null
  return reason === 'network' || reason === 'unreadable' ? t('networkError', { code: message }) : message
}
