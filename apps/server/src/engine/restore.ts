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
  type LedgerAccountId,
  type LedgerKind,
  type Order,
  type State,
  type World,
} from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { OrderTable } from '../database/schema.ts'
import { decodeEvents } from './entry-codec.ts'
import { readHead, readJournal, type JournalHead } from './journal.ts'
import type { RowNumbers } from './projection-rows.ts'
import { PROJECTION, type CommittedBatch } from './projector.ts'

/** Rows loaded in one go. */
const LOAD_CHUNK = 20_000

/** What a start, or a recovery, begins from. */
export type Restored = {
  readonly state: State
  readonly head: JournalHead
  /** How far the tables reach, and the numbers of their last rows. */
  readonly projected: { seq: number; numbers: RowNumbers }
  /** Journal rows that the tables do not hold yet. */
  readonly unprojected: readonly CommittedBatch[]
}

/**
 * Rebuilds the engine's memory: the tables are the snapshot, the rest of the journal is folded on top. The first start,
 * every later one and the recovery from a failed commit are this one path.
 */
export async function restore(queries: Queries, world: World): Promise<Restored> {
  const state = createState(world)
  const seq = await projectedSeq(queries)
  await loadAccounts(queries, state)
  await loadBalances(queries, state)
  await loadOrders(queries, state)
  const head = await readHead(queries)
  await loadRequests(queries, state, head.at - REQUEST_MEMORY_MS)
  const numbers = await lastNumbers(queries)
  const unprojected: CommittedBatch[] = []
  for await (const row of readJournal(queries, seq)) {
    const entries = row.entries.map((entry) => ({ entry, postings: evolve(state, entry) }))
    unprojected.push({ seq: row.seq, entries })
  }
  return { state, head: await readHead(queries), projected: { seq, numbers }, unprojected }
}

async function projectedSeq(queries: Queries): Promise<number> {
  const row = await queries
    .selectFrom('projection')
    .select('journal_seq')
    .where('name', '=', PROJECTION)
    .executeTakeFirst()
  return Number(row?.journal_seq ?? 0n)
}

async function lastNumbers(queries: Queries): Promise<RowNumbers> {
  const newest = (table: 'transfer' | 'receipt') =>
    queries.selectFrom(table).select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const [transfer, receipt] = [await newest('transfer'), await newest('receipt')]
  return { transferId: transfer?.id ?? 0n, receiptId: receipt?.id ?? 0n }
}

async function loadAccounts(queries: Queries, state: State): Promise<void> {
  await eachChunk(
    (after) =>
      queries.selectFrom('account').selectAll().where('id', '>', after).orderBy('id').limit(LOAD_CHUNK).execute(),
    (row) => addAccount(state, Number(row.id), row.ledger as LedgerKind),
  )
}

async function loadBalances(queries: Queries, state: State): Promise<void> {
  for (const row of await queries.selectFrom('ledger_account').selectAll().execute()) {
    const account = balanceOf(state.ledger, row.id as LedgerAccountId)
    account.balance = money(row.balance)
    account.entryCount = Number(row.entry_count)
  }
}

/** Living orders come back to life; of the finished only the last id counts. */
async function loadOrders(queries: Queries, state: State): Promise<void> {
  await eachChunk(
    (after) =>
      queries
        .selectFrom('trade_order')
        .selectAll()
        .where('status', 'in', ['pending', 'holding'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(LOAD_CHUNK)
        .execute(),
    (row) => {
      const account = state.accounts.get(Number(row.account_id))
      if (!account) throw new Error(`order ${row.id} belongs to no account`)
      indexOrder(state, account, livingOrder(row))
    },
  )
  const newest = await queries.selectFrom('trade_order').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
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

/** Walks a table by id in chunks, so that a million rows never stand in memory at once. */
async function eachChunk<Row extends { id: bigint }>(
  load: (after: bigint) => Promise<Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  for (let after = 0n; ; ) {
    const rows = await load(after)
    for (const row of rows) take(row)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
