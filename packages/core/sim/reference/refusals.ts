/** Every check of a command is made; the first in the contract's list that fails decides the code (trading-rules §9). */
import type { PlaceOrder, RejectionCode, UserCommand } from '../../src/index.ts'
import { isPriced, referenceFigures } from './figures.ts'
import { barOf, referenceMarket, type ReferenceMarket } from './market.ts'
import { referenceFee, referenceMargin } from './money.ts'
import type { PlainInstrument } from '../plain.ts'
import { closingAt, openingAt, ordersOf, type ReferenceModel, type ReferenceOrder } from './state.ts'

const LISTED: readonly RejectionCode[] = [
  'requestIdReused',
  'sameOperator',
  'accountNotFound',
  'accountClosed',
  'accountFrozen',
  'accountCloseOnly',
  'demoOnly',
  'realOnly',
  'caseNotFound',
  'caseEnded',
  'amountInvalid',
  'secondOperatorNeeded',
  'positionsOpen',
  'ordersPending',
  'casesOpen',
  'balanceLeft',
  'orderNotFound',
  'alreadyClosed',
  'orderNotHolding',
  'orderNotPending',
  'nothingToClose',
  'tooManyOrders',
  'unknownInstrument',
  'instrumentDisabled',
  'noLeverage',
  'leverageNotOffered',
  'lotsBelowMinimum',
  'lotsAboveMaximum',
  'lotsOffStep',
  'remainderTooSmall',
  'priceInvalid',
  'expiryInPast',
  'trailingDistanceInvalid',
  'marketClosed',
  'marketHalted',
  'cancelOnly',
  'stalePrice',
  'takeProfitWrongSide',
  'stopLossWrongSide',
  'amountOutOfRange',
  'notEnoughPrepayment',
  'notEnoughMoney',
  'termsUnknown',
  'termsFixed',
  'termsInvalid',
  'noticeTooShort',
]

/** A million million of the account currency, in its millionths. */
const MOST_BOOKED = 10n ** 18n

export type Faults = Partial<Record<RejectionCode, boolean>>

export const firstOf = (faults: Faults): RejectionCode | null => LISTED.find((code) => faults[code]) ?? null

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

/** Frozen: nothing but taking one's money out. Close-only: nothing that opens. */
export function statusFaults(
  model: ReferenceModel,
  { accountId, type }: Pick<UserCommand, 'accountId' | 'type'>,
): Faults {
  const status = model.accounts.find(({ id }) => id === accountId)?.status
  const isOut = type === 'requestWithdrawal' || type === 'cancelWithdrawal'
  const isOpening = type === 'placeOrder' || type === 'reversePosition'
  return {
    accountClosed: status === 'closed',
    accountFrozen: status === 'frozen' && !isOut,
    accountCloseOnly: status === 'closeOnly' && isOpening,
  }
}

/** What may be spent, and how many orders live beside the new one, where that is not as it is now. */
export type Means = { readonly free: bigint; readonly living: number }

export function checkPlace(
  model: ReferenceModel,
  command: PlaceOrder,
  { free, living }: Means = {
    free: referenceFigures(model, command.accountId).free,
    living: ordersOf(model, command.accountId).length,
  },
): Checked<{ market: ReferenceMarket; cost: ReferenceCost }> {
  const instrument = model.instruments.find(({ id }) => id === command.instrumentId)
  const barred = firstOf({
    accountNotFound: !model.accounts.some(({ id }) => id === command.accountId),
    ...statusFaults(model, command),
    tooManyOrders: living >= model.settings.maxLivingOrders,
    unknownInstrument: !instrument,
  })
  if (barred || !instrument) return { refused: barred ?? 'unknownInstrument' }
  const market = referenceMarket(model, instrument, command.at)
  const price = command.targetPrice ?? (market && openingAt(command.side, market.quote))
  const refused =
    firstOf({ ...askedFaults(model, instrument, command), stalePrice: !market }) ??
    firstOf(marketFaults(model, instrument, command, market))
  if (refused) return { refused }
  if (!market || price === null) throw new Error('the reference model accepted an order without a market')
  const cost = referenceCost(model, market, { ...command, price })
  if (cost.margin > MOST_BOOKED || cost.fee > MOST_BOOKED) return { refused: 'amountOutOfRange' }
  return cost.margin + cost.fee > free ? { refused: 'notEnoughPrepayment' } : accept({ market, cost })
}

/** What can be wrong with an order whatever the price. */
function askedFaults(model: ReferenceModel, instrument: PlainInstrument, command: PlaceOrder): Faults {
  const { leverage, targetPrice, expiresAt, at } = command
  return {
    instrumentDisabled: !instrument.isEnabled,
    noLeverage: instrument.leverages.length === 0,
    leverageNotOffered: !instrument.leverages.includes(leverage),
    ...lotFaults(instrument, command.lots),
    priceInvalid: (targetPrice !== null && !canOpenAt(targetPrice)) || !canStopAt(instrument, command),
    expiryInPast: expiresAt !== null && (targetPrice === null || expiresAt <= at),
    ...barFaults(model, instrument, at),
  }
}

/** A market order has a price only where there is a market; an account only where its positions have one. */
function marketFaults(
  model: ReferenceModel,
  instrument: PlainInstrument,
  command: PlaceOrder,
  market: ReferenceMarket | null,
): Faults {
  const opening = command.targetPrice ?? (market && openingAt(command.side, market.quote))
  const reference = command.targetPrice ?? (market && closingAt(command.side, market.quote))
  return {
    priceInvalid: opening !== null && !canOpenAt(opening),
    stalePrice: !isPriced(model, command.accountId),
    ...stopFaults(instrument, command, reference),
  }
}

export const lotFaults = (instrument: PlainInstrument, lots: number): Faults => ({
  lotsBelowMinimum: lots < instrument.lotMin,
  lotsAboveMaximum: lots > instrument.lotMax,
  lotsOffStep: lots % instrument.lotStep !== 0,
})

export function barFaults(model: ReferenceModel, instrument: PlainInstrument, at: number): Faults {
  const bar = barOf(model, instrument, at)
  return bar ? { [bar]: true } : {}
}

/** No position opens at zero or below; a price stays within a million million ticks (the core's choice). */
const canOpenAt = (price: number): boolean => Number.isInteger(price) && price > 0 && price <= 1e12

type Stops = Pick<ReferenceOrder, 'side' | 'takeProfit' | 'stopLoss'>

/** A stop lies where the instrument's price can be. */
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

/** Each stop on its right side of the reference, by at least the minimum distance. */
export function stopFaults(instrument: PlainInstrument, stops: Stops, reference: number | null): Faults {
  if (reference === null) return {}
  const sign = stops.side === 'buy' ? 1 : -1
  const ahead = (price: number | null) => (price === null ? Infinity : (price - reference) * sign)
  return {
    takeProfitWrongSide: ahead(stops.takeProfit) < instrument.minStopDistance,
    stopLossWrongSide: stops.stopLoss !== null && -ahead(stops.stopLoss) < instrument.minStopDistance,
  }
}
