import type { Receipt } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { AccountDayTable, FillDayTable } from '../../database/report-schema.ts'
import { readReceipt, type ProvenEvent } from '../../engine/projection/receipt-chain.ts'
import type { CountedRows } from './counted-rows.ts'
import { utcDayOf } from './utc-day.ts'

/** Each is read whole: so few that nobody waits for them. */
const ROWS = 250

/** Counts the next receipts after one: what traders did and how their fills were. */
export async function countReceipts(within: Queries, after: bigint): Promise<CountedRows> {
  const rows = await within
    .selectFrom('receipt')
    .innerJoin('account', 'account.id', 'receipt.account_id')
    .select(['receipt.id', 'receipt.at', 'receipt.account_id', 'account.ledger', 'receipt.body'])
    .where('receipt.id', '>', after)
    .orderBy('receipt.id')
    .limit(ROWS)
    .execute()
  const fills = new Map<string, FillDayTable>()
  const accounts = new Map<string, AccountDayTable>()
  for (const { at, account_id, ledger, body } of rows) {
    const { event } = readReceipt(body)
    const day = BigInt(utcDayOf(Number(at)))
    addAccount(accounts, { account_id, day, ...doneBy(event) })
    if (isFill(event)) addFill(fills, { day, ledger }, event.receipt)
  }
  if (fills.size > 0) await writeFills(within, [...fills.values()])
  if (accounts.size > 0) await writeAccounts(within, [...accounts.values()])
  return { last: rows.at(-1) ?? null, isAll: rows.length < ROWS }
}

/** A reset of a demo account ends positions without a price. */
const isFill = ({ receipt }: ProvenEvent): boolean =>
  (receipt.action === 'open' || receipt.action === 'close') && receipt.filledPrice !== null

type Done = Pick<AccountDayTable, 'orders' | 'closed' | 'result'>

/** What an event says about how an account trades: orders that its user placed, positions closed, and money made or lost. */
function doneBy(event: ProvenEvent): Done {
  const isOwn = event.receipt.trigger === 'user'
  switch (event.type) {
    case 'orderPlaced':
      return { orders: isOwn ? 1n : 0n, closed: 0n, result: 0n }
    case 'positionOpened':
      return { orders: isOwn ? 1n : 0n, closed: 0n, result: -event.fee }
    case 'positionClosed':
    case 'positionReduced':
      return { orders: 0n, closed: isFill(event) ? 1n : 0n, result: event.profit }
    case 'swapBooked':
      return { orders: 0n, closed: 0n, result: event.amount }
    default:
      return { orders: 0n, closed: 0n, result: 0n }
  }
}

function addAccount(sums: Map<string, AccountDayTable>, row: AccountDayTable): void {
  if (row.orders === 0n && row.closed === 0n && row.result === 0n) return
  const key = `${row.account_id} ${row.day}`
  const { orders, closed, result } = sums.get(key) ?? { orders: 0n, closed: 0n, result: 0n }
  sums.set(key, {
    ...row,
    ...{ orders: orders + row.orders, closed: closed + row.closed, result: result + row.result },
  })
}

function addFill(
  sums: Map<string, FillDayTable>,
  { day, ledger }: Pick<FillDayTable, 'day' | 'ledger'>,
  { tick, trigger, slippage, delayMs }: Receipt,
): void {
  if (!tick) return
  const key = `${day} ${ledger} ${tick.instrumentId} ${trigger}`
  const sum = sums.get(key)
  const delay = BigInt(delayMs)
  sums.set(key, {
    ...{ day, ledger, trigger, instrument_id: BigInt(tick.instrumentId) },
    fills: (sum?.fills ?? 0n) + 1n,
    spread: (sum?.spread ?? 0n) + BigInt(tick.ask - tick.bid),
    slippage: (sum?.slippage ?? 0n) + BigInt(slippage),
    better: (sum?.better ?? 0n) + (slippage > 0 ? 1n : 0n),
    worse: (sum?.worse ?? 0n) + (slippage < 0 ? 1n : 0n),
    delay_ms: (sum?.delay_ms ?? 0n) + delay,
    delay_most_ms: sum && sum.delay_most_ms > delay ? sum.delay_most_ms : delay,
  })
}

const writeFills = (within: Queries, rows: readonly FillDayTable[]) =>
  within
    .insertInto('fill_day')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['day', 'ledger', 'instrument_id', 'trigger']).doUpdateSet((set) => ({
        fills: set('fill_day.fills', '+', set.ref('excluded.fills')),
        spread: set('fill_day.spread', '+', set.ref('excluded.spread')),
        slippage: set('fill_day.slippage', '+', set.ref('excluded.slippage')),
        better: set('fill_day.better', '+', set.ref('excluded.better')),
        worse: set('fill_day.worse', '+', set.ref('excluded.worse')),
        delay_ms: set('fill_day.delay_ms', '+', set.ref('excluded.delay_ms')),
        delay_most_ms: sql<bigint>`case when excluded.delay_most_ms > fill_day.delay_most_ms
          then excluded.delay_most_ms else fill_day.delay_most_ms end`,
      })),
    )
    .execute()

const writeAccounts = (within: Queries, rows: readonly AccountDayTable[]) =>
  within
    .insertInto('account_day')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day']).doUpdateSet((set) => ({
        orders: set('account_day.orders', '+', set.ref('excluded.orders')),
        closed: set('account_day.closed', '+', set.ref('excluded.closed')),
        result: set('account_day.result', '+', set.ref('excluded.result')),
      })),
    )
    .execute()
