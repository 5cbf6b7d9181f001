import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import {
  balanceHistory,
  balanceQuery,
  fundsBalance,
  ledgerPage,
  ledgerQuery,
  type LEDGER_GROUPS,
  statementQuery,
  walletBalance,
  type ledgerRecord,
} from './funds.wire.ts'

export { LEDGER_GROUPS } from './funds.wire.ts'

/** A booking on the user's account, with a sentence. */
export type LedgerRecord = Readonly<Infer<typeof ledgerRecord>>
export type LedgerPage = Infer<typeof ledgerPage>
/** Filters of records. */
export type LedgerGroup = keyof typeof LEDGER_GROUPS
/** The period (days of UTC, both included, as their first moments, epoch ms) and the form of a statement. */
export type StatementQuery = Infer<typeof statementQuery>
/** Balances within a period, oldest first. */
export type BalanceHistory = Infer<typeof balanceHistory>
export type FundsBalance = Infer<typeof fundsBalance>

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
  summary: 'Money on hand and money frozen by withdrawals in progress',
})

export const listLedgerRecords = defineEndpoint({
  name: 'listLedgerRecords',
  method: 'GET',
  path: '/v1/api/main/accountLog/forexChange',
  access: ACCESS.funds,
  request: ledgerQuery,
  response: ledgerPage,
  summary: "The user's ledger rows, of all kinds or of some, the newest first, ten a page",
})

export const getBalanceHistory = defineEndpoint({
  name: 'getBalanceHistory',
  method: 'GET',
  path: '/v1/api/main/account/balanceHistory',
  access: ACCESS.funds,
  request: balanceQuery,
  response: balanceHistory,
  summary: 'The booked balance from a moment on, at most 366 days ago, in some 200 equal steps until now',
})

/** The longest period of a statement, in days. */
export const STATEMENT_DAYS_MAX = 366

export const getStatement = defineEndpoint({
  name: 'getStatement',
  method: 'GET',
  path: '/v1/api/main/account/statement',
  access: ACCESS.funds,
  request: statementQuery,
  response: nothing,
  summary: `The statement of a period of at most ${STATEMENT_DAYS_MAX} days, as PDF or CSV: its bytes, without an envelope`,
})
