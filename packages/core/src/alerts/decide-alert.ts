/** Setting and removing alerts (trading-rules §13). */
import { figuresOf, isPriced } from '../margin/account-figures.ts'
import {
  MAX_ALERT_LEVEL,
  MAX_ALERT_PAUSE_MS,
  MAX_ALERT_TERM_MS,
  MAX_ALERTS,
  MAX_DAY_MOVE,
  MIN_ALERT_PAUSE_MS,
  MIN_DAY_MOVE,
  type AlertCondition,
  type InstrumentCondition,
  type MarginLevelCondition,
} from '../model/alert.ts'
import type { RemoveAlert, SetAlert } from '../model/command.ts'
import { decimalText } from '../model/decimal.ts'
import type { Event } from '../model/event.ts'
import { percentOf } from '../model/percent.ts'
import type { Quote } from '../model/quote.ts'
import { receiptTick } from '../model/receipt.ts'
import { isRejection, reject, type Rejection } from '../model/rejection.ts'
import { alertsEndWithInstrument, alertsMustDiffer } from '../model/rules.ts'
import { checkStopPrices } from '../orders/order-rules.ts'
import type { Account, State } from '../state/state.ts'
import { isMarginLevelMet, isPriceMet, sideText } from './alert-level.ts'

/**
 * An alert that an account has already is rejected, and so is one whose condition is met already: it would fire at
 * once.
 */
export function decideSetAlert(state: State, command: SetAlert, account: Account): Event[] | Rejection {
  const { at, pauseMs, expiresAt = null } = command
  if ((state.alerts.get(account.id)?.size ?? 0) >= MAX_ALERTS)
    return reject('tooManyAlerts', { most: MAX_ALERTS })
  const condition = conditionOf(state, command)
  if (isRejection(condition)) return condition
  if (pauseMs !== null && !isWithin(pauseMs, MIN_ALERT_PAUSE_MS, MAX_ALERT_PAUSE_MS))
    return reject('alertInvalid', { field: 'pause' })
  if (expiresAt !== null && !isWithin(expiresAt, at + 1, at + MAX_ALERT_TERM_MS))
    return reject('alertInvalid', { field: 'expiry' })
  if (alertsMustDiffer(state) && hasAlertFor(state, account, condition)) return reject('alertExists')
  const quote = condition.kind === 'marginLevel' ? undefined : state.quotes.get(condition.instrumentId)
  const met =
    condition.kind === 'marginLevel' ? levelMet(state, condition, account) : priceMet(state, condition, quote)
  if (met) return met
  return [
    {
      type: 'alertSet',
      alertId: state.lastAlertId + 1,
      accountId: account.id,
      condition,
      pauseMs,
      ...(expiresAt !== null && { expiresAt }),
      tick: quote ? receiptTick(quote) : null,
    },
  ]
}

/** True when an alert of the account waits for the same, however often it fires. */
function hasAlertFor({ alerts }: Pick<State, 'alerts'>, { id }: Account, condition: AlertCondition): boolean {
  const key = keyOf(condition)
  for (const other of alerts.get(id)?.values() ?? []) if (keyOf(other.condition) === key) return true
  return false
}

/** Equal for conditions that wait for the same. */
function keyOf(condition: AlertCondition): string {
  if (condition.kind === 'marginLevel') return `level ${condition.level}`
  const { kind, instrumentId, direction, decimals } = condition
  const level = condition.kind === 'price' ? `${condition.side} ${condition.price}` : condition.move
  return `${kind} ${instrumentId} ${direction} ${level} ${decimals}`
}

/** Why the alert would fire at once, with the price that it watches now; null where it would not. */
function priceMet(state: State, condition: InstrumentCondition, quote: Quote | undefined): Rejection | null {
  if (!quote || !isPriceMet(state, condition, quote)) return null
  const side = condition.kind === 'price' ? condition.side : 'mid'
  return reject('alertAlreadyMet', { about: 'price', side, price: sideText(side, quote, condition.decimals) })
}

/** Why the alert would fire at once, with the margin level now; null where it would not. */
function levelMet(state: State, condition: MarginLevelCondition, account: Account): Rejection | null {
  if (!isPriced(state, account)) return null
  const { equity, margin } = figuresOf(state, account)
  if (!isMarginLevelMet(condition, { equity, margin })) return null
  const level = decimalText(percentOf({ numerator: equity, denominator: margin }))
  return reject('alertAlreadyMet', { about: 'level', level })
}

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most

/** The condition with the decimals of its instrument, or why it is impossible. */
function conditionOf(
  state: Pick<State, 'instruments' | 'rulesVersion'>,
  { condition }: SetAlert,
): AlertCondition | Rejection {
  if (condition.kind === 'marginLevel')
    return isWithin(condition.level, 1, MAX_ALERT_LEVEL)
      ? condition
      : reject('alertInvalid', { field: 'level' })
  const instrument = state.instruments.get(condition.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  if (alertsEndWithInstrument(state) && !instrument.isEnabled) return reject('instrumentDisabled')
  const complete: InstrumentCondition = { ...condition, decimals: instrument.priceDecimals }
  if (complete.kind === 'dayMove')
    return isWithin(complete.move, MIN_DAY_MOVE, MAX_DAY_MOVE)
      ? complete
      : reject('alertInvalid', { field: 'move' })
  return checkStopPrices(instrument, { takeProfit: complete.price, stopLoss: null }) ?? complete
}

/** Another user's alert is reported as not found, and so is one that has ended. */
export function decideRemoveAlert(
  { alerts }: Pick<State, 'alerts'>,
  { alertId }: RemoveAlert,
  { id: accountId }: Account,
): Event[] | Rejection {
  return alerts.get(accountId)?.has(alertId)
    ? [{ type: 'alertRemoved', alertId, accountId }]
    : reject('alertNotFound', { alertId })
}
