/** What stands beside the rows of a statement: numbers of receipts, and what the owner wrote. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queries } from '../../database/open.ts'
import { readReceipt } from '../../engine/projection/receipt-chain.ts'

/** Ids that one query names. */
const IDS_AT_ONCE = 100

/** The numbers of an account's receipts by order. */
export type ReceiptNumbers = {
  /** Of an order, up to a moment (epoch ms). */
  of(orderId: number, until: number | null): readonly number[]
  /** The last of an order for what is dated with this moment; null for none. */
  at(orderId: number, at: number): number | null
}

/** `bookedAt` is the date of what it has booked: a night's own, however late it was booked. */
type Numbered = {
  readonly orderId: number
  readonly at: number
  readonly bookedAt: number
  readonly number: number
}

export async function receiptsOf(
  queries: Queries,
  accountId: number,
  orderIds: readonly number[],
): Promise<ReceiptNumbers> {
  const rows: Numbered[] = []
  for (let place = 0; place < orderIds.length; place += IDS_AT_ONCE) {
    const slice = await queries
      .selectFrom('receipt')
      .select(['order_id', 'body'])
      .where('account_id', '=', BigInt(accountId))
      .where('order_id', 'in', orderIds.slice(place, place + IDS_AT_ONCE).map(BigInt))
      .orderBy('number')
      .execute()
    for (const { order_id: orderId, body } of slice) {
      const { number, at, event } = readReceipt(body)
      rows.push({ orderId: Number(orderId), at, number, bookedAt: 'rollover' in event ? event.rollover : at })
    }
    await nextTurn()
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

/** What the owner wrote to their withdrawals, by case. */
export async function memosOf(
  queries: Queries,
  accountId: number,
  caseIds: readonly bigint[],
): Promise<ReadonlyMap<number, string>> {
  const memos = new Map<number, string>()
  const ids = [...new Set(caseIds)]
  for (let place = 0; place < ids.length; place += IDS_AT_ONCE) {
    const rows = await queries
      .selectFrom('withdrawal')
      .select(['case_id', 'memo'])
      .where('user_id', '=', BigInt(accountId))
      .where('case_id', 'in', ids.slice(place, place + IDS_AT_ONCE))
      .execute()
    for (const row of rows) memos.set(Number(row.case_id), row.memo)
  }
  return memos
}
