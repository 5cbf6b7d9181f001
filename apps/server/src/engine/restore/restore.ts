import {
  addAccount,
  availableOf,
  balanceOf,
  createCore,
  createState,
  evolve,
  evolveEvent,
  indexAlert,
  indexOrder,
  keepDayPrices,
  larger,
  money,
  NO_MONEY,
  openCase,
  recordFirstTerms,
  REQUEST_RETENTION_MS,
  SUM_WINDOW_MS,
  tradingDay,
  type AccountStatus,
  type Core,
  type Host,
  type LedgerAccountId,
  type LedgerKind,
  type MoneyCase,
  type ReceiptTick,
  type SentMoney,
  type State,
  type TermsSet,
} from '@fairlot/core'
import { sql } from 'kysely'
import type { Database, Queries, Reading } from '../../platform/database/open.ts'
import type { MoneyCaseTable, RolloverTable, TermsChangeTable } from '../../platform/database/schema.ts'
import { decodeWritten } from '../journal/entry-codec.ts'
import { decodeSwapRates, decodeTermsChange, payoutQuoteCodec, sentCodec } from '../journal/event-codec.ts'
import { readHead, readRows, type JournalHead } from '../journal/journal.ts'
import { alertFrom } from '../projection/alert-rows.ts'
import { MAX_UNPACKED, type ProjectionPosition } from '../projection/backlog.ts'
import { packBatch, weightOf, type PendingBatch } from '../projection/committed-batch.ts'
import { loadCopying, loadMonthEnds } from './load-copying.ts'
import { applyFact } from '../projection/engine-facts.ts'
import { ORDER_COLUMNS, orderFrom, tickFrom } from '../projection/row-mapping.ts'
import { readProjectionPosition } from '../projection/segment-writer.ts'

/** Timeout of one statement, which may read a whole table. */
const LOAD_TIMEOUT_MS = 300_000

/** The state from which a start or a recovery continues. */
export type Restored = {
  readonly core: Core
  readonly head: JournalHead
  /** How far the tables reach. */
  readonly reached: ProjectionPosition
  /** Journal rows that the tables do not hold yet. */
  readonly unprojected: readonly PendingBatch[]
}

/**
 * Rebuilds the engine's memory: loads the tables, then replays the journal rows after them. Everything is read in one
 * transaction snapshot, since the last commits of a process that died may still be arriving.
 */
export async function restore(database: Database, host: Host): Promise<Restored> {
  const connection = database.openConnection({ timeoutMs: LOAD_TIMEOUT_MS, isDurable: true })
  try {
    return await connection.queries
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((queries) => restoreWithin({ ...database, queries }, host))
  } finally {
    await connection.close()
  }
}

/** The same within an existing snapshot transaction. */
export async function restoreWithin(reading: Reading, host: Host): Promise<Restored> {
  const { queries } = reading
  const core = createCore(host)
  const { state } = core
  const head = await readHead(queries)
  const reached = await readProjectionPosition(queries)
  await loadTerms(queries, core)
  await loadAccounts(reading, core)
  await loadCopying(queries, core)
  await loadBalances(reading, state)
  await loadCases(reading, state)
  await loadOrders(reading, core)
  await loadRollovers(queries, core)
  await loadDayPrices(queries, core)
  await loadFacts(queries, core)
  // After the rules, which say when alerts end.
  await loadAlerts(queries, core)
  await loadMonthEnds(queries, core)
  await loadRequests(reading, state)
  const unprojected = await replayRest(queries, core, reached.seq)
  core.journalRow = head.seq + 1
  return { core, head, reached, unprojected }
}

/** Replays the journal rows that the tables do not hold yet. Beyond `MAX_UNPACKED` events they are kept packed. */
async function replayRest(queries: Queries, core: Core, after: number): Promise<PendingBatch[]> {
  const unprojected: PendingBatch[] = []
  let unpackedCount = 0
  for await (const { seq, entries } of readRows(queries, after)) {
    core.journalRow = Number(seq)
    const changes = decodeWritten(entries).map(({ entry, texts }) => ({
      ...evolve(core, entry),
      entry,
      texts,
    }))
    const batch = { seq: Number(seq), changes }
    unpackedCount += weightOf(batch)
    unprojected.push(unpackedCount > MAX_UNPACKED ? packBatch(batch) : batch)
  }
  return unprojected
}

/** Before any time, so that changes with a later effective time are announced. */
const BEFORE_ALL = -1

async function loadTerms(queries: Queries, core: Core): Promise<void> {
  const { state } = core
  for (const row of await firstOfInstruments(queries)) recordFirstTerms(state, decodeTermsChange(row.body))
  for (const row of await termsInEffect(queries)) evolveEvent(core, termsOf(row, BEFORE_ALL), BEFORE_ALL)
  const announced = await queries
    .selectFrom('terms_change')
    .selectAll()
    .where('version', 'is', null)
    .where('withdrawn_at', 'is', null)
    .orderBy('change_id')
    .execute()
  for (const row of announced) evolveEvent(core, termsOf(row, Number(row.effective_at)), BEFORE_ALL)
  const newest = await queries
    .selectFrom('terms_change')
    .select(({ fn }) => [fn.max('version').as('version'), fn.max('change_id').as('changeId')])
    .executeTakeFirst()
  state.termsVersion = Number(newest?.version ?? 0n)
  state.lastChangeId = Number(newest?.changeId ?? 0n)
}

const termsOf = (row: TermsChangeTable, effectiveAt: number): TermsSet => ({
  type: 'termsSet',
  changeId: Number(row.change_id),
  effectiveAt,
  change: decodeTermsChange(row.body),
})

/**
 * The last change in effect of each subject, in the order in which the subjects were added, which determines the conversion
 * paths. If the last change of an instrument has no listing, the last one that has comes before it.
 */
async function termsInEffect(queries: Queries): Promise<TermsChangeTable[]> {
  const last = await queries
    .selectFrom('terms_change')
    .innerJoin(
      (inner) =>
        inner
          .selectFrom('terms_change')
          .select(({ fn }) => [
            'kind as newestKind',
            'subject as newestSubject',
            fn.max('version').as('newest'),
            fn.min('version').as('first'),
          ])
          .where('version', 'is not', null)
          .groupBy(['kind', 'subject'])
          .as('newest'),
      (join) =>
        join
          .onRef('terms_change.kind', '=', 'newest.newestKind')
          .onRef('terms_change.subject', '=', 'newest.newestSubject')
          .onRef('terms_change.version', '=', 'newest.newest'),
    )
    .selectAll('terms_change')
    .orderBy('newest.first')
    .execute()
  const inEffect: TermsChangeTable[] = []
  for (const row of last) {
    const change = decodeTermsChange(row.body)
    const listed =
      change.kind === 'instrument' && change.listing === null ? await lastListed(queries, row) : null
    inEffect.push(...(listed ? [listed] : []), row)
  }
  return inEffect
}

/** The first change of each instrument, and its first with a listing: the bounds of later changes are measured by these. */
async function firstOfInstruments(queries: Queries): Promise<Pick<TermsChangeTable, 'body'>[]> {
  const ofInstruments = queries
    .selectFrom('terms_change')
    .select(({ fn }) => fn.min('version').as('version'))
    .where('kind', '=', 'instrument')
    .where('version', 'is not', null)
    .groupBy('subject')
  const listed = ofInstruments.where('body', 'not like', '%"listing":null}')
  return queries
    .selectFrom('terms_change')
    .select('body')
    .where((where) => where.or([where('version', 'in', ofInstruments), where('version', 'in', listed)]))
    .orderBy('version')
    .execute()
}

/** The last change in effect of an instrument that has a listing. */
async function lastListed(queries: Queries, { kind, subject }: TermsChangeTable) {
  const found = await queries
    .selectFrom('terms_change')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('version', 'is not', null)
    .where('body', 'not like', '%"listing":null}')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** Accounts without their money and orders. */
async function loadAccounts({ queries, scanRows }: Reading, core: Core): Promise<void> {
  const query = queries
    .selectFrom('account')
    .select(['id', 'owner_id', 'ledger', 'opened_at', 'status', 'status_reason'])
    .orderBy('id')
  await scanRows(queries, {
    query,
    take: (row) => {
      const [accountId, ownerId] = [row.number(), row.number()]
      const [ledger, openedAt] = [row.oneOf(LEDGERS), row.number()]
      if (ownerId === accountId)
        evolveEvent(core, { type: 'accountOpened', accountId, ledger, transfers: [] }, openedAt)
      else addAccount(core.state, accountId, ledger, ownerId)
      const [status, reason] = [row.oneOf(STATUSES), row.text()]
      if (status === 'closed') evolveEvent(core, { type: 'accountClosed', accountId, left: money(0n) }, 0)
      else if (status !== 'active')
        evolveEvent(core, { type: 'accountStatusSet', accountId, status, reason }, 0)
    },
  })
}

const LEDGERS: readonly LedgerKind[] = ['demo', 'real']
const STATUSES: readonly AccountStatus[] = ['active', 'closeOnly', 'frozen', 'closed']

async function loadBalances({ queries, scanRows }: Reading, state: State): Promise<void> {
  await scanRows(queries, {
    query: queries.selectFrom('ledger_account').select(['id', 'balance', 'entry_count']),
    take: (row) => {
      const account = balanceOf(state.ledger, row.text() as LedgerAccountId)
      account.balance = money(row.bigint())
      account.entryCount = row.number()
    },
  })
}

/** Open money cases. Of ended ones only the last id matters. */
async function loadCases({ queries }: Reading, state: State): Promise<void> {
  const open = await queries
    .selectFrom('money_case')
    .selectAll()
    // A literal, not a parameter: SQLite then uses the partial index of open cases.
    .where(sql<boolean>`status = 'open'`)
    .orderBy('id')
    .execute()
  for (const row of open) openCase(state, caseFrom(row))
  state.lastCaseId = await newestId(queries, 'money_case')
  const owners = [...state.cases.values()].filter(({ kind }) => kind === 'withdrawal')
  await loadProtection(queries, state, [...new Set(owners.map(({ accountId }) => accountId))])
  await loadMoneyDecisions(queries, state)
}

/** Negative balance protection paid and repaid since each open withdrawal was held, from the ledger in its order. */
async function loadProtection(queries: Queries, state: State, accountIds: readonly number[]): Promise<void> {
  for (const accountId of accountIds) {
    const rows = await queries
      .selectFrom('transfer')
      .select(['kind', 'amount', 'case_id'])
      .where((row) =>
        row.or([row('debit', '=', availableOf(accountId)), row('credit', '=', availableOf(accountId))]),
      )
      .where('kind', 'in', ['protection', 'protectionRepaid', 'withdrawalHeld'])
      .orderBy('id')
      .execute()
    const held = new Set<number>()
    for (const { kind, amount, case_id: caseId } of rows) {
      if (kind === 'withdrawalHeld') held.add(Number(caseId))
      for (const each of state.cases.values()) {
        if (each.kind !== 'withdrawal' || each.accountId !== accountId || !held.has(each.id)) continue
        if (kind === 'protection') each.protection = money(each.protection + amount)
        if (kind === 'protectionRepaid') each.protection = larger(NO_MONEY, money(each.protection - amount))
      }
    }
  }
}

/** Credits and payouts that the limits over 24 hours may still count. */
async function loadMoneyDecisions(queries: Queries, state: State): Promise<void> {
  const newest = await queries
    .selectFrom('money_decision')
    .select(({ fn }) => fn.max('at').as('at'))
    .executeTakeFirst()
  const rows = await queries
    .selectFrom('money_decision')
    .selectAll()
    .where('at', '>', BigInt(Number(newest?.at ?? 0n) - SUM_WINDOW_MS))
    .orderBy('at')
    .orderBy('case_id')
    .orderBy('operator_id')
    .execute()
  for (const row of rows)
    state.recentCreditsAndPayouts.push({
      at: Number(row.at),
      caseId: Number(row.case_id),
      accountId: Number(row.account_id),
      destination: row.destination === null ? null : Number(row.destination),
      operatorId: Number(row.operator_id),
      amount: money(row.amount),
    })
}

function caseFrom(row: MoneyCaseTable): MoneyCase {
  const terms = {
    id: Number(row.id),
    accountId: Number(row.account_id),
    openedAt: Number(row.opened_at),
    amount: money(row.amount),
  }
  switch (row.kind as MoneyCase['kind']) {
    case 'deposit':
      return { kind: 'deposit', ...terms, sent: row.sent === null ? null : sentFrom(row.sent) }
    case 'withdrawal':
      return {
        kind: 'withdrawal',
        ...terms,
        fee: money(row.fee),
        payout: row.payout === null ? null : payoutQuoteCodec.read(JSON.parse(row.payout)),
        status: row.paying_at !== null ? 'paying' : row.approved_at !== null ? 'approved' : 'held',
        approvedBy: row.approved_by === null ? null : Number(row.approved_by),
        protection: NO_MONEY,
      }
    case 'adjustment':
      return { kind: 'adjustment', ...terms, askedBy: Number(row.asked_by) }
  }
}

function sentFrom(json: string): SentMoney {
  const { currency, amount, fixedRate } = sentCodec.read(JSON.parse(json))
  return { currency, amount, fixedRate }
}

/** Active orders. Of finished ones only the last id matters. */
async function loadOrders({ queries, scanRows }: Reading, core: Core): Promise<void> {
  const { state } = core
  const query = queries
    .selectFrom('trade_order')
    .select(ORDER_COLUMNS)
    // A literal, not a parameter: SQLite then uses the partial index of active orders.
    .where(sql<boolean>`status in ('pending', 'holding')`)
    .orderBy('id')
  await scanRows(queries, {
    query,
    take: (row) => {
      const order = orderFrom(row)
      const account = state.accounts.get(order.accountId)
      if (!account) throw new Error(`order ${order.id} belongs to no account`)
      // Stop-out price bands are computed later, when current prices are known.
      indexOrder(core, account, order)
    },
  })
  state.lastOrderId = await newestId(queries, 'trade_order')
}

async function newestId(queries: Queries, table: 'trade_order' | 'money_case' | 'alert'): Promise<number> {
  const newest = await queries
    .selectFrom(table)
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(newest?.id ?? 0n)
}

/** The last snapshot and rollover, and rollovers in progress with their prices. */
async function loadRollovers(queries: Queries, core: Core): Promise<void> {
  const { state } = core
  const open = await queries
    .selectFrom('night')
    .selectAll()
    .where('ended_at', 'is', null)
    .orderBy('rollover')
    .execute()
  for (const row of open) {
    const prices = await queries
      .selectFrom('price_mark')
      .selectAll()
      .where('moment', '=', row.rollover)
      .orderBy('instrument_id')
      .execute()
    openRollover(core, row, prices.map(tickFrom))
  }
  const { lastPriceSnapshot, lastRollover } = await queries
    .selectNoFrom((select) => [
      select
        .selectFrom('price_moment')
        .select(({ fn }) => fn.max('moment').as('moment'))
        .as('lastPriceSnapshot'),
      select
        .selectFrom('night')
        .select(({ fn }) => fn.max('rollover').as('rollover'))
        .as('lastRollover'),
    ])
    .executeTakeFirstOrThrow()
  state.lastPriceSnapshot = Math.max(state.lastPriceSnapshot, Number(lastPriceSnapshot ?? 0n))
  state.lastRollover = Math.max(state.lastRollover, Number(lastRollover ?? 0n))
}

/** Continues a rollover with the terms it began with, which may have changed since. */
function openRollover(
  core: Core,
  { rollover, rates, terms }: RolloverTable,
  prices: readonly ReceiptTick[],
): void {
  const moment = Number(rollover)
  evolveEvent(core, { type: 'pricesMarked', moment, prices, night: decodeSwapRates(rates) }, moment)
  const { rollovers } = core.state
  const opened = rollovers.get(moment)
  if (opened) rollovers.set(moment, { ...opened, terms: Number(terms ?? 0n) })
}

/** The references of the current trading days: the first recorded price of each instrument in them. */
async function loadDayPrices(queries: Queries, core: Core): Promise<void> {
  const newest = await queries
    .selectFrom('price_moment')
    .select(({ fn }) => fn.max('moment').as('moment'))
    .executeTakeFirst()
  if (!newest?.moment) return
  const last = Number(newest.moment)
  const since = Math.min(tradingDay('newYorkClose', last).start, tradingDay('utcMidnight', last).start)
  const moments = await queries
    .selectFrom('price_moment')
    .select('moment')
    .where('moment', '>=', BigInt(since))
    .orderBy('moment')
    .execute()
  const rows = await queries
    .selectFrom('price_mark')
    .selectAll()
    .where('moment', '>=', BigInt(since))
    .orderBy('moment')
    .orderBy('instrument_id')
    .execute()
  const byMoment = Map.groupBy(rows, ({ moment }) => moment)
  // Rollovers in progress may have left older ones.
  Object.assign(core.state.dayPrices, createState().dayPrices)
  for (const { moment } of moments)
    keepDayPrices(core, { moment: Number(moment), prices: (byMoment.get(moment) ?? []).map(tickFrom) })
}

/** Alerts that have not ended. Of the others only the last id matters. */
async function loadAlerts(queries: Queries, core: Core): Promise<void> {
  const rows = await queries
    .selectFrom('alert')
    .selectAll()
    // A literal, not a parameter: SQLite then uses the partial index of waiting alerts.
    .where(sql<boolean>`state = 'waiting'`)
    .orderBy('id')
    .execute()
  for (const row of rows) {
    const { id, accountId, condition, pauseMs, wakesAt, awaitsReturn, expiresAt } = alertFrom(row)
    indexAlert(core, { id, accountId, condition, pauseMs, wakesAt, awaitsReturn, expiresAt })
  }
  core.state.lastAlertId = await newestId(queries, 'alert')
}

async function loadFacts(queries: Queries, core: Core): Promise<void> {
  // In reverse order of names, so that `operatorSet` comes before `operatorJoined`.
  const facts = await queries.selectFrom('engine_fact').selectAll().orderBy('name', 'desc').execute()
  for (const fact of facts) applyFact(core, fact)
}

/** Requests that may still be repeated, oldest first. Those that had expired when the newest arrived are left out. */
async function loadRequests({ queries, scanRows }: Reading, state: State): Promise<void> {
  const newest = await queries
    .selectFrom('request')
    .select(({ fn }) => fn.max('at').as('at'))
    .executeTakeFirst()
  const since = Number(newest?.at ?? 0n) - REQUEST_RETENTION_MS
  const query = queries
    .selectFrom('request')
    .select([
      // The same text as `requestKey`: reading one column takes a third of the time of three.
      sql<string>`account_id || ' ' || call || ' ' || request_id`.as('key'),
      'digest',
      'at',
      'journal_seq',
    ])
    .where('at', '>=', sql.lit(BigInt(since)))
    .orderBy('at')
  await scanRows(queries, {
    query,
    take: (row) => {
      state.requests.set(row.text(), { digest: row.text(), at: row.number(), row: row.number() })
    },
  })
}
