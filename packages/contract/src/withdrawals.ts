import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { listOf } from './field.ts'
import {
  payoutCurrency,
  payoutQuery,
  withdrawal,
  withdrawalForm,
  withdrawalId,
  withdrawalPage,
  withdrawalQuery,
} from './wire/withdrawal.ts'

export type PayoutCurrency = Inside<typeof payoutCurrency>
export type WithdrawalForm = Inside<typeof withdrawalForm>
export type WithdrawalQuery = Inside<typeof withdrawalQuery>
export type WithdrawalView = Inside<typeof withdrawal>
export type WithdrawalPage = Inside<typeof withdrawalPage>

export const listPayoutCurrencies = defineEndpoint({
  name: 'listPayoutCurrencies',
  method: 'GET',
  path: '/api/account/draw_symbol_list',
  access: ACCESS.withdraw,
  request: payoutQuery,
  response: listOf(payoutCurrency),
  summary: 'What withdrawals can be paid out in, with fee and price',
})

export const askWithdrawal = defineEndpoint({
  name: 'askWithdrawal',
  method: 'POST',
  path: '/api/account/draw',
  isForm: true,
  changes: true,
  access: ACCESS.withdraw,
  request: withdrawalForm,
  response: withdrawal,
  summary: 'Asks for money to be paid out: it is frozen at once',
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

export const takeBackWithdrawal = defineEndpoint({
  name: 'takeBackWithdrawal',
  method: 'POST',
  path: '/api/account/draw_cancel',
  changes: true,
  access: ACCESS.withdraw,
  request: withdrawalId,
  response: withdrawal,
  summary: 'Takes back a withdrawal that waits: its money is free again at once',
})
