import {
  getBalanceHistory,
  getFunds,
  getStatement,
  getWalletBalance,
  listLedgerRecords,
  STATEMENT_DAYS_MAX,
} from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../http/api.ts'
import { createHolding, createLimit } from '../http/rate-limits.ts'
import { isRefusal, refuse } from '../http/refusal.ts'
import { balanceHistory } from './balance-history.ts'
import { createRecords, fundsOf } from './records.ts'
import { STATEMENT_WITHIN_MS, type Statements } from './statement/statements.ts'

const DAY_MS = 86_400_000
const HOUR_S = 3_600
/** What one user may ask for that reads much of the past. */
const STATEMENTS_PER_HOUR = 60
const AT_ONCE = 2

export type FundsServices = {
  readonly engine: Engine
  readonly queries: Queries
  readonly totals: TotalsBook
  readonly statements: Statements
  /** The market's clock, epoch ms. */
  readonly now: () => number
}

export function registerFunds(api: Api, { engine, queries, totals, statements, now }: FundsServices): void {
  api.user(getWalletBalance, async ({ user }) => {
    const funds = await fundsOf(engine, user.id)
    return isRefusal(funds) ? funds : { balance: funds.available }
  })

  api.user(getFunds, ({ user }) => fundsOf(engine, user.id))

  const records = createRecords(engine, queries, totals)
  api.user(listLedgerRecords, ({ input, user, translate }) => records.page(user.id, input, translate))

  const holding = createHolding(AT_ONCE)
  api.user(getBalanceHistory, async ({ input, user }) => {
    const to = now()
    if (to - input.from > STATEMENT_DAYS_MAX * DAY_MS || input.from >= to)
      return refuse('statementPeriodInvalid', { field: 'from', most: STATEMENT_DAYS_MAX })
    const release = holding(String(user.id))
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
      const release = holding(String(user.id))
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
