/** Halts of an instrument, and the mode of the whole market (trading-rules §10). */
import { isConfirmed } from '../model/author.ts'
import type { HaltInstrument, SetTradingMode } from '../model/command.ts'
import type { Event, InstrumentHalted, RulesSet, TradingModeSet } from '../model/event.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import { countsRepeatedRestrictions, hasSingleOperatorLimits } from '../model/rules.ts'
import { OPEN_TRADING, type State, WHOLE_MARKET } from '../state/state.ts'

/** How long a halt by one operator lasts. */
export const HALT_ALONE_MS = 30 * 60_000
/** How long after a halt one operator alone cannot halt again. */
export const HALT_AGAIN_MS = 4 * 3_600_000

type Halts = Pick<
  State,
  | 'halts'
  | 'haltEnds'
  | 'singleOperatorHaltAllowedFrom'
  | 'mode'
  | 'modeReason'
  | 'modeAfterHalt'
  | 'rulesVersion'
>

export function decideHalt(
  state: Halts & Pick<State, 'instruments'>,
  command: HaltInstrument,
): Event[] | Rejection {
  const { instrumentId, reason } = command
  if (!state.instruments.has(instrumentId)) return reject('unknownInstrument')
  if (!hasSingleOperatorLimits(state)) return [{ type: 'instrumentHalted', instrumentId, reason }]
  if (reason === null) return [haltEnd(state, instrumentId, command.at)]
  const endsAt = endOfHalt(state, { key: instrumentId, isHalted: state.halts.has(instrumentId) }, command)
  if (typeof endsAt === 'object' && endsAt !== null) return endsAt
  return [{ type: 'instrumentHalted', instrumentId, reason, endsAt }]
}

/** The end of a halt; without a halt it has no effect. */
export const haltEnd = (
  { halts, singleOperatorHaltAllowedFrom }: Pick<State, 'halts' | 'singleOperatorHaltAllowedFrom'>,
  instrumentId: number,
  at: number,
): InstrumentHalted => ({
  type: 'instrumentHalted',
  instrumentId,
  reason: null,
  aloneFrom: halts.has(instrumentId)
    ? at + HALT_AGAIN_MS
    : (singleOperatorHaltAllowedFrom.get(instrumentId) ?? 0),
})

/**
 * When a halt expires: one by two operators never does. One operator who changes the reason of a halt does not extend
 * it, and a halt by one operator ends with the first of the other halts by one operator that it overlaps.
 */
function endOfHalt(
  state: HaltLimits,
  { key, isHalted }: { readonly key: number; readonly isHalted: boolean },
  { at, by }: Pick<HaltInstrument, 'at' | 'by'>,
): number | null | Rejection {
  if (isConfirmed(by)) return null
  if (isHalted) return state.haltEnds.get(key) ?? null
  const from = Math.max(0, ...overlapping(state, state.singleOperatorHaltAllowedFrom, key))
  if (at < from) return reject('secondOperatorNeeded', { from })
  const ends = countsRepeatedRestrictions(state) ? overlapping(state, state.haltEnds, key) : []
  return Math.min(at + HALT_ALONE_MS, ...ends)
}

type HaltLimits = Pick<State, 'haltEnds' | 'singleOperatorHaltAllowedFrom' | 'rulesVersion'>

/**
 * The moments kept for halts that stop the same trading: a halt of the whole market stops every instrument. By earlier
 * rules each counted by itself, so that the market could be halted after its instruments.
 */
function overlapping(state: HaltLimits, moments: ReadonlyMap<number, number>, key: number): number[] {
  const isCounted = (other: number) =>
    other === key || (countsRepeatedRestrictions(state) && [key, other].includes(WHOLE_MARKET))
  return [...moments].flatMap(([other, moment]) => (isCounted(other) ? [moment] : []))
}

/** A new mode of the whole market. A halt is limited like that of an instrument; reduce-only mode is not. */
export function decideMode(state: Halts, command: SetTradingMode): Event[] | Rejection {
  if (!hasSingleOperatorLimits(state)) return [{ type: 'tradingModeSet', mode: command.mode }]
  // The former name of a pause, in which these rules allow closing.
  const mode = command.mode === 'cancelOnly' ? 'reduceOnly' : command.mode
  const isHalted = state.mode === 'halted'
  const { reason } = command.by
  if (mode !== 'halted')
    return [modeEvent({ mode, reason: mode === 'normal' ? '' : reason }, state, command.at)]
  const endsAt = endOfHalt(state, { key: WHOLE_MARKET, isHalted }, command)
  if (typeof endsAt === 'object' && endsAt !== null) return endsAt
  const after = isHalted ? state.modeAfterHalt : { mode: state.mode, reason: state.modeReason }
  return [{ type: 'tradingModeSet', mode, reason, endsAt, after }]
}

/** A halt of the whole market has expired. */
export const modeHaltEnd = (state: Halts, at: number): TradingModeSet =>
  modeEvent(state.modeAfterHalt, state, at)

const modeEvent = (
  { mode, reason }: Pick<Required<TradingModeSet>, 'mode' | 'reason'>,
  state: Halts,
  at: number,
): TradingModeSet => ({
  type: 'tradingModeSet',
  mode,
  reason,
  aloneFrom:
    state.mode === 'halted'
      ? at + HALT_AGAIN_MS
      : (state.singleOperatorHaltAllowedFrom.get(WHOLE_MARKET) ?? 0),
})

/** Applies a halt of an instrument, or its end. */
export function applyHalt(state: State, { instrumentId, reason, endsAt, aloneFrom }: InstrumentHalted): void {
  if (reason === null) state.halts.delete(instrumentId)
  else state.halts.set(instrumentId, reason)
  applyEnd(state, instrumentId, { endsAt, aloneFrom })
}

/** Applies a new mode. A pause of the first rules is reduce-only once the second rules are in force. */
export function applyMode(state: State, event: TradingModeSet): void {
  state.mode = event.mode === 'cancelOnly' && hasSingleOperatorLimits(state) ? 'reduceOnly' : event.mode
  state.modeReason = event.reason ?? ''
  state.modeAfterHalt = event.after ?? OPEN_TRADING
  applyEnd(state, WHOLE_MARKET, event)
}

/** Applies a version of the rules: a pause in force becomes its equivalent. */
export function applyRules(state: State, { rules, rangesFrom = 0 }: RulesSet): void {
  state.rulesVersion = rules
  state.equityRangesFrom = rangesFrom
  if (state.mode === 'cancelOnly' && hasSingleOperatorLimits(state)) state.mode = 'reduceOnly'
}

function applyEnd(
  { haltEnds, singleOperatorHaltAllowedFrom }: State,
  key: number,
  event: { readonly endsAt?: number | null | undefined; readonly aloneFrom?: number | undefined },
): void {
  if (event.endsAt === undefined || event.endsAt === null) haltEnds.delete(key)
  else haltEnds.set(key, event.endsAt)
  if (event.aloneFrom) singleOperatorHaltAllowedFrom.set(key, event.aloneFrom)
  else singleOperatorHaltAllowedFrom.delete(key)
}
