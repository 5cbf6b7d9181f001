import type { Instrument } from '../terms/instrument.ts'
import { absolute, larger, RATIO_SCALE, type Price } from '../money/number.ts'
import type { Quote, Tick } from './quote.ts'

/** Furthest a tick's own time may lie ahead of the clock. */
export const FUTURE_LIMIT_MS = 5_000
/** How much later, by its source's own time, another tick must be to confirm a suspect one of the same source. */
export const CONFIRM_AFTER_MS = 1_000
/** The first tick after a gap may lie as many bands from the last mid known. */
const GAP_BANDS = 10n
/** A mid beyond a tenth to ten times the last mid known is no price without an operator's word. */
const BOUNDS_FACTOR = 10n
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
  'outOfBounds',
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

type Offer = Pick<Tick, 'bid' | 'ask'>
type HeldTick = Tick & { readonly arrivedAt: number }

/** What the guard remembers of one instrument. */
export type TickMemory = {
  last: Quote | null
  /** The last mid known: of the last accepted tick, before the first of the seed, or what an operator vouched for. */
  reference: Offer | null
  /** Number of the last accepted tick. */
  seq: number
  /** The next tick follows a jump or a change of source. */
  isReopening: boolean
  /** The suspect tick that each source waits to have confirmed. */
  readonly held: Map<string, HeldTick>
  readonly refusals: Record<TickRefusal, number>
}

/** Market memory: lost with the process, rebuilt from the first ticks. */
export type TickGuard = Map<number, TickMemory>

export const createTickGuard = (): TickGuard => new Map()

/** What is remembered of an instrument; made empty on first use. */
export function tickMemory(guard: TickGuard, instrumentId: number): TickMemory {
  const known = guard.get(instrumentId)
  if (known) return known
  const made: TickMemory = {
    last: null,
    reference: null,
    seq: 0,
    isReopening: false,
    held: new Map(),
    refusals: noRefusals(),
  }
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
  outOfBounds: 0,
  suspect: 0,
})

/** Where an instrument's price should be before its first tick, in ticks: the seed's reference price. */
export function expectPrice(guard: TickGuard, instrumentId: number, mid: Price): void {
  tickMemory(guard, instrumentId).reference = { bid: mid, ask: mid }
}

/** The last quote of before a restart: what the first tick is measured by. */
export function resumeTicks(guard: TickGuard, quote: Quote): void {
  const memory = tickMemory(guard, quote.instrumentId)
  memory.last = quote
  memory.reference = quote
}

/** Numbers the instrument's next accepted tick `lastSeq + 1`: call it after a restart, before the first tick. */
export function continueSequence(guard: TickGuard, instrumentId: number, lastSeq: number): void {
  tickMemory(guard, instrumentId).seq = lastSeq
}

/** Makes the next tick of an instrument the first after a gap: a looped replay jumps, another source takes over. */
export function reopenTicks(guard: TickGuard, instrumentId: number): void {
  const memory = tickMemory(guard, instrumentId)
  memory.isReopening = true
  memory.held.clear()
}

/**
 * An operator's word that a tick which the guard did not let in is right. It becomes the last mid known, by which the next tick is
 * measured: that tick itself, offered once more, or one that follows it.
 */
export function vouchFor(guard: TickGuard, instrumentId: number, { bid, ask }: Offer): void {
  const memory = tickMemory(guard, instrumentId)
  memory.reference = { bid, ask }
  memory.held.clear()
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
    faultOf(instrument, tick, memory.last, moment.at) ?? doubtOf(memory, instrument, tick, moment)
  if (reason) {
    memory.refusals[reason]++
    return { accepted: false, reason }
  }
  memory.seq++
  memory.isReopening = false
  const quote = { ...tick, seq: memory.seq, receivedAt: moment.at }
  memory.last = quote
  memory.reference = quote
  return { accepted: true, quote }
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

/** Measured by the last mid known; an instrument that never had one takes what comes. */
function doubtOf(
  memory: TickMemory,
  instrument: Instrument,
  tick: Tick,
  moment: AdmissionMoment,
): TickRefusal | null {
  const { reference, last } = memory
  if (!reference) return null
  if (isOutOfBounds(instrument, tick, reference)) return 'outOfBounds'
  return last ? suspicionOf(memory, instrument, tick, { ...moment, last, reference }) : null
}

type Known = { readonly last: Quote; readonly reference: Offer }

/** A suspect tick waits in `held` until a sound one of its source returns to the price, or another tick confirms it. */
function suspicionOf(
  memory: TickMemory,
  instrument: Instrument,
  tick: Tick,
  { at, openSince, last, reference }: AdmissionMoment & Known,
): TickRefusal | null {
  const { held } = memory
  const opened = openSince ?? -Infinity
  const isAfterGap = memory.isReopening || last.receivedAt < opened
  for (const [source, { arrivedAt }] of held) if (arrivedAt < opened) held.delete(source)
  if (isWithinBand(instrument, tick, reference, isAfterGap ? GAP_BANDS : 1n)) {
    held.delete(tick.source)
    return null
  }
  if ([...held.values()].some((first) => isConfirming(instrument, tick, first))) {
    // The price has moved: what was doubted by the old one confirms nothing any more.
    held.clear()
    return null
  }
  const own = held.get(tick.source)
  // The first of a row stays: were it replaced by each that follows, a busy source would never be confirmed.
  if (!own || !isWithinBand(instrument, tick, own)) held.set(tick.source, { ...tick, arrivedAt: at })
  return 'suspect'
}

/** The same price again, by another source or by another tick: the same frame delivered twice confirms nothing. */
const isConfirming = (instrument: Instrument, tick: Tick, first: Tick): boolean =>
  isWithinBand(instrument, tick, first) &&
  (tick.source !== first.source || tick.time >= first.time + CONFIRM_AFTER_MS)

// Every comparison below is multiplied out to whole numbers; twice the mid is bid + ask.

/** (ask - bid) / mid > maxSpread. */
const isSpreadWide = (instrument: Instrument, tick: Offer): boolean =>
  2n * (BigInt(tick.ask) - BigInt(tick.bid)) * RATIO_SCALE >
  BigInt(instrument.maxSpread) * doubleSize(instrument, tick)

/** |mid - reference mid| / reference mid <= suspectBand x bands. */
const isWithinBand = (instrument: Instrument, tick: Offer, reference: Offer, bands = 1n): boolean =>
  absolute(doubleMid(tick) - doubleMid(reference)) * RATIO_SCALE <=
  bands * BigInt(instrument.suspectBand) * doubleSize(instrument, reference)

/** Beyond ten times the reference, or below a tenth of it; where prices may cross zero, beyond it on either side. */
function isOutOfBounds(instrument: Instrument, tick: Offer, reference: Offer): boolean {
  const mid = doubleMid(tick)
  if (absolute(mid) > BOUNDS_FACTOR * doubleSize(instrument, reference)) return true
  return !instrument.allowsNegativePrice && BOUNDS_FACTOR * mid < doubleMid(reference)
}

const doubleMid = (tick: Offer): bigint => BigInt(tick.bid) + BigInt(tick.ask)

/**
 * What a share of the price is taken of: twice the size of the mid. Near zero no share of the price is wide enough for
 * any spread, so where prices may cross zero the size never counts as less than a thousand least stop distances.
 */
function doubleSize(instrument: Instrument, tick: Offer): bigint {
  const size = absolute(doubleMid(tick))
  if (!instrument.allowsNegativePrice) return size
  return larger(size, 2n * NEAR_ZERO_STOP_DISTANCES * BigInt(Math.max(instrument.minStopDistance, 1)))
}
