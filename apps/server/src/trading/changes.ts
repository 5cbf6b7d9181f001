import type { OrderTicket, OrderView, StopsSet } from '@fairlot/contract'
import { isRejection, type Event } from '@fairlot/core'
import { isUnavailable, type Engine, type EngineCommand } from '../engine/engine.ts'
import type { UserCall } from '../plugins/api.ts'
import { isRefusal, refuse, type Refusal } from '../plugins/refusal.ts'
import type { OrderDesk } from './order-desk.ts'
import { pricesInTicks } from './ticket.ts'

/** What a user may change, each as a command to the engine and an answer made of what it led to. */
export type Changes = {
  submit(call: UserCall<OrderTicket>): Promise<OrderView | Refusal>
  /** Closes a position, or cancels a pending order: the order as it then is. */
  end(
    type: 'closePosition' | 'cancelOrder',
    call: UserCall<{ orderId: number }>,
  ): Promise<OrderView | Refusal>
  setStops(call: UserCall<StopsChange>): Promise<StopsSet | Refusal>
  resetDemo(call: UserCall<null>): Promise<{ balance: OrderView['profit'] } | Refusal>
}

type StopsChange = Pick<OrderTicket, 'takeProfit' | 'stopLoss'> & { readonly orderId: number }
type Result = Promise<readonly Event[] | Refusal>

export function createChanges(engine: Engine, desk: OrderDesk): Changes {
  /** The events a command has led to, or why it was refused. */
  const carryOut = async (command: EngineCommand): Result => {
    const answer = await engine.execute(command)
    if (isUnavailable(answer)) return refuse('engineUnavailable')
    return isRejection(answer) ? answer : answer.entry.events
  }

  /** The same for one order: an order that is over says so, everybody else's does not exist. */
  const carryOutOn = async (command: Extract<EngineCommand, { orderId: number }>): Result => {
    const result = await carryOut(command)
    if (!isRefusal(result) || result.rejected !== 'orderNotFound') return result
    const isOver = (await desk.ended(command.accountId, command.orderId)) !== null
    return isOver ? refuse('alreadyClosed', { orderId: command.orderId }) : result
  }

  return {
    submit: async (call) => {
      const command = placeCommand(engine, call)
      if (isRefusal(command)) return command
      const events = await carryOut(command)
      return isRefusal(events) ? events : (desk.created(events) ?? refuse('internal'))
    },

    end: async (type, { input: { orderId }, user, request }) => {
      const events = await carryOutOn({ type, accountId: user.id, orderId, request })
      if (isRefusal(events)) return events
      return (await desk.ended(user.id, orderId)) ?? refuse('internal')
    },

    setStops: async ({ input: { orderId, takeProfit, stopLoss }, user, request }) => {
      const prices = stopsInTicks(engine, user.id, { orderId, takeProfit, stopLoss })
      if (isRefusal(prices)) return prices
      const command = { type: 'setStops', accountId: user.id, orderId, request, ...prices } as const
      const events = await carryOutOn(command)
      return isRefusal(events) ? events : { takeProfit, stopLoss, warning: null }
    },

    resetDemo: async ({ user, request }) => {
      const events = await carryOut({ type: 'resetDemo', accountId: user.id, request })
      return isRefusal(events) ? events : { balance: engine.state().settings.demoBalance }
    },
  }
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

/**
 * Stops in ticks of their order's instrument. Prices for an order that is not the user's own cannot be read and stay out;
 * the engine then says that there is no such order, whatever they were.
 */
function stopsInTicks(engine: Engine, userId: number, { orderId, takeProfit, stopLoss }: StopsChange) {
  const state = engine.state()
  const order = state.accounts.get(userId)?.orders.get(orderId)
  const instrument = order && state.instruments.get(order.instrumentId)
  return instrument
    ? pricesInTicks(instrument, { takeProfit, stopLoss })
    : { takeProfit: null, stopLoss: null }
}
