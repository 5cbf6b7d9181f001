import { noun } from '../codec.ts'
import { choice, listOf, maybeBlank, text, time } from '../field.ts'

export const legalQuery = noun({
  document: ['document', choice({ terms: 'terms', riskDisclosure: 'risk_disclosure', privacy: 'privacy' })],
  /** Null: the one in force. */
  version: ['version', maybeBlank(text)],
})

export const legalText = noun({
  version: ['version', text],
  effectiveAt: ['effective_at', time],
  body: ['body', text],
  /** Every version that has come into force, the latest first. */
  versions: ['versions', listOf(text)],
})
