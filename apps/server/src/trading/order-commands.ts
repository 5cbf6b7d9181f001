import {
  type Decimal,
  type OrderTicket,
  type OrderView,
  type SetStopsRequest,
  type SetStopsResponse,
  type TakenOrder,
  type Warning,
} from '@fairlot/contract'
import {
  type Entry,
  type Event,
  fromTicks,
  type Instrument,
  type Money,
  positionsClosedAtOnce,
  type Price,
  toTicks,
} from '@fairlot/core'
import { type Engine, type EngineCommand, isUnavailable } from '../engine/engine.ts'
import { type AppSettings, wholeUnits } from '../platform/config/app-settings.ts'
import type { UserCall } from '../platform/http/api.ts'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'
import { resultOf } from '../engine/calls.ts'
import type { ClosedOrders, OrderQueries } from './order-queries.ts'
import { isBeyondStopOut } from './account-figures.ts'

/** A user's changes to orders: each is a command to the engine, and its result is derived from the resulting events. */
type OrderCommands = {
  submit(call: UserCall<OrderTicket>): Promise<TakenOrder | Refusal>
  /** Returns the order after the change; for a closed part, the order that the part becomes. */
  close(call: UserCall<ClosingChange>): Promise<OrderView | Refusal>
  cancel(call: UserCall<{ orderId: number }>): Promise<OrderView | Refusal>
  closeAll(call: UserCall<null>): Promise<ClosedOrders | Refusal>
  /** Returns the new position. */
  reverse(call: UserCall<{ orderId: number }>): Promise<OrderView | Refusal>
  setStops(call: UserCall<SetStopsRequest>): Promise<SetStopsResponse | Refusal>
  setTrailing(call: UserCall<TrailingChange>): Promise<OrderView | Refusal>
  resetDemo(call: UserCall<{ start: Money | null }>): Promise<{ balance: OrderView['profit'] } | Refusal>
}

type ClosingChange = { readonly orderId: number; readonly lots: OrderTicket['lots'] | null }
type TrailingChange = { readonly orderId: number; readonly distance: OrderTicket['stopLoss'] }
type Result = Promise<Entry | Refusal>

/** The starting balances, in whole units, that a demo account can be set to. */
export type DemoBounds = Pick<AppSettings, 'demo_balance_min' | 'demo_balance_max'>

export function createOrderCommands(
  engine: Engine,
  orderQueries: OrderQueries,
  bounds: DemoBounds,
): OrderCommands {
  const carryOut = (command: EngineCommand) => resultOf(engine, command)

  /** The same for one order: rejects a finished order with `alreadyClosed`; orders of others do not exist. */
  const carryOutOn = async (command: Extract<EngineCommand, { orderId: number }>): Result => {
    const result = await carryOut(command)
    if (!isRefusal(result) || result.rejected !== 'orderNotFound') return result
    const isOver = (await orderQueries.ended(command.accountId, command.orderId)) !== null
    return isOver ? refuse('alreadyClosed', { orderId: command.orderId }) : result
  }

  const end = async (command: Extract<EngineCommand, { orderId: number }>) => {
    const entry = await carryOutOn(command)
    if (isRefusal(entry)) return entry
    const endedId = entry.events.map(idOfEnd).find((id) => id !== null) ?? command.orderId
    return (await orderQueries.ended(command.accountId, endedId)) ?? refuse('internal')
  }

  /** With many copies one command closes only some positions: the rest of those that were open then follow. */
  const closeRest = async (accountId: number, first: Entry): Promise<Entry> => {
    const copies = engine.state().accounts.get(accountId)?.copiers.length ?? 0
    const most = positionsClosedAtOnce(copies)
    const events = [...first.events]
    for (let closed = first.events.length; closed >= most;) {
      const next = await carryOut({ type: 'closeAll', accountId, openedUntil: first.at })
      if (isRefusal(next)) break
      events.push(...next.events)
      closed = next.events.length
    }
    return { ...first, events }
  }

  const warningOf = createWarningOf(engine)

  return {
    submit: async (call) => {
      const command = placeCommand(engine, call)
      const entry = isRefusal(command) ? command : await carryOut(command)
      if (isRefusal(entry)) return entry
      const order = orderQueries.created(entry.events)
      return order ? { ...order, warning: await warningOf(call, order.id, 'placed') } : refuse('internal')
    },

    close: ({ input, user, request }) =>
      end({ type: 'closePosition', accountId: user.id, ...input, request }),
    cancel: ({ input, user, request }) => end({ type: 'cancelOrder', accountId: user.id, ...input, request }),

    closeAll: async ({ user, request }) => {
      const entry = await carryOut({ type: 'closeAll', accountId: user.id, request })
      return isRefusal(entry) ? entry : orderQueries.allEnded(user.id, await closeRest(user.id, entry))
    },

    reverse: async ({ input: { orderId }, user, request }) => {
      const entry = await carryOutOn({ type: 'reversePosition', accountId: user.id, orderId, request })
      return isRefusal(entry) ? entry : (orderQueries.created(entry.events) ?? refuse('internal'))
    },

    setStops: async (call) => {
      const { input, user, request } = call
      const { orderId, takeProfit, stopLoss } = input
      const prices = pricesOf(engine, { userId: user.id, orderId }, { takeProfit, stopLoss })
      if (isRefusal(prices)) return prices
      const entry = await carryOutOn({ type: 'setStops', accountId: user.id, orderId, request, ...prices })
      if (isRefusal(entry)) return entry
      // A repeated request may be about an order that has ended since.
      const active = await orderQueries.present(user.id, orderId)
      const order = active && !isRefusal(active) ? active : await orderQueries.ended(user.id, orderId)
      const stops = order && stopsOf(order, entry)
      return stops ? { ...stops, warning: await warningOf(call, orderId, 'stopsSet') } : refuse('internal')
    },

    setTrailing: async ({ input: { orderId, distance }, user, request }) => {
      const prices = pricesOf(engine, { userId: user.id, orderId }, { distance })
      if (isRefusal(prices)) return prices
      const entry = await carryOutOn({ type: 'setTrailing', accountId: user.id, orderId, request, ...prices })
      return isRefusal(entry) ? entry : ((await orderQueries.present(user.id, orderId)) ?? refuse('internal'))
    },

    resetDemo: async ({ user, input: { start }, request }) => {
      const [least, most] = [wholeUnits(bounds.demo_balance_min), wholeUnits(bounds.demo_balance_max)]
      if (start !== null && (start < least || start > most))
        return refuse('demoBalanceOutOfRange', { least, most, field: 'balance' })
      const entry = await carryOut({ type: 'resetDemo', accountId: user.id, start, request })
      if (isRefusal(entry)) return entry
      const reset = entry.events.find((event) => event.type === 'demoReset')
      return { balance: reset?.start ?? engine.state().settings.demoBalance }
    },
  }
}

/** A warning about a change, based on current prices: a repeated request may return a different one. */
const createWarningOf =
  (engine: Engine) =>
  async (
    { user, translate }: UserCall<unknown>,
    orderId: number,
    change: 'placed' | 'stopsSet',
  ): Promise<Warning | null> => {
    const isBeyond = await engine.read((state) => isBeyondStopOut(state, user.id, orderId))
    // The change itself is done in any case.
    if (isUnavailable(isBeyond) || !isBeyond) return null
    return { code: 'stopLossBeyondStopOut', message: translate(`warning.${change}`) }
  }

/** The order that an event has ended; a closed part is an order of its own. */
function idOfEnd(event: Event): number | null {
  if (event.type === 'positionReduced') return event.partId
  return event.type === 'positionClosed' || event.type === 'orderCancelled' ? event.orderId : null
}

/** Both stops of an order as an entry has set them. */
function stopsOf(
  { instrument }: OrderView,
  { events }: Entry,
): Pick<OrderTicket, 'takeProfit' | 'stopLoss'> | null {
  const set = events.find((event) => event.type === 'stopsSet')
  const shown = (stop: Price | null) => (stop === null ? null : fromTicks(stop, instrument.priceDecimals))
  return set ? { takeProfit: shown(set.takeProfit), stopLoss: shown(set.stopLoss) } : null
}

/** A ticket as a command, with prices in ticks of its instrument. */
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
    ...(input.kind !== null && { kind: input.kind }),
    ...prices,
  }
}

/**
 * Prices in ticks of their order's instrument. For an order that is not the user's own they are null; the engine then
 * refuses the order as unknown.
 */
function pricesOf<Prices extends GivenPrices>(
  engine: Engine,
  { userId, orderId }: { userId: number; orderId: number },
  prices: Prices,
): InTicks<Prices> | Refusal {
  const state = engine.state()
  const order = state.accounts.get(userId)?.orders.get(orderId)
  const instrument = order && state.instruments.get(order.instrumentId)
  if (instrument) return pricesInTicks(instrument, prices)
  const names = Object.keys(prices).map((name) => [name, null])
  return Object.fromEntries(names) as InTicks<Prices>
}

type GivenPrices = Readonly<Record<string, Decimal | null | undefined>>
type InTicks<Prices extends GivenPrices> = {
  [Name in keyof Prices]: Price | Exclude<Prices[Name], Decimal> | null
}

/** Prices of a request in ticks of the instrument; null and undefined stay. Refused if one has too many digits. */
function pricesInTicks<Prices extends GivenPrices>(
  instrument: Instrument,
  prices: Prices,
): InTicks<Prices> | Refusal {
  const read = Object.entries(prices).map(([name, value]) => ({
    name,
    value,
    ticks: typeof value === 'number' ? toTicks(value, instrument.priceDecimals) : value,
  }))
  const wrong = read.find(({ value, ticks }) => value !== null && ticks === null)
  if (wrong)
    return refuse('priceTooManyDigits', { priceDecimals: instrument.priceDecimals, field: wrong.name })
  return Object.fromEntries(read.map(({ name, ticks }) => [name, ticks])) as InTicks<Prices>
}
