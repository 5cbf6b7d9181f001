/** Firing alerts in the reference model (trading-rules §13): every alert is compared with every price. */
import type { PlainQuote } from '../plain-types.ts'
import { hasFallenTo, instrumentFor, isMetBy, isTickShortOf, referencePrice } from './alerts.ts'
import { referenceFigures } from './figures.ts'
import { asTick } from './receipt.ts'
import type { Moment, ReferenceAlert, ReferenceModel } from './state.ts'
import { accountsOn, pricesBehind } from './stop-out.ts'

/**
 * On a fresh price: first alerts on prices, then those on margin levels by account; each by id. One that has fired is
 * rearmed by a price on its other side, and does not fire before that.
 */
export function* fireAlerts(
  model: ReferenceModel,
  quote: PlainQuote,
  affected: readonly number[],
  moment: Moment,
): Generator<void, void, void> {
  const awake = model.alerts.filter(({ wakesAt }) => wakesAt <= moment.at)
  for (const alert of model.alerts) {
    if (alert.awaitsReturn) {
      if (isTickShortOf(model, alert.condition, quote)) yield* rearm(model, alert, quote, moment)
    } else if (awake.includes(alert) && isMetBy(model, alert.condition, quote)) {
      yield* fire(model, alert, quote, moment)
    }
  }
  const concerned = new Set([...affected, ...accountsOn(model, quote.instrumentId)])
  for (const accountId of [...concerned].toSorted((a, b) => a - b)) {
    for (const alert of awake) {
      const { condition } = alert
      if (alert.accountId !== accountId || condition.kind !== 'marginLevel') continue
      if (hasFallenTo(model, accountId, condition.level)) yield* fire(model, alert, quote, moment)
    }
  }
}

function* fire(
  model: ReferenceModel,
  alert: ReferenceAlert,
  quote: PlainQuote,
  { at, events }: Moment,
): Generator<void, void, void> {
  const { id: alertId, accountId, condition, pauseMs } = alert
  model.notes.push(`alert fired: ${condition.kind}`)
  if (alert.wakesAt > 0) model.notes.push('alert fired again')
  const wakesAt = pauseMs === null ? null : at + pauseMs
  if (wakesAt === null) model.alerts = model.alerts.filter((other) => other !== alert)
  else alert.wakesAt = wakesAt
  alert.awaitsReturn = wakesAt !== null && condition.kind !== 'marginLevel'
  events.push({
    type: 'alertFired',
    alertId,
    accountId,
    condition,
    tick: asTick(quote),
    wakesAt,
    ...(alert.awaitsReturn && { awaitsReturn: true }),
    ...circumstances(model, alert),
  })
  yield
}

function* rearm(
  model: ReferenceModel,
  alert: ReferenceAlert,
  quote: PlainQuote,
  { events }: Moment,
): Generator<void, void, void> {
  const { id: alertId, accountId } = alert
  model.notes.push('alert rearmed')
  alert.awaitsReturn = false
  events.push({ type: 'alertRearmed', alertId, accountId, tick: asTick(quote) })
  yield
}

function circumstances(model: ReferenceModel, { accountId, condition }: ReferenceAlert) {
  if (condition.kind === 'marginLevel') {
    const { equity, margin } = referenceFigures(model, accountId)
    return { margin: { equity, margin, prices: pricesBehind(model, accountId) } }
  }
  const instrument = condition.kind === 'dayMove' ? instrumentFor(model, condition.instrumentId) : undefined
  const reference = instrument && referencePrice(model, instrument)
  return reference ? { reference: { bid: reference.bid, ask: reference.ask } } : {}
}
