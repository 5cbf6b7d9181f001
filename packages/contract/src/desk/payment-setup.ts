import type { Infer } from '../protocol/codec.ts'
import {
  amount,
  conversionRate,
  id,
  listOf,
  omittable,
  money,
  nothing,
  nullable,
  price,
  time,
  withDefault,
} from '../protocol/field.ts'
import { nameText, userText } from '../protocol/user-text.ts'
import { version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { outcomeOfEntry } from './operators.ts'
import { reason, record, enumeration, yesNo } from './record.ts'

const row = { id, version, changedAt: time }

/** Daily limits of deposits there: in total, and per user; null for no limit. */
const dayLimits = { dayLimit: nullable(amount), personDayLimit: nullable(amount) }

/** Announced limits, and when they take effect; null for none. */
const comingLimits = withDefault(nullable(record({ ...dayLimits, from: time })), null)
const comingLimit = withDefault(nullable(record({ personDayLimit: nullable(money), from: time })), null)

/** The fixed rate to the account currency; null for the market's mid at arrival. */
const fixedRate = withDefault(nullable(conversionRate), null)
/** The current rate; null if unknown, so that no deposit can be credited. */
const rateNow = withDefault(nullable(conversionRate), null)

const channelForm = {
  currencyCode: userText,
  protocolCode: userText,
  address: userText,
  /** The tag or memo that users must send with the coins; empty for none. */
  tag: withDefault(userText, ''),
  fixedRate,
  ...dayLimits,
}
/** The operator's word that a network is meant although it is not on the list, so that nothing checks its addresses. */
const isUnlistedNetwork = withDefault(yesNo, false)
const channel = record({ ...row, ...channelForm, isOn: yesNo, rateNow, comingLimits })
/** An address of the deployment for deposits. */
export type DepositChannel = Infer<typeof channel>

const wireForm = {
  currencyCode: userText,
  bankName: userText,
  bankAddress: userText,
  bankSwift: userText,
  payeeName: userText,
  payeeAccount: userText,
  bankRemark: userText,
  fixedRate,
  ...dayLimits,
}
const wire = record({ ...row, ...wireForm, isOn: yesNo, rateNow, comingLimits })
/** A bank account of the deployment for deposits. */
export type WireAccount = Infer<typeof wire>

const currencyForm = {
  code: userText,
  protocol: userText,
  kind: enumeration(['coin', 'bank']),
  feeType: enumeration(['fixed', 'rate']),
  /** An amount in the account currency, or a share such as 0.01, according to the type of fee. */
  fee: amount,
  /** The amount paid out for one unit of the account currency. */
  usdPrice: price,
  minimum: amount,
  maximum: nullable(amount),
  isOn: yesNo,
  /** The daily limit per user; null for no limit. */
  personDayLimit: nullable(amount),
}
const currency = record({ ...row, ...currencyForm, comingLimits: comingLimit })
/** A currency and method of payouts. */
export type WithdrawalCurrency = Infer<typeof currency>

export const getPaymentSetup = defineDeskEndpoint({
  name: 'getPaymentSetup',
  method: 'GET',
  path: '/desk/api/payments/setup',
  permission: 'viewPaymentSetup',
  request: nothing,
  response: record({ channels: listOf(channel), wires: listOf(wire), currencies: listOf(currency) }),
  summary: 'Where deposits go and what withdrawals are paid in, those switched off too',
})

export const saveDepositChannel = defineDeskEndpoint({
  name: 'saveDepositChannel',
  method: 'POST',
  path: '/desk/api/payments/setup/channel',
  permission: 'editPaymentSetup',
  needsFreshFactor: true,
  changes: true,
  request: record({ id: omittable(id), version, ...channelForm, isUnlistedNetwork, reason }),
  response: outcomeOfEntry,
  summary:
    'Requests a new address for deposits, another one, or for one to be switched on: a second operator decides',
})

export const saveWireAccount = defineDeskEndpoint({
  name: 'saveWireAccount',
  method: 'POST',
  path: '/desk/api/payments/setup/wire',
  permission: 'editPaymentSetup',
  needsFreshFactor: true,
  changes: true,
  request: record({
    id: omittable(id),
    version,
    ...wireForm,
    bankName: nameText,
    payeeName: nameText,
    reason,
  }),
  response: outcomeOfEntry,
  summary:
    'Requests a new bank account for deposits, another one, or for one to be switched on: a second operator decides',
})

export const switchOffReceiving = defineDeskEndpoint({
  name: 'switchOffReceiving',
  method: 'POST',
  path: '/desk/api/payments/setup/switch-off',
  permission: 'editPaymentSetup',
  request: record({ kind: enumeration(['channel', 'wire']), id, version, reason }),
  response: nothing,
  summary: 'Stops deposits to an address or account at once, by one operator: it may be urgent',
})

export const saveWithdrawalCurrency = defineDeskEndpoint({
  name: 'saveWithdrawalCurrency',
  method: 'POST',
  path: '/desk/api/payments/setup/currency',
  permission: 'editPaymentSetup',
  needsFreshFactor: true,
  changes: true,
  request: record({ id: omittable(id), version, ...currencyForm, isUnlistedNetwork, reason }),
  response: outcomeOfEntry,
  summary:
    'Requests a currency that withdrawals are paid out in, with its fee, price and limits: a second operator decides. One that is only switched off is off at once',
})
