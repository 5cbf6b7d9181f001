import type { Inside } from '../codec.ts'
import { amount, id, listOf, nothing, orNull, withDefault, text } from '../field.ts'
import { line } from '../typed-field.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { outcomeOfAct } from './operators.ts'
import { reason, record, word, yesNo } from './record.ts'
import { related } from './waiting.ts'

const REFERENCE_LENGTH = 120

export const finishDeposit = defineDeskEndpoint({
  name: 'finishDeposit',
  method: 'POST',
  path: '/desk/api/payments/finish-deposit',
  act: 'decideDeposit',
  changes: true,
  /** `amount`: what has arrived, in the account currency; it is what is credited. */
  request: record({ id, amount, reason }),
  response: outcomeOfAct,
  summary: 'Credits a deposit once, at the confirmed amount; above the limit a second person decides',
})

export const refuseDeposit = defineDeskEndpoint({
  name: 'refuseDeposit',
  method: 'POST',
  path: '/desk/api/payments/refuse-deposit',
  act: 'decideDeposit',
  request: record({ id, outcome: word(['rejected', 'invalid']), reason }),
  response: nothing,
  summary: 'Ends a deposit without crediting anything; the person reads why',
})

export const approveWithdrawal = defineDeskEndpoint({
  name: 'approveWithdrawal',
  method: 'POST',
  path: '/desk/api/payments/approve-withdrawal',
  act: 'decideWithdrawal',
  request: record({ id, reason }),
  response: nothing,
  summary: 'Approves a withdrawal, to be paid; above the limit by somebody other than who pays it',
})

export const payWithdrawal = defineDeskEndpoint({
  name: 'payWithdrawal',
  method: 'POST',
  path: '/desk/api/payments/pay-withdrawal',
  act: 'decideWithdrawal',
  /** `reference`: the transaction number by which the person finds the payment. */
  request: record({ id, reference: line(REFERENCE_LENGTH), reason }),
  response: nothing,
  summary:
    'Says that an approved withdrawal was paid, with its transaction number: once, whatever is pressed',
})

export const refuseWithdrawal = defineDeskEndpoint({
  name: 'refuseWithdrawal',
  method: 'POST',
  path: '/desk/api/payments/refuse-withdrawal',
  act: 'decideWithdrawal',
  request: record({ id, reason }),
  response: nothing,
  summary: 'Rejects a withdrawal: the whole amount is free again at once; the person reads why',
})

/** A deposit or a withdrawal beside its case on the list of what waits. */
const detail = record({
  kind: word(['deposit', 'withdrawal']),
  id,
  accountId: id,
  /** The key of the picture of the transfer, for `/desk/api/files/`; null where there is none. */
  proof: orNull(text),
  /** Whether it is approved, and waits to be paid. */
  isApproved: yesNo,
  approvedBy: orNull(text),
  /** What is paid out, where, in words; empty for a deposit. */
  received: withDefault(text, ''),
  payTo: withDefault(text, ''),
})
export type PaymentDetail = Inside<typeof detail>

export const getPayment = defineDeskEndpoint({
  name: 'getPayment',
  method: 'GET',
  path: '/desk/api/payments/case',
  act: 'viewPayments',
  request: record({ id }),
  response: detail,
  summary: 'What is needed to decide a deposit or withdrawal, besides the facts of its case',
})

export const findReference = defineDeskEndpoint({
  name: 'findReference',
  method: 'GET',
  path: '/desk/api/payments/reference',
  act: 'viewPayments',
  request: record({ id, reference: line(REFERENCE_LENGTH) }),
  response: record({ cases: listOf(related) }),
  summary: 'Other deposits and withdrawals with a transaction number, whoever they belong to',
})

export const verifyPerson = defineDeskEndpoint({
  name: 'verifyPerson',
  method: 'POST',
  path: '/desk/api/people/verify',
  act: 'verifyPerson',
  request: record({ accountId: id, outcome: word(['verified', 'unverified']), reason }),
  response: nothing,
  summary: 'Says that the identity of a person was seen, or takes that back',
})
