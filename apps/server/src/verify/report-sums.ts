import type { Queries } from '../platform/database/open.ts'
import type { AccountDayTable, FillDayTable, MoneyDayTable } from '../platform/database/report-schema.ts'
import { moneyDaysOf, receiptDaysOf } from '../risk/reports/day-book.ts'
import { firstDifference } from './figure.ts'
import { createPager } from './pager.ts'

/** Recomputes the sums behind reports from the ledger and the receipts, as far as these have been counted. */
export async function* reportFaults(queries: Queries): AsyncGenerator<string> {
  const progress = await queries.selectFrom('report_progress').selectAll().execute()
  const countedUpTo = (source: string) => progress.find((row) => row.source === source)?.last_id ?? 0n
  yield* moneyFaults(queries, countedUpTo('transfer'))
  yield* receiptFaults(queries, countedUpTo('receipt'))
}

async function* moneyFaults(queries: Queries, last: bigint): AsyncGenerator<string> {
  const sums = new Map<string, MoneyDayTable>()
  const pager = createPager((after, limit) =>
    queries
      .selectFrom('transfer')
      .select(['id', 'at', 'debit', 'credit', 'amount', 'kind'])
      .where('id', '>', after)
      .where('id', '<=', last)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for (let row = await pager.next(); row; row = await pager.next()) {
    for (const one of moneyDaysOf([row])) {
      const sum = sums.get(moneyKey(one))
      sums.set(moneyKey(one), {
        ...one,
        amount: one.amount + (sum?.amount ?? 0n),
        count: one.count + (sum?.count ?? 0n),
      })
    }
  }
  const found = await queries.selectFrom('money_day').selectAll().execute()
  yield* sumFaults('money of', found, { expected: [...sums.values()], keyOf: moneyKey })
}

const moneyKey = ({ day, ledger, kind }: MoneyDayTable): string => `day ${day}, ${ledger}, ${kind}`
const fillKey = ({ day, ledger, instrument_id: id, trigger }: FillDayTable): string =>
  `day ${day}, ${ledger}, instrument ${id}, ${trigger}`
const accountKey = ({ account_id: id, day }: AccountDayTable): string => `account ${id}, day ${day}`

/** Accounts per batch: the sums of all would not fit into memory. */
const ACCOUNTS = 500n
const ROWS = 1_000

async function* receiptFaults(queries: Queries, last: bigint): AsyncGenerator<string> {
  const fills = new Map<string, FillDayTable>()
  const { most } = await queries
    .selectFrom('account')
    .select(({ fn }) => fn.max('id').as('most'))
    .executeTakeFirstOrThrow()
  for (let first = 1n; first <= BigInt(most ?? 0n); first += ACCOUNTS) {
    const days = new Map<string, AccountDayTable>()
    for await (const receipt of receiptsOf(queries, { first, last })) {
      const one = receiptDaysOf([receipt])
      for (const day of one.accounts) addAccountDay(days, day)
      for (const fill of one.fills) addFillDay(fills, fill)
    }
    const found = await queries
      .selectFrom('account_day')
      .selectAll()
      .where('account_id', '>=', first)
      .where('account_id', '<', first + ACCOUNTS)
      .execute()
    yield* sumFaults('trading of', found, { expected: [...days.values()], keyOf: accountKey })
  }
  const found = await queries.selectFrom('fill_day').selectAll().execute()
  yield* sumFaults('fills of', found, { expected: [...fills.values()], keyOf: fillKey })
  const stray = await queries
    .selectFrom('account_day')
    .leftJoin('account', 'account.id', 'account_day.account_id')
    .select('account_day.account_id')
    .where('account.id', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (stray) yield `report sums: trading of account ${stray.account_id}, which does not exist`
}

/** The receipts of `ACCOUNTS` accounts from `first` on, by number, up to the row `last`. */
async function* receiptsOf(
  queries: Queries,
  { first, last }: { readonly first: bigint; readonly last: bigint },
): AsyncGenerator<Parameters<typeof receiptDaysOf>[0][number]> {
  let [account, number] = [first, 0n]
  for (let isMore = true; isMore;) {
    const rows = await queries
      .selectFrom('receipt')
      .innerJoin('account', 'account.id', 'receipt.account_id')
      .select(['receipt.at', 'receipt.account_id', 'receipt.number', 'receipt.body', 'account.ledger'])
      .where('receipt.account_id', '>=', account)
      .where('receipt.account_id', '<', first + ACCOUNTS)
      .where('receipt.id', '<=', last)
      .where((row) => row.or([row('receipt.account_id', '>', account), row('receipt.number', '>', number)]))
      .orderBy('receipt.account_id')
      .orderBy('receipt.number')
      .limit(ROWS)
      .execute()
    yield* rows
    const end = rows.at(-1)
    if (end) [account, number] = [end.account_id, end.number]
    isMore = rows.length === ROWS
  }
}

function addAccountDay(days: Map<string, AccountDayTable>, one: AccountDayTable): void {
  const sum = days.get(accountKey(one))
  days.set(accountKey(one), {
    ...one,
    orders: one.orders + (sum?.orders ?? 0n),
    closed: one.closed + (sum?.closed ?? 0n),
    result: one.result + (sum?.result ?? 0n),
  })
}

function addFillDay(fills: Map<string, FillDayTable>, one: FillDayTable): void {
  const sum = fills.get(fillKey(one))
  if (!sum) return void fills.set(fillKey(one), one)
  fills.set(fillKey(one), {
    ...one,
    fills: sum.fills + one.fills,
    spread: sum.spread + one.spread,
    slippage: sum.slippage + one.slippage,
    better: sum.better + one.better,
    worse: sum.worse + one.worse,
    delay_ms: sum.delay_ms + one.delay_ms,
    delay_most_ms: sum.delay_most_ms > one.delay_most_ms ? sum.delay_most_ms : one.delay_most_ms,
  })
}

type Sums<Row> = { readonly expected: readonly Row[]; readonly keyOf: (row: Row) => string }

function* sumFaults<Row extends object>(
  name: string,
  found: readonly Row[],
  { expected, keyOf }: Sums<Row>,
): Generator<string> {
  const byKey = new Map(expected.map((row) => [keyOf(row), row]))
  for (const row of found) {
    const key = keyOf(row)
    const sum = byKey.get(key)
    byKey.delete(key)
    const title = `report sums: ${name} ${key}`
    const difference = sum ? firstDifference(row, sum, '') : 'it should not be there'
    if (difference !== null) yield `${title}: ${difference}`
  }
  for (const key of byKey.keys()) yield `report sums: ${name} ${key} is missing`
}
