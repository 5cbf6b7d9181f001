/**
 * Which ticks become prices (trading-rules §1 and §9). A tick is accepted, or refused for the first reason that applies.
 * One of the reasons is suspicion: a suspect tick is held until another tick confirms its price.
 */
import type { Instrument } from '../model/instrument.ts'
import { absolute, larger, RATIO_SCALE, type Price } from '../model/number.ts'
import type { Quote, Tick } from '../model/quote.ts'

/** Furthest a tick's own time may lie ahead of the clock. */
export const FUTURE_LIMIT_MS = 5_000
/** How much later, by its source's own time, another tick must be to confirm a suspect one of the same source. */
export const CONFIRM_AFTER_MS = 1_000
/** The first tick after a gap may be this many bands from the last known mid. */
const GAP_BANDS = 10n
/** A mid below a tenth or above ten times the last known mid is refused unless operators admit it. */
const BOUNDS_FACTOR = 10n
const NEAR_ZERO_STOP_DISTANCES = 1000n

/** Why a tick is refused, in the order of the checks. */
export const TICK_REFUSALS = [
  'notANumber',
  // The market is closed by its schedule: nothing can be traded at this price.
  'outsideHours',
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

/** The moment at which a tick is checked. */
export type AdmissionMoment = {
  /** Market clock, epoch ms. */
  readonly at: number
  /** `MarketStatus.openSince`, or the end of a halt when that is later; null when closed or never closing. */
  readonly openSince: number | null
  /** Whether the schedule has the market open: see `isInSession`. */
  readonly isOpen: boolean
}

type Offer = Pick<Tick, 'bid' | 'ask'>
type HeldTick = Tick & { readonly arrivedAt: number }

/** The guard's memory of one instrument. */
export type TickMemory = {
  last: Quote | null
  /**
   * The reference of the next tick: the last accepted tick, before the first one the seed's price, or a price
   * admitted by operators.
   */
  reference: Offer | null
  /** The last price of the market itself, or the seed's: the tenfold bound refers to it whatever operators admit. */
  market: Offer | null
  /**
   * Operators have moved the reference, and no market ticks have confirmed it yet. `first`: the first tick near it.
   */
  admitted: { first: Tick | null } | null
  /** Number of the last accepted tick. */
  seq: number
  /** The next tick follows a jump or a change of source. */
  isReopening: boolean
  /** The suspect tick of each source that waits for confirmation. */
  readonly held: Map<string, HeldTick>
  readonly refusals: Record<TickRefusal, number>
}

/** Market memory: lost with the process, rebuilt from the first ticks. */
export type TickGuard = Map<number, TickMemory>

export const createTickGuard = (): TickGuard => new Map()

/** The memory of an instrument, created on first use. */
export function tickMemory(guard: TickGuard, instrumentId: number): TickMemory {
  const known = guard.get(instrumentId)
  if (known) return known
  const created: TickMemory = {
    last: null,
    reference: null,
    market: null,
    admitted: null,
    seq: 0,
    isReopening: false,
    held: new Map(),
    refusals: noRefusals(),
  }
  guard.set(instrumentId, created)
  return created
}

const noRefusals = (): Record<TickRefusal, number> => ({
  notANumber: 0,
  outsideHours: 0,
  zero: 0,
  negative: 0,
  crossed: 0,
  outOfOrder: 0,
  future: 0,
  wideSpread: 0,
  outOfBounds: 0,
  suspect: 0,
})

/** The expected price of an instrument before its first tick, in ticks: the seed's reference price. */
export function expectPrice(guard: TickGuard, instrumentId: number, mid: Price): void {
  const memory = tickMemory(guard, instrumentId)
  memory.reference = { bid: mid, ask: mid }
  memory.market = memory.reference
}

/** The last quote before a restart: the reference of the first tick. */
export function resumeTicks(guard: TickGuard, quote: Quote): void {
  const memory = tickMemory(guard, quote.instrumentId)
  memory.last = quote
  memory.reference = quote
  memory.market = quote
}

/** Numbers the instrument's next accepted tick `lastSeq + 1`: call it after a restart, before the first tick. */
export function continueSequence(guard: TickGuard, instrumentId: number, lastSeq: number): void {
  tickMemory(guard, instrumentId).seq = lastSeq
}

/**
 * Makes the next tick of an instrument the first after a gap: a replay starts again, or another source takes over.
 */
export function reopenTicks(guard: TickGuard, instrumentId: number): void {
  const memory = tickMemory(guard, instrumentId)
  memory.isReopening = true
  memory.held.clear()
}

/**
 * Two operators admit a held tick. Only the reference of the next tick moves; the tenfold bound stays at the market's
 * last price, so that a wrong admission never locks out true prices. After a restart `market` is that price from the
 * journal.
 */
export function admitReference(
  guard: TickGuard,
  instrumentId: number,
  { bid, ask }: Offer,
  market?: Offer | null,
): void {
  const memory = tickMemory(guard, instrumentId)
  memory.reference = { bid, ask }
  if (market !== undefined) memory.market = market
  memory.admitted = { first: null }
  memory.held.clear()
}

/**
 * Checks a tick: accepted, it becomes the instrument's quote; refused, it is counted by its reason. The first failing
 * check decides. Changes only the guard's memory.
 */
export function admit(
  guard: TickGuard,
  instrument: Instrument,
  tick: Tick,
  moment: AdmissionMoment,
): Admission {
  const memory = tickMemory(guard, instrument.id)
  const reason = refusalOf(memory, instrument, tick, moment)
  if (reason) {
    memory.refusals[reason]++
    return { accepted: false, reason }
  }
  memory.seq++
  const isAdmitted = restsOnAdmission(memory, instrument, tick, moment)
  memory.isReopening = false
  const quote: Quote = {
    ...tick,
    seq: memory.seq,
    receivedAt: moment.at,
    ...(isAdmitted && { admitted: true }),
  }
  memory.last = quote
  memory.reference = quote
  if (!isAdmitted) memory.market = quote
  return { accepted: true, quote }
}

/**
 * True for a tick that is accepted only because operators admitted it: one near the reference they moved, until
 * another source or another tick confirms it. Any other accepted tick has brought the market back to its own prices.
 */
function restsOnAdmission(
  memory: TickMemory,
  instrument: Instrument,
  tick: Tick,
  moment: AdmissionMoment,
): boolean {
  const { admitted, reference } = memory
  if (!admitted || !reference) return false
  const isNear = isWithinBand(instrument, tick, reference, bandsAt(memory, moment))
  const { first } = admitted
  if (isNear && (!first || !isAnother(tick, first))) {
    admitted.first ??= tick
    return true
  }
  memory.admitted = null
  return false
}

/** The first reason to refuse a tick; null for none. Suspicion comes last: only a valid tick is held. */
function refusalOf(
  memory: TickMemory,
  instrument: Instrument,
  tick: Tick,
  moment: AdmissionMoment,
): TickRefusal | null {
  const invalid = invalidReason(instrument, tick, memory.last, moment)
  if (invalid) return invalid
  const { reference, market, last } = memory
  // Without a known mid any price is accepted.
  if (!reference) return null
  const isNearAdmitted = memory.admitted !== null && isWithinBand(instrument, tick, reference)
  if (market && !isNearAdmitted && isOutOfBounds(instrument, tick, market)) return 'outOfBounds'
  return last && holdIfSuspect(memory, instrument, tick, { ...moment, reference }) ? 'suspect' : null
}

/** Why a tick cannot be a price at all; null where it can. */
function invalidReason(
  instrument: Instrument,
  tick: Tick,
  last: Quote | null,
  { at, isOpen }: AdmissionMoment,
): TickRefusal | null {
  const { bid, ask, time } = tick
  if (![bid, ask, time].every(Number.isSafeInteger)) return 'notANumber'
  if (!isOpen) return 'outsideHours'
  if (isZeroPrice(instrument, bid, ask)) return 'zero'
  if (!instrument.allowsNegativePrice && (bid < 0 || ask < 0)) return 'negative'
  if (bid > ask) return 'crossed'
  if (last && time < last.time) return 'outOfOrder'
  if (time > at + FUTURE_LIMIT_MS) return 'future'
  return isSpreadWide(instrument, tick) ? 'wideSpread' : null
}

/** Where prices may be negative, zero is a valid price; both sides at zero mean a feed without a price. */
const isZeroPrice = (instrument: Instrument, bid: Price, ask: Price): boolean =>
  instrument.allowsNegativePrice ? bid === 0 && ask === 0 : bid === 0 || ask === 0

type Known = { readonly reference: Offer }

/** The first tick after a gap may move further. */
const bandsAt = (
  { isReopening, last }: TickMemory,
  { openSince }: Pick<AdmissionMoment, 'openSince'>,
): bigint => (isReopening || (last !== null && last.receivedAt < (openSince ?? -Infinity)) ? GAP_BANDS : 1n)

/**
 * True for a suspect tick: it waits in `held` until a valid tick of its source returns to the price, or another tick
 * confirms it.
 */
function holdIfSuspect(
  memory: TickMemory,
  instrument: Instrument,
  tick: Tick,
  { at, openSince, reference }: Omit<AdmissionMoment, 'isOpen'> & Known,
): boolean {
  const { held } = memory
  const opened = openSince ?? -Infinity
  for (const [source, { arrivedAt }] of held) if (arrivedAt < opened) held.delete(source)
  if (isWithinBand(instrument, tick, reference, bandsAt(memory, { openSince }))) {
    held.delete(tick.source)
    return false
  }
  if ([...held.values()].some((first) => isConfirming(instrument, tick, first))) {
    // The price has moved: ticks held at the old price no longer confirm anything.
    held.clear()
    return false
  }
  const own = held.get(tick.source)
  // The first suspect tick stays; if each one replaced it, a fast source would never be confirmed.
  if (!own || !isWithinBand(instrument, tick, own)) held.set(tick.source, { ...tick, arrivedAt: at })
  return true
}

/** The same price from another source or in another tick; the same frame delivered twice confirms nothing. */
const isConfirming = (instrument: Instrument, tick: Tick, first: Tick): boolean =>
  isWithinBand(instrument, tick, first) && isAnother(tick, first)

const isAnother = (tick: Tick, first: Tick): boolean =>
  tick.source !== first.source || tick.time >= first.time + CONFIRM_AFTER_MS

// All comparisons below are multiplied out to integers; twice the mid is bid + ask.

/** (ask - bid) / mid > maxSpread. */
const isSpreadWide = (instrument: Instrument, tick: Offer): boolean =>
  2n * (BigInt(tick.ask) - BigInt(tick.bid)) * RATIO_SCALE >
  BigInt(instrument.maxSpread) * doubleSize(instrument, tick)

/** |mid - reference mid| / reference mid <= suspectBand x bands. */
const isWithinBand = (instrument: Instrument, tick: Offer, reference: Offer, bands = 1n): boolean =>
  absolute(doubleMid(tick) - doubleMid(reference)) * RATIO_SCALE <=
  bands * BigInt(instrument.suspectBand) * doubleSize(instrument, reference)

/**
 * Beyond ten times the reference, or below a tenth of it; where prices may be negative, beyond ten times on either
 * side.
 */
function isOutOfBounds(instrument: Instrument, tick: Offer, reference: Offer): boolean {
  const mid = doubleMid(tick)
  if (absolute(mid) > BOUNDS_FACTOR * doubleSize(instrument, reference)) return true
  return !instrument.allowsNegativePrice && BOUNDS_FACTOR * mid < doubleMid(reference)
}

const doubleMid = (tick: Offer): bigint => BigInt(tick.bid) + BigInt(tick.ask)

/**
 * Twice the size of the mid, of which fractions are taken. Near zero no fraction is wide enough for a spread, so
 * where prices may be negative the size is at least a thousand minimum stop distances.
 */
function doubleSize(instrument: Instrument, tick: Offer): bigint {
  const size = absolute(doubleMid(tick))
  if (!instrument.allowsNegativePrice) return size
  return larger(size, 2n * NEAR_ZERO_STOP_DISTANCES * BigInt(Math.max(instrument.minStopDistance, 1)))
}
