/** Which ticks become prices, in the reference model (trading-rules §1 and §9). */
import type { Tick, TickRefusal } from '../../src/index.ts'
import type { Plain, PlainInstrument, PlainQuote } from '../plain-types.ts'
import { isHalted } from './market.ts'
import type { ReferenceModel } from './state.ts'

type PlainTick = Plain<Tick>

const IN_ORDER: readonly TickRefusal[] = [
  'notANumber',
  'outsideHours',
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
  /** The mid that the next tick is measured by: of the last tick, of the seed, or one that an operator admitted. */
  readonly mids: Map<number, number>
  /** The market's own last mid, to which the tenfold bound refers. */
  readonly ownMids: Map<number, number>
  /** Instruments whose reference operators have moved, with the first tick near it, if any. */
  readonly admitted: Map<number, PlainTick | null>
  readonly seqs: Map<number, number>
  /** Suspect ticks waiting for confirmation, at most one per instrument and source. */
  suspects: Held[]
  /** Ticks that only an operator can admit: the newest per instrument and source. */
  outsiders: PlainTick[]
  /** Instruments whose next tick follows a jump or a change of their source. */
  readonly jumped: Set<number>
}

/** The part that survives a restart: sequence numbers and known prices. */
export type PersistedGuard = Pick<ReferenceGuard, 'accepted' | 'mids' | 'seqs'>

export const createReferenceGuard = (
  model: ReferenceModel,
  { accepted, mids, seqs }: PersistedGuard,
): ReferenceGuard => ({
  model,
  accepted: new Map(accepted),
  mids: new Map(mids),
  ownMids: new Map(mids),
  admitted: new Map(),
  seqs: new Map(seqs),
  suspects: [],
  outsiders: [],
  jumped: new Set(),
})

/** The source has jumped or was changed. */
export function noteJump(guard: ReferenceGuard, instrumentId: number): void {
  guard.jumped.add(instrumentId)
  guard.suspects = guard.suspects.filter((held) => held.instrumentId !== instrumentId)
}

/** An operator admits this held tick: the next ones are measured by it. */
export function admit(guard: ReferenceGuard, { instrumentId, bid, ask }: PlainTick): void {
  const isElsewhere = (held: PlainTick) => held.instrumentId !== instrumentId
  guard.mids.set(instrumentId, (bid + ask) / 2)
  guard.admitted.set(instrumentId, null)
  guard.outsiders = guard.outsiders.filter(isElsewhere)
  guard.suspects = guard.suspects.filter(isElsewhere)
}

export function checkTick(
  guard: ReferenceGuard,
  instrument: PlainInstrument,
  tick: PlainTick,
  at: number,
): PlainQuote | TickRefusal {
  const last = guard.accepted.get(instrument.id)
  const faults = tickFaults(guard, instrument, tick, at)
  const fault =
    IN_ORDER.find((reason) => faults[reason]) ?? suspectUnlessConfirmed(guard, instrument, tick, at)
  if (fault === 'outOfBounds') {
    const isOther = (held: PlainTick) => held.instrumentId !== instrument.id || held.source !== tick.source
    guard.outsiders = [...guard.outsiders.filter(isOther), tick]
    if (last === undefined) guard.model.notes.push('first tick is out of bounds')
  }
  if (fault) return fault
  const seq = (guard.seqs.get(instrument.id) ?? 0) + 1
  const isAdmitted = isProvisional(guard, instrument, tick, { at, known: guard.mids.get(instrument.id) })
  const quote = { ...tick, seq, receivedAt: at, ...(isAdmitted && { admitted: true as const }) }
  if (!isAdmitted) guard.ownMids.set(instrument.id, (tick.bid + tick.ask) / 2)
  guard.seqs.set(instrument.id, seq)
  guard.accepted.set(instrument.id, quote)
  guard.mids.set(instrument.id, (tick.bid + tick.ask) / 2)
  guard.jumped.delete(instrument.id)
  return quote
}

/**
 * True near a reference that operators have moved, until a second tick, later or from another source, confirms it.
 */
function isProvisional(
  guard: ReferenceGuard,
  instrument: PlainInstrument,
  tick: PlainTick,
  { at, known }: { readonly at: number; readonly known: number | undefined },
): boolean {
  const first = guard.admitted.get(instrument.id)
  if (first === undefined || known === undefined) return false
  const last = guard.accepted.get(instrument.id)
  const isPaused = last !== undefined && isReopenedSince(guard.model, instrument, last.receivedAt, at)
  const bands = isPaused || guard.jumped.has(instrument.id) ? 10 : 1
  const deviation = Math.abs((tick.bid + tick.ask) / 2 - known)
  const isNear = !isMoreThan(deviation, instrument.suspectBand * bands, sizeOf(instrument, known))
  const isSecond = first !== null && (first.source !== tick.source || tick.time - first.time >= 1_000)
  if (!isNear || isSecond) {
    guard.admitted.delete(instrument.id)
    guard.model.notes.push(
      isNear ? 'admitted reference confirmed' : 'market returned from an admitted reference',
    )
    return false
  }
  if (first === null) guard.admitted.set(instrument.id, tick)
  return true
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
  const { hours } = guard.model
  return {
    outsideHours: !hours.isOpen(instrument, at) || isOfAnotherSession(guard.model, instrument, time, at),
    zero: mayBeNegative ? bid === 0 && ask === 0 : bid * ask === 0,
    negative: !mayBeNegative && Math.min(bid, ask) < 0,
    crossed: bid > ask,
    outOfOrder: last !== undefined && time < last.time,
    future: time - at > 5_000,
    wideSpread: isMoreThan(ask - bid, instrument.maxSpread, sizeOf(instrument, (bid + ask) / 2)),
    outOfBounds: known !== undefined && isOutOfBounds(guard, instrument, (bid + ask) / 2, known),
  }
}

/** The market was closed at the tick's own time, or between that time and now. */
function isOfAnotherSession(
  { hours }: ReferenceModel,
  instrument: PlainInstrument,
  time: number,
  at: number,
): boolean {
  const [from, until] = [Math.min(time, at), Math.max(time, at)]
  return !hours.isOpen(instrument, time) || hours.hasClosed(instrument, from, until)
}

/** Beyond the bound around the market's own last mid, and not near an admitted reference. */
function isOutOfBounds(
  guard: ReferenceGuard,
  instrument: PlainInstrument,
  mid: number,
  known: number,
): boolean {
  const isNearAdmitted = !isMoreThan(Math.abs(mid - known), instrument.suspectBand, sizeOf(instrument, known))
  if (guard.admitted.has(instrument.id) && isNearAdmitted) return false
  return isBeyondBounds(instrument, mid, guard.ownMids.get(instrument.id) ?? known)
}

/** A tenth to ten times the known mid; where prices may be negative, within ten times its size of zero. */
function isBeyondBounds(instrument: PlainInstrument, mid: number, known: number): boolean {
  if (instrument.allowsNegativePrice) return Math.abs(mid) / 10 > sizeOf(instrument, known)
  return mid * 10 < known || mid > known * 10
}

/**
 * A tick further from the known mid than the band (ten bands after a pause) is held. A tick near a held one confirms
 * it when it comes from another source, or from the same at least a second later by that source's own time.
 */
function suspectUnlessConfirmed(
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
    if (isPaused && !isNear(known)) notes.push('first tick after a pause within ten bands')
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

/** True where it trades now, but at some moment since then did not: closed by schedule, or halted. */
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

/** The absolute mid; where prices may be negative, at least a thousand minimum stop distances (the core's choice). */
const sizeOf = (instrument: PlainInstrument, mid: number): number =>
  instrument.allowsNegativePrice ? Math.max(Math.abs(mid), 1000 * instrument.minStopDistance) : Math.abs(mid)

/** `part` of `whole` is more than `millionths`. Half prices times a million stay exact far below 2^53. */
const isMoreThan = (part: number, millionths: number, whole: number): boolean =>
  part * 1_000_000 > millionths * whole
