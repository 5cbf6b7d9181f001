import type { Instrument } from './instrument.ts'
import { absolute, larger, RATIO_SCALE, type Price } from './number.ts'
import type { Quote, Tick } from './quote.ts'

/** Furthest a tick's own time may lie ahead of the clock. */
export const FUTURE_LIMIT_MS = 5_000
const NEAR_ZERO_STOP_DISTANCES = 1000n

/** Why a tick is refused, in the order in which it is checked. */
export const TICK_REFUSALS = [
  'notANumber',
  'zero',
  'negative',
  'crossed',
  'outOfOrder',
  'future',
  'wideSpread',
  'suspect',
] as const
export type TickRefusal = (typeof TICK_REFUSALS)[number]

export type Admission =
  | { readonly accepted: true; readonly quote: Quote }
  | { readonly accepted: false; readonly reason: TickRefusal }

/** The moment a tick is judged at. */
export type AdmissionMoment = {
  /** Market clock, epoch ms. */
  readonly at: number
  /** `MarketStatus.openSince`, or the end of a halt when that is later; null when closed or never closing. */
  readonly openSince: number | null
}

/** What the guard remembers of one instrument. */
export type TickMemory = {
  last: Quote | null
  /** Number of the last accepted tick. */
  seq: number
  /** The next tick is judged without a reference. */
  isReopening: boolean
  /** The suspect tick that each source waits to have confirmed. */
  readonly held: Map<string, Tick>
  readonly refusals: Record<TickRefusal, number>
}

/** Market memory: lost with the process, rebuilt from the first ticks. */
export type TickGuard = Map<number, TickMemory>

export const createTickGuard = (): TickGuard => new Map()

/** What is remembered of an instrument; made empty on first use. */
export function tickMemory(guard: TickGuard, instrumentId: number): TickMemory {
  const known = guard.get(instrumentId)
  if (known) return known
  const made: TickMemory = { last: null, seq: 0, isReopening: false, held: new Map(), refusals: noRefusals() }
  guard.set(instrumentId, made)
  return made
}

const noRefusals = (): Record<TickRefusal, number> => ({
  notANumber: 0,
  zero: 0,
  negative: 0,
  crossed: 0,
  outOfOrder: 0,
  future: 0,
  wideSpread: 0,
  suspect: 0,
})

/** Numbers the instrument's next accepted tick `lastSeq + 1`: call it after a restart, before the first tick. */
export function continueSequence(guard: TickGuard, instrumentId: number, lastSeq: number): void {
  tickMemory(guard, instrumentId).seq = lastSeq
}

/** Makes the next tick of an instrument the first after a gap, as at a looped replay's jump. */
export function reopenTicks(guard: TickGuard, instrumentId: number): void {
  tickMemory(guard, instrumentId).isReopening = true
}

/**
 * Judges a tick by the rules of prices (trading-rules §1 and §9): accepted, it becomes the instrument's quote; refused,
 * it is counted with its reason. The first failing check decides. Changes nothing but the guard's own memory.
 */
export function admit(
  guard: TickGuard,
  instrument: Instrument,
  tick: Tick,
  moment: AdmissionMoment,
): Admission {
  const memory = tickMemory(guard, instrument.id)
  const reason =
    faultOf(instrument, tick, memory.last, moment.at) ?? suspicionOf(memory, instrument, tick, moment)
  if (reason) {
    memory.refusals[reason]++
    return { accepted: false, reason }
  }
  memory.seq++
  memory.isReopening = false
  memory.last = { ...tick, seq: memory.seq, receivedAt: moment.at }
  return { accepted: true, quote: memory.last }
}

function faultOf(instrument: Instrument, tick: Tick, last: Quote | null, at: number): TickRefusal | null {
  const { bid, ask, time } = tick
  if (![bid, ask, time].every(Number.isSafeInteger)) return 'notANumber'
  if (isZeroFault(instrument, bid, ask)) return 'zero'
  if (!instrument.allowsNegativePrice && (bid < 0 || ask < 0)) return 'negative'
  if (bid > ask) return 'crossed'
  if (last && time < last.time) return 'outOfOrder'
  if (time > at + FUTURE_LIMIT_MS) return 'future'
  return isSpreadWide(instrument, tick) ? 'wideSpread' : null
}

/** Where prices may be negative, zero is one of them; both sides at zero is a feed that has no price. */
const isZeroFault = (instrument: Instrument, bid: Price, ask: Price): boolean =>
  instrument.allowsNegativePrice ? bid === 0 && ask === 0 : bid === 0 || ask === 0

/** A suspect tick waits in `held` for the next sound tick of its source, which takes it out whether it confirms or not. */
function suspicionOf(
  memory: TickMemory,
  instrument: Instrument,
  tick: Tick,
  { openSince }: AdmissionMoment,
): TickRefusal | null {
  if (!memory.last || memory.isReopening || memory.last.receivedAt < (openSince ?? -Infinity)) {
    memory.held.clear()
    return null
  }
  const held = memory.held.get(tick.source)
  memory.held.delete(tick.source)
  if (isWithinBand(instrument, tick, memory.last)) return null
  if (held && isWithinBand(instrument, tick, held)) return null
  memory.held.set(tick.source, tick)
  return 'suspect'
}

// Every comparison below is multiplied out to whole numbers; twice the mid is bid + ask.

/** (ask - bid) / mid > maxSpread. */
const isSpreadWide = (instrument: Instrument, tick: Tick): boolean =>
  2n * (BigInt(tick.ask) - BigInt(tick.bid)) * RATIO_SCALE >
  BigInt(instrument.maxSpread) * doubleSize(instrument, tick)

/** |mid - reference mid| / reference mid <= suspectBand. */
const isWithinBand = (instrument: Instrument, tick: Tick, reference: Tick): boolean =>
  absolute(doubleMid(tick) - doubleMid(reference)) * RATIO_SCALE <=
  BigInt(instrument.suspectBand) * doubleSize(instrument, reference)

const doubleMid = (tick: Tick): bigint => BigInt(tick.bid) + BigInt(tick.ask)

/**
 * What a share of the price is taken of: twice the size of the mid. Near zero no share of the price is wide enough for
 * any spread, so where prices may cross zero the size never counts as less than a thousand least stop distances.
 */
function doubleSize(instrument: Instrument, tick: Tick): bigint {
  const size = absolute(doubleMid(tick))
  if (!instrument.allowsNegativePrice) return size
  return larger(size, 2n * NEAR_ZERO_STOP_DISTANCES * BigInt(Math.max(instrument.minStopDistance, 1)))
}
