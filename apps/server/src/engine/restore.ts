import {
  addAccount,
  createState,
  evolve,
  indexOrder,
  lots,
  money,
  price,
  REQUEST_MEMORY_MS,
  balanceOf,
  requestKey,
  tradingDay,
  type LedgerAccountId,
  type LedgerKind,
  type Order,
  type State,
  type Host,
} from '@fairlot/core'
import { sql } from 'kysely'
import type { Database, Queries } from '../database/open.ts'
import type { AccountTable, LedgerAccountTable, OrderTable } from '../database/schema.ts'
import { applyFact } from './engine-facts.ts'
import { decodeEvents, encodeEntry } from './entry-codec.ts'
import { readHead, readJournal, type JournalHead } from './journal.ts'
import { readReached } from './projection-write.ts'
import type { CommittedBatch, Reached } from './backlog.ts'

/** Rows loaded in one go, so that a million never stand in memory at once. */
const LOAD_CHUNK = 20_000
const LOAD_TIMEOUT_MS = 60_000

/** What a start, or a recovery, begins from. */
export type Restored = {
  readonly state: State
  readonly head: JournalHead
  /** How far the tables reach. */
  readonly reached: Reached
  /** Journal rows that the tables do not hold yet. */
  readonly unprojected: readonly CommittedBatch[]
}

/**
 * Rebuilds the engine's memory: the tables are the snapshot, the rest of the journal is folded on top. All of it is read
 * as of one moment, for the last words of a process that died may still be on their way into the database.
 */
export async function restore(database: Database, host: Host): Promise<Restored> {
  const line = database.openLine({ timeoutMs: LOAD_TIMEOUT_MS, isDurable: true })
  try {
    return await line.queries
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => restoreWithin(transaction, host))
  } finally {
    await line.close()
  }
}

/** The same within a transaction that sees one moment. */
export async function restoreWithin(queries: Queries, host: Host): Promise<Restored> {
  const state = createState(host)
  const head = await readHead(queries)
  const reached = await readReached(queries)
  await loadAccounts(queries, state)
  await loadBalances(queries, state)
  await loadOrders(queries, state)
  await loadFacts(queries, state)
  await loadRequests(queries, state, head.at - REQUEST_MEMORY_MS)
  const unprojected: CommittedBatch[] = []
  for await (const { seq, entries } of readJournal(queries, reached.seq)) {
    const changes = entries.map((entry) => ({
      ...{ entry, postings: evolve(state, entry) },
      texts: encodeEntry(entry).events,
    }))
    unprojected.push({ seq, changes })
  }
  return { state, head, reached, unprojected }
}

async function loadAccounts(queries: Queries, state: State): Promise<void> {
  const all = queries.selectFrom('account').selectAll().orderBy('id').limit(LOAD_CHUNK)
  await eachChunk<AccountTable>(
    (last) => (last ? all.where('id', '>', last.id) : all).execute(),
    (row) => {
      addAccount(state, Number(row.id), row.ledger as LedgerKind)
      if (state.lastRollover === 0)
        state.lastRollover = tradingDay('newYorkClose', Number(row.opened_at)).start
    },
  )
}

async function loadFacts(queries: Queries, state: State): Promise<void> {
  for (const fact of await queries.selectFrom('engine_fact').selectAll().execute()) applyFact(state, fact)
}

async function loadBalances(queries: Queries, state: State): Promise<void> {
  const all = queries.selectFrom('ledger_account').selectAll().orderBy('id').limit(LOAD_CHUNK)
  await eachChunk<LedgerAccountTable>(
    (last) => (last ? all.where('id', '>', last.id) : all).execute(),
    (row) => {
      const account = balanceOf(state.ledger, row.id as LedgerAccountId)
      account.balance = money(row.balance)
      account.entryCount = Number(row.entry_count)
    },
  )
}

/** Living orders come back to life; of the finished only the last id counts. */
async function loadOrders(queries: Queries, state: State): Promise<void> {
  const living = queries
    .selectFrom('trade_order')
    .selectAll()
    // Written out, not bound: only so does SQLite find the index of the living.
    .where(sql<boolean>`status in ('pending', 'holding')`)
    .orderBy('id')
    .limit(LOAD_CHUNK)
  await eachChunk<OrderTable>(
    (last) => (last ? living.where('id', '>', last.id) : living).execute(),
    (row) => {
      const account = state.accounts.get(Number(row.account_id))
      if (!account) throw new Error(`order ${row.id} belongs to no account`)
      const order = livingOrder(row)
      indexOrder(state, account, order)
      // Its safe prices are worked out once the prices of now are known.
      if (order.status === 'holding') state.touched.add(account.id)
    },
  )
  const newest = await queries
    .selectFrom('trade_order')
    .select((select) => select.fn.max('id').as('id'))
    .executeTakeFirst()
  state.lastOrderId = Math.max(state.lastOrderId, Number(newest?.id ?? 0n))
}

const priceOrNull = (value: bigint | null) => (value === null ? null : price(Number(value)))
const numberOrNull = (value: bigint | null) => (value === null ? null : Number(value))

const livingOrder = (row: OrderTable): Order => ({
  id: Number(row.id),
  accountId: Number(row.account_id),
  instrumentId: Number(row.instrument_id),
  side: row.side as Order['side'],
  kind: row.kind as Order['kind'],
  lots: lots(Number(row.lots)),
  leverage: Number(row.leverage),
  status: row.status as Order['status'],
  targetPrice: priceOrNull(row.target_price),
  acceptedPrice: price(Number(row.accepted_price)),
  openPrice: priceOrNull(row.open_price),
  takeProfit: priceOrNull(row.take_profit),
  stopLoss: priceOrNull(row.stop_loss),
  margin: money(row.margin),
  fee: money(row.fee),
  expiresAt: numberOrNull(row.expires_at),
  createdAt: Number(row.created_at),
  openedAt: numberOrNull(row.opened_at),
  // The tick it was filled at is over.
  openedSeq: 0,
  trailingDistance: priceOrNull(row.trailing_distance),
  financedAt: Number(row.financed_at),
})

async function loadRequests(queries: Queries, state: State, since: number): Promise<void> {
  const rows = await queries
    .selectFrom('request')
    .selectAll()
    .where('at', '>=', BigInt(since))
    .orderBy('at')
    .execute()
  for (const row of rows) {
    const request = {
      accountId: Number(row.account_id),
      call: row.call,
      id: row.request_id,
      digest: row.digest,
    }
    state.requests.set(requestKey(request), { request, at: Number(row.at), events: decodeEvents(row.events) })
  }
}

async function eachChunk<Row>(
  load: (last: Row | undefined) => Promise<Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  for (let rows = await load(undefined); rows.length > 0; rows = await load(rows.at(-1))) rows.forEach(take)
}
