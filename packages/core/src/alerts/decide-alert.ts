/** Setting and removing alerts (trading-rules §13). */
import { figuresOf, isPriced } from '../margin/account-figures.ts'
import {
  MAX_ALERT_LEVEL,
  MAX_ALERT_PAUSE_MS,
  MAX_ALERTS,
  MAX_DAY_MOVE,
  MIN_ALERT_PAUSE_MS,
  MIN_DAY_MOVE,
  type AlertCondition,
  type InstrumentCondition,
} from '../model/alert.ts'
import type { RemoveAlert, SetAlert } from '../model/command.ts'
import type { Event } from '../model/event.ts'
import { receiptTick } from '../model/receipt.ts'
import { isRejection, reject, type Rejection } from '../model/rejection.ts'
import { checkStopPrices } from '../orders/order-rules.ts'
import type { Account, State } from '../state/state.ts'
import { isMarginLevelMet, isPriceMet } from './alert-level.ts'

/** An alert whose condition is met already would fire at once, so it is rejected. */
export function decideSetAlert(state: State, command: SetAlert, account: Account): Event[] | Rejection {
  const { pauseMs } = command
  if ((state.alerts.get(account.id)?.size ?? 0) >= MAX_ALERTS)
    return reject('tooManyAlerts', { most: MAX_ALERTS })
  const condition = conditionOf(state, command)
  if (isRejection(condition)) return condition
  if (pauseMs !== null && !isWithin(pauseMs, MIN_ALERT_PAUSE_MS, MAX_ALERT_PAUSE_MS))
    return reject('alertInvalid', { field: 'pause' })
  const quote = condition.kind === 'marginLevel' ? undefined : state.quotes.get(condition.instrumentId)
  const isMet =
    condition.kind === 'marginLevel'
      ? isPriced(state, account) && isMarginLevelMet(condition, figuresOf(state, account))
      : quote !== undefined && isPriceMet(state, condition, quote)
  if (isMet) return reject('alertAlreadyMet')
  return [
    {
      type: 'alertSet',
      alertId: state.lastAlertId + 1,
      accountId: account.id,
      condition,
      pauseMs,
      tick: quote ? receiptTick(quote) : null,
    },
  ]
}

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most

/** The condition with the decimals of its instrument, or why it is impossible. */
function conditionOf(
  { instruments }: Pick<State, 'instruments'>,
  { condition }: SetAlert,
): AlertCondition | Rejection {
  if (condition.kind === 'marginLevel')
    return isWithin(condition.level, 1, MAX_ALERT_LEVEL)
      ? condition
      : reject('alertInvalid', { field: 'level' })
  const instrument = instruments.get(condition.instrumentId)
  if (!instrument) return reject('unknownInstrument')
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
