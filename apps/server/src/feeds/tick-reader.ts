import { parseRounded, price, type Instrument, type Price, type Tick } from '@fairlot/core'
import type { RawTick } from './feed.ts'

/** Why a message of a source is no tick of ours. */
export const TICK_FAULTS = ['unknownInstrument', 'notANumber'] as const
export type TickFault = (typeof TICK_FAULTS)[number]

/**
 * A raw tick as a core tick in whole ticks of its instrument (undefined: not one of ours). Digits beyond the
 * instrument's precision are rounded half away from zero. A tick without a time of its own gets `arrivedAt` (epoch ms on
 * the market clock). Answers with the reason when it cannot be read.
 */
export function readTick(
  raw: RawTick,
  instrument: Pick<Instrument, 'id' | 'priceDecimals'> | undefined,
  arrivedAt: number,
): Tick | TickFault {
  if (!instrument) return 'unknownInstrument'
  const bid = priceInTicks(raw.bid, instrument.priceDecimals)
  const ask = priceInTicks(raw.ask, instrument.priceDecimals)
  const time = raw.time ?? arrivedAt
  if (bid === null || ask === null || !Number.isSafeInteger(time)) return 'notANumber'
  return { instrumentId: instrument.id, bid, ask, time, source: raw.source }
}

/**
 * A plain decimal (text, or a finite JSON number) in whole ticks of 10^-decimals, rounded half away from zero. Null for
 * everything else: exponents in text, hexadecimal, empty text, null, arrays, NaN, numbers past the safe integers.
 */
export function priceInTicks(value: unknown, decimals: number): Price | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const ticks = Number(parseRounded(value, decimals) ?? NaN)
  return Number.isSafeInteger(ticks) ? price(ticks) : null
}
