/**
 * The closed orders of a strategy as anybody sees them (trading-rules §12). What is public is listed here field by field;
 * whatever else an order or a receipt has stays private. Of an open position nothing is shown, closed parts included.
 */
import { PAGE_ROWS, type StrategyOrder } from '@fairlot/contract'
import { fromTicks, fromUnits, lots, money, type Lots, type ReceiptTick } from '@fairlot/core'
import { type ProvenEvent, readReceipt } from '../engine/projection/receipt-chain.ts'
import type { Queries } from '../platform/database/open.ts'
import type { CopyingServices } from './copying-services.ts'

type PublicReceipt = StrategyOrder['receipts'][number]

/** A page of the orders that closed since publication, the latest first, and how many there are. */
export async function publicOrders(
  { queries, instrumentOf }: Pick<CopyingServices, 'queries' | 'instrumentOf'>,
  strategyId: number,
  page: number,
): Promise<{ readonly orders: readonly StrategyOrder[]; readonly total: number }> {
  const closed = queries.selectFrom('strategy_order').where('strategy_id', '=', BigInt(strategyId))
  const { total } = await closed
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await closed
    .innerJoin('trade_order', 'trade_order.id', 'strategy_order.order_id')
    .selectAll('strategy_order')
    .select(['trade_order.account_id', 'trade_order.side', 'trade_order.lots as closed_last'])
    .orderBy('strategy_order.ended_at', 'desc')
    .orderBy('strategy_order.order_id', 'desc')
    .limit(PAGE_ROWS)
    .offset((page - 1) * PAGE_ROWS)
    .execute()
  const proven = await provenBy(queries, rows)
  const orders = rows.map((row): StrategyOrder => {
    const id = Number(row.order_id)
    const { code, priceDecimals } = instrumentOf(Number(row.instrument_id))
    const closedLast = lots(Number(row.closed_last))
    return {
      id,
      instrumentId: Number(row.instrument_id),
      code,
      priceDecimals,
      side: row.side as StrategyOrder['side'],
      lots: lots(Number(row.lots)),
      openedAt: Number(row.opened_at),
      endedAt: Number(row.ended_at),
      result: money(row.result),
      receipts: (proven.get(id) ?? []).flatMap((one) => publicReceipt(one, closedLast, priceDecimals)),
    }
  })
  return { orders, total: Number(total) }
}

type Proven = { readonly at: number; readonly event: ProvenEvent }

/** What the receipts of orders and of their closed parts prove, by order, oldest first. */
async function provenBy(
  queries: Queries,
  orders: readonly { readonly order_id: bigint; readonly account_id: bigint }[],
): Promise<ReadonlyMap<number, Proven[]>> {
  const [first] = orders
  if (!first) return new Map()
  const ids = orders.map(({ order_id }) => order_id)
  const rows = await queries
    .selectFrom('receipt')
    .innerJoin('trade_order', 'trade_order.id', 'receipt.order_id')
    .select(['receipt.body', 'trade_order.id', 'trade_order.parent_id'])
    .where('trade_order.account_id', '=', first.account_id)
    .where((where) => where.or([where('trade_order.id', 'in', ids), where('parent_id', 'in', ids)]))
    .orderBy('receipt.id')
    .execute()
  const proven = rows.map(({ body, id, parent_id }) => ({
    ...readReceipt(body),
    of: Number(parent_id ?? id),
  }))
  return Map.groupBy(proven, ({ of }) => of)
}

/** The public form of a fill; none for whatever else is proven, as the placing of a pending order. */
function publicReceipt({ at, event }: Proven, closedLast: Lots, priceDecimals: number): PublicReceipt[] {
  const filled = fillIn(event, closedLast)
  if (!filled) return []
  const { tick, ground } = event.receipt
  return [
    {
      at,
      action: filled.action,
      tick: tick && publicTick(tick, priceDecimals),
      price: filled.price === null ? null : fromTicks(filled.price, priceDecimals),
      lots: filled.lots,
      result: filled.result,
      ground: ground ?? null,
    },
  ]
}

function fillIn(event: ProvenEvent, closedLast: Lots) {
  switch (event.type) {
    case 'positionOpened':
      return { action: 'open', price: event.openPrice, lots: event.lots, result: null } as const
    case 'positionReduced':
      return { action: 'close', price: event.closePrice, lots: event.lots, result: event.profit } as const
    case 'positionClosed':
      return { action: 'close', price: event.closePrice, lots: closedLast, result: event.profit } as const
    default:
      return null
  }
}

/** Ticks are public as they are. */
const publicTick = (tick: ReceiptTick, priceDecimals: number): PublicReceipt['tick'] => ({
  instrumentId: tick.instrumentId,
  bid: fromTicks(tick.bid, priceDecimals),
  ask: fromTicks(tick.ask, priceDecimals),
  seq: tick.seq,
  time: tick.time,
  receivedAt: tick.receivedAt,
  source: tick.source,
  markUp: fromUnits(tick.markUp ?? 0, priceDecimals),
  admitted: tick.admitted ? 'yes' : null,
})
