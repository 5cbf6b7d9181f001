/** Halts in the reference model: of an instrument, of the whole market, and how they end. */
import type { HaltInstrument, RejectionCode, SetTradingMode } from '../../src/index.ts'
import type { PlainEvent } from '../plain-types.ts'
import { isHalted } from './market.ts'
import type { ReferenceHalt, ReferenceModel } from './state.ts'

const MINUTE_MS = 60_000
const HALT_ALONE_MS = 30 * MINUTE_MS
const HALT_AGAIN_MS = 240 * MINUTE_MS
const WHOLE = 0

type By = HaltInstrument['by']

/**
 * When a new halt ends: by two operators, when it is lifted; by one, after half an hour, or with the first halt by one
 * of what it halts too. Null within four hours after another one, when one operator alone cannot halt. The whole
 * market includes every instrument.
 */
function endOfNewHalt(model: ReferenceModel, key: number, by: By, at: number): number | null {
  if (by.second !== null) return Infinity
  for (const [other, from] of model.singleOperatorHaltAllowedFrom)
    if (at < from && isSameMarket(key, other)) {
      if (key !== other) model.notes.push('halt refused after one that includes it')
      return null
    }
  let endsAt = at + HALT_ALONE_MS
  const present = model.halts.filter(({ until }) => until === Infinity)
  if (model.mode.is === 'halted')
    present.push({ ...model.mode, instrumentId: WHOLE, from: at, until: Infinity })
  for (const other of present)
    if (isSameMarket(key, other.instrumentId) && other.endsAt < endsAt) {
      model.notes.push('halt shortened by one that overlaps it')
      endsAt = other.endsAt
    }
  return endsAt
}

const isSameMarket = (key: number, other: number): boolean =>
  key === other || key === WHOLE || other === WHOLE

/** In events, null means that the halt lasts until it is lifted. */
const reportedEnd = (endsAt: number): number | null => (endsAt === Infinity ? null : endsAt)

export function halt(
  model: ReferenceModel,
  command: HaltInstrument,
  events: PlainEvent[],
): RejectionCode | null {
  const { instrumentId, reason, at, by } = command
  if (by.second?.id === by.id) return 'sameOperator'
  if (!model.instruments.some(({ id }) => id === instrumentId)) return 'unknownInstrument'
  const current = model.halts.find((one) => one.instrumentId === instrumentId && one.until === Infinity)
  if (reason === null) {
    model.notes.push(current ? 'halt ended' : 'halt lifted that did not exist')
    if (current) current.until = at
    const aloneFrom = current
      ? at + HALT_AGAIN_MS
      : (model.singleOperatorHaltAllowedFrom.get(instrumentId) ?? 0)
    model.singleOperatorHaltAllowedFrom.set(instrumentId, aloneFrom)
    events.push({ type: 'instrumentHalted', instrumentId, reason, aloneFrom })
    return null
  }
  const isLonger = current && by.second !== null
  const endsAt = current && !isLonger ? current.endsAt : endOfNewHalt(model, instrumentId, by, at)
  if (endsAt === null) return 'secondOperatorNeeded'
  model.notes.push(isHalted(model, instrumentId) ? 'halted again' : 'halted')
  if (isLonger && current.endsAt !== Infinity) model.notes.push('halt extended by a second operator')
  if (current) current.endsAt = endsAt
  else model.halts.push({ instrumentId, from: at, until: Infinity, endsAt })
  model.singleOperatorHaltAllowedFrom.delete(instrumentId)
  events.push({ type: 'instrumentHalted', instrumentId, reason, endsAt: reportedEnd(endsAt) })
  return null
}

export function setMode(
  model: ReferenceModel,
  command: SetTradingMode,
  events: PlainEvent[],
): RejectionCode | null {
  const { at, by } = command
  if (by.second?.id === by.id) return 'sameOperator'
  const before = model.mode
  const mode = command.mode === 'cancelOnly' ? 'reduceOnly' : command.mode
  if (mode !== 'halted') {
    enterMode(model, { mode, reason: mode === 'normal' ? '' : by.reason }, at, events)
    return null
  }
  const wasHalted = before.is === 'halted'
  const endsAt = wasHalted && by.second === null ? before.endsAt : endOfNewHalt(model, WHOLE, by, at)
  if (endsAt === null) return 'secondOperatorNeeded'
  const after = wasHalted ? before.after : { mode: before.is, reason: before.reason }
  model.mode = { is: mode, reason: by.reason, endsAt, after }
  model.singleOperatorHaltAllowedFrom.delete(WHOLE)
  events.push({ type: 'tradingModeSet', mode, reason: by.reason, endsAt: reportedEnd(endsAt), after })
  return null
}

function enterMode(
  model: ReferenceModel,
  { mode, reason }: ReferenceModel['mode']['after'],
  at: number,
  events: PlainEvent[],
): void {
  const aloneFrom =
    model.mode.is === 'halted' ? at + HALT_AGAIN_MS : (model.singleOperatorHaltAllowedFrom.get(WHOLE) ?? 0)
  model.mode = { is: mode, reason, endsAt: Infinity, after: { mode: 'normal', reason: '' } }
  model.singleOperatorHaltAllowedFrom.set(WHOLE, aloneFrom)
  events.push({ type: 'tradingModeSet', mode, reason, aloneFrom })
}

/** Halts that have expired, that of the whole market among them. */
export function expiredHalts(
  model: ReferenceModel,
  at: number,
): { moment: number; key: number; report: (events: PlainEvent[]) => void }[] {
  const ofMarket = model.mode.is === 'halted' && model.mode.endsAt <= at ? [model.mode] : []
  const ofInstruments = model.halts.filter(({ until, endsAt }) => until === Infinity && endsAt <= at)
  return [
    ...ofMarket.map(({ endsAt, after }) => ({
      moment: endsAt,
      key: WHOLE,
      report: (events: PlainEvent[]) => {
        model.notes.push('halt of the whole market expired')
        enterMode(model, after, endsAt, events)
      },
    })),
    ...ofInstruments.map((one) => ({
      moment: one.endsAt,
      key: one.instrumentId,
      report: (events: PlainEvent[]) => expireHalt(model, one, at, events),
    })),
  ]
}

function expireHalt(model: ReferenceModel, one: ReferenceHalt, at: number, events: PlainEvent[]): void {
  const { instrumentId, endsAt } = one
  one.until = at
  const aloneFrom = endsAt + HALT_AGAIN_MS
  model.singleOperatorHaltAllowedFrom.set(instrumentId, aloneFrom)
  model.notes.push('halt expired')
  events.push({ type: 'instrumentHalted', instrumentId, reason: null, aloneFrom })
}
