import type { OrderView } from '@fairlot/contract'
import type { Services } from '../deployment/services.ts'
import { registerAlerts } from './alerts.ts'
import { readHead } from '../engine/journal/journal.ts'
import { isRefusal } from '../platform/refusal.ts'
import { createOrderQueries, createOrderRepository, type OrderQueries } from './order-queries.ts'
import { publishPrivately, type PrivateStream, type PrivateViews } from './private-stream.ts'
import { registerTrading } from './routes.ts'

export type Trading = {
  readonly orderQueries: OrderQueries
  /** Orders of a user by their ids. Throws while the engine cannot be read. */
  readonly ordersOf: (userId: number, ids: readonly number[]) => Promise<ReadonlyMap<number, OrderView>>
  /** The code of an instrument, as users know it. */
  readonly codeOf: (instrumentId: number) => string
  readonly stream: PrivateStream
}

/** Registers the calls for orders and figures, and the private stream of users' changes. */
export async function registerTradingArea(
  { server, api, hub, deployment, totals }: Services,
  funds: Pick<PrivateViews, 'fundsOf' | 'recordsOf'>,
): Promise<Trading> {
  const { engine, market, wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const namesOf = (id: number) => {
    const listed = market.registry.byId.get(id)
    return { showCode: listed?.showCode ?? '', name: listed?.name ?? '', logo: listed?.logo ?? '' }
  }
  const orderQueries = createOrderQueries(engine, createOrderRepository(queries), namesOf, totals)
  registerTrading(api, engine, { orderQueries, bounds: deployment.settings, now })
  registerAlerts(api, engine, queries, market.now)
  const { seq: journalRow } = await readHead(queries)
  const codeOf = (instrumentId: number) => namesOf(instrumentId).showCode
  const views = { ordersOf: orderQueries.several, codeOf, ...funds }
  const stream = publishPrivately({ hub, engine, journalRow, views, now, onError })
  server.addHook('onClose', async () => stream.stop())
  return { orderQueries, ordersOf: ordersById(orderQueries), codeOf, stream }
}

const ordersById = (orderQueries: OrderQueries) => async (userId: number, ids: readonly number[]) => {
  const orders = ids.length === 0 ? [] : await orderQueries.several(userId, ids)
  if (isRefusal(orders)) throw new Error(`orders of user ${userId} cannot be read: ${orders.rejected}`)
  return new Map(orders.map((order) => [order.id, order]))
}
