/** Setting and removing alerts in the reference model (trading-rules §13), and what each waits for. */
import { isDeepStrictEqual } from 'node:util'
import {
  MAX_ALERTS,
  type AlertCondition,
  type RejectionCode,
  type RemoveAlert,
  type SetAlert,
} from '../../src/index.ts'
import type { Plain, PlainEvent, PlainInstrument, PlainQuote } from '../plain-types.ts'
import { isPriced, referenceFigures } from './figures.ts'
import { canStopAt, firstOf, statusFaults } from './refusals.ts'
import { asTick } from './receipt.ts'
import type { Moment, ReferenceAlert, ReferenceModel } from './state.ts'

type Refused = RejectionCode | null
type PlainCondition = Plain<AlertCondition>

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

/** Twice the value of a side, so that the mid is an integer as well. */
function doubled(side: 'bid' | 'ask' | 'mid', { bid, ask }: Pick<PlainQuote, 'bid' | 'ask'>): number {
  if (side === 'bid') return 2 * bid
  return side === 'ask' ? 2 * ask : bid + ask
}

export const instrumentFor = (model: ReferenceModel, id: number): PlainInstrument | undefined =>
  model.instruments.find((instrument) => instrument.id === id)

/** The first price of the instrument that was recorded in its trading day, which is that of the last record. */
export function referencePrice(model: ReferenceModel, { id, session }: PlainInstrument) {
  const last = model.lastPriceSnapshot
  const isAroundTheClock = (model.hours.sessionOf(session)?.windows ?? 'always') === 'always'
  const start = isAroundTheClock
    ? last - (last % DAY_MS)
    : (model.hours.closesBetween(last - 2 * DAY_MS, last).at(-1)?.at ?? 0)
  for (const { moment, prices } of model.recordedPrices) {
    const tick = moment >= start && prices.find(({ instrumentId }) => instrumentId === id)
    if (tick) return tick
  }
  return null
}

/** True when the price of the condition's instrument meets it. */
export function isMetBy(model: ReferenceModel, condition: PlainCondition, quote: PlainQuote): boolean {
  if (condition.kind === 'marginLevel' || condition.instrumentId !== quote.instrumentId) return false
  const instrument = instrumentFor(model, condition.instrumentId)
  if (!instrument || instrument.priceDecimals !== condition.decimals) return false
  const sign = condition.direction === 'above' ? 1 : -1
  if (condition.kind === 'price') return sign * (doubled(condition.side, quote) - 2 * condition.price) >= 0
  const reference = referencePrice(model, instrument)
  if (!reference) return false
  const from = BigInt(doubled('mid', reference))
  const moved = BigInt(sign) * (BigInt(doubled('mid', quote)) - from)
  return moved * 1_000_000n >= (from < 0n ? -from : from) * BigInt(condition.move)
}

/** True when the price would not even meet the condition if it were one tick nearer. */
export function isTickShortOf(model: ReferenceModel, condition: PlainCondition, quote: PlainQuote): boolean {
  if (condition.kind === 'marginLevel' || condition.instrumentId !== quote.instrumentId) return false
  const instrument = instrumentFor(model, condition.instrumentId)
  if (!instrument || instrument.priceDecimals !== condition.decimals) return false
  if (condition.kind === 'dayMove' && !referencePrice(model, instrument)) return false
  const side = condition.kind === 'price' ? condition.side : 'mid'
  // The mid moves in half ticks: it is a tick short if it needs two of them.
  const halfTick = condition.direction === 'above' ? 1 : -1
  const nearer = side === 'mid' ? { ...quote, bid: quote.bid + halfTick } : quote
  return !isMetBy(model, condition, nearer)
}

/** At or below the level, where the account has margin and all its prices are known. */
export function hasFallenTo(model: ReferenceModel, accountId: number, level: number): boolean {
  const { equity, margin } = referenceFigures(model, accountId)
  return margin > 0n && isPriced(model, accountId) && equity * 100n <= BigInt(level) * margin
}

export function setAlert(model: ReferenceModel, command: SetAlert, events: PlainEvent[]): Refused {
  const { at, accountId, pauseMs, expiresAt = null } = command
  const requested: PlainCondition | Omit<PlainCondition, 'decimals'> = command.condition
  const isOnInstrument = 'instrumentId' in requested
  const instrument = isOnInstrument ? instrumentFor(model, Number(requested.instrumentId)) : undefined
  const condition = {
    ...requested,
    ...(instrument && { decimals: instrument.priceDecimals }),
  } as PlainCondition
  const isPossible = {
    price: () =>
      !instrument ||
      canStopAt(instrument, {
        takeProfit: condition.kind === 'price' ? condition.price : null,
        stopLoss: null,
      }),
    dayMove: () => condition.kind === 'dayMove' && condition.move >= 100 && condition.move <= 1_000_000,
    marginLevel: () => condition.kind === 'marginLevel' && condition.level >= 1 && condition.level <= 100_000,
  }[condition.kind]()
  const quote = condition.kind === 'marginLevel' ? undefined : model.quotes.get(condition.instrumentId)
  const refused = firstOf({
    accountNotFound: !model.accounts.some(({ id }) => id === accountId),
    ...statusFaults(model, command),
    tooManyAlerts: model.alerts.filter((alert) => alert.accountId === accountId).length >= MAX_ALERTS,
    unknownInstrument: isOnInstrument && !instrument,
    instrumentDisabled: instrument?.isEnabled === false,
    priceInvalid: condition.kind === 'price' && !isPossible,
    alertInvalid:
      (condition.kind !== 'price' && !isPossible) ||
      (pauseMs !== null && !(pauseMs >= MINUTE_MS && pauseMs <= 30 * DAY_MS)) ||
      (expiresAt !== null &&
        !(Number.isInteger(expiresAt) && expiresAt > at && expiresAt <= at + 366 * DAY_MS)),
    alertExists: model.alerts.some(
      (other) => other.accountId === accountId && isDeepStrictEqual(other.condition, condition),
    ),
    alertAlreadyMet:
      condition.kind === 'marginLevel'
        ? hasFallenTo(model, accountId, condition.level)
        : quote !== undefined && isMetBy(model, condition, quote),
  })
  if (refused) return refused
  const id = ++model.lastAlertId
  model.alerts.push({ id, accountId, condition, pauseMs, expiresAt, wakesAt: 0, awaitsReturn: false })
  events.push({
    type: 'alertSet',
    alertId: id,
    accountId,
    condition,
    pauseMs,
    ...(expiresAt !== null && { expiresAt }),
    tick: quote ? asTick(quote) : null,
  })
  return null
}

export function removeAlert(model: ReferenceModel, command: RemoveAlert, events: PlainEvent[]): Refused {
  const { accountId, alertId } = command
  const found = model.alerts.find((alert) => alert.id === alertId && alert.accountId === accountId)
  const refused = firstOf({
    accountNotFound: !model.accounts.some(({ id }) => id === accountId),
    ...statusFaults(model, command),
    alertNotFound: !found,
  })
  if (refused || !found) return refused
  end(model, found, events)
  return null
}

/** True when an alert ends by itself: its time is over, or its instrument does not exist for traders any more. */
export const isAlertOver = (model: ReferenceModel, { condition, expiresAt }: ReferenceAlert, at: number) =>
  (expiresAt !== null && expiresAt <= at) || isOnDisabled(model, condition)

const isOnDisabled = (model: ReferenceModel, condition: PlainCondition): boolean =>
  'instrumentId' in condition && instrumentFor(model, condition.instrumentId)?.isEnabled === false

/** Before anything else that a tick or the clock does, after the expired orders. */
export function* endAlerts(model: ReferenceModel, { at, events }: Moment): Generator<void, void, void> {
  for (const alert of model.alerts.filter((each) => isAlertOver(model, each, at))) {
    const { id: alertId, accountId, condition } = alert
    const reason = isOnDisabled(model, condition) ? 'instrumentOff' : 'expired'
    model.notes.push(`alert ended: ${reason}`)
    model.alerts = model.alerts.filter((other) => other !== alert)
    events.push({ type: 'alertEnded', alertId, accountId, condition, reason })
    yield
  }
}

/** With the account, or its demo reset, all its alerts end. */
export function removeAlertsOf(model: ReferenceModel, accountId: number, events: PlainEvent[]): void {
  for (const alert of model.alerts.filter((each) => each.accountId === accountId)) {
    model.notes.push('alert removed with its account')
    end(model, alert, events)
  }
}

function end(model: ReferenceModel, ended: ReferenceAlert, events: PlainEvent[]): void {
  model.alerts = model.alerts.filter((alert) => alert !== ended)
  events.push({ type: 'alertRemoved', alertId: ended.id, accountId: ended.accountId })
}
