import type { Inside } from '../codec.ts'
import { decimal, id, listOf, maybe, money, nothing, orNull, time } from '../field.ts'
import { typed } from '../typed-field.ts'
import { version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { outcomeOfAct } from './operators.ts'
import { reason, record, word, yesNo } from './record.ts'

const row = { id, version, changedAt: time }

/** What may come in there in a day: from everybody, and from one person; null for no limit. */
const dayLimits = { dayLimit: orNull(money), personDayLimit: orNull(money) }

const channelForm = {
  ...{ currencyCode: typed, protocolCode: typed, address: typed },
  ...dayLimits,
}
const channel = record({ ...row, ...channelForm, isOn: yesNo })
/** An address of ours that deposits are sent to. */
export type DepositChannel = Inside<typeof channel>

const wireForm = {
  ...{ currencyCode: typed, bankName: typed, bankAddress: typed, bankSwift: typed },
  ...{ payeeName: typed, payeeAccount: typed, bankRemark: typed, ...dayLimits },
}
const wire = record({ ...row, ...wireForm, isOn: yesNo })
/** A bank account of ours that deposits are wired to. */
export type WireAccount = Inside<typeof wire>

const currencyForm = {
  ...{ code: typed, protocol: typed, kind: word(['coin', 'bank']), feeType: word(['fixed', 'rate']) },
  /** An amount in the account currency, or a share such as 0.01, as the type of fee says. */
  fee: money,
  /** What is paid out for one unit of the account currency. */
  usdPrice: decimal,
  ...{ minimum: money, maximum: orNull(money), isOn: yesNo },
  /** What one person may ask for in a day; null for no limit. */
  personDayLimit: orNull(money),
}
const currency = record({ ...row, ...currencyForm })
/** What withdrawals can be paid out in. */
export type WithdrawalCurrency = Inside<typeof currency>

export const getPaymentSetup = defineDeskEndpoint({
  name: 'getPaymentSetup',
  method: 'GET',
  path: '/desk/api/payments/setup',
  act: 'viewPaymentSetup',
  request: nothing,
  response: record({ channels: listOf(channel), wires: listOf(wire), currencies: listOf(currency) }),
  summary: 'Where deposits go and what withdrawals are paid in, those switched off too',
})

export const saveDepositChannel = defineDeskEndpoint({
  name: 'saveDepositChannel',
  method: 'POST',
  path: '/desk/api/payments/setup/channel',
  act: 'editPaymentSetup',
  changes: true,
  request: record({ id: maybe(id), version, ...channelForm, reason }),
  response: outcomeOfAct,
  summary:
    'Asks for a new address for deposits, another one, or for one to be switched on: a second person decides',
})

export const saveWireAccount = defineDeskEndpoint({
  name: 'saveWireAccount',
  method: 'POST',
  path: '/desk/api/payments/setup/wire',
  act: 'editPaymentSetup',
  changes: true,
  request: record({ id: maybe(id), version, ...wireForm, reason }),
  response: outcomeOfAct,
  summary:
    'Asks for a new bank account for deposits, another one, or for one to be switched on: a second person decides',
})

export const switchOffReceiving = defineDeskEndpoint({
  name: 'switchOffReceiving',
  method: 'POST',
  path: '/desk/api/payments/setup/switch-off',
  act: 'editPaymentSetup',
  request: record({ kind: word(['channel', 'wire']), id, version, reason }),
  response: nothing,
  summary: 'Stops deposits to an address or account at once, by one person: it may be urgent',
})

export const saveWithdrawalCurrency = defineDeskEndpoint({
  name: 'saveWithdrawalCurrency',
  method: 'POST',
  path: '/desk/api/payments/setup/currency',
  act: 'editPaymentSetup',
  request: record({ id: maybe(id), version, ...currencyForm, reason }),
  response: record({ id, version }),
  summary: 'Writes what withdrawals can be paid out in, with its fee, price and limits',
})
