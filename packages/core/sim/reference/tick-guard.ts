/** Which ticks become prices, once more (trading-rules §1 and §9). */
import type { Tick, TickRefusal } from '../../src/index.ts'
import type { Plain, PlainInstrument, PlainQuote } from '../plain.ts'
import { isHalted } from './market.ts'
import type { ReferenceModel } from './state.ts'

type PlainTick = Plain<Tick>

const LISTED: readonly TickRefusal[] = [
  'notANumber',
  'zero',
  'negative',
  'crossed',
  'outOfOrder',
  'future',
  'wideSpread',
  'outOfBounds',
  'suspect',
]

type Held = PlainTick & { readonly since: number }

export type ReferenceGuard = {
  readonly model: ReferenceModel
  readonly accepted: Map<number, PlainQuote>
  /** The mid that the next tick is measured by: of the last tick, of the seed, or one that an operator named. */
  readonly mids: Map<number, number>
  readonly seqs: Map<number, number>
  /** Suspect ticks that wait to be confirmed, at most one per instrument and source. */
  suspects: Held[]
  /** Ticks that only an operator can vouch for: the newest per instrument and source. */
  outsiders: PlainTick[]
  /** Instruments whose next tick comes after a jump or a change of their source. */
  readonly jumped: Set<number>
}

/** What outlives a restart: the numbers that were given, and the prices that were known. */
export type ReferenceGuardRests = Pick<ReferenceGuard, 'accepted' | 'mids' | 'seqs'>

export const createReferenceGuard = (
  model: ReferenceModel,
  { accepted, mids, seqs }: ReferenceGuardRests,
): ReferenceGuard => ({
  model,
  accepted: new Map(accepted),
  mids: new Map(mids),
  seqs: new Map(seqs),
  suspects: [],
  outsiders: [],
  jumped: new Set(),
})

/** The source has jumped, or is another one. */
export function jumpReference(guard: ReferenceGuard, instrumentId: number): void {
  guard.jumped.add(instrumentId)
  guard.suspects = guard.suspects.filter((held) => held.instrumentId !== instrumentId)
}

/** An operator says that this tick, which is held, is right: the next ones are measured by it. */
export function vouch(guard: ReferenceGuard, { instrumentId, bid, ask }: PlainTick): void {
  const isElsewhere = (held: PlainTick) => held.instrumentId !== instrumentId
  guard.mids.set(instrumentId, (bid + ask) / 2)
  guard.outsiders = guard.outsiders.filter(isElsewhere)
  guard.suspects = guard.suspects.filter(isElsewhere)
}

export function judge(
  guard: ReferenceGuard,
  instrument: PlainInstrument,
  tick: PlainTick,
  at: number,
): PlainQuote | TickRefusal {
  const last = guard.accepted.get(instrument.id)
  const faults = tickFaults(guard, instrument, tick, at)
  const fault = LISTED.find((reason) => faults[reason]) ?? suspicion(guard, instrument, tick, at)
  if (fault === 'outOfBounds') {
    const isOther = (held: PlainTick) => held.instrumentId !== instrument.id || held.source !== tick.source
    guard.outsiders = [...guard.outsiders.filter(isOther), tick]
    if (last === undefined) guard.model.notes.push('first tick of all is out of bounds')
  }
  if (fault) return fault
  const seq = (guard.seqs.get(instrument.id) ?? 0) + 1
  const quote = { ...tick, seq, receivedAt: at }
  guard.seqs.set(instrument.id, seq)
  guard.accepted.set(instrument.id, quote)
  guard.mids.set(instrument.id, (tick.bid + tick.ask) / 2)
  guard.jumped.delete(instrument.id)
  return quote
}

function tickFaults(
  guard: ReferenceGuard,
  instrument: PlainInstrument,
  { bid, ask, time }: PlainTick,
  at: number,
): Partial<Record<TickRefusal, boolean>> {
  if (![bid, ask, time].every(Number.isSafeInteger)) return { notANumber: true }
  const last = guard.accepted.get(instrument.id)
  const known = guard.mids.get(instrument.id)
  const mayBeNegative = instrument.allowsNegativePrice
  return {
    zero: mayBeNegative ? bid === 0 && ask === 0 : bid * ask === 0,
    negative: !mayBeNegative && Math.min(bid, ask) < 0,
    crossed: bid > ask,
    outOfOrder: last !== undefined && time < last.time,
    future: time - at > 5_000,
    wideSpread: isMoreThan(ask - bid, instrument.maxSpread, sizeOf(instrument, (bid + ask) / 2)),
    outOfBounds: known !== undefined && isBeyond(instrument, (bid + ask) / 2, known),
  }
}

/** A tenth to ten times the mid that is known; a price that may cross zero lies within ten times its size of zero. */
function isBeyond(instrument: PlainInstrument, mid: number, known: number): boolean {
  if (instrument.allowsNegativePrice) return Math.abs(mid) / 10 > sizeOf(instrument, known)
  return mid * 10 < known || mid > known * 10
}

/**
 * Further from the known mid than the band, or after a pause ten bands: the tick is held. A tick near a held one lets
 * the price go there, when it comes from another source, or from the same a second later by that source's own time.
 */
function suspicion(
  guard: ReferenceGuard,
  instrument: PlainInstrument,
  tick: PlainTick,
  at: number,
): 'suspect' | null {
  const last = guard.accepted.get(instrument.id)
  const known = guard.mids.get(instrument.id)
  if (last === undefined || known === undefined) return null
  const { notes } = guard.model
  const mid = (tick.bid + tick.ask) / 2
  const isNear = (other: number, bands = 1): boolean =>
    !isMoreThan(Math.abs(mid - other), instrument.suspectBand * bands, sizeOf(instrument, other))
  const isHere = (held: PlainTick) => held.instrumentId === instrument.id
  guard.suspects = guard.suspects.filter(
    (held) => !isHere(held) || !isReopenedSince(guard.model, instrument, held.since, at),
  )
  const isPaused = isReopenedSince(guard.model, instrument, last.receivedAt, at)
  const isAfterGap = isPaused || guard.jumped.has(instrument.id)
  const own = guard.suspects.find((held) => isHere(held) && held.source === tick.source)
  if (isNear(known, isAfterGap ? 10 : 1)) {
    guard.suspects = guard.suspects.filter((held) => held !== own)
    if (isPaused && !isNear(known)) notes.push('first tick after a pause is given ten bands')
    return null
  }
  const near = guard.suspects.filter((held) => isHere(held) && isNear((held.bid + held.ask) / 2))
  const others = near.filter(({ source }) => source !== tick.source)
  const isLater = own !== undefined && near.includes(own) && tick.time - own.time >= 1_000
  if (others.length > 0 || isLater) {
    notes.push(`suspect tick confirmed by ${others.length > 0 ? 'a second' : 'its own'} source`)
    guard.suspects = guard.suspects.filter((held) => !isHere(held))
    return null
  }
  if (isAfterGap) notes.push('first tick after a gap is held')
  if (own && near.includes(own)) {
    const isFrame = own.bid === tick.bid && own.ask === tick.ask && own.time === tick.time
    notes.push(`suspect tick not confirmed by ${isFrame ? 'the same frame' : 'a tick too soon after it'}`)
    return 'suspect'
  }
  guard.suspects = [...guard.suspects.filter((held) => held !== own), { ...tick, since: at }]
  return 'suspect'
}

/** It trades, and it did not at some moment since: closed by schedule, or halted. */
function isReopenedSince(
  model: ReferenceModel,
  instrument: PlainInstrument,
  since: number,
  at: number,
): boolean {
  if (!model.hours.isOpen(instrument, at) || isHalted(model, instrument.id)) return false
  const wasHalted = model.halts.some(
    (halt) => halt.instrumentId === instrument.id && halt.from <= at && halt.until > since,
  )
  return wasHalted || model.hours.hasClosed(instrument, since, at)
}

/** The size of a mid; where prices may be negative, a thousand least stop distances at least (the core's choice). */
const sizeOf = (instrument: PlainInstrument, mid: number): number =>
  instrument.allowsNegativePrice ? Math.max(Math.abs(mid), 1000 * instrument.minStopDistance) : Math.abs(mid)

/** `part` of `whole` is more than `millionths`. Halves of prices times a million stay exact far below 2^53. */
const isMoreThan = (part: number, millionths: number, whole: number): boolean =>
  part * 1_000_000 > millionths * whole
