import { setTimeout as pause } from 'node:timers/promises'
import type { Receipt } from '@fairlot/core'
import { sql } from 'kysely'
import { type ProvenEvent, readReceipt } from '../../engine/projection/receipt-chain.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { AccountDayTable, FillDayTable, MoneyDayTable } from '../../platform/database/report-schema.ts'
import type { AccountTable, ReceiptTable, TransferTable } from '../../platform/database/schema.ts'
import { utcDayOf } from './utc-day.ts'

/** Append-only tables, read in the order of their ids. */
const SOURCES = { transfer: countTransfers, receipt: countReceipts } as const
type Source = keyof typeof SOURCES

/** New rows are counted at this interval, with a pause between two portions, ms. */
const EVERY_MS = 15_000
const REST_MS = 5
/** A report waits this long for the latest rows, ms. */
const PATIENCE_MS = 3_000

/**
 * Sums by day, derived from the tables in portions. Each portion and its progress are one transaction, so that every
 * row counts exactly once.
 */
export type DayBook = {
  /** Counts new rows, but waits for a short time only. Returns the moment on the market clock up to which all rows are counted, epoch ms. */
  counted(): Promise<number>
  stop(): Promise<void>
}

export type DayBookOptions = {
  readonly queries: Queries
  /** The market clock, epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

export function createDayBook({ queries, now, onError }: DayBookOptions): DayBook {
  const stopping = new AbortController()
  const { signal } = stopping
  const upTo = new Map<Source, number>()
  let inProgress: Promise<void> | null = null

  const countAll = async () => {
    for (const source of Object.keys(SOURCES) as Source[]) {
      for (let isAll = false; !isAll && !signal.aborted;) {
        const began = now()
        const portion = await countPortion(queries, source)
        isAll = portion.isAll
        upTo.set(source, isAll ? began : Number(portion.last?.at ?? 0n))
        if (!isAll) await pause(REST_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  const count = () => (inProgress ??= countAll().finally(() => (inProgress = null)))
  const countQuietly = () => count().catch((error: unknown) => onError(error, 'counting for reports'))
  const timer = setInterval(() => void countQuietly(), EVERY_MS)

  return {
    counted: async () => {
      await Promise.race([
        count(),
        pause(PATIENCE_MS, undefined, { ref: false, signal }).catch(() => undefined),
      ])
      return Math.min(...(Object.keys(SOURCES) as Source[]).map((source) => upTo.get(source) ?? 0))
    },
    stop: async () => {
      stopping.abort()
      clearInterval(timer)
      await inProgress?.catch(() => undefined)
    },
  }
}

const countPortion = (queries: Queries, source: Source): Promise<CountedRows> =>
  queries.transaction().execute(async (within) => {
    const known = await within
      .selectFrom('report_progress')
      .select('last_id')
      .where('source', '=', source)
      .executeTakeFirst()
    const portion = await SOURCES[source](within, known?.last_id ?? 0n)
    if (portion.last) {
      const progress = { last_id: portion.last.id, up_to: portion.last.at }
      await within
        .insertInto('report_progress')
        .values({ source, ...progress })
        .onConflict((conflict) => conflict.column('source').doUpdateSet(progress))
        .execute()
    }
    return portion
  })

/** The result of counting some rows of a source. */
type CountedRows = {
  readonly last: { readonly id: bigint; readonly at: bigint } | null
  /** True when no row is left to count. */
  readonly isAll: boolean
}

const TRANSFER_ROWS = 2_000

/** Counts the next transfers after one. A swap that is booked late counts on the day of its rollover. */
async function countTransfers(within: Queries, after: bigint): Promise<CountedRows> {
  const rows = await within
    .selectFrom('transfer')
    .select(['id', 'at', 'debit', 'credit', 'amount', 'kind'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(TRANSFER_ROWS)
    .execute()
  const sums = moneyDaysOf(rows)
  if (sums.length > 0) await addSums(within, sums)
  return { last: rows.at(-1) ?? null, isAll: rows.length < TRANSFER_ROWS }
}

/** Transfers summed by day, ledger and kind. Money that is only frozen or released stays with its user and does not count. */
export function moneyDaysOf(
  rows: readonly Pick<TransferTable, 'at' | 'debit' | 'credit' | 'amount' | 'kind'>[],
): MoneyDayTable[] {
  const sums = new Map<string, MoneyDayTable>()
  for (const { at, debit, credit, amount, kind } of rows) {
    const brokerAccount = [credit, debit].find((id) => id.startsWith('house:'))
    if (brokerAccount === undefined) continue
    const day = BigInt(utcDayOf(Number(at)))
    const ledger = brokerAccount.split(':')[1] ?? ''
    const key = `${day} ${ledger} ${kind}`
    const sum = sums.get(key) ?? { day, ledger, kind, amount: 0n, count: 0n }
    sums.set(key, {
      ...sum,
      amount: sum.amount + (brokerAccount === credit ? amount : -amount),
      count: sum.count + 1n,
    })
  }
  return [...sums.values()]
}

const addSums = (within: Queries, rows: readonly MoneyDayTable[]) =>
  within
    .insertInto('money_day')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['day', 'ledger', 'kind']).doUpdateSet((set) => ({
        amount: set('money_day.amount', '+', set.ref('excluded.amount')),
        count: set('money_day.count', '+', set.ref('excluded.count')),
      })),
    )
    .execute()

/** Few, because parsing the bodies blocks the event loop. */
const RECEIPT_ROWS = 250

/** Counts the next receipts after one: trading by account, and the quality of fills. */
async function countReceipts(within: Queries, after: bigint): Promise<CountedRows> {
  const rows = await within
    .selectFrom('receipt')
    .innerJoin('account', 'account.id', 'receipt.account_id')
    .select(['receipt.id', 'receipt.at', 'receipt.account_id', 'account.ledger', 'receipt.body'])
    .where('receipt.id', '>', after)
    .orderBy('receipt.id')
    .limit(RECEIPT_ROWS)
    .execute()
  const { fills, accounts } = receiptDaysOf(rows)
  if (fills.length > 0) await writeFills(within, fills)
  if (accounts.length > 0) await writeAccounts(within, accounts)
  return { last: rows.at(-1) ?? null, isAll: rows.length < RECEIPT_ROWS }
}

type CountedReceipt = Pick<ReceiptTable, 'at' | 'account_id' | 'body'> & Pick<AccountTable, 'ledger'>

/** Receipts summed: fills by day, ledger, instrument and trigger; trading by account and day. */
export function receiptDaysOf(rows: readonly CountedReceipt[]): {
  readonly fills: FillDayTable[]
  readonly accounts: AccountDayTable[]
} {
  const fills = new Map<string, FillDayTable>()
  const accounts = new Map<string, AccountDayTable>()
  for (const { at, account_id, ledger, body } of rows) {
    const { event } = readReceipt(body)
    const day = BigInt(utcDayOf(Number(at)))
    addAccount(accounts, { account_id, day, ...activityOf(event) })
    if (isFill(event)) addFill(fills, { day, ledger }, event.receipt)
  }
  return { fills: [...fills.values()], accounts: [...accounts.values()] }
}

/** A reset of a demo account closes positions without a price. */
const isFill = ({ receipt }: ProvenEvent): boolean =>
  (receipt.action === 'open' || receipt.action === 'close') && receipt.filledPrice !== null

type Activity = Pick<AccountDayTable, 'orders' | 'closed' | 'result'>

/** What an event adds to the trading of an account: orders placed by its user, positions closed, profit or loss. */
function activityOf(event: ProvenEvent): Activity {
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
    orders: orders + row.orders,
    closed: closed + row.closed,
    result: result + row.result,
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
    day,
    ledger,
    trigger,
    instrument_id: BigInt(tick.instrumentId),
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
