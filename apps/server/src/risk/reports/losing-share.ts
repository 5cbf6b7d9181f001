import type { Translate } from '../../platform/i18n/translate.ts'
import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { percentOf, type Decimal } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../platform/database/open.ts'
import { utcDayOf } from './utc-day.ts'

/** With fewer accounts users see the general warning, because the share would reveal individual results. */
export const SHOWN_FROM = 10
/** Accounts that are summed at once. */
const AT_ONCE = 500
/** How long a figure is shown before it is calculated again, ms. */
const KEPT_MS = 600_000

/** The number of real accounts in twelve months, and of those that lost money. */
export type LosingAccounts = {
  readonly at: number
  readonly from: number
  readonly accounts: number
  readonly losing: number
}

/** The same UTC day a year before. */
const yearBefore = (at: number): number => {
  const then = new Date(utcDayOf(at))
  return then.setUTCFullYear(then.getUTCFullYear() - 1)
}

/**
 * Counts real accounts with at least one position closed in the twelve months before `at` (epoch ms), and those of them
 * whose closed results less fees and swaps are below zero. Open profit, adjustments and negative-balance protection do
 * not count.
 */
export async function countLosing(queries: Queries, at: number): Promise<LosingAccounts> {
  const from = yearBefore(at)
  let [accounts, losing] = [0, 0]
  for (let after: bigint | null = 0n; after !== null;) {
    const rows: readonly Sum[] = await sumsOf(queries, after, from)
    for (const { closed, result } of rows) {
      if (closed === 0n) continue
      accounts += 1
      if (result < 0n) losing += 1
    }
    after = rows.length < AT_ONCE ? null : (rows.at(-1)?.account_id ?? null)
    await yieldToLoop()
  }
  return { at, from, accounts, losing }
}

type Sum = { readonly account_id: bigint; readonly closed: bigint; readonly result: bigint }

const sumsOf = (queries: Queries, after: bigint, from: number): Promise<Sum[]> =>
  queries
    .selectFrom('account_day')
    .innerJoin('account', 'account.id', 'account_day.account_id')
    .select([
      'account_day.account_id',
      sql<bigint>`cast(sum(closed) as bigint)`.as('closed'),
      sql<bigint>`cast(sum(result) as bigint)`.as('result'),
    ])
    .where('account_day.account_id', '>', after)
    .where('day', '>=', BigInt(from))
    .where('account.ledger', '=', 'real')
    .groupBy('account_day.account_id')
    .orderBy('account_day.account_id')
    .limit(AT_ONCE)
    .execute()

/** The losing accounts in percent, two decimals; null without accounts. */
export const shareOf = ({ accounts, losing }: LosingAccounts): Decimal | null =>
  accounts === 0 ? null : percentOf({ numerator: BigInt(losing), denominator: BigInt(accounts) })

/** The share shown to users, in whole percent, rounded half up; null while there are too few accounts. */
export const shownShareOf = ({ accounts, losing }: LosingAccounts): number | null =>
  accounts < SHOWN_FROM ? null : Math.round((losing * 100) / accounts)

/** The share shown to users, calculated at most every ten minutes; null when it is unknown. */
export function createShownShare(
  queries: Queries,
  now: () => number,
  onError: (error: unknown, doing: string) => void,
): () => Promise<number | null> {
  let kept: { readonly until: number; readonly share: Promise<number | null> } | null = null
  return () => {
    const time = performance.now()
    if (kept && time < kept.until) return kept.share
    const share = countLosing(queries, now())
      .then(shownShareOf)
      .catch((error: unknown) => {
        onError(error, 'counting the accounts that lost money')
        return null
      })
    kept = { until: time + KEPT_MS, share }
    return share
  }
}

/** The risk warning shown to users, with the share of losing accounts in whole percent when it is known. */
export const riskWarningOf = (translate: Translate, share: number | null): string =>
  share === null ? translate('riskWarning') : translate('riskWarningShare', { share })
