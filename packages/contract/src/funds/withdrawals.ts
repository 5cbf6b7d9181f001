import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { listOf } from '../protocol/field.ts'
import {
  payoutCurrency,
  payoutQuery,
  withdrawal,
  withdrawalForm,
  withdrawalId,
  withdrawalPage,
  withdrawalQuery,
} from './withdrawals.wire.ts'

export { WITHDRAWAL_WIRE_NAMES } from './withdrawals.wire.ts'

export type PayoutCurrency = Infer<typeof payoutCurrency>
export type WithdrawalForm = Infer<typeof withdrawalForm>
export type WithdrawalQuery = Infer<typeof withdrawalQuery>
export type WithdrawalView = Infer<typeof withdrawal>
export type WithdrawalPage = Infer<typeof withdrawalPage>

export const listPayoutCurrencies = defineEndpoint({
  name: 'listPayoutCurrencies',
  method: 'GET',
  path: '/api/account/draw_symbol_list',
  access: ACCESS.withdraw,
  request: payoutQuery,
  response: listOf(payoutCurrency),
  summary: 'What withdrawals can be paid out in, with fee and price',
})

export const requestWithdrawal = defineEndpoint({
  name: 'askWithdrawal',
  method: 'POST',
  path: '/api/account/draw',
  isForm: true,
  changes: true,
  access: ACCESS.withdraw,
  request: withdrawalForm,
  response: withdrawal,
  summary: 'Requests money to be paid out: it is frozen at once',
})

export const listWithdrawals = defineEndpoint({
  name: 'listWithdrawals',
  method: 'GET',
  path: '/api/account/draw_list',
  access: ACCESS.withdraw,
  request: withdrawalQuery,
  response: withdrawalPage,
  summary: "The user's withdrawals, the newest first, ten a page",
})

export const getWithdrawal = defineEndpoint({
  name: 'getWithdrawal',
  method: 'GET',
  path: '/api/account/draw_detail',
  access: ACCESS.withdraw,
  request: withdrawalId,
  response: withdrawal,
  summary: 'One withdrawal with its steps',
})

export const cancelWithdrawal = defineEndpoint({
  name: 'takeBackWithdrawal',
  method: 'POST',
  path: '/api/account/draw_cancel',
  changes: true,
  access: ACCESS.withdraw,
  request: withdrawalId,
  response: withdrawal,
  summary: 'Takes back a withdrawal that waits: its money is free again at once',
})
