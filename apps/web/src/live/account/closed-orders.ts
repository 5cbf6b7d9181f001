import { listOrders, type OrderPage, type OrderView } from '@fairlot/contract'
import { onReconnected, onServerMessage } from '../connection/server-connection.ts'
import { lastMarketTime } from '../market/market-clock.ts'
import { request } from '../requests/request.ts'
import { currentToken } from '../device/token.ts'

type Listener = (orders: readonly OrderView[]) => void

const listeners = new Set<Listener>()
const reported = new Set<number>()

/** Calls back once for each order that has ended, with its final state, until the returned function is called. */
export function onOrdersClosed(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function report(orders: readonly OrderView[]): void {
  const ended = orders.filter(({ id, endedAt }) => endedAt !== null && !reported.has(id))
  for (const { id } of ended) reported.add(id)
  if (ended.length > 0) for (const listener of listeners) listener(ended)
}

/** Reports orders that end, and those that ended while the connection was lost. Called once. */
export function startClosedOrderUpdates(): void {
  onServerMessage('orders', ({ orders }) => report(orders))
  onReconnected(() => {
    const since = lastMarketTime()
    if (currentToken() === null || since === 0) return
    const page = (before: number | null) =>
      request(listOrders, { list: 'history', page: 1, before, copyId: null }, { isSilent: true })
    // Without a response the orders are still in the history.
    closedSince(since, page).then(report, () => undefined)
  })
}

/** Orders that ended at or after `since` (epoch ms), read from the pages of the history, which begin with the latest end. */
export async function closedSince(
  since: number,
  page: (before: number | null) => Promise<Pick<OrderPage, 'orders'>>,
): Promise<readonly OrderView[]> {
  const found: OrderView[] = []
  for (;;) {
    const { orders } = await page(found.at(-1)?.id ?? null)
    const ended = orders.filter(({ endedAt }) => endedAt !== null && endedAt >= since)
    found.push(...ended)
    if (ended.length < orders.length || orders.length === 0) return found
  }
}
