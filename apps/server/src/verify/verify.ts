import {
  createCore,
  evolve,
  evolveEvent,
  FIRST_RULES,
  isMomentDue,
  recordRequest,
  REQUEST_RETENTION_MS,
  violations,
  type Core,
  type Effects,
  type Entry,
  type Event,
  type Posting,
  type State,
  type TrailedStop,
} from '@fairlot/core'
import type { Written } from '../platform/database/bulk.ts'
import type { Queries, Reading } from '../platform/database/open.ts'
import type { TransferTable } from '../platform/database/schema.ts'
import { decodeWritten, type WrittenEntry } from '../engine/journal/entry-codec.ts'
import { follows, NO_ROW, readRows } from '../engine/journal/journal.ts'
import { emptyRows, projectEntry, type RowNumbers } from '../engine/projection/project-entry.ts'
import { readProjectionPosition } from '../engine/projection/segment-writer.ts'
import { restoreWithin } from '../engine/restore/restore.ts'
import { describeState } from '../engine/state-hash.ts'
import { createCopyingBook, type CopyingBook } from './copying-figures.ts'
import { createApprovalRows, createDeskRows } from './desk-rows.ts'
import { createCandleRows } from './candle-rows.ts'
import { createIdentityRows } from './identity-rows.ts'
import { createOperatorLogIns } from './operator-log-ins.ts'
import { createOperatorRights } from './operator-rights.ts'
import { createUserRows } from './user-rows.ts'
import { createAuditEntries } from './audit-log.ts'
import { createTwoOperatorEntries } from './two-operator-entries.ts'
import { createPaymentSetupRows } from './payment-setup.ts'
import {
  createAdmissionBook,
  createMarkUpBook,
  createTickBook,
  depositTickFigures,
  frozenFigures,
  openingFigures,
  stopOutFigures,
  ticksOf,
} from './price-figures.ts'
import { alertFigures, createAlertTable } from './alert-figures.ts'
import { authorFigures, decidedFigures, requestFigures } from './decision-figures.ts'
import { figuresBehind, issueFigures, resetFigures, rulesFigures } from './order-figures.ts'
import { firstDifference, type Figure } from './figure.ts'
import { mailedHashFaults } from './mailed-hashes.ts'
import {
  arrivalFaults,
  candleFaults,
  createSnapshotRows,
  createRolloverRows,
  createQuoteRows,
} from './market-rows.ts'
import { isMoment, momentFigures, rolledOverFigures } from './clock-figures.ts'
import { findRankingDifference } from './ranking-figures.ts'
import { reportFaults } from './report-sums.ts'
import {
  createAccountRows,
  createCopyingRows,
  createLedgerRows,
  createOperationRows,
  createOrderRows,
  createReceiptRows,
} from './table-rows.ts'

/** Numbers of compared rows. */
export type Counts = { accounts: number; orders: number; receipts: number; transfers: number }

export type Verified = { readonly difference: string | null; readonly counts: Counts }

type Wanted = number | null

/** The terms that a journal without any would adopt: one written only by the first version. */
export type LastTerms = () => Promise<Entry>

/**
 * Checks a database against its journal (trading-rules §6): every journaled figure is recomputed, and every table compared
 * with the journal. Returns the first difference as a sentence, or null. `accountId` limits it to one account. `lastTerms` is
 * called only if the journal has no terms.
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

/** Before its first terms the journal was decided by the terms it adopted later. */
async function assumeTerms(queries: Queries, core: Core, lastTerms: LastTerms): Promise<void> {
  const adopted = await adoption(queries)
  if (adopted === 'first') return
  const entry = adopted ?? (await lastTerms())
  evolve(core, { ...entry, request: null })
  Object.assign(core.state, { termsVersion: 0, lastChangeId: 0, rulesVersion: FIRST_RULES })
}

/** The entry with the first terms of the journal; `first` if it is the first entry. */
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
  const approvals = createApprovalRows(queries)
  const deskRows = createDeskRows(queries)
  const users = createUserRows(queries)
  const identities = createIdentityRows(queries)
  const logIns = createOperatorLogIns(queries)
  const quotes = createQuoteRows(queries)
  const candles = createCandleRows(queries)
  const paymentSetup = createPaymentSetupRows(queries)
  const entriesOfTwo = createTwoOperatorEntries()
  const rights = createOperatorRights()
  const auditEntries = createAuditEntries(queries, [
    entriesOfTwo.observe,
    rights.observe,
    approvals.observe,
    deskRows.observe,
    users.observe,
    identities.observe,
    logIns.observe,
    paymentSetup.observe,
  ])
  const judge = createJudge(wanted)
  const copying = createCopyingBook()
  let previous = NO_ROW
  for await (const row of readRows(queries, 0)) {
    if (!follows(previous, row))
      return yield `the journal is broken at row ${row.seq}: its hash or its number does not follow`
    previous = row
    const isProjected = row.seq <= BigInt(reached.seq)
    core.journalRow = Number(row.seq)
    for (const written of decodeWritten(row.entries)) {
      auditEntries.take(core.state, written.entry, row)
      if (wanted === null) yield* arrivalFaults(queries, core.state, written.entry)
      if (wanted === null) yield* candles.take(core.state, written.entry, row.writer)
      const replayed = replay(
        core,
        written.entry,
        (event) =>
          judge(core, event, written, row.writer) ?? copyingFault(copying, core, event, written, wanted),
      )
      if (typeof replayed === 'string') return yield `journal row ${row.seq}: ${replayed}`
      for (const event of written.entry.events) {
        quotes.take(ticksOf(event))
        deskRows.take(event)
        users.take(event, written.entry.at, row.writer)
        entriesOfTwo.take(event, written.entry.at)
        rights.take(event, written.entry, core.state)
      }
      if (isProjected) yield* tables.compare(Number(row.seq), written, replayed)
    }
    const unfollowed = copying.finish()
    if (unfollowed !== null) yield `journal row ${row.seq}: ${unfollowed}`
  }
  if (previous.seq < BigInt(reached.seq))
    return yield `the journal ends at row ${previous.seq}, the tables reach row ${reached.seq}`
  yield* tables.finish(counts)
  counts.accounts = wanted === null ? core.state.accounts.size : 1
  if (wanted === null) {
    yield* auditEntries.finish(previous.seq === BigInt(reached.seq))
    yield* entriesOfTwo.finish()
    yield* rights.finish()
    yield* approvals.finish()
    yield* paymentSetup.finish()
    yield* deskRows.finish(core.state)
    yield* users.finish(core.state)
    yield* identities.finish()
    yield* logIns.finish()
    yield* mailedHashFaults(queries)
    yield* quotes.finish()
    yield* candleFaults(queries, core.state)
    yield* candles.finish(core.state)
    yield* reportFaults(queries)
  }
  const ranked = await findRankingDifference(queries, wanted)
  if (ranked !== null) yield ranked
  yield* memoryFaults(database, core)
}

/** Applies one entry; returns its effects, or its first fault. */
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
  recordRequest(core, entry)
  return freeEnd(core.state, entry) ?? shortfall(core.state, entry) ?? { postings, trailed }
}

/** The figures of copying; of one account only where it is the wanted one. */
function copyingFault(
  copying: CopyingBook,
  core: Core,
  event: Event,
  { entry }: WrittenEntry,
  wanted: Wanted,
): string | null {
  const fault = firstFault(copying.figures(core, event, entry.at))
  const isWanted = wanted === null || ('accountId' in event && event.accountId === wanted)
  return fault === null || !isWanted ? null : `${event.type}: ${fault}`
}

type Judge = (core: Core, event: Event, written: WrittenEntry, writer: string) => string | null

/** Returns the first fault of an event, on the state just before it. */
function createJudge(wanted: Wanted): Judge {
  const ticks = createTickBook()
  const markUps = createMarkUpBook()
  const rules = createRulesBook()
  const admissions = createAdmissionBook()
  return (core, event, { entry, version }, writer) => {
    markUps.follow(core.state, entry.at)
    admissions.follow(event, entry.at)
    if (wanted !== null && !('accountId' in event && event.accountId === wanted)) return null
    const name = nameOf(event)
    const isFirstVersion = version === 1
    const fault =
      firstFault(markUps.figures(core.state, event)) ??
      firstFault(rules.figures(event, entry)) ??
      firstFault(admissions.settling(core.state, event)) ??
      firstFault(admissions.figures(event)) ??
      firstFault(figuresOf(core.state, event, entry.at, isFirstVersion)) ??
      (isFirstVersion ? null : firstFault(circumstances(core, event, entry))) ??
      tickFault(ticks, event, writer)
    return fault === null ? null : `${name}: ${fault}`
  }
}

function nameOf(event: Event): string {
  if ('orderId' in event) return `${event.type} of order ${event.orderId}`
  return 'alertId' in event ? `${event.type} of alert ${event.alertId}` : event.type
}

/** The rules named by terms never decrease. Withdrawals name them from version 3 on, those by the clock never. */
function createRulesBook() {
  let highest: number = 1
  return {
    figures: (event: Event, { author }: Entry): readonly Figure[] => {
      if (event.type !== 'termsSet' && event.type !== 'termsWithdrawn') return []
      if (author.type === 'clock') return []
      const first = event.type === 'termsSet' ? 1 : 2
      const { rules = first } = event
      if (event.rules !== undefined) highest = Math.max(highest, rules)
      return [['rules of terms', rules, Math.max(rules, highest)]]
    },
  }
}

function figuresOf(state: State, event: Event, at: number, isFirstVersion: boolean): readonly Figure[] {
  if ('receipt' in event)
    return [...figuresBehind(state, event, at), ...rulesFigures(state, event, isFirstVersion)]
  if (event.type === 'accountOpened') return issueFigures(state, event)
  if (event.type === 'rolledOver') return rolledOverFigures(state, event, isFirstVersion)
  return event.type === 'demoReset' ? resetFigures(state, event) : []
}

/** Author, time and market of an event, which the first version did not journal. */
function circumstances(core: Core, event: Event, entry: Entry): readonly Figure[] {
  const { state } = core
  const { at } = entry
  // An entry is one decision, so its first event decides for the rest.
  const isFirst = entry.events[0] === event
  const isJournaled = !isFirst || isMoment(event, entry)
  return [
    ...authorFigures(state, entry, event),
    [
      'moments that have passed',
      isJournaled || !isMomentDue(state, at) ? 'journaled' : 'missing',
      'journaled',
    ],
    ...frozenFigures(state, event, entry),
    ...openingFigures(core, event, at),
    ...stopOutFigures(state, event),
    ...depositTickFigures(state, event, at),
    ...decidedFigures(core, event, entry),
    ...requestFigures(core, event, entry),
    ...alertFigures(state, event, entry),
    ...(isMoment(event, entry) ? momentFigures(state, event, entry) : []),
  ]
}

function tickFault(ticks: TickBook, event: Event, writer: string): string | null {
  // A swap's prices are those of its rollover, perhaps from an earlier run: `swapFigures` compares them.
  if (event.type === 'swapBooked') return null
  const named = ticksOf(event)
  return named.length > 0 ? ticks.fault(writer, named) : null
}

type TickBook = ReturnType<typeof createTickBook>

function firstFault(figures: readonly Figure[]): string | null {
  for (const [name, found, expected] of figures) {
    const difference = firstDifference(found, expected, name)
    if (difference !== null) return difference
  }
  return null
}

/** Only a demo reset of its owner closes a position without a fill, and it restores the balance in the same entry. */
function freeEnd({ accounts }: State, { events }: Entry): string | null {
  for (const event of events) {
    if (event.type !== 'positionClosed' || event.reason !== 'demoReset') continue
    const ownerId = accounts.get(event.accountId)?.ownerId
    const isReset = events.some((other) => other.type === 'demoReset' && other.accountId === ownerId)
    if (!isReset)
      return `positionClosed of order ${event.orderId}: ended without a fill and without a demo reset`
  }
  return null
}

/** Negative balance protection: no account without a position has a balance below zero. */
function shortfall(state: State, { events }: Entry): string | null {
  for (const event of events) {
    const account = 'accountId' in event ? state.accounts.get(event.accountId) : undefined
    if (account && account.exposures.size === 0 && account.available.balance < 0n)
      return `account ${account.id} has ${account.available.balance} and no position`
  }
  return null
}

/** Compares the tables with the journal row by row. */
function followTables(queries: Queries, wanted: Wanted) {
  const orders = createOrderRows((row) => wanted === null || row.account_id === wanted)
  const accounts = createAccountRows(queries, wanted)
  const copying = createCopyingRows(queries, wanted)
  const receipts = createReceiptRows(queries, wanted)
  const ledger = createLedgerRows(queries, wanted)
  const snapshots = createSnapshotRows(queries)
  const rollovers = createRolloverRows(queries)
  const operations = createOperationRows(queries, wanted)
  const alerts = createAlertTable(queries, wanted)
  const numbers: RowNumbers = { transferId: 0, receiptId: 0, actionId: 0, termsVersion: 0 }
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
      yield* copying.compare(rows)
      for (const proof of rows.proofs) yield* receipts.compare(proof)
      for (const row of rows.transfers) if (isMine(row)) yield* ledger.compare(row)
      yield* snapshots.compare(rows.terms)
      rollovers.take(rows.terms)
      operations.take(rows)
      alerts.take(rows.alerts)
      orders.take(rows)
      const difference = await orders.compare(queries, false)
      if (difference !== null) yield difference
    },
    finish: async function* (counts: Counts): AsyncGenerator<string> {
      yield* accounts.finish()
      yield* copying.finish()
      yield* receipts.finish()
      yield* ledger.finish()
      yield* snapshots.finish()
      yield* rollovers.finish()
      yield* operations.finish()
      yield* alerts.finish()
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

/** A start from the tables must give the same state as the whole journal, and that state must keep every invariant. */
async function* memoryFaults(database: Reading, replayed: Core): AsyncGenerator<string> {
  const restored = await restoreWithin(database, {})
  for (const { state } of [restored.core, replayed])
    forgetRequests(state, restored.head.at - REQUEST_RETENTION_MS)
  const [found, expected] = [describeState(restored.core), describeState(replayed)]
  if (found !== expected) {
    const difference = firstDifference(JSON.parse(found), JSON.parse(expected), '')
    yield `a start from the tables would not give the state of the journal: ${difference ?? 'in its order'}`
  }
  yield* violations(replayed)
}

/** Memory and tables drop expired requests at different times. */
function forgetRequests({ requests }: State, before: number): void {
  for (const [key, { at }] of requests) if (at < before) requests.delete(key)
}
