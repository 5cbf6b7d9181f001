import { noun, type Codec } from '../codec.ts'
import { choice, flag, id, integer, maybe, orNull, text } from '../field.ts'
import { LANGUAGE_CODES, type LanguageCode } from '../language.ts'

/** How far the check of somebody's identity is. */
export const reviewStatus = choice(
  { form: 0, waiting: 1, verified: 2, rejected: 3 },
  { otherwise: 'verified' },
)

export const user = noun({
  id: ['id', id],
  /** The public number that others may see. */
  uid: ['uid', text],
  email: ['email', orNull(text)],
  phone: ['phone', orNull(text)],
  areaCode: ['area_code', orNull(text)],
  isDemo: ['is_demo', flag(1, 0)],
  inviteCode: ['invite_code', orNull(text)],
  creditScore: ['credit_score', integer],
  /** What an operator has restricted the account to, and why; null where it may do everything. */
  restriction: [
    'restriction',
    maybe(
      noun({
        status: ['status', choice({ closeOnly: 'closeOnly', frozen: 'frozen' })],
        reason: ['reason', text],
      }),
    ),
  ],
  identityCheck: ['review_status', reviewStatus],
})

const language = choice(Object.fromEntries(LANGUAGE_CODES.map((code) => [code, code]))) as Codec<LanguageCode>

export const languageChoice = noun({ language: ['lang', language] })
