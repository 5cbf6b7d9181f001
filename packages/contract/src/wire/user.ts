import { noun } from '../codec.ts'
import { choice, flag, id, integer, orNull, text } from '../field.ts'

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
  identityCheck: [
    'review_status',
    choice({ form: 0, waiting: 1, verified: 2, rejected: 3 }, { otherwise: 'verified' }),
  ],
})
