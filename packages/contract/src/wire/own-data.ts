import { noun } from '../codec.ts'
import { choice, listOf, maybeBlank, money, orNull, text, whole } from '../field.ts'
import { line } from '../typed-field.ts'

const CODE_LENGTH = 20

/** That it is the user who asks: the code of the second factor where it is on, else the password. A demo account has neither. */
export const ownProof = noun({
  password: ['password', maybeBlank(text)],
  authCode: ['auth_code', maybeBlank(line(CODE_LENGTH))],
})

const obstacle = noun({
  what: [
    'what',
    choice({
      positionsOpen: 'positionsOpen',
      ordersPending: 'ordersPending',
      depositsOpen: 'depositsOpen',
      withdrawalsOpen: 'withdrawalsOpen',
      correctionsOpen: 'correctionsOpen',
      balanceLeft: 'balanceLeft',
    }),
  ],
  /** How many there are; of a balance how much. */
  count: ['count', orNull(whole())],
  amount: ['amount', orNull(money)],
})

export const closing = noun({
  /** What has to be done first; empty: the account can be closed. */
  obstacles: ['obstacles', listOf(obstacle)],
  /** What may be left on the account, and what is. */
  leftMax: ['left_max', money],
  balance: ['balance', money],
})
