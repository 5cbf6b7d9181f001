/** Checks a whole database against its journal (trading-rules §6): first what the journal says, then that every table says it too. */
import {
  createState,
  dueRollover,
  evolveEvent,
  rememberRequest,
  REQUEST_MEMORY_MS,
  violations,
  type Entry,
  type Event,
  type Posting,
  type State,
  type World,
} from '@fairlot/core'
import type { Written } from '../database/bulk.ts'
import type { Queries } from '../database/open.ts'
import type { TransferTable } from '../database/schema.ts'
import { decodeEntries, encodeEntry } from '../engine/entry-codec.ts'
import { follows, NO_ROW, readRows } from '../engine/journal.ts'
import { emptyRows, projectEntry, type RowNumbers } from '../engine/projection-rows.ts'
import { readReached } from '../engine/projection-write.ts'
import { restoreWithin } from '../engine/restore.ts'
import { describeState } from '../engine/state-hash.ts'
import { figuresBehind, type Figure } from './derive.ts'
import { firstDifference } from './difference.ts'
import { issueFigures, resetFigures } from './expected-transfers.ts'
import { createOrderBook } from './order-book.ts'
import { createAccountRows, createLedgerRows, createReceiptRows } from './rows.ts'
import { createTickBook } from './tick-figures.ts'

/** What has been compared. */
export type Counts = { accounts: number; orders: number; receipts: number; transfers: number }

export type Verified = { readonly difference: string | null; readonly counts: Counts }

type Wanted = number | null

/** The first difference as a sentence, or none. `accountId` looks at what concerns one account; null at everything. */
export async function verify(queries: Queries, world: World, accountId: Wanted = null): Promise<Verified> {
  const counts = { accounts: 0, orders: 0, receipts: 0, transfers: 0 }
  for await (const difference of differences(queries, world, accountId, counts)) return { difference, counts }
  return { difference: null, counts }
}

async function* differences(
  queries: Queries,
  world: World,
  wanted: Wanted,
  counts: Counts,
): AsyncGenerator<string> {
  const state = createState(world)
  const reached = await readReached(queries)
  const tables = followTables(queries, wanted)
  const judge = createJudge(wanted)
  let previous = NO_ROW
  for await (const row of readRows(queries, 0)) {
    if (!follows(previous, row))
      return yield `the journal is broken at row ${row.seq}: its hash or its number does not follow`
    previous = row
    const isProjected = row.seq <= BigInt(reached.seq)
    for (const entry of decodeEntries(row.entries)) {
      const moment = { at: entry.at, writer: row.writer }
      const replayed = replay(state, entry, (event) => judge(state, event, moment))
      if (typeof replayed === 'string') return yield `journal row ${row.seq}: ${replayed}`
      if (isProjected) yield* tables.compare(entry, replayed)
    }
  }
  if (previous.seq < BigInt(reached.seq))
    return yield `the journal ends at row ${previous.seq}, the tables reach row ${reached.seq}`
  yield* tables.finish(counts)
  counts.accounts = wanted === null ? state.accounts.size : 1
  yield* memoryFaults(queries, world, state)
}

/** Applies one entry; answers its ledger rows, or what is wrong with it. */
function replay(
  state: State,
  entry: Entry,
  faultOf: (event: Event) => string | null,
): readonly Posting[] | string {
  const postings: Posting[] = []
  for (const event of entry.events) {
    const fault = faultOf(event)
    if (fault !== null) return fault
    try {
      postings.push(...evolveEvent(state, event, entry.at))
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  rememberRequest(state, entry)
  return freeEnd(entry) ?? shortfall(state, entry) ?? postings
}

type Moment = { readonly at: number; readonly writer: string }

/** Tells what is wrong with an event on the state just before it. */
function createJudge(wanted: Wanted): (state: State, event: Event, moment: Moment) => string | null {
  const ticks = createTickBook()
  return (state, event, { at, writer }) => {
    if (wanted !== null && !('accountId' in event && event.accountId === wanted)) return null
    const name = 'orderId' in event ? `${event.type} of order ${event.orderId}` : event.type
    const fault =
      firstFault(figuresOf(state, event, at)) ??
      ('receipt' in event ? ticks.fault(writer, event.receipt) : null)
    return fault === null ? null : `${name}: ${fault}`
  }
}

function figuresOf(state: State, event: Event, at: number): readonly Figure[] {
  if ('receipt' in event) return figuresBehind(state, event, at)
  if (event.type === 'accountOpened') return issueFigures(state, event)
  if (event.type === 'rolledOver') return [['rollover', event.rollover, dueRollover(state, at)]]
  return event.type === 'moneyMoved' ? resetFigures(state, event) : []
}

function firstFault(figures: readonly Figure[]): string | null {
  for (const [name, found, expected] of figures) {
    const difference = firstDifference(found, expected, name)
    if (difference !== null) return difference
  }
  return null
}

/** Only a demo reset ends a position without a fill, and it restores the balance in the same entry. */
function freeEnd({ events }: Entry): string | null {
  for (const event of events) {
    if (event.type !== 'positionClosed' || event.reason !== 'demoReset') continue
    const isReset = events.some((other) => other.type === 'moneyMoved' && other.accountId === event.accountId)
    if (!isReset)
      return `positionClosed of order ${event.orderId}: ended without a fill and without a demo reset`
  }
  return null
}

/** Negative balance protection: nobody without a position is left below zero. */
function shortfall(state: State, { events }: Entry): string | null {
  for (const event of events) {
    const account = 'accountId' in event ? state.accounts.get(event.accountId) : undefined
    if (account && account.exposures.size === 0 && account.available.balance < 0n)
      return `account ${account.id} has ${account.available.balance} and no position`
  }
  return null
}

/** Goes along the tables as the journal goes on. */
function followTables(queries: Queries, wanted: Wanted) {
  const orders = createOrderBook((row) => wanted === null || row.account_id === wanted)
  const accounts = createAccountRows(queries, wanted)
  const receipts = createReceiptRows(queries, wanted)
  const ledger = createLedgerRows(queries, wanted)
  const numbers: RowNumbers = { transferId: 0, receiptId: 0 }
  const isMine = (row: Pick<Written<TransferTable>, 'account_id'>) =>
    wanted === null || row.account_id === wanted
  return {
    compare: async function* (entry: Entry, postings: readonly Posting[]): AsyncGenerator<string> {
      const rows = emptyRows()
      projectEntry(rows, numbers, { entry, postings, texts: encodeEntry(entry).events })
      for (const row of rows.accounts) yield* accounts.compare(row)
      for (const proof of rows.proofs) yield* receipts.compare(proof)
      for (const row of rows.transfers) if (isMine(row)) yield* ledger.compare(row)
      orders.take(rows)
      const difference = await orders.compare(queries, false)
      if (difference !== null) yield difference
    },
    finish: async function* (counts: Counts): AsyncGenerator<string> {
      yield* accounts.finish()
      yield* receipts.finish()
      yield* ledger.finish()
      const difference = await orders.compare(queries, true)
      if (difference !== null) yield difference
      counts.orders = orders.counted.orders
      counts.receipts = receipts.counted.rows
      counts.transfers = ledger.counted.rows
      const { count } = await queries
        .selectFrom('trade_order')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow()
      if (wanted === null && BigInt(count) !== BigInt(counts.orders))
        yield `there are ${count} orders in the table, the journal knows ${counts.orders}`
    },
  }
}

/** The memory that a start would build from the tables is the one that the whole journal gives, and keeps every invariant. */
async function* memoryFaults(queries: Queries, world: World, replayed: State): AsyncGenerator<string> {
  const restored = await restoreWithin(queries, world)
  for (const state of [restored.state, replayed]) forgetRequests(state, restored.head.at - REQUEST_MEMORY_MS)
  const [found, expected] = [describeState(restored.state), describeState(replayed)]
  if (found !== expected) {
    const difference = firstDifference(JSON.parse(found), JSON.parse(expected), '')
    yield `a start from the tables would not give what the journal gives: ${difference ?? 'in its order'}`
  }
  yield* violations(replayed)
}

/** An old request stays in memory until the next one sweeps it out; in the tables, until the next is written. */
function forgetRequests({ requests }: State, before: number): void {
  for (const [key, { at }] of requests) if (at < before) requests.delete(key)
}
