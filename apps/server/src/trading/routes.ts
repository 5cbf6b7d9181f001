import {
  cancelOrder,
  closeOrder,
  getFigures,
  listOrders,
  percentOf,
  resetDemo,
  setStops,
  submitOrder,
  type OrderTicket,
  type OrderView,
} from '@fairlot/contract'
import { figuresOf, isRejection, type Account, type Event } from '@fairlot/core'
import { isUnavailable, type Engine, type EngineCommand } from '../engine/engine.ts'
import type { Api, UserCall } from '../plugins/api.ts'
import { isRefusal, refuse, type Refusal } from '../plugins/refusal.ts'
import type { OrderDesk } from './order-desk.ts'
import { pricesInTicks } from './ticket.ts'

export function registerTrading(api: Api, engine: Engine, desk: OrderDesk): void {
  /** The events a command has led to, or why it was refused. */
  const carryOut = async (command: EngineCommand): Promise<readonly Event[] | Refusal> => {
    const answer = await engine.execute(command)
    if (isUnavailable(answer)) return refuse('engineUnavailable')
    return isRejection(answer) ? answer : answer.entry.events
  }

  /** The same for one order: an order that is over says so, everybody else's does not exist. */
  const carryOutOn = async (
    command: Extract<EngineCommand, { orderId: number }>,
  ): Promise<readonly Event[] | Refusal> => {
    const result = await carryOut(command)
    if (!isRefusal(result) || result.rejected !== 'orderNotFound') return result
    const isOver = (await desk.ended(command.accountId, command.orderId)) !== null
    return isOver ? refuse('alreadyClosed', { orderId: command.orderId }) : result
  }

  api.user(submitOrder, async (call) => {
    const command = placeCommand(engine, call)
    if (isRefusal(command)) return command
    const events = await carryOut(command)
    return isRefusal(events) ? events : (desk.created(events) ?? refuse('internal'))
  })

  api.user(closeOrder, async ({ input, user, request }) => {
    if (input.lots !== null) return refuse('partialCloseUnavailable')
    const command = { type: 'closePosition', accountId: user.id, orderId: input.orderId, request } as const
    return ended(await carryOutOn(command), user.id, input.orderId)
  })

  api.user(cancelOrder, async ({ input, user, request }) => {
    const command = { type: 'cancelOrder', accountId: user.id, orderId: input.orderId, request } as const
    return ended(await carryOutOn(command), user.id, input.orderId)
  })

  const ended = async (
    result: readonly Event[] | Refusal,
    accountId: number,
    orderId: number,
  ): Promise<OrderView | Refusal> =>
    isRefusal(result) ? result : ((await desk.ended(accountId, orderId)) ?? refuse('internal'))

  api.user(setStops, async ({ input, user, request }) => {
    const { orderId } = input
    const instrumentId = engine.state().orders.get(orderId)?.instrumentId
    const instrument = instrumentId === undefined ? null : engine.state().instruments.get(instrumentId)
    // Without the instrument the prices cannot be read; the engine then says what is wrong with the order.
    const prices = instrument
      ? pricesInTicks(instrument, { takeProfit: input.takeProfit, stopLoss: input.stopLoss })
      : { takeProfit: null, stopLoss: null }
    if (isRefusal(prices)) return prices
    const command = { type: 'setStops', accountId: user.id, orderId, request, ...prices } as const
    const events = await carryOutOn(command)
    if (isRefusal(events)) return events
    return { takeProfit: input.takeProfit, stopLoss: input.stopLoss, warning: null }
  })

  api.user(resetDemo, async ({ user, request }) => {
    const events = await carryOut({ type: 'resetDemo', accountId: user.id, request })
    return isRefusal(events) ? events : { balance: engine.state().settings.demoBalance }
  })

  api.user(listOrders, ({ input, user }) => {
    const account = engine.state().accounts.get(user.id)
    return account ? desk.page(account, input.list, input.page) : refuse('accountNotFound')
  })

  api.user(getFigures, ({ user }) => {
    const account = engine.state().accounts.get(user.id)
    return account ? figuresView(engine, account) : refuse('accountNotFound')
  })
}

/** A ticket as a command: its prices in ticks of its instrument. */
function placeCommand(
  engine: Engine,
  { input, user, request }: UserCall<OrderTicket>,
): Extract<EngineCommand, { type: 'placeOrder' }> | Refusal {
  const instrument = engine.state().instruments.get(input.instrumentId)
  if (!instrument) return refuse('unknownInstrument')
  const { targetPrice, takeProfit, stopLoss } = input
  const prices = pricesInTicks(instrument, { targetPrice, takeProfit, stopLoss })
  if (isRefusal(prices)) return prices
  return {
    type: 'placeOrder',
    accountId: user.id,
    request,
    instrumentId: instrument.id,
    side: input.side,
    lots: input.lots,
    leverage: input.leverage,
    expiresAt: input.expiresAt,
    ...prices,
  }
}

function figuresView(engine: Engine, account: Account) {
  const { balance, equity, free, margin, level, profit, reserved } = figuresOf(engine.state(), account)
  return { balance, equity, free, margin, level: level && percentOf(level), profit, reserved, stopOuts: [] }
}
