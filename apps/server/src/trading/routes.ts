import {
  cancelOrder,
  closeOrder,
  getFigures,
  listOrders,
  percentOf,
  resetDemo,
  setStops,
  submitOrder,
} from '@fairlot/contract'
import { figuresOf, type Account } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../plugins/api.ts'
import { refuse } from '../plugins/refusal.ts'
import { createChanges } from './changes.ts'
import type { OrderDesk } from './order-desk.ts'

export function registerTrading(api: Api, engine: Engine, desk: OrderDesk): void {
  const changes = createChanges(engine, desk)
  api.user(submitOrder, changes.submit)
  api.user(closeOrder, (call) =>
    call.input.lots === null ? changes.end('closePosition', call) : refuse('partialCloseUnavailable'),
  )
  api.user(cancelOrder, (call) => changes.end('cancelOrder', call))
  api.user(setStops, changes.setStops)
  api.user(resetDemo, changes.resetDemo)

  api.user(
    listOrders,
    async ({ input, user }) =>
      (await desk.page(user.id, input.list, input.page)) ?? refuse('accountNotFound'),
  )

  api.user(getFigures, ({ user }) => {
    const account = engine.state().accounts.get(user.id)
    return account ? figuresView(engine, account) : refuse('accountNotFound')
  })
}

function figuresView(engine: Engine, account: Account) {
  const { balance, equity, free, margin, level, profit, reserved } = figuresOf(engine.state(), account)
  return { balance, equity, free, margin, level: level && percentOf(level), profit, reserved, stopOuts: [] }
}
