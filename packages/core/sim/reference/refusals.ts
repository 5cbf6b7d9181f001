/**
 * Every check of a command is made; of those that fail, the first in the contract's list gives the code
 * (trading-rules §9).
 */
import type { PlaceOrder, RejectionCode, UserCommand } from '../../src/index.ts'
import { isPriced, referenceFigures } from './figures.ts'
import { barOf, referenceMarket, type ReferenceDeal, type ReferenceMarket } from './market.ts'
import { referenceFee, referenceMargin } from './money.ts'
import type { PlainInstrument } from '../plain-types.ts'
import { closingAt, openingAt, ordersOf, type ReferenceModel, type ReferenceOrder } from './state.ts'

const IN_ORDER: readonly RejectionCode[] = [
  'requestIdReused',
  'sameOperator',
  'operatorNotEntitled',
  'accountNotFound',
  'accountClosed',
  'accountFrozen',
  'accountCloseOnly',
  'demoOnly',
  'realOnly',
  'caseNotFound',
  'caseEnded',
  'withdrawalApproved',
  'withdrawalNotApproved',
  'amountInvalid',
  'arrivalInvalid',
  'rateUnknown',
  'rateStale',
  'rateInvalid',
  'secondOperatorNeeded',
  'groundNeeded',
  'positionsOpen',
  'ordersPending',
  'casesOpen',
  'balanceLeft',
  'orderNotFound',
  'alreadyClosed',
  'orderNotHolding',
  'orderNotPending',
  'nothingToClose',
  'alertNotFound',
  'tooManyOrders',
  'tooManyAlerts',
  'unknownInstrument',
  'instrumentDisabled',
  'noLeverage',
  'leverageNotOffered',
  'closableOnlyWhole',
  'lotsBelowMinimum',
  'lotsAboveMaximum',
  'lotsOffStep',
  'remainderTooSmall',
  'priceInvalid',
  'expiryInPast',
  'alertInvalid',
  'alertExists',
  'alertAlreadyMet',
  'trailingDistanceInvalid',
  'marketClosed',
  'marketHalted',
  'cancelOnly',
  'reduceOnly',
  'stalePrice',
  'targetPassed',
  'takeProfitWrongSide',
  'stopLossWrongSide',
  'stopsOnlyTightened',
  'amountOutOfRange',
  'notEnoughPrepayment',
  'notEnoughMoney',
  'termsUnknown',
  'termsFixed',
  'termsInvalid',
  'noticeTooShort',
]

/** A trillion of the account currency, in its millionths. */
const MAX_BOOKED = 10n ** 18n

export type Faults = Partial<Record<RejectionCode, boolean>>

export const firstOf = (faults: Faults): RejectionCode | null => IN_ORDER.find((code) => faults[code]) ?? null

export type ReferenceCost = { readonly margin: bigint; readonly fee: bigint }

export function referenceCost(
  model: ReferenceModel,
  { instrument, rate }: ReferenceMarket,
  size: { lots: number; leverage: number; price: number },
): ReferenceCost {
  const margin = referenceMargin(instrument, size, rate.q)
  return { margin, fee: referenceFee(instrument, model.settings.feeType, { lots: size.lots, margin }) }
}

type Accepted<Found> = { readonly refused: null; readonly found: Found }
export type Checked<Found> = { readonly refused: RejectionCode } | Accepted<Found>

export const accept = <Found>(found: Found): Accepted<Found> => ({ refused: null, found })

/** What the owner of a frozen account may still do: withdraw, reduce risk, and be notified of it. */
const WHILE_FROZEN: ReadonlySet<UserCommand['type']> = new Set([
  'requestWithdrawal',
  'cancelWithdrawal',
  'closePosition',
  'closeAll',
  'cancelOrder',
  'setStops',
  'setTrailing',
  'setAlert',
  'removeAlert',
])

/** Frozen: only what is listed above. Close-only: nothing that opens. */
export function statusFaults(
  model: ReferenceModel,
  { accountId, type }: Pick<UserCommand, 'accountId' | 'type'>,
): Faults {
  const status = model.accounts.find(({ id }) => id === accountId)?.status
  const isOpening = type === 'placeOrder' || type === 'reversePosition'
  return {
    accountClosed: status === 'closed',
    accountFrozen: status === 'frozen' && !WHILE_FROZEN.has(type),
    accountCloseOnly: status === 'closeOnly' && isOpening,
  }
}

/** Free margin and number of other active orders, where they differ from the current ones. */
export type Means = { readonly free: bigint; readonly active: number }

export function checkPlace(
  model: ReferenceModel,
  command: PlaceOrder,
  { free, active }: Means = {
    free: referenceFigures(model, command.accountId).free,
    active: ordersOf(model, command.accountId).length,
  },
): Checked<{ market: ReferenceMarket; cost: ReferenceCost }> {
  const instrument = model.instruments.find(({ id }) => id === command.instrumentId)
  const barred = firstOf({
    accountNotFound: !model.accounts.some(({ id }) => id === command.accountId),
    ...statusFaults(model, command),
    tooManyOrders: active >= model.settings.maxLivingOrders,
    unknownInstrument: !instrument,
  })
  if (barred || !instrument) return { refused: barred ?? 'unknownInstrument' }
  const market = referenceMarket(model, instrument, command.at)
  const isNow = market !== null && isLimitReached(command, market)
  const price = (isNow ? null : command.targetPrice) ?? (market && openingAt(command.side, market.quote))
  const refused =
    firstOf({ ...requestFaults(model, instrument, command), stalePrice: !market }) ??
    firstOf(marketFaults(model, instrument, command, market))
  if (refused) return { refused }
  if (!market || price === null) throw new Error('the reference model accepted an order without a market')
  const cost = referenceCost(model, market, { ...command, price })
  if (cost.margin > MAX_BOOKED || cost.fee > MAX_BOOKED) return { refused: 'amountOutOfRange' }
  return cost.margin + cost.fee > free ? { refused: 'notEnoughPrepayment' } : accept({ market, cost })
}

/** Faults of an order that do not depend on the price. */
function requestFaults(model: ReferenceModel, instrument: PlainInstrument, command: PlaceOrder): Faults {
  const { leverage, targetPrice, expiresAt, at } = command
  return {
    instrumentDisabled: !instrument.isEnabled,
    noLeverage: instrument.leverages.length === 0,
    leverageNotOffered: !instrument.leverages.includes(leverage),
    ...lotFaults(instrument, command.lots),
    priceInvalid: (targetPrice !== null && !canOpenAt(targetPrice)) || !canStopAt(instrument, command),
    expiryInPast: expiresAt !== null && (targetPrice === null || expiresAt <= at),
    ...barFaults(model, instrument, at, 'opening'),
  }
}

/** A market order needs a price; the account's equity needs a price for every position. */
function marketFaults(
  model: ReferenceModel,
  instrument: PlainInstrument,
  command: PlaceOrder,
  market: ReferenceMarket | null,
): Faults {
  const isNow = market !== null && isLimitReached(command, market)
  const target = isNow ? null : command.targetPrice
  const opening = target ?? (market && openingAt(command.side, market.quote))
  const reference = target ?? (market && closingAt(command.side, market.quote))
  return {
    targetPassed: market !== null && isStopReached(command, market),
    priceInvalid: opening !== null && !canOpenAt(opening),
    stalePrice: !isPriced(model, command.accountId),
    ...stopFaults(instrument, command, reference),
  }
}

/** Meant as a limit order, and its price is there already. */
export function isLimitReached({ side, kind, targetPrice }: PlaceOrder, { quote }: ReferenceMarket): boolean {
  if (kind !== 'limit' || targetPrice === null) return false
  return side === 'buy' ? quote.ask <= targetPrice : quote.bid >= targetPrice
}

/** Meant as a stop order, and the market is past its price. */
function isStopReached({ side, kind, targetPrice }: PlaceOrder, { quote }: ReferenceMarket): boolean {
  if (kind !== 'stop' || targetPrice === null) return false
  return side === 'buy' ? quote.ask >= targetPrice : quote.bid <= targetPrice
}

export const lotFaults = (instrument: PlainInstrument, lots: number): Faults => ({
  lotsBelowMinimum: lots < instrument.lotMin,
  lotsAboveMaximum: lots > instrument.lotMax,
  lotsOffStep: lots % instrument.lotStep !== 0,
})

export function barFaults(
  model: ReferenceModel,
  instrument: PlainInstrument,
  at: number,
  deal: ReferenceDeal,
): Faults {
  const bar = barOf(model, instrument, at, deal)
  return bar ? { [bar]: true } : {}
}

/** No position opens at zero or below; prices are limited to 1e12 ticks (the core's choice). */
const canOpenAt = (price: number): boolean => Number.isInteger(price) && price > 0 && price <= 1e12

type Stops = Pick<ReferenceOrder, 'side' | 'takeProfit' | 'stopLoss'>

/** A stop must be a possible price of the instrument. */
export function canStopAt(
  instrument: PlainInstrument,
  { takeProfit, stopLoss }: Omit<Stops, 'side'>,
): boolean {
  const isPossible = (price: number | null) =>
    price === null ||
    canOpenAt(price) ||
    (instrument.allowsNegativePrice && (price === 0 || canOpenAt(-price)))
  return isPossible(takeProfit) && isPossible(stopLoss)
}

/** Each stop on its correct side of the reference, by at least the minimum distance. */
export function stopFaults(instrument: PlainInstrument, stops: Stops, reference: number | null): Faults {
  if (reference === null) return {}
  const sign = stops.side === 'buy' ? 1 : -1
  const ahead = (price: number | null) => (price === null ? Infinity : (price - reference) * sign)
  return {
    takeProfitWrongSide: ahead(stops.takeProfit) < instrument.minStopDistance,
    stopLossWrongSide: stops.stopLoss !== null && -ahead(stops.stopLoss) < instrument.minStopDistance,
  }
}
