import type { OrderView } from '@fairlot/contract'
import type { Order, State } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { look } from '../plugins/look.ts'
import { isRefusal, type Refusal } from '../plugins/refusal.ts'
import type { OrderRepository } from './order-repository.ts'
import type { OrderRecord } from './order-row.ts'
import type { OrderContext } from './order-view.ts'

/** An order as it was at one moment, with the market of that moment. */
export type SeenOrder = { readonly record: OrderRecord; readonly context: OrderContext }

type Sight = {
  readonly engine: Pick<Engine, 'read' | 'caughtUp'>
  readonly repository: Pick<OrderRepository, 'finished'>
  readonly seeOrder: (state: State, order: Order) => SeenOrder
  readonly finished: (record: OrderRecord) => SeenOrder
  readonly withReceipts: (orders: readonly SeenOrder[]) => Promise<OrderView[]>
}

/**
 * Shows orders of an account as they are now, the living before the finished; without ids all that live. One that is in neither place
 * is left out: it is not this account's.
 */
export const severalOrders =
  ({ engine, repository, seeOrder, finished, withReceipts }: Sight) =>
  async (accountId: number, orderIds?: readonly number[]): Promise<readonly OrderView[] | Refusal> => {
    const seen = await look(engine, (state) => {
      const orders = state.accounts.get(accountId)?.orders
      const ids = orderIds ?? [...(orders?.keys() ?? [])]
      return ids.flatMap((id) => {
        const order = orders?.get(id)
        return order ? seeOrder(state, order) : []
      })
    })
    if (isRefusal(seen)) return seen
    // What does not live in what was seen is in the tables by then, as it ended.
    await engine.caughtUp()
    const livingIds = new Set(seen.map(({ record }) => record.id))
    const ended = await repository.finished(accountId, orderIds?.filter((id) => !livingIds.has(id)) ?? [])
    return withReceipts([...seen, ...ended.map(finished)])
  }
