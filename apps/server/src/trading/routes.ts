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

import type { Account } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../platform/http/api.ts'
import { isRefusal, refuse } from '../platform/refusal.ts'
import { readEngine } from '../engine/calls.ts'
import { createOrderCommands, type DemoBounds } from './order-commands.ts'
import type { OrderQueries } from './order-queries.ts'
import { figuresView } from './account-figures.ts'

type TradingParts = {
  readonly orderQueries: OrderQueries
  readonly bounds: DemoBounds
  /** Epoch ms. */
  readonly now: () => number
}

export function registerTrading(api: Api, engine: Engine, { orderQueries, bounds, now }: TradingParts): void {
  const commands = createOrderCommands(engine, orderQueries, bounds)
  api.user(submitOrder, commands.submit)
  api.user(closeOrder, commands.close)
  api.user(closeAllOrders, commands.closeAll)
  api.user(reverseOrder, commands.reverse)
  api.user(cancelOrder, commands.cancel)
  api.user(setStops, commands.setStops)
  api.user(setTrailing, commands.setTrailing)
  api.user(resetDemo, commands.resetDemo)

  api.user(listOrders, async ({ input, user }) => {
    const { copyId } = input
    if (copyId === null)
      return (await orderQueries.page(user.id, input.list, input)) ?? refuse('accountNotFound')
    const isOwn = await readEngine(engine, ({ accounts }) => isCopyOf(accounts.get(copyId), user.id))
    if (isRefusal(isOwn)) return isOwn
    const page = isOwn ? await orderQueries.page(copyId, input.list, input) : null
    return page ?? refuse('copyNotFound', { copyId })
  })

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
      return account ? figuresView(state, account, now()) : refuse('accountNotFound')
    }),
  )
}

/** True for a copy of this user, also one that has ended. */
const isCopyOf = (account: Account | undefined, userId: number): boolean =>
  account !== undefined && account.ownerId === userId && account.id !== userId
