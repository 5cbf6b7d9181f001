/** Every check of a command is made; the first in the contract's list that fails decides the code (trading-rules §9). */
import type {
  ClosePosition,
  CancelOrder,
  PlaceOrder,
  RejectionCode,
  ResetDemo,
  SetStops,
} from '../src/index.ts'
import { twinFee, twinMargin } from './twin-money.ts'
import type { PlainInstrument, PlainQuote } from './plain.ts'
import {
  closingAt,
  isFreshAt,
  openingAt,
  openingRate,
  rateNow,
  twinFigures,
  type Twin,
  type TwinOrder,
  type TwinRate,
} from './twin-state.ts'

const LISTED: readonly RejectionCode[] = [
  'requestIdReused',
  'accountNotFound',
  'demoOnly',
  'orderNotFound',
  'alreadyClosed',
  'orderNotHolding',
  'orderNotPending',
  'unknownInstrument',
  'instrumentDisabled',
  'noLeverage',
  'leverageNotOffered',
  'lotsBelowMinimum',
  'lotsAboveMaximum',
  'lotsOffStep',
  'priceInvalid',
  'expiryInPast',
  'marketClosed',
  'stalePrice',
  'takeProfitWrongSide',
  'stopLossWrongSide',
  'notEnoughPrepayment',
]

type Faults = Partial<Record<RejectionCode, boolean>>

const firstOf = (faults: Faults): RejectionCode | null => LISTED.find((code) => faults[code]) ?? null

/** What an opening is made from; null unless market, price and conversion allow one. */
export type TwinMarket = {
  readonly instrument: PlainInstrument
  readonly quote: PlainQuote
  readonly rate: TwinRate
}

export function twinMarket(twin: Twin, instrument: PlainInstrument, at: number): TwinMarket | null {
  const quote = twin.quotes.get(instrument.id)
  const rate = openingRate(twin, instrument, at)
  if (!twin.hours.isOpen(instrument, at) || !isFreshAt(twin, quote, at) || !rate) return null
  return { instrument, quote, rate }
}

export type TwinCost = { readonly margin: bigint; readonly fee: bigint }

export function twinCost(
  twin: Twin,
  { instrument, rate }: TwinMarket,
  size: { lots: number; leverage: number; price: number },
): TwinCost {
  const margin = twinMargin(instrument, size, rate.q)
  return { margin, fee: twinFee(instrument, twin.settings.feeType, { lots: size.lots, margin }) }
}

type Accepted<Found> = { readonly refused: null; readonly found: Found }
type Checked<Found> = { readonly refused: RejectionCode } | Accepted<Found>

const accept = <Found>(found: Found): Accepted<Found> => ({ refused: null, found })

export function checkPlace(twin: Twin, command: PlaceOrder): Checked<{ market: TwinMarket; cost: TwinCost }> {
  const instrument = twin.instruments.find(({ id }) => id === command.instrumentId)
  const account = twin.accounts.find(({ id }) => id === command.accountId)
  const { expiresAt } = command
  if (!account) return { refused: 'accountNotFound' }
  if (!instrument) return { refused: 'unknownInstrument' }
  const market = twinMarket(twin, instrument, command.at)
  const price = command.targetPrice ?? (market && openingAt(command.side, market.quote))
  const reference = command.targetPrice ?? (market && closingAt(command.side, market.quote))
  const refused =
    firstOf({
      ...termFaults(instrument, command),
      priceInvalid: !canTarget(command.targetPrice) || !canStopAt(instrument, command),
      expiryInPast: expiresAt !== null && (command.targetPrice === null || expiresAt <= command.at),
      marketClosed: !twin.hours.isOpen(instrument, command.at),
      stalePrice: !market,
    }) ??
    // A market order has a price only where there is a market.
    firstOf({
      priceInvalid: price !== null && !canOpenAt(price),
      ...stopFaults(instrument, command, reference),
    })
  if (refused) return { refused }
  if (!market || price === null) throw new Error('the twin accepted an order without a market')
  const cost = twinCost(twin, market, { ...command, price })
  const { free } = twinFigures(twin, command.accountId)
  return cost.margin + cost.fee > free ? { refused: 'notEnoughPrepayment' } : accept({ market, cost })
}

const termFaults = (instrument: PlainInstrument, { leverage, lots }: PlaceOrder): Faults => ({
  instrumentDisabled: !instrument.isEnabled,
  noLeverage: instrument.leverages.length === 0,
  leverageNotOffered: !instrument.leverages.includes(leverage),
  lotsBelowMinimum: lots < instrument.lotMin,
  lotsAboveMaximum: lots > instrument.lotMax,
  lotsOffStep: lots % instrument.lotStep !== 0,
})

/** No position opens at zero or below; a price stays within a million million ticks (the core's choice). */
const canOpenAt = (price: number): boolean => Number.isInteger(price) && price > 0 && price <= 1e12

const canTarget = (price: number | null): boolean => price === null || canOpenAt(price)

/** A stop lies where the instrument's price can be. */
function canStopAt(instrument: PlainInstrument, { takeProfit, stopLoss }: Omit<Stops, 'side'>): boolean {
  const isPossible = (price: number | null) =>
    price === null ||
    canOpenAt(price) ||
    (instrument.allowsNegativePrice && (price === 0 || canOpenAt(-price)))
  return isPossible(takeProfit) && isPossible(stopLoss)
}

type Stops = Pick<TwinOrder, 'side' | 'takeProfit' | 'stopLoss'>

/** Each stop on its right side of the reference, by at least the minimum distance. */
function stopFaults(instrument: PlainInstrument, stops: Stops, reference: number | null): Faults {
  if (reference === null) return {}
  const sign = stops.side === 'buy' ? 1 : -1
  const ahead = (price: number | null) => (price === null ? Infinity : (price - reference) * sign)
  return {
    takeProfitWrongSide: ahead(stops.takeProfit) < instrument.minStopDistance,
    stopLossWrongSide: stops.stopLoss !== null && -ahead(stops.stopLoss) < instrument.minStopDistance,
  }
}

type OrderCommand = ClosePosition | CancelOrder | SetStops

/** Another's order is answered as if it did not exist. */
function checkOwn(twin: Twin, command: OrderCommand): Checked<TwinOrder> {
  if (!twin.accounts.some(({ id }) => id === command.accountId)) return { refused: 'accountNotFound' }
  const isMeant = (order: TwinOrder) =>
    order.orderId === command.orderId && order.accountId === command.accountId
  const living = twin.living.find(isMeant)
  if (living) return accept(living)
  return { refused: twin.ended.some(isMeant) ? 'alreadyClosed' : 'orderNotFound' }
}

export function checkClose(
  twin: Twin,
  command: ClosePosition,
): Checked<{ order: TwinOrder; market: TwinMarket }> {
  const own = checkOwn(twin, command)
  if (own.refused) return own
  const order = own.found
  const instrument = twin.instruments.find(({ id }) => id === order.instrumentId)
  if (!instrument) return { refused: 'unknownInstrument' }
  const quote = twin.quotes.get(instrument.id)
  const rate = rateNow(twin, instrument)
  const isTradable = isFreshAt(twin, quote, command.at) && rate !== null
  const refused = firstOf({
    orderNotHolding: order.status !== 'holding',
    marketClosed: !twin.hours.isOpen(instrument, command.at),
    stalePrice: !isTradable,
  })
  if (refused || !isTradable) return { refused: refused ?? 'stalePrice' }
  return accept({ order, market: { instrument, quote, rate } })
}

export function checkCancel(twin: Twin, command: CancelOrder): Checked<TwinOrder> {
  const own = checkOwn(twin, command)
  if (own.refused) return own
  return own.found.status === 'pending' ? own : { refused: 'orderNotPending' }
}

/** Stops may be moved in any market; setting one needs a price to measure from, clearing needs none. */
export function checkSetStops(twin: Twin, command: SetStops): Checked<TwinOrder> {
  const own = checkOwn(twin, command)
  if (own.refused) return own
  const order = own.found
  const instrument = twin.instruments.find(({ id }) => id === order.instrumentId)
  if (!instrument) return { refused: 'unknownInstrument' }
  const quote = twin.quotes.get(instrument.id)
  const closing = quote ? closingAt(order.side, quote) : null
  const reference = order.status === 'pending' ? order.targetPrice : closing
  const { side } = order
  const { takeProfit, stopLoss } = command
  const refused = firstOf({
    priceInvalid: !canStopAt(instrument, command),
    stalePrice: reference === null && (takeProfit !== null || stopLoss !== null),
    ...stopFaults(instrument, { side, takeProfit, stopLoss }, reference),
  })
  return refused ? { refused } : own
}

export function checkReset(twin: Twin, command: ResetDemo): Checked<true> {
  const account = twin.accounts.find(({ id }) => id === command.accountId)
  if (!account) return { refused: 'accountNotFound' }
  return account.ledger === 'demo' ? accept(true) : { refused: 'demoOnly' }
}
