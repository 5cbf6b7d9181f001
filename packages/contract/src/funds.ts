import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { nothing } from './field.ts'
import { fundsBalance, ledgerPage, pageQuery, walletBalance, type ledgerRecord } from './wire/account.ts'

/** A movement of the user's money, in words. */
export type LedgerRecord = Readonly<Inside<typeof ledgerRecord>>
export type LedgerPage = Inside<typeof ledgerPage>
export type FundsBalance = Inside<typeof fundsBalance>

export const getWalletBalance = defineEndpoint({
  name: 'getWalletBalance',
  method: 'GET',
  path: '/v1/api/main/wallet/getBalance',
  access: ACCESS.funds,
  request: nothing,
  response: walletBalance,
  summary: 'The booked balance',
})

export const getFunds = defineEndpoint({
  name: 'getFunds',
  method: 'GET',
  path: '/v1/api/main/account/forexDetail',
  access: ACCESS.funds,
  request: nothing,
  response: fundsBalance,
  summary: 'Money on hand and money frozen by withdrawals under way',
})

export const listLedgerRecords = defineEndpoint({
  name: 'listLedgerRecords',
  method: 'GET',
  path: '/v1/api/main/accountLog/forexChange',
  access: ACCESS.funds,
  request: pageQuery,
  response: ledgerPage,
  summary: "The user's ledger rows, the newest first, ten a page",
})
