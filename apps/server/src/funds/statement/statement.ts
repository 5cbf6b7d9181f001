/** The statement of an account, from the rows of the ledger: opening balance, movements, closing balance. */
import { setImmediate as yieldToEngine } from 'node:timers/promises'
import { type Arrival, money, type Money, NO_MONEY, type TransferKind } from '@fairlot/core'
import { arrivalCodec } from '../../engine/journal/event-codec.ts'
import { readReceipt } from '../../engine/projection/receipt-chain.ts'
import { type OrderRecord, recordFrom } from '../../engine/projection/row-mapping.ts'
import type { Queries } from '../../platform/database/open.ts'
import { type Holdings, type Movement, movementsSince } from '../movements.ts'

/** Epoch ms; `to` is exclusive. */
export type StatementPeriod = { readonly from: number; readonly to: number }

export type StatementMovement = {
  /** The id of its ledger row. */
  readonly id: number
  readonly at: number
  readonly kind: TransferKind
  readonly orderId: number | null
  readonly caseId: number | null
  /** The number of the account's receipt that proves it. */
  readonly receipt: number | null
  /** The user's memo of a withdrawal. */
  readonly memo: string
  /** What arrived for a deposit, and its rate; null for other movements, and for deposits in account money. */
  readonly arrived: Arrived | null
  readonly change: Holdings
  readonly after: Holdings
}

/** `amount`: in units of 1e-8 of the currency sent; `rate`: in units of 1e-10. */
type Arrived = Pick<Arrival, 'currency' | 'amount' | 'rate'>

/** A position or partial close that was closed in the period. */
export type ClosedPosition = { readonly order: OrderRecord; readonly receipts: readonly number[] }

export type Statement = StatementPeriod & {
  readonly accountId: number
  readonly opening: Holdings
  readonly closing: Holdings
  /** Oldest first. */
  readonly movements: readonly StatementMovement[]
  /** The change by each kind. The opening and all changes add up to the closing. */
  readonly sums: ReadonlyMap<TransferKind, Holdings>
  readonly positions: readonly ClosedPosition[]
}

/**
 * The statement of a period, which may not have ended yet. Null if it has more than `rowsMax` movements or positions.
 * The tables must be up to date.
 */
export async function statementOf(
  queries: Queries,
  accountId: number,
  { from, to, rowsMax }: StatementPeriod & { readonly rowsMax: number },
): Promise<Statement | null> {
  const found: Movement[] = []
  const opening = await movementsSince(queries, accountId, {
    from,
    take: (movement) => {
      if (movement.row.at < BigInt(to)) found.push(movement)
      return found.length <= rowsMax
    },
  })
  const orders = opening && (await closedIn(queries, accountId, { from, to, rowsMax }))
  if (!opening || !orders) return null
  const orderIds = new Set([
    ...orders.map(({ id }) => id),
    ...found.flatMap(({ row }) => idOf(row.order_id) ?? []),
  ])
  const receipts = await receiptsOf(queries, accountId, [...orderIds])
  const caseIds = [...new Set(found.flatMap(({ row }) => row.case_id ?? []))]
  const memos = await memosOf(queries, accountId, caseIds)
  const arrivals = await arrivalsOf(queries, accountId, caseIds)
  const movements = withBalances(opening, found, { receipts, memos, arrivals })
  return {
    accountId,
    from,
    to,
    opening,
    movements,
    closing: movements.at(-1)?.after ?? opening,
    sums: sumsOf(movements),
    positions: orders.map((order) => ({ order, receipts: receipts.of(order.id, order.endedAt) })),
  }
}

const idOf = (id: bigint | null): number | null => (id === null ? null : Number(id))

type Notes = {
  readonly receipts: ReceiptNumbers
  readonly memos: ReadonlyMap<number, string>
  readonly arrivals: ReadonlyMap<number, Arrived>
}

/** The movements by date, each with the balances after it. */
function withBalances(
  opening: Holdings,
  found: readonly Movement[],
  { receipts, memos, arrivals }: Notes,
): StatementMovement[] {
  const inOrder = found.toSorted(({ row: a }, { row: b }) => Number(a.at - b.at) || Number(a.id - b.id))
  let after = opening
  return inOrder.map(({ row, change }) => {
    after = addedTo(after, change)
    const [orderId, caseId] = [idOf(row.order_id), idOf(row.case_id)]
    const [at, kind] = [Number(row.at), row.kind as TransferKind]
    return {
      id: Number(row.id),
      at,
      kind,
      orderId,
      caseId,
      change,
      after,
      receipt: orderId === null ? null : receipts.at(orderId, at),
      memo: kind === 'withdrawalHeld' ? (memos.get(caseId ?? 0) ?? '') : '',
      arrived: arrivals.get(caseId ?? 0) ?? null,
    }
  })
}

export const addedTo = (one: Holdings, other: Holdings): Holdings => ({
  available: money(one.available + other.available),
  frozen: money(one.frozen + other.frozen),
})

const NOTHING: Holdings = { available: NO_MONEY as Money, frozen: NO_MONEY as Money }

function sumsOf(movements: readonly StatementMovement[]): Map<TransferKind, Holdings> {
  const sums = new Map<TransferKind, Holdings>()
  for (const { kind, change } of movements) sums.set(kind, addedTo(sums.get(kind) ?? NOTHING, change))
  return sums
}

/** Null if there are more than `rowsMax`. */
async function closedIn(
  queries: Queries,
  accountId: number,
  { from, to, rowsMax }: StatementPeriod & { readonly rowsMax: number },
): Promise<OrderRecord[] | null> {
  const rows = await queries
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    // The condition of the partial index, which is used only with it.
    .where('ended_at', 'is not', null)
    .where('ended_at', '>=', BigInt(from))
    .where('ended_at', '<', BigInt(to))
    .where('status', '=', 'closed')
    .orderBy('ended_at')
    .orderBy('id')
    .limit(rowsMax + 1)
    .execute()
  return rows.length > rowsMax ? null : rows.map(recordFrom)
}

/** The most ids in one query. */
const IDS_MAX = 100

/** The receipt numbers of an account, by order. */
type ReceiptNumbers = {
  /** Those of an order, up to a time (epoch ms). */
  of(orderId: number, until: number | null): readonly number[]
  /** The last of an order for a booking with this date (epoch ms); null for none. */
  at(orderId: number, at: number): number | null
}

/** `bookedAt`: the date of the booking, which for a swap is its rollover, however late it was booked. */
type Numbered = {
  readonly orderId: number
  readonly at: number
  readonly bookedAt: number
  readonly number: number
}

async function receiptsOf(
  queries: Queries,
  accountId: number,
  orderIds: readonly number[],
): Promise<ReceiptNumbers> {
  const rows: Numbered[] = []
  for (let place = 0; place < orderIds.length; place += IDS_MAX) {
    const slice = await queries
      .selectFrom('receipt')
      .select(['order_id', 'body'])
      .where('account_id', '=', BigInt(accountId))
      .where('order_id', 'in', orderIds.slice(place, place + IDS_MAX).map(BigInt))
      .orderBy('number')
      .execute()
    for (const { order_id: orderId, body } of slice) {
      const { number, at, event } = readReceipt(body)
      rows.push({ orderId: Number(orderId), at, number, bookedAt: 'rollover' in event ? event.rollover : at })
    }
    await yieldToEngine()
  }
  const byOrder = Map.groupBy(rows, ({ orderId }) => orderId)
  return {
    of: (orderId, until) =>
      (byOrder.get(orderId) ?? [])
        .filter(({ at }) => until === null || at <= until)
        .map(({ number }) => number),
    at: (orderId, at) => byOrder.get(orderId)?.findLast((receipt) => receipt.bookedAt === at)?.number ?? null,
  }
}

/** The user's memos of withdrawals, by case. */
async function memosOf(
  queries: Queries,
  accountId: number,
  caseIds: readonly bigint[],
): Promise<ReadonlyMap<number, string>> {
  const memos = new Map<number, string>()
  for (let place = 0; place < caseIds.length; place += IDS_MAX) {
    const rows = await queries
      .selectFrom('withdrawal')
      .select(['case_id', 'memo'])
      .where('user_id', '=', BigInt(accountId))
      .where('case_id', 'in', caseIds.slice(place, place + IDS_MAX))
      .execute()
    for (const row of rows) memos.set(Number(row.case_id), row.memo)
  }
  return memos
}

/** What arrived for the account's deposits in other currencies, by case. */
async function arrivalsOf(
  queries: Queries,
  accountId: number,
  caseIds: readonly bigint[],
): Promise<ReadonlyMap<number, Arrived>> {
  const arrivals = new Map<number, Arrived>()
  for (let place = 0; place < caseIds.length; place += IDS_MAX) {
    const rows = await queries
      .selectFrom('money_case')
      .select(['id', 'arrived'])
      .where('account_id', '=', BigInt(accountId))
      .where('id', 'in', caseIds.slice(place, place + IDS_MAX))
      .execute()
    for (const { id, arrived } of rows)
      if (arrived !== null) arrivals.set(Number(id), arrivalCodec.read(JSON.parse(arrived)))
  }
  return arrivals
}
