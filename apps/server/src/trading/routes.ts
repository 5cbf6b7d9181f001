import {
  cancelOrder,
  closeAllOrders,
  closeOrder,
  getFigures,
  getOrder,
  listOrders,
  listReceipts,
  resetDemo,
  reverseOrder,
  setStops,
  setTrailing,
  submitOrder,
} from '@fairlot/contract'
import { figuresOf, percentOf, type Account, type State } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../http/api.ts'
import { readEngine, refuse } from '../http/refusal.ts'
import { createOrderCommands } from './order-commands.ts'
import type { OrderQueries } from './order-queries.ts'
import { stopOutsOf } from './stop-out-prices.ts'

export function registerTrading(api: Api, engine: Engine, orderQueries: OrderQueries): void {
  const commands = createOrderCommands(engine, orderQueries)
  api.user(submitOrder, commands.submit)
  api.user(closeOrder, commands.close)
  api.user(closeAllOrders, commands.closeAll)
  api.user(reverseOrder, commands.reverse)
  api.user(cancelOrder, commands.cancel)
  api.user(setStops, commands.setStops)
  api.user(setTrailing, commands.setTrailing)
  api.user(resetDemo, commands.resetDemo)

  api.user(
    listOrders,
    async ({ input, user }) =>
      (await orderQueries.page(user.id, input.list, input.page)) ?? refuse('accountNotFound'),
  )

  api.user(
    getOrder,
    async ({ input, user }) =>
      (await orderQueries.present(user.id, input.orderId)) ?? refuse('orderNotFound', input),
  )

  api.user(listReceipts, async ({ input, user }) => {
    const receipts = await orderQueries.sealed(user.id, input.orderId)
    return receipts.length > 0 ? receipts : refuse('orderNotFound', input)
  })

  api.user(getFigures, ({ user }) =>
    readEngine(engine, (state) => {
      const account = state.accounts.get(user.id)
      return account ? figuresView(state, account) : refuse('accountNotFound')
    }),
  )
}

function figuresView(state: State, account: Account) {
  const { level, ...figures } = figuresOf(state, account)
  return { ...figures, level: level && percentOf(level), stopOuts: stopOutsOf(state, account) }
}
