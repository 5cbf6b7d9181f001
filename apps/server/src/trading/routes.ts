import {
  cancelOrder,
  closeAllOrders,
  closeOrder,
  getFigures,
  getOrder,
  listOrders,
  listReceipts,
  percentOf,
  resetDemo,
  reverseOrder,
  setStops,
  setTrailing,
  submitOrder,
} from '@fairlot/contract'
import { figuresOf, type Account, type State } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../plugins/api.ts'
import { look } from '../plugins/look.ts'
import { refuse } from '../plugins/refusal.ts'
import { createChanges } from './changes.ts'
import type { OrderDesk } from './order-desk.ts'
import { stopOutsOf } from './stop-out.ts'

export function registerTrading(api: Api, engine: Engine, desk: OrderDesk): void {
  const changes = createChanges(engine, desk)
  api.user(submitOrder, changes.submit)
  api.user(closeOrder, changes.close)
  api.user(closeAllOrders, changes.closeAll)
  api.user(reverseOrder, changes.reverse)
  api.user(cancelOrder, changes.cancel)
  api.user(setStops, changes.setStops)
  api.user(setTrailing, changes.setTrailing)
  api.user(resetDemo, changes.resetDemo)

  api.user(
    listOrders,
    async ({ input, user }) =>
      (await desk.page(user.id, input.list, input.page)) ?? refuse('accountNotFound'),
  )

  api.user(
    getOrder,
    async ({ input, user }) => (await desk.present(user.id, input.orderId)) ?? refuse('orderNotFound', input),
  )

  api.user(listReceipts, async ({ input, user }) => {
    const receipts = await desk.sealed(user.id, input.orderId)
    return receipts.length > 0 ? receipts : refuse('orderNotFound', input)
  })

  api.user(getFigures, ({ user }) =>
    look(engine, (state) => {
      const account = state.accounts.get(user.id)
      return account ? figuresView(state, account) : refuse('accountNotFound')
    }),
  )
}

function figuresView(state: State, account: Account) {
  const { level, ...figures } = figuresOf(state, account)
  return { ...figures, level: level && percentOf(level), stopOuts: stopOutsOf(state, account) }
}
