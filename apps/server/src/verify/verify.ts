/** Checks a whole database against its journal (trading-rules §6): first what the journal says, then that every table says it too. */
import {
  createCore,
  evolve,
  evolveEvent,
  isMomentDue,
  rememberRequest,
  REQUEST_MEMORY_MS,
  violations,
  type Core,
  type Effects,
  type Entry,
  type Event,
  type Posting,
  type State,
  type TrailedStop,
} from '@fairlot/core'
import type { Written } from '../database/bulk.ts'
import type { Queries, Reading } from '../database/open.ts'
import type { TransferTable } from '../database/schema.ts'
import { decodeWritten, type WrittenEntry } from '../engine/journal/entry-codec.ts'
import { follows, NO_ROW, readRows } from '../engine/journal/journal.ts'
import { emptyRows, projectEntry, type RowNumbers } from '../engine/projection/projection-orders.ts'
import { readProjectionPosition } from '../engine/projection/projection-write.ts'
import { restoreWithin } from '../engine/restore/restore.ts'
import { describeState } from '../engine/state-hash.ts'
import { createActRows } from './act-rows.ts'
import { requestFigures } from './request-figures.ts'
import { authorFigures } from './author-figures.ts'
import { decidedFigures } from './decided-figures.ts'
import { figuresBehind } from './derive.ts'
import type { Figure } from './figure.ts'
import { firstDifference } from './difference.ts'
import { issueFigures, resetFigures } from './expected-transfers.ts'
import { createMarkRows } from './mark-rows.ts'
import { createMarkUpBook } from './mark-up-figures.ts'
import { frozenFigures, openingFigures, stopOutFigures } from './market-figures.ts'
import { isMoment, momentFigures } from './moment-figures.ts'
import { overFigures } from './night-figures.ts'
import { rulesFigures } from './occasion.ts'
import { createOrderRows } from './order-rows.ts'
import { createAccountRows, createOperationRows, createLedgerRows, createReceiptRows } from './rows.ts'
import { createTickBook } from './tick-figures.ts'

/** What has been compared. */
export type Counts = { accounts: number; orders: number; receipts: number; transfers: number }

export type Verified = { readonly difference: string | null; readonly counts: Counts }

type Wanted = number | null

/** The terms that a journal without any would adopt: a database that only the first version has written. */
export type LastTerms = () => Promise<Entry>

/**
 * The first difference as a sentence, or none. `accountId` looks at what concerns one account; null at everything.
 * `lastTerms` is asked only where the journal has no terms.
 */
export async function verify(
  database: Reading,
  accountId: Wanted = null,
  lastTerms: LastTerms = noTerms,
): Promise<Verified> {
  const counts = { accounts: 0, orders: 0, receipts: 0, transfers: 0 }
  const core = createCore()
  await assumeTerms(database.queries, core, lastTerms)
  for await (const difference of differences(database, core, accountId, counts)) return { difference, counts }
  return { difference: null, counts }
}

/** Before the journal names any terms, those that it adopts later were in force. */
async function assumeTerms(queries: Queries, core: Core, lastTerms: LastTerms): Promise<void> {
  const adopted = await adoption(queries)
  if (adopted === 'first') return
  const entry = adopted ?? (await lastTerms())
  evolve(core, { ...entry, request: null })
  Object.assign(core.state, { termsVersion: 0, lastChangeId: 0 })
}

/** The entry in which the journal names its first terms; `first` where nothing comes before it. */
async function adoption(queries: Queries): Promise<Entry | 'first' | null> {
  let count = 0
  for await (const row of readRows(queries, 0)) {
    for (const { entry } of decodeWritten(row.entries)) {
      if (entry.events[0]?.type === 'termsSet') return count === 0 ? 'first' : entry
      count += 1
    }
  }
  return count === 0 ? 'first' : null
}

const noTerms: LastTerms = () => Promise.reject(new Error('this journal has no terms'))

async function* differences(
  database: Reading,
  core: Core,
  wanted: Wanted,
  counts: Counts,
): AsyncGenerator<string> {
  const { queries } = database
  const reached = await readProjectionPosition(queries)
  const tables = followTables(queries, wanted)
  const acts = createActRows(queries)
  const judge = createJudge(wanted)
  let previous = NO_ROW
  for await (const row of readRows(queries, 0)) {
    if (!follows(previous, row))
      return yield `the journal is broken at row ${row.seq}: its hash or its number does not follow`
    previous = row
    const isProjected = row.seq <= BigInt(reached.seq)
    core.journalRow = Number(row.seq)
    for (const written of decodeWritten(row.entries)) {
      const replayed = replay(core, written.entry, (event) => judge(core, event, written, row.writer))
      if (typeof replayed === 'string') return yield `journal row ${row.seq}: ${replayed}`
      acts.take(written.entry)
      if (isProjected) yield* tables.compare(Number(row.seq), written, replayed)
    }
  }
  if (previous.seq < BigInt(reached.seq))
    return yield `the journal ends at row ${previous.seq}, the tables reach row ${reached.seq}`
  yield* tables.finish(counts)
  if (wanted === null) yield* acts.finish()
  counts.accounts = wanted === null ? core.state.accounts.size : 1
  yield* memoryFaults(database, core)
}

/** Applies one entry; answers what it left behind, or what is wrong with it. */
function replay(core: Core, entry: Entry, faultOf: (event: Event) => string | null): Effects | string {
  const postings: Posting[] = []
  const trailed: TrailedStop[] = []
  for (const event of entry.events) {
    const fault = faultOf(event)
    if (fault !== null) return fault
    try {
      const effects = evolveEvent(core, event, entry.at)
      postings.push(...effects.postings)
      trailed.push(...effects.trailed)
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  rememberRequest(core, entry)
  return freeEnd(entry) ?? shortfall(core.state, entry) ?? { postings, trailed }
}

type Judge = (core: Core, event: Event, written: WrittenEntry, writer: string) => string | null

/** Tells what is wrong with an event on the state just before it. */
function createJudge(wanted: Wanted): Judge {
  const ticks = createTickBook()
  const markUps = createMarkUpBook()
  return (core, event, { entry, version }, writer) => {
    markUps.follow(core.state, entry.at)
    if (wanted !== null && !('accountId' in event && event.accountId === wanted)) return null
    const name = 'orderId' in event ? `${event.type} of order ${event.orderId}` : event.type
    const isFirstVersion = version === 1
    const fault =
      firstFault(markUps.figures(core.state, event)) ??
      firstFault(figuresOf(core.state, event, entry.at, isFirstVersion)) ??
      (isFirstVersion ? null : firstFault(circumstances(core, event, entry))) ??
      tickFault(ticks, event, writer)
    return fault === null ? null : `${name}: ${fault}`
  }
}

function figuresOf(state: State, event: Event, at: number, isFirstVersion: boolean): readonly Figure[] {
  if ('receipt' in event) return [...figuresBehind(state, event, at), ...rulesFigures(event, isFirstVersion)]
  if (event.type === 'accountOpened') return issueFigures(state, event)
  if (event.type === 'rolledOver') return overFigures(state, event, isFirstVersion)
  return event.type === 'demoReset' ? resetFigures(state, event) : []
}

/** Who caused an event, whether it was its time, and whether its market was open: the first version did not say. */
function circumstances(core: Core, event: Event, entry: Entry): readonly Figure[] {
  const { state } = core
  const { at } = entry
  // An entry is one decision: what comes first in it speaks for the rest.
  const isFirst = entry.events[0] === event
  const isTold = !isFirst || isMoment(event, entry)
  return [
    ...authorFigures(entry, event),
    ['moments that have passed', isTold || !isMomentDue(state, at) ? 'told' : 'untold', 'told'],
    ...frozenFigures(state, event, entry),
    ...openingFigures(core, event, at),
    ...stopOutFigures(state, event),
    ...decidedFigures(core, event, entry),
    ...requestFigures(core, event, entry),
    ...(isMoment(event, entry) ? momentFigures(state, event, at) : []),
  ]
}

function tickFault(ticks: TickBook, event: Event, writer: string): string | null {
  // A night's prices are those marked when it began, perhaps by the run before this one: `nightFigures` compares them.
  if (event.type === 'swapBooked') return null
  if ('receipt' in event) return ticks.fault(writer, event.receipt)
  if (event.type === 'pricesMarked') return ticks.faultOfPrices(writer, event.prices)
  return event.type === 'trailingMoved' ? ticks.faultOfPrices(writer, [event.tick]) : null
}

type TickBook = ReturnType<typeof createTickBook>

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
    const isReset = events.some((other) => other.type === 'demoReset' && other.accountId === event.accountId)
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
  const orders = createOrderRows((row) => wanted === null || row.account_id === wanted)
  const accounts = createAccountRows(queries, wanted)
  const receipts = createReceiptRows(queries, wanted)
  const ledger = createLedgerRows(queries, wanted)
  const marks = createMarkRows(queries)
  const operations = createOperationRows(queries, wanted)
  const numbers: RowNumbers = { transferId: 0, receiptId: 0, actId: 0, termsVersion: 0 }
  const isMine = (row: Pick<Written<TransferTable>, 'account_id'>) =>
    wanted === null || row.account_id === wanted
  return {
    compare: async function* (
      row: number,
      { entry, texts }: WrittenEntry,
      { postings, trailed }: Effects,
    ): AsyncGenerator<string> {
      const rows = emptyRows()
      projectEntry(rows, numbers, row, { entry, postings, trailed, texts })
      accounts.take(rows)
      for (const proof of rows.proofs) yield* receipts.compare(proof)
      for (const row of rows.transfers) if (isMine(row)) yield* ledger.compare(row)
      yield* marks.compare(rows.terms)
      operations.take(rows)
      orders.take(rows)
      const difference = await orders.compare(queries, false)
      if (difference !== null) yield difference
    },
    finish: async function* (counts: Counts): AsyncGenerator<string> {
      yield* accounts.finish()
      yield* receipts.finish()
      yield* ledger.finish()
      yield* marks.finish()
      yield* operations.finish()
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
async function* memoryFaults(database: Reading, replayed: Core): AsyncGenerator<string> {
  const restored = await restoreWithin(database, {})
  for (const { state } of [restored.core, replayed])
    forgetRequests(state, restored.head.at - REQUEST_MEMORY_MS)
  const [found, expected] = [describeState(restored.core), describeState(replayed)]
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
