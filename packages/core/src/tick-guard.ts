import type { Instrument } from './instrument.ts'
import type { Quote, Tick } from './quote.ts'

/** Furthest a tick's own time may lie ahead of the clock. */
export const FUTURE_LIMIT_MS = 5_000

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
  throw new RangeError(`${guard.size}${instrumentId}`)
}

/** Numbers the instrument's next accepted tick `lastSeq + 1`: call it once before its first tick, after a restart. */
export function continueSequence(guard: TickGuard, instrumentId: number, lastSeq: number): void {
  tickMemory(guard, instrumentId).seq = lastSeq
}

/** Makes the next tick of an instrument the first after a gap: a looped replay, a halt that ends. */
export function reopenTicks(guard: TickGuard, instrumentId: number): void {
  tickMemory(guard, instrumentId).isReopening = true
}

/**
 * Judges a tick by the rules of prices (trading-rules §1, §9): accepted, it becomes the instrument's quote; refused, it
 * is counted with its reason. The first failing check decides. Changes only the guard's own memory.
 */
export function admit(
  guard: TickGuard,
  instrument: Instrument,
  tick: Tick,
  moment: AdmissionMoment,
): Admission {
  throw new RangeError(`${guard.size}${instrument.id}${tick.bid}${moment.at}`)
}
