/** Which ticks become prices, once more (trading-rules §1 and §9). */
import type { Tick, TickRefusal } from '../src/index.ts'
import type { Plain, PlainInstrument, PlainQuote } from './plain.ts'
import { isHalted } from './twin-market.ts'
import type { Twin } from './twin-state.ts'

type PlainTick = Plain<Tick>

const LISTED: readonly TickRefusal[] = [
  'notANumber',
  'zero',
  'negative',
  'crossed',
  'outOfOrder',
  'future',
  'wideSpread',
  'suspect',
]

export type TwinGuard = {
  readonly twin: Twin
  readonly accepted: Map<number, PlainQuote>
  readonly seqs: Map<number, number>
  /** Suspect ticks that wait to be confirmed, at most one per instrument and source. */
  suspects: PlainTick[]
  /** Instruments whose next tick comes after a jump of its source, and has no reference. */
  readonly jumped: Set<number>
  /** How many suspects a second tick has confirmed. */
  confirmed: number
}

export const createTwinGuard = (twin: Twin, seqs = new Map<number, number>()): TwinGuard => ({
  twin,
  accepted: new Map(),
  seqs,
  suspects: [],
  jumped: new Set(),
  confirmed: 0,
})

export function judge(
  guard: TwinGuard,
  instrument: PlainInstrument,
  tick: PlainTick,
  at: number,
): PlainQuote | TickRefusal {
  const last = guard.accepted.get(instrument.id)
  const faults = tickFaults(instrument, tick, last, at)
  const fault = LISTED.find((reason) => faults[reason]) ?? suspicion(guard, instrument, tick, at)
  if (fault) return fault
  const seq = (guard.seqs.get(instrument.id) ?? 0) + 1
  const quote = { ...tick, seq, receivedAt: at }
  guard.seqs.set(instrument.id, seq)
  guard.accepted.set(instrument.id, quote)
  guard.jumped.delete(instrument.id)
  return quote
}

function tickFaults(
  instrument: PlainInstrument,
  { bid, ask, time }: PlainTick,
  last: PlainQuote | undefined,
  at: number,
): Partial<Record<TickRefusal, boolean>> {
  if (![bid, ask, time].every(Number.isSafeInteger)) return { notANumber: true }
  const mayBeNegative = instrument.allowsNegativePrice
  return {
    zero: mayBeNegative ? bid === 0 && ask === 0 : bid * ask === 0,
    negative: !mayBeNegative && Math.min(bid, ask) < 0,
    crossed: bid > ask,
    outOfOrder: last !== undefined && time < last.time,
    future: time - at > 5_000,
    wideSpread: isMoreThan(ask - bid, instrument.maxSpread, middle(instrument, { bid, ask })),
  }
}

/** The suspect is held; the next sound tick of its source confirms it by lying within the same band of it. */
function suspicion(
  guard: TwinGuard,
  instrument: PlainInstrument,
  tick: PlainTick,
  at: number,
): 'suspect' | null {
  const last = guard.accepted.get(instrument.id)
  const isHere = (held: PlainTick) => held.instrumentId === instrument.id
  const isNear = (reference: PlainTick): boolean =>
    !isMoreThan(
      Math.abs(tick.bid + tick.ask - reference.bid - reference.ask) / 2,
      instrument.suspectBand,
      middle(instrument, reference),
    )
  const isReopened = last !== undefined && isReopenedSince(guard.twin, instrument, last.receivedAt, at)
  if (!last || isReopened || guard.jumped.has(instrument.id)) {
    guard.suspects = guard.suspects.filter((held) => !isHere(held))
    if (last && isReopened && !isNear(last))
      guard.twin.notes.push('first tick after a pause has no reference')
    return null
  }
  const held = guard.suspects.find((suspect) => isHere(suspect) && suspect.source === tick.source)
  guard.suspects = guard.suspects.filter((suspect) => suspect !== held)
  if (isNear(last)) return null
  if (held && isNear(held)) {
    guard.confirmed++
    return null
  }
  guard.suspects.push(tick)
  return 'suspect'
}

/** It trades, and it did not at some moment since: closed by schedule, or halted. */
function isReopenedSince(twin: Twin, instrument: PlainInstrument, since: number, at: number): boolean {
  if (!twin.hours.isOpen(instrument, at) || isHalted(twin, instrument.id)) return false
  const wasHalted = twin.halts.some(
    (halt) => halt.instrumentId === instrument.id && halt.from <= at && halt.until > since,
  )
  return wasHalted || twin.hours.hasClosed(instrument, since, at)
}

/** The size of the mid; where prices may be negative, a thousand least stop distances at least (the core's choice). */
function middle(instrument: PlainInstrument, { bid, ask }: { bid: number; ask: number }): number {
  const size = Math.abs(bid + ask) / 2
  return instrument.allowsNegativePrice ? Math.max(size, 1000 * instrument.minStopDistance) : size
}

/** `part` of `whole` is more than `millionths`. Halves of prices times a million stay exact far below 2^53. */
const isMoreThan = (part: number, millionths: number, whole: number): boolean =>
  part * 1_000_000 > millionths * whole
