import {
  type FeeType,
  type Fraction,
  type Instrument,
  type Lots,
  type Money,
  type OrderKind,
  price,
  type Price,
  type Side,
  stopsReference,
} from '@fairlot/core'
import {
  EMPTY,
  firstStop,
  lotText,
  type Parsed,
  parseLots,
  parsePrice,
  type StopName,
  UNREADABLE,
  valueOf,
} from '../lots-and-prices.ts'
import type { PricedAccount } from '../account-snapshot.ts'
import type { Decimal, OrderTicket } from '@fairlot/contract'
import { readDecimal } from '@fairlot/core/decimal'
import { readStored, writeStored } from '../../../live/device/storage.ts'

export type TicketMode = 'market' | 'pending'
/** How long a pending order waits; `custom`: until a date and time that the user enters. */
export const EXPIRIES = ['never', 'today', 'day', 'week', 'custom'] as const
export type Expiry = (typeof EXPIRIES)[number]
export type PriceField = 'target' | StopName

/** The entered values as typed. Nothing derived is stored here. */
export type TicketState = {
  readonly mode: TicketMode
  readonly lots: string
  /** Null: the instrument offers none. */
  readonly leverage: number | null
  readonly target: string
  readonly stopLoss: string
  readonly takeProfit: string
  /** The side chosen for the stops of this order; null while none is chosen. */
  readonly stopSide: Side | null
  /** The side of the last order on this instrument; null before the first. */
  readonly lastSide: Side | null
  /** The stop whose button was pressed while its side was unknown; it waits for the choice of a side. */
  readonly awaitsSide: StopName | null
  readonly expiry: Expiry
  /** Expiry of a quick choice, epoch ms; null for the others. */
  readonly expiresAt: number | null
  /** The entered date and time, as its field writes it: "2026-11-21T18:00". */
  readonly expiryText: string
  /** The side whose button was pressed while the order had problems, which are shown until the next change. */
  readonly attempted: Side | null
  /** The server's rejection, shown until the next change. */
  readonly rejection: TicketRejection | null
}

/** A rejected order: the server's message and the field it concerns; null when it concerns none. */
export type TicketRejection = { readonly field: TicketField | null; readonly text: string }
export type TicketField = 'lots' | 'expiry' | PriceField

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: TicketMode }
  | { readonly type: 'lots'; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  | { readonly type: 'price'; readonly field: PriceField; readonly text: string }
  | { readonly type: 'stopSide'; readonly side: Side; readonly prices: Partial<Record<StopName, string>> }
  | { readonly type: 'needSide'; readonly field: StopName }
  | { readonly type: 'expiry'; readonly expiry: Expiry; readonly expiresAt: number | null }
  | { readonly type: 'expiryText'; readonly text: string }
  | { readonly type: 'attempt'; readonly side: Side }
  | { readonly type: 'rejected'; readonly rejection: TicketRejection }
  /** The order was placed: prices are cleared, the size stays for the next one. */
  | { readonly type: 'placed'; readonly side: Side }

/** The initial ticket of an instrument. Size and side may come from the last order on it. */
export const initialTicket = (
  lots: string,
  leverage: number | null,
  lastSide: Side | null = null,
): TicketState => ({
  mode: 'market',
  lots,
  leverage,
  target: '',
  stopLoss: '',
  takeProfit: '',
  stopSide: null,
  lastSide,
  awaitsSide: null,
  expiry: 'never',
  expiresAt: null,
  expiryText: '',
  attempted: null,
  rejection: null,
})

/** Every change clears these: the problems shown before may no longer apply. */
const CLEARED = { attempted: null, rejection: null, awaitsSide: null } as const

export function reduce(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case 'mode':
      return { ...state, ...CLEARED, mode: action.mode }
    case 'lots':
      return { ...state, ...CLEARED, lots: action.text }
    case 'leverage':
      return { ...state, ...CLEARED, leverage: action.leverage }
    case 'price':
      return { ...state, ...CLEARED, [action.field]: action.text }
    case 'stopSide':
      return { ...state, ...CLEARED, stopSide: action.side, ...action.prices }
    case 'needSide':
      return { ...state, ...CLEARED, awaitsSide: action.field }
    case 'expiry':
      return { ...state, ...CLEARED, expiry: action.expiry, expiresAt: action.expiresAt }
    case 'expiryText':
      return { ...state, ...CLEARED, expiry: 'custom', expiresAt: null, expiryText: action.text }
    case 'attempt':
      return { ...state, attempted: action.side, rejection: null }
    case 'rejected':
      return { ...state, rejection: action.rejection }
    case 'placed':
      return {
        ...state,
        ...CLEARED,
        target: '',
        stopLoss: '',
        takeProfit: '',
        stopSide: null,
        lastSide: action.side,
        expiry: 'never',
        expiresAt: null,
      }
  }
}

/** Current state of the market and the account, against which a ticket is checked. */
export type TicketContext = {
  readonly instrument: Instrument
  readonly isOpen: boolean
  /** Reason why the instrument or the whole market is halted; null while neither is. */
  readonly haltReason: string | null
  /** Reason why no positions may be opened on any market; null while they may. */
  readonly reduceReason: string | null
  /** The last accepted prices; null before the first. */
  readonly quote: { readonly bid: Price; readonly ask: Price } | null
  /** Older than the server would fill at. */
  readonly isStale: boolean
  /** From the quote currency to the account currency; null while a price for it is missing. */
  readonly rate: Fraction | null
  readonly feeType: FeeType
  /** Free margin; null for a visitor. */
  readonly freeMargin: Money | null
  /** The account with its positions, to calculate the stop-out price with one more; null while not fully loaded. */
  readonly snapshot: PricedAccount | null
  /** Time of this state, epoch ms on the market clock. */
  readonly now: number
}

/** The parsed fields of a ticket. */
export type ParsedTicket = {
  readonly lots: Parsed<Lots>
  /** Empty for a market order, whatever was typed before. */
  readonly target: Parsed<Price>
  readonly stopLoss: Parsed<Price>
  readonly takeProfit: Parsed<Price>
  /** Epoch ms; empty: good until cancelled. */
  readonly expiry: Parsed<number>
}

export const parseTicket = (
  state: TicketState,
  { priceDecimals }: Pick<Instrument, 'priceDecimals'>,
): ParsedTicket => ({
  lots: parseLots(state.lots),
  target: state.mode === 'market' ? EMPTY : parsePrice(state.target, priceDecimals, false),
  stopLoss: parsePrice(state.stopLoss, priceDecimals, true),
  takeProfit: parsePrice(state.takeProfit, priceDecimals, true),
  expiry: parseExpiry(state),
})

/** Expiry of a pending order, epoch ms; empty: good until cancelled. */
export function parseExpiry({ mode, expiry, expiresAt, expiryText }: TicketState): Parsed<number> {
  if (mode === 'market' || expiry === 'never') return EMPTY
  const at = expiry === 'custom' ? Date.parse(expiryText) : (expiresAt ?? NaN)
  return Number.isNaN(at) ? UNREADABLE : { is: 'value', value: at }
}

const DAY_MS = 86_400_000

/**
 * Expiry (epoch ms) of a quick choice made at `now` (epoch ms); null for a choice without one. It is calculated once, when chosen:
 * the shown time is the one that is sent, and a retried order stays the same order.
 */
export function expiryOf(expiry: Expiry, now: number): number | null {
  switch (expiry) {
    case 'never':
    case 'custom':
      return null
    case 'today':
      return new Date(now).setHours(23, 59, 59, 999)
    case 'day':
      return now + DAY_MS
    case 'week':
      return now + 7 * DAY_MS
  }
}

export const STOPS: readonly StopName[] = ['stopLoss', 'takeProfit']

/** The problems of the stops, for each side. */
type StopProblems = Readonly<Record<Side, { readonly [Name in StopName]?: unknown }>>

export const hasStops = (state: TicketState): boolean => STOPS.some((name) => state[name].trim() !== '')

/**
 * The side that the stops are for: the chosen one, else the only one for which the entered prices are valid, else that of the last
 * order. Null when unknown: it is never guessed.
 */
export function sideOfStops(state: TicketState, { buy, sell }: StopProblems): Side | null {
  if (state.stopSide !== null) return state.stopSide
  const isValid = (found: StopProblems[Side]): boolean => STOPS.every((name) => !found[name])
  if (hasStops(state) && isValid(buy) !== isValid(sell)) return isValid(buy) ? 'buy' : 'sell'
  return state.lastSide
}

/** The price from which stops of a side are measured; null before the first price. */
export function stopsFrom(
  state: TicketState,
  { instrument, quote }: TicketContext,
  side: Side,
): Price | null {
  const target =
    state.mode === 'pending' ? valueOf(parsePrice(state.target, instrument.priceDecimals, false)) : null
  return quote ? stopsReference({ side, targetPrice: target }, quote) : target
}

/**
 * The prices of the stops after the user has chosen their side. The stop whose button led to the choice gets its first price; the
 * others keep their distance when the side changes.
 */
export function pricesForSide(
  state: TicketState,
  context: TicketContext,
  { from, to }: { readonly from: Side | null; readonly to: Side },
): Partial<Record<StopName, Price>> {
  const reference = stopsFrom(state, context, to)
  if (reference === null) return {}
  const { instrument } = context
  const prices: Partial<Record<StopName, Price>> = {}
  const before = from === null || from === to ? null : stopsFrom(state, context, from)
  for (const name of STOPS) {
    const now = valueOf(parsePrice(state[name], instrument.priceDecimals, true))
    if (name === state.awaitsSide && now === null)
      prices[name] = firstStop(name, to, { instrument, reference })
    else if (now !== null && before !== null) prices[name] = price(reference + before - now)
  }
  return prices
}

/** The order to send for a side, of the kind that was shown; null while the lots cannot be read. `evaluateTicket` checks it. */
export function orderTicketOf(
  state: TicketState,
  side: Side,
  instrument: Instrument,
  kind: OrderKind = 'market',
): OrderTicket | null {
  const reading = parseTicket(state, instrument)
  const lots = valueOf(reading.lots)
  const decimal = (read: Parsed<Price>, text: string): Decimal | null =>
    read.is === 'value' ? readDecimal(text.trim(), instrument.priceDecimals) : null
  return (
    lots && {
      side,
      lots,
      instrumentId: instrument.id,
      orderType: state.mode,
      targetPrice: decimal(reading.target, state.target),
      stopLoss: decimal(reading.stopLoss, state.stopLoss),
      takeProfit: decimal(reading.takeProfit, state.takeProfit),
      leverage: state.leverage ?? 0,
      expiresAt: valueOf(reading.expiry),
      kind: state.mode === 'market' || kind === 'market' ? null : kind,
    }
  )
}

type Size = { readonly lots: string; readonly leverage: number | null; readonly side?: Side }

/** Size and side of the last order by instrument code, as stored on this device; other JSON counts as empty. */
function rememberedSizes(): Record<string, unknown> {
  try {
    const kept: unknown = JSON.parse(readStored('ticket') ?? '{}')
    return typeof kept === 'object' && kept !== null ? { ...kept } : {}
  } catch {
    return {}
  }
}

const isSize = (value: unknown): value is Size =>
  typeof value === 'object' &&
  value !== null &&
  'lots' in value &&
  'leverage' in value &&
  typeof value.lots === 'string'

/** Older versions stored no side. */
const sideOf = ({ side }: Size): Side | null => (side === 'buy' || side === 'sell' ? side : null)

/** A new ticket with the size and side of the last order on the instrument, else the smallest size and no side. */
export function startTicket(instrument: Instrument): TicketState {
  const size = rememberedSizes()[instrument.code]
  const { leverages, lotMin, lotStep } = instrument
  const offered = leverages.find((leverage) => isSize(size) && leverage === size.leverage)
  return initialTicket(
    isSize(size) ? size.lots : lotText(lotMin, lotStep),
    offered ?? leverages.at(-1) ?? null,
    isSize(size) ? sideOf(size) : null,
  )
}

export function rememberSize(instrument: Instrument, { lots, leverage }: TicketState, side: Side): void {
  writeStored('ticket', JSON.stringify({ ...rememberedSizes(), [instrument.code]: { lots, leverage, side } }))
}
