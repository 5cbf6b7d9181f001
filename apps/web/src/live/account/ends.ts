import { listOrders, type OrderPage, type OrderView } from '@fairlot/contract'
import { onReconnected, onServerMessage } from '../connection/server-connection.ts'
import { lastMarketTime } from '../market/market-clock.ts'
import { request } from '../requests/request.ts'
import { currentToken } from '../auth/token.ts'

type Listener = (orders: readonly OrderView[]) => void

const listeners = new Set<Listener>()
const told = new Set<number>()

/** Hears of orders that have ended, with their last word and each once, until the returned function is called. */
export function onEnded(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

function tell(orders: readonly OrderView[]): void {
  const ended = orders.filter(({ id, endedAt }) => endedAt !== null && !told.has(id))
  for (const { id } of ended) told.add(id)
  if (ended.length > 0) for (const hear of listeners) hear(ended)
}

/** Tells of ends as they come, and of those that came while the connection was away; called once at the start of the app. */
export function startEnds(): void {
  onServerMessage('orders', ({ orders }) => tell(orders))
  onReconnected(() => {
    const since = lastMarketTime()
    if (currentToken() === null || since === 0) return
    const page = (number: number) =>
      request(listOrders, { list: 'history', page: number }, { isSilent: true })
    // Unanswered, the history shows it all the same.
    endedSince(since, page).then(tell, () => undefined)
  })
}

/** What has ended since a moment (epoch ms): pages of the history, the latest end first, as far as they reach back to it. */
export async function endedSince(
  since: number,
  page: (number: number) => Promise<Pick<OrderPage, 'orders'>>,
): Promise<readonly OrderView[]> {
  const found: OrderView[] = []
  for (let number = 1; ; number += 1) {
    const { orders } = await page(number)
    const ended = orders.filter(({ endedAt }) => endedAt !== null && endedAt >= since)
    found.push(...ended)
    if (ended.length < orders.length || orders.length === 0) return found
  }
}
