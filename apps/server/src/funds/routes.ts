import {
  bindReceivingMethod,
  cancelWithdrawal,
  getBalanceHistory,
  getDeposit,
  getFunds,
  getStatement,
  getWalletBalance,
  getWithdrawal,
  listDepositAccounts,
  listDepositAddresses,
  listDepositCurrencies,
  listDeposits,
  listDepositsAsWell,
  listLedgerRecords,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  removeReceivingMethod,
  reportCoinDeposit,
  reportWireDeposit,
  requestWithdrawal,
  STATEMENT_DAYS_MAX,
} from '@fairlot/contract'
import type { Engine } from '../engine/engine.ts'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import { createKeyedMutex } from '../platform/concurrency.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api, UserCall } from '../platform/http/api.ts'
import { createConcurrencyLimit, createLimit } from '../platform/rate-limits.ts'
import { isRefusal, refuse } from '../platform/refusal.ts'
import type { Today } from './day-limits.ts'
import { listAccounts, listChannels, listCurrencies } from './deposit-channels.ts'
import { createDeposits } from './deposits.ts'
import { balanceHistory } from './movements.ts'
import { createPaymentCases, type PaymentServices } from './payment-cases.ts'
import { listPayoutKinds } from './payout-currencies.ts'
import { createReceivingMethods } from './receiving-methods.ts'
import { createRecords, fundsOf } from './records.ts'
import { STATEMENT_WITHIN_MS, type Statements } from './statement/statements.ts'
import { createWithdrawals } from './withdrawals.ts'

const DAY_MS = 86_400_000
const HOUR_S = 3_600
/** Limits for each user of the calls that read much history. */
const STATEMENTS_PER_HOUR = 60
const HISTORY_CALLS_AT_ONCE = 2

export type FundsServices = {
  readonly engine: Engine
  readonly queries: Queries
  readonly totals: TotalsBook
  readonly statements: Statements
  /** The market's clock, epoch ms. */
  readonly now: () => number
}

/** Balances, records and statements. */
export function registerFunds(api: Api, { engine, queries, totals, statements, now }: FundsServices): void {
  api.user(getWalletBalance, async ({ user }) => {
    const funds = await fundsOf(engine, user.id)
    return isRefusal(funds) ? funds : { balance: funds.available }
  })

  api.user(getFunds, ({ user }) => fundsOf(engine, user.id))

  const records = createRecords(engine, queries, totals)
  api.user(listLedgerRecords, ({ input, user, translate }) => records.page(user.id, input, translate))

  const startHistoryCall = createConcurrencyLimit(HISTORY_CALLS_AT_ONCE)
  api.user(getBalanceHistory, async ({ input, user }) => {
    const to = now()
    if (to - input.from > STATEMENT_DAYS_MAX * DAY_MS || input.from >= to)
      return refuse('statementPeriodInvalid', { field: 'from', most: STATEMENT_DAYS_MAX })
    const release = startHistoryCall(String(user.id))
    if (!release) return refuse('tooManyRequests')
    try {
      await engine.caughtUp()
      return { points: await balanceHistory(queries, user.id, { from: input.from, to }) }
    } finally {
      release()
    }
  })

  const isWithin = createLimit(STATEMENTS_PER_HOUR, HOUR_S)
  api.file(
    getStatement,
    async ({ input, user, language, translate }) => {
      const release = startHistoryCall(String(user.id))
      if (!release) return refuse('tooManyRequests')
      try {
        if (!(await isWithin(user.id))) return refuse('tooManyRequests')
        return await statements.write({ ...input, userId: user.id, language, translate })
      } finally {
        release()
      }
    },
    { withinMs: STATEMENT_WITHIN_MS },
  )
}

/** Deposits, withdrawals and receiving methods, for real accounts only. */
export function registerPayments(api: Api, services: PaymentServices): void {
  const { queries, engine, now } = services
  const parts = { ...services, cases: createPaymentCases(services), withLock: createKeyedMutex() }
  const deposits = createDeposits(parts)
  const withdrawals = createWithdrawals(parts)
  const methods = createReceivingMethods(services)

  const todayOf = async ({ user }: Pick<UserCall<unknown>, 'user'>): Promise<Today> => {
    await engine.caughtUp()
    return { queries, userId: user.id, now: now() }
  }

  api.user(listDepositAddresses, async (call) => listChannels(await todayOf(call), engine.state()))
  api.user(listDepositCurrencies, () => listCurrencies(queries, engine.state()))
  api.user(listDepositAccounts, async (call) =>
    listAccounts(await todayOf(call), engine.state(), call.input.currency),
  )
  api.user(reportCoinDeposit, deposits.reportCoin)
  api.user(reportWireDeposit, deposits.reportWire)
  api.user(listDeposits, deposits.list)
  api.user(listDepositsAsWell, deposits.list)
  api.user(getDeposit, deposits.find)

  api.user(listPayoutCurrencies, async (call) => listPayoutKinds(await todayOf(call), call.input.kind))
  api.user(requestWithdrawal, withdrawals.request)
  api.user(listWithdrawals, withdrawals.list)
  api.user(getWithdrawal, withdrawals.find)
  api.user(cancelWithdrawal, withdrawals.cancel)

  api.user(listReceivingMethods, methods.list)
  api.user(bindReceivingMethod, methods.bind)
  api.user(removeReceivingMethod, methods.remove)
}
