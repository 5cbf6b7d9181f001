import { CallError, type Failure } from '@fairlot/contract'

type Sentences = (key: 'networkError', values: { code: string }) => string

const isUnanswered = ({ reason }: Failure): boolean => reason === 'network' || reason === 'unreadable'

/** The server's own sentence about why it refuses; undefined for whatever else went wrong. */
export const refusalText = (error: unknown): string | undefined =>
  error instanceof CallError && !isUnanswered(error.failure) ? error.failure.message : undefined

/** Why a call failed, for the reader: a call without an answer has only a technical word. Null for one taken back. */
export function failureText(failure: Failure, t: Sentences): string | null {
  const { reason, message } = failure
  if (reason === 'cancelled') return null
  return isUnanswered(failure) ? t('networkError', { code: message }) : message
}
