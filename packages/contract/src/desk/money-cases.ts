import type { Infer } from '../protocol/codec.ts'
import {
  conversionRate,
  id,
  listOf,
  omittable,
  money,
  nothing,
  nullable,
  sentAmount,
  text,
  time,
  withDefault,
} from '../protocol/field.ts'
import { userLine } from '../protocol/user-text.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { outcomeOfEntry } from './operators.ts'
import { reason, record, enumeration, yesNo } from './record.ts'
import { related } from './waiting.ts'

const REFERENCE_LENGTH = 300

export const finishDeposit = defineDeskEndpoint({
  name: 'finishDeposit',
  method: 'POST',
  path: '/desk/api/payments/finish-deposit',
  permission: 'decideDeposit',
  needsFreshFactor: true,
  changes: true,
  /**
   * `amount`: the amount received, in the currency sent. `arrivedAt`: its time, whose rate is used; left out: now.
   */
  request: record({ id, amount: sentAmount, arrivedAt: omittable(time), reason }),
  response: outcomeOfEntry,
  summary:
    'Credits a deposit once, at what has arrived and its rate; above the limit a second operator decides',
})

const credit = record({
  /** Decimals of the amounts typed and shown, and of the credit. */
  currency: text,
  accountCurrency: text,
  /** The rate to the account currency; null if the deposit is in account currency. */
  rate: nullable(conversionRate),
  isRateFixed: yesNo,
  /** The current market rate, if any. */
  rateNow: nullable(conversionRate),
  credited: money,
  needsSecond: yesNo,
})
export type CreditPreview = Infer<typeof credit>

export const previewCredit = defineDeskEndpoint({
  name: 'previewCredit',
  method: 'GET',
  path: '/desk/api/payments/credit',
  permission: 'viewPayments',
  request: record({ id, amount: sentAmount, arrivedAt: omittable(time) }),
  response: credit,
  summary: 'What would be credited for what has arrived, at which rate, and whether that needs two operators',
})

export const refuseDeposit = defineDeskEndpoint({
  name: 'refuseDeposit',
  method: 'POST',
  path: '/desk/api/payments/refuse-deposit',
  permission: 'decideDeposit',
  request: record({ id, outcome: enumeration(['rejected', 'invalid']), reason }),
  response: nothing,
  summary: 'Ends a deposit without crediting anything; the user reads why',
})

export const approveWithdrawal = defineDeskEndpoint({
  name: 'approveWithdrawal',
  method: 'POST',
  path: '/desk/api/payments/approve-withdrawal',
  permission: 'decideWithdrawal',
  needsFreshFactor: true,
  request: record({ id, reason }),
  response: nothing,
  summary: 'Approves a withdrawal, to be paid by another operator',
})

export const startPayment = defineDeskEndpoint({
  name: 'startPayment',
  method: 'POST',
  path: '/desk/api/payments/start-payment',
  permission: 'decideWithdrawal',
  needsFreshFactor: true,
  request: record({ id, reason }),
  response: nothing,
  summary:
    'Says that an approved withdrawal is being paid: from now on it ends as paid, or otherwise only by two',
})

export const payWithdrawal = defineDeskEndpoint({
  name: 'payWithdrawal',
  method: 'POST',
  path: '/desk/api/payments/pay-withdrawal',
  permission: 'decideWithdrawal',
  needsFreshFactor: true,
  /** `reference`: the transaction number of the payment, for the user. */
  request: record({ id, reference: userLine(REFERENCE_LENGTH), reason }),
  response: nothing,
  summary:
    'Says that an approved withdrawal was paid, with its transaction number: once, whatever is pressed',
})

export const refuseWithdrawal = defineDeskEndpoint({
  name: 'refuseWithdrawal',
  method: 'POST',
  path: '/desk/api/payments/refuse-withdrawal',
  permission: 'decideWithdrawal',
  needsFreshFactor: true,
  changes: true,
  request: record({ id, reason }),
  response: outcomeOfEntry,
  summary:
    'Rejects a withdrawal: the whole amount is free again; once it is approved a second operator decides',
})

/** A deposit or a withdrawal with its case in the list of waiting cases. */
const detail = record({
  kind: enumeration(['deposit', 'withdrawal']),
  id,
  accountId: id,
  /** The key of the picture of the transfer, for `/desk/api/files/`; null where there is none. */
  proof: nullable(text),
  /** Whether it is approved and unpaid; and whether its payment has begun. */
  isApproved: yesNo,
  isPaying: yesNo,
  approvedBy: nullable(text),
  /** Of a deposit: the currency of its amounts, and when it was reported. */
  currency: withDefault(text, ''),
  reportedAt: withDefault(nullable(time), null),
  /** The amount and target of the payout as text; empty for a deposit. */
  received: withDefault(text, ''),
  payTo: withDefault(text, ''),
})
export type PaymentDetail = Infer<typeof detail>

export const getPayment = defineDeskEndpoint({
  name: 'getPayment',
  method: 'GET',
  path: '/desk/api/payments/case',
  permission: 'viewPayments',
  request: record({ id }),
  response: detail,
  summary: 'What is needed to decide a deposit or withdrawal, besides the facts of its case',
})

export const findReference = defineDeskEndpoint({
  name: 'findReference',
  method: 'GET',
  path: '/desk/api/payments/reference',
  permission: 'viewPayments',
  request: record({ id, reference: userLine(REFERENCE_LENGTH) }),
  response: record({ cases: listOf(related) }),
  summary: 'Other deposits and withdrawals with a transaction number, no matter whose they are',
})

export const verifyPerson = defineDeskEndpoint({
  name: 'verifyPerson',
  method: 'POST',
  path: '/desk/api/people/verify',
  permission: 'verifyPerson',
  request: record({ accountId: id, outcome: enumeration(['verified', 'unverified']), reason }),
  response: outcomeOfEntry,
  summary:
    'Asks a second operator to verify somebody without documents here, or takes a verification back at once',
})
