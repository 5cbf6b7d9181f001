/** Alerts in the running core: where they wait, and what a tick does to them (trading-rules §13). */
import { figuresOf, isPriced } from '../margin/account-figures.ts'
import { stopOutPriceBands } from '../margin/stop-out-price-band.ts'
import type {
  Alert,
  AlertCondition,
  AlertEvent,
  AlertFired,
  AlertRearmed,
  InstrumentCondition,
} from '../model/alert.ts'
import type { PricesMarked } from '../model/event.ts'
import type { Quote } from '../model/quote.ts'
import { receiptTick } from '../model/receipt.ts'
import { alertsEndWithInstrument, alertsMustCrossBack } from '../model/rules.ts'
import { pricesBehind } from '../orders/decide-stop-out.ts'
import { tradingDay, type DayRollover } from '../calendar/trading-day.ts'
import type { StopOutPriceBands } from '../state/margin-watch.ts'
import type { Core } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import type { Steps } from '../state/work-in-steps.ts'
import {
  alertLevel,
  dayReference,
  isMarginLevelMet,
  isPriceBack,
  isPriceMet,
  returnLevel,
} from './alert-level.ts'

type AlertCore = Pick<Core, 'state' | 'alerts' | 'dirtyAccounts'>

/** Adds an alert to the state and to its index. */
export function indexAlert(core: AlertCore, alert: Alert): void {
  const { state } = core
  const known = state.alerts.get(alert.accountId) ?? new Map<number, Alert>()
  state.alerts.set(alert.accountId, known.set(alert.id, alert))
  state.lastAlertId = Math.max(state.lastAlertId, alert.id)
  placeAlert(core, alert)
  watchEnd(core, alert)
}

/** Where it waits: for the price to come back, for the end of its pause, or for what it fires on. */
function placeAlert(core: AlertCore, alert: Alert): void {
  if (alert.wakesAt > 0 && !alert.awaitsReturn) core.alerts.sleep(alert)
  else watchAlert(core, alert)
}

/** Watches what an alert waits for now. */
function watchAlert({ state, alerts, dirtyAccounts }: AlertCore, alert: Alert): void {
  const { condition, accountId } = alert
  if (condition.kind === 'marginLevel') {
    alerts.watchMarginLevel(alert, condition.level)
    dirtyAccounts.add(accountId)
  } else alerts.watchPrice(alert, (alert.awaitsReturn ? returnLevel : alertLevel)(state, condition))
}

/** Applies one event of an alert. */
export function evolveAlert(core: AlertCore, event: AlertEvent): void {
  const { alertId: id, accountId } = event
  if (event.type === 'alertSet') {
    const { condition, pauseMs, expiresAt = null } = event
    const set = { id, accountId, condition, pauseMs, expiresAt, wakesAt: 0, awaitsReturn: false }
    return indexAlert(core, set)
  }
  const alert = alertOf(core.state, event)
  if (!alert) throw new Error(`an event names alert ${id}, which has ended or was never set`)
  if (alert.condition.kind === 'marginLevel') core.dirtyAccounts.add(accountId)
  if (event.type === 'alertFired' && event.wakesAt !== null) {
    alert.wakesAt = event.wakesAt
    alert.awaitsReturn = event.awaitsReturn ?? false
    return placeAlert(core, alert)
  }
  if (event.type === 'alertRearmed') {
    alert.awaitsReturn = false
    return placeAlert(core, alert)
  }
  core.alerts.forget(id, accountId)
  const others = core.state.alerts.get(accountId)
  others?.delete(id)
  if (others?.size === 0) core.state.alerts.delete(accountId)
}

/** Watches when it ends: at its expiry, or at once with its instrument. */
const watchEnd = ({ state, alerts }: Pick<Core, 'state' | 'alerts'>, alert: Alert): void =>
  alerts.endAt(alert, isSwitchedOff(state, alert.condition) ? 0 : alert.expiresAt)

/** True when alerts with the condition end because their instrument is switched off. */
export const isSwitchedOff = (
  state: Pick<State, 'instruments' | 'rulesVersion'>,
  condition: AlertCondition,
): boolean =>
  condition.kind !== 'marginLevel' &&
  alertsEndWithInstrument(state) &&
  state.instruments.get(condition.instrumentId)?.isEnabled === false

/** Watches the ends of all alerts again, after a change of the rules. */
export function rewatchEnds(core: Pick<Core, 'state' | 'alerts'>): void {
  for (const ofAccount of core.state.alerts.values())
    for (const alert of ofAccount.values()) watchEnd(core, alert)
}

/** Alerts whose expiry has passed at `at` (epoch ms), or whose instrument is switched off, end without firing. By id. */
export function* endAlerts({ state, alerts }: Pick<Core, 'state' | 'alerts'>, at: number): Steps {
  for (const { alertId, accountId } of alerts.over(at)) {
    const condition = alertOf(state, { alertId, accountId })?.condition
    const reason = condition && isSwitchedOff(state, condition) ? 'instrumentOff' : 'expired'
    yield condition ? { type: 'alertEnded', alertId, accountId, condition, reason } : null
  }
}

type AlertName = Pick<AlertEvent, 'alertId' | 'accountId'>

const alertOf = ({ alerts }: Pick<State, 'alerts'>, { alertId, accountId }: AlertName): Alert | undefined =>
  alerts.get(accountId)?.get(alertId)

/** Watches alerts whose pause has ended at `at` (epoch ms) again. Comes before every tick; no event reports it. */
export function wakeAlerts(core: AlertCore, at: number): void {
  if (!core.alerts.isAnyAwake(at)) return
  for (const name of core.alerts.awake(at)) {
    const alert = alertOf(core.state, name)
    if (alert) watchAlert(core, alert)
  }
}

/** Computes levels and ends of alerts on prices again, after a change of an instrument or of trading days. */
export function rewatchAlerts(
  core: AlertCore,
  isConcerned: (condition: InstrumentCondition) => boolean,
): void {
  for (const ofAccount of core.state.alerts.values()) {
    for (const alert of ofAccount.values()) {
      const { condition, id } = alert
      if (condition.kind === 'marginLevel' || !isConcerned(condition)) continue
      if (!core.alerts.isAsleep(id)) watchAlert(core, alert)
      watchEnd(core, alert)
    }
  }
}

const DAYS: readonly DayRollover[] = ['newYorkClose', 'utcMidnight']

/** Keeps the first recorded price of each instrument in a trading day, from which moves of the day are measured. */
export function keepDayPrices(
  core: AlertCore,
  { moment, prices }: Pick<PricesMarked, 'moment' | 'prices'>,
): void {
  const changed = new Set<number>()
  for (const day of DAYS) {
    const { start } = tradingDay(day, moment)
    let known = core.state.dayPrices[day]
    if (start < known.start) continue
    if (start > known.start) {
      for (const id of known.prices.keys()) changed.add(id)
      known = core.state.dayPrices[day] = { start, prices: new Map() }
    }
    for (const { instrumentId, bid, ask } of prices) {
      if (known.prices.has(instrumentId)) continue
      known.prices.set(instrumentId, { bid, ask })
      changed.add(instrumentId)
    }
  }
  if (changed.size > 0)
    rewatchAlerts(core, ({ kind, instrumentId }) => kind === 'dayMove' && changed.has(instrumentId))
}

/** Computes the price bands within which an account cannot reach the margin level that its alerts wait for. */
export function watchMarginAlerts({ state, alerts }: Pick<Core, 'state' | 'alerts'>, account: Account): void {
  const stopOutLevel = alerts.highestMarginLevel(account.id)
  const bands =
    stopOutLevel === null
      ? NO_BANDS
      : stopOutPriceBands({ ...pricingOf(state), settings: { stopOutLevel } }, account)
  alerts.margins.watch(account.id, bands)
}

const NO_BANDS: StopOutPriceBands = new Map()

const pricingOf = ({ instruments, quotes, conversionPaths }: State) => ({
  instruments,
  quotes,
  conversionPaths,
})

/** A fresh tick, and the accounts that it has changed so far. */
type Check = { readonly quote: Quote; readonly at: number; readonly changed: ReadonlySet<number> }

/**
 * Fires the alerts that a fresh tick meets, and rearms those that it is on the other side of: on prices by id, then on
 * margin levels by account and id.
 */
export function* fireAlerts(core: Core, { quote, at, changed }: Check): Steps {
  const { state, alerts } = core
  for (const name of alerts.due(quote)) {
    const alert = alertOf(state, name)
    yield alert ? priceEvent(state, alert, { quote, at }) : null
  }
  for (const accountId of alerts.dueMargins(quote, changed)) {
    const account = state.accounts.get(accountId)
    if (account) yield* fireMarginAlerts(core, account, { quote, at })
    yield { type: 'accountDirty', accountId }
  }
}

/** What a fresh tick does to an alert on a price; null: nothing. */
function priceEvent(
  state: State,
  alert: Alert,
  { quote, at }: Pick<Check, 'quote' | 'at'>,
): AlertFired | AlertRearmed | null {
  const { id: alertId, accountId, condition, awaitsReturn, pauseMs } = alert
  if (condition.kind === 'marginLevel') return null
  if (awaitsReturn)
    return isPriceBack(state, condition, quote)
      ? { type: 'alertRearmed', alertId, accountId, tick: receiptTick(quote) }
      : null
  if (!isPriceMet(state, condition, quote)) return null
  const mustCrossBack = pauseMs !== null && alertsMustCrossBack(state)
  return {
    ...firedBy(quote, alert, at),
    ...(mustCrossBack && { awaitsReturn: true }),
    ...referenceOf(state, condition),
  }
}

/** Accounts that leave the price bands of their alerts on a tick that fires nothing are checked on the next one. */
export function* recheckMarginAlerts({ alerts }: Pick<Core, 'alerts'>, quote: Quote): Steps {
  for (const accountId of alerts.margins.leaving(quote)) yield { type: 'accountDirty', accountId }
}

function* fireMarginAlerts(
  { state, alerts }: Core,
  account: Account,
  { quote, at }: Pick<Check, 'quote' | 'at'>,
): Steps {
  if (!isPriced(state, account)) return
  const { equity, margin } = figuresOf(state, account)
  for (const alertId of alerts.marginAlertsOf(account.id)) {
    const alert = alertOf(state, { alertId, accountId: account.id })
    if (alert?.condition.kind !== 'marginLevel' || !isMarginLevelMet(alert.condition, { equity, margin }))
      continue
    yield { ...firedBy(quote, alert, at), margin: { equity, margin, prices: pricesBehind(state, account) } }
  }
}

const firedBy = (quote: Quote, { id, accountId, condition, pauseMs }: Alert, at: number): AlertFired => ({
  type: 'alertFired',
  alertId: id,
  accountId,
  condition,
  tick: receiptTick(quote),
  wakesAt: pauseMs === null ? null : at + pauseMs,
})

function referenceOf(state: State, condition: InstrumentCondition): Pick<AlertFired, 'reference'> {
  if (condition.kind === 'price') return {}
  const instrument = state.instruments.get(condition.instrumentId)
  const reference = instrument && dayReference(state, instrument)
  return reference ? { reference } : {}
}
