import type { OrderView } from '@fairlot/contract'
import type { Deployment } from './deployment.ts'
import { startMarginWarnings } from './engine/margin-warnings.ts'
import { isRefusal } from './http/refusal.ts'
import type { Addressee, Notifier } from './notifications/notifier.ts'
import { startNoticeTidying } from './notifications/notice-tidy.ts'
import { startNotices, type Notices } from './notifications/notices.ts'
import type { OrderQueries } from './trading/order-queries.ts'
import type { PrivateStream } from './trading/private-stream.ts'

type NoticeParts = {
  readonly notifier: Notifier
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  readonly orderQueries: OrderQueries
  readonly stream: Pick<PrivateStream, 'tell'>
}

/** What tells users: their notices with the mails of them, and the watch of margins, which tells by them. */
export async function openNotices(
  { database: { queries }, engine, market, wallClock, onError }: Deployment,
  { notifier, contactOf, orderQueries, stream }: NoticeParts,
): Promise<Notices & { stop(): Promise<void> }> {
  const notices = startNotices({
    ...{ engine, queries, notifier, contactOf, onError, now: wallClock },
    ...{ marketNow: market.now, tellScreens: stream.tell, ordersOf: ordersById(orderQueries) },
    currency: () => engine.state().settings.accountCurrency,
  })
  const warnings = await startMarginWarnings({
    ...{ engine, queries, onError, now: market.now, onWarned: notices.tell },
  })
  const tidying = startNoticeTidying({ queries, now: market.now, onError })
  return {
    ...notices,
    stop: async () => {
      await tidying.stop()
      await warnings.stop()
      await notices.stop()
    },
  }
}

/** Orders of a user by their id. Throws when they cannot be had. */
export const ordersById =
  (orderQueries: OrderQueries) =>
  async (userId: number, ids: readonly number[]): Promise<ReadonlyMap<number, OrderView>> => {
    const orders = ids.length === 0 ? [] : await orderQueries.several(userId, ids)
    if (isRefusal(orders)) throw new Error(`orders of notices cannot be shown: ${orders.rejected}`)
    return new Map(orders.map((order) => [order.id, order]))
  }
