import {
  LOTS_DECIMALS,
  lots,
  parseDecimal,
  price,
  type Instrument,
  type Lots,
  type Price,
} from '@fairlot/core'
import type { Expiry, TicketState } from './ticket-state.ts'

/** What a field says: nothing, something that is no such figure, or an exact value. */
export type Read<Value> =
  { readonly is: 'empty' } | { readonly is: 'wrong' } | { readonly is: 'value'; readonly value: Value }

const EMPTY = { is: 'empty' } as const
const WRONG = { is: 'wrong' } as const

export function readLots(text: string): Read<Lots> {
  if (text.trim() === '') return EMPTY
  const units = parseDecimal(text.trim(), LOTS_DECIMALS)
  return units === null ? WRONG : { is: 'value', value: lots(Number(units)) }
}

/** A price in ticks. Zero reads as empty where `zeroClears`: the wire's own way to say "none". */
export function readPrice(text: string, priceDecimals: number, zeroClears: boolean): Read<Price> {
  if (text.trim() === '') return EMPTY
  const ticks = parseDecimal(text.trim(), priceDecimals)
  if (ticks === null) return WRONG
  if (ticks === 0n && zeroClears) return EMPTY
  return { is: 'value', value: price(Number(ticks)) }
}

/** What all fields of a ticket say. */
export type TicketReading = {
  readonly lots: Read<Lots>
  /** Empty at the market, whatever was typed before. */
  readonly target: Read<Price>
  readonly stopLoss: Read<Price>
  readonly takeProfit: Read<Price>
  /** Epoch ms; empty: until it is cancelled. */
  readonly expiry: Read<number>
}

export const readTicket = (
  state: TicketState,
  { priceDecimals }: Pick<Instrument, 'priceDecimals'>,
): TicketReading => ({
  lots: readLots(state.lots),
  target: state.mode === 'market' ? EMPTY : readPrice(state.target, priceDecimals, false),
  stopLoss: readPrice(state.stopLoss, priceDecimals, true),
  takeProfit: readPrice(state.takeProfit, priceDecimals, true),
  expiry: readExpiry(state),
})

export const valueOf = <Value>(read: Read<Value>): Value | null => (read.is === 'value' ? read.value : null)

/** Until when a pending order waits, epoch ms; empty: until it is cancelled. */
export function readExpiry({ mode, expiry, expiresAt, expiryText }: TicketState): Read<number> {
  if (mode === 'market' || expiry === 'never') return EMPTY
  const at = expiry === 'own' ? Date.parse(expiryText) : (expiresAt ?? NaN)
  return Number.isNaN(at) ? WRONG : { is: 'value', value: at }
}

const DAY_MS = 86_400_000

/**
 * The moment that a quick choice means when it is made at `now` (epoch ms); null for one that means none. It then
 * stays: what was shown is what is sent, and an order tried again is the same order.
 */
export function expiryOf(expiry: Expiry, now: number): number | null {
  switch (expiry) {
    case 'never':
    case 'own':
      return null
    case 'today':
      return new Date(now).setHours(23, 59, 59, 999)
    case 'day':
      return now + DAY_MS
    case 'week':
      return now + 7 * DAY_MS
  }
}
