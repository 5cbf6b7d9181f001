/** Every check of a command is made; the first in the contract's list that fails decides the code (trading-rules §9). */
import type { PlaceOrder, RejectionCode, UserCommand } from '../src/index.ts'
import { isPriced, twinFigures } from './twin-figures.ts'
import { barOf, twinMarket, type TwinMarket } from './twin-market.ts'
import { twinFee, twinMargin } from './twin-money.ts'
import type { PlainInstrument } from './plain.ts'
import { closingAt, openingAt, ordersOf, type Twin, type TwinOrder } from './twin-state.ts'

const LISTED: readonly RejectionCode[] = [
  'requestIdReused',
  'sameOperator',
  'accountNotFound',
  'accountFrozen',
  'accountCloseOnly',
  'demoOnly',
  'realOnly',
  'caseNotFound',
  'caseEnded',
  'amountInvalid',
  'secondOperatorNeeded',
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
export type Checked<Found> = { readonly refused: RejectionCode } | Accepted<Found>

export const accept = <Found>(found: Found): Accepted<Found> => ({ refused: null, found })

/** Frozen: nothing but taking one's money out. Close-only: nothing that opens. */
export function statusFaults(
  twin: Twin,
  { accountId, type }: Pick<UserCommand, 'accountId' | 'type'>,
): Faults {
  const status = twin.accounts.find(({ id }) => id === accountId)?.status
  const isOut = type === 'requestWithdrawal' || type === 'cancelWithdrawal'
  const isOpening = type === 'placeOrder' || type === 'reversePosition'
  return {
    accountFrozen: status === 'frozen' && !isOut,
    accountCloseOnly: status === 'closeOnly' && isOpening,
  }
}

/** What may be spent, and how many orders live beside the new one, where that is not as it is now. */
export type Means = { readonly free: bigint; readonly living: number }

export function checkPlace(
  twin: Twin,
  command: PlaceOrder,
  { free, living }: Means = {
    free: twinFigures(twin, command.accountId).free,
    living: ordersOf(twin, command.accountId).length,
  },
): Checked<{ market: TwinMarket; cost: TwinCost }> {
  const instrument = twin.instruments.find(({ id }) => id === command.instrumentId)
  const barred = firstOf({
    accountNotFound: !twin.accounts.some(({ id }) => id === command.accountId),
    ...statusFaults(twin, command),
    tooManyOrders: living >= twin.settings.maxLivingOrders,
    unknownInstrument: !instrument,
  })
  if (barred || !instrument) return { refused: barred ?? 'unknownInstrument' }
  const market = twinMarket(twin, instrument, command.at)
  const price = command.targetPrice ?? (market && openingAt(command.side, market.quote))
  const refused =
    firstOf({ ...askedFaults(twin, instrument, command), stalePrice: !market }) ??
    firstOf(marketFaults(twin, instrument, command, market))
  if (refused) return { refused }
  if (!market || price === null) throw new Error('the twin accepted an order without a market')
  const cost = twinCost(twin, market, { ...command, price })
  if (cost.margin > MOST_BOOKED || cost.fee > MOST_BOOKED) return { refused: 'amountOutOfRange' }
  return cost.margin + cost.fee > free ? { refused: 'notEnoughPrepayment' } : accept({ market, cost })
}

/** What can be wrong with an order whatever the price. */
function askedFaults(twin: Twin, instrument: PlainInstrument, command: PlaceOrder): Faults {
  const { leverage, targetPrice, expiresAt, at } = command
  return {
    instrumentDisabled: !instrument.isEnabled,
    noLeverage: instrument.leverages.length === 0,
    leverageNotOffered: !instrument.leverages.includes(leverage),
    ...lotFaults(instrument, command.lots),
    priceInvalid: (targetPrice !== null && !canOpenAt(targetPrice)) || !canStopAt(instrument, command),
    expiryInPast: expiresAt !== null && (targetPrice === null || expiresAt <= at),
    ...barFaults(twin, instrument, at),
  }
}

/** A market order has a price only where there is a market; an account only where its positions have one. */
function marketFaults(
  twin: Twin,
  instrument: PlainInstrument,
  command: PlaceOrder,
  market: TwinMarket | null,
): Faults {
  const opening = command.targetPrice ?? (market && openingAt(command.side, market.quote))
  const reference = command.targetPrice ?? (market && closingAt(command.side, market.quote))
  return {
    priceInvalid: opening !== null && !canOpenAt(opening),
    stalePrice: !isPriced(twin, command.accountId),
    ...stopFaults(instrument, command, reference),
  }
}

export const lotFaults = (instrument: PlainInstrument, lots: number): Faults => ({
  lotsBelowMinimum: lots < instrument.lotMin,
  lotsAboveMaximum: lots > instrument.lotMax,
  lotsOffStep: lots % instrument.lotStep !== 0,
})

export function barFaults(twin: Twin, instrument: PlainInstrument, at: number): Faults {
  const bar = barOf(twin, instrument, at)
  return bar ? { [bar]: true } : {}
}

/** No position opens at zero or below; a price stays within a million million ticks (the core's choice). */
const canOpenAt = (price: number): boolean => Number.isInteger(price) && price > 0 && price <= 1e12

type Stops = Pick<TwinOrder, 'side' | 'takeProfit' | 'stopLoss'>

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
