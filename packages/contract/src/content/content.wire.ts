import { object } from '../protocol/codec.ts'
import { choice, listOf, omittableOrBlank, text, time, nullable } from '../protocol/field.ts'

export const legalQuery = object({
  document: ['document', choice({ terms: 'terms', riskDisclosure: 'risk_disclosure', privacy: 'privacy' })],
  /** Null: the current one. */
  version: ['version', omittableOrBlank(text)],
})

export const legalText = object({
  version: ['version', text],
  effectiveAt: ['effective_at', time],
  body: ['body', text],
  /** Every version that has taken effect, the latest first. */
  versions: ['versions', listOf(text)],
})

/** The time of the latest one seen, epoch ms; null without any. */
export const newsMoment = object({ at: ['at', nullable(time)] })

export const newsSeen = object({ at: ['at', time] })

export const uploadedPicture = object({ url: ['url', text] })

/** The key is in the path. */
export const pictureKey = object({ key: ['key', text] })
