import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { nothing } from '../protocol/field.ts'
import { addedAlert, alert, alertId, alertList, newAlert, typedAlert, typedAlertList } from './alerts.wire.ts'

/** An alert of a user: waiting, fired for good, or ended by itself. */
export type AlertView = Readonly<Infer<typeof alert>>
export type NewAlert = Readonly<Infer<typeof newAlert>>
/** What an alert waits for, with prices as decimals. */
export type AlertTarget = AlertView['condition']

export const listAlerts = defineEndpoint({
  name: 'listAlerts',
  method: 'GET',
  path: '/v1/api/forex/alerts',
  access: ACCESS.trading,
  request: nothing,
  response: alertList,
  summary:
    'The alerts of the caller: those that wait, the newest first, then those of the last 30 days that have fired for good, with the tick that fired them, or ended by themselves',
})

export const setAlert = defineEndpoint({
  name: 'setAlert',
  method: 'POST',
  path: '/v1/api/forex/set_alert',
  access: ACCESS.trading,
  changes: true,
  request: newAlert,
  response: alert,
  summary:
    'Sets an alert: on a side of a price, on a move of the day in percent, or on the margin level; at most 50. It fires once, or again after a pause of 1 minute to 30 days and a price on its other side; with an expiry it ends then without firing',
})

export const removeAlert = defineEndpoint({
  name: 'removeAlert',
  method: 'POST',
  path: '/v1/api/forex/remove_alert',
  access: ACCESS.trading,
  changes: true,
  request: alertId,
  response: nothing,
  summary: 'Removes an alert that has not fired for good',
})

// The same calls as the protocol names them: a type instead of a kind, the pause in minutes, the time of the firing.

export const listTypedAlerts = defineEndpoint({
  name: 'listTypedAlerts',
  method: 'GET',
  path: '/api/alert/list',
  access: ACCESS.trading,
  request: nothing,
  response: typedAlertList,
  summary: 'The same as listAlerts: waiting alerts, then those of the last 30 days that have fired or ended',
})

export const addAlert = defineEndpoint({
  name: 'addAlert',
  method: 'POST',
  path: '/api/alert/add',
  access: ACCESS.trading,
  changes: true,
  request: addedAlert,
  response: typedAlert,
  summary: 'The same as setAlert; again_minutes is the pause, 0 for once, and expires_at optional',
})

export const removeTypedAlert = defineEndpoint({
  name: 'removeTypedAlert',
  method: 'POST',
  path: '/api/alert/remove',
  access: ACCESS.trading,
  changes: true,
  request: alertId,
  response: nothing,
  summary: 'The same as removeAlert',
})
