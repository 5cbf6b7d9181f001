import { ACCESS } from './access.ts'
import type { Inside } from './codec.ts'
import { defineEndpoint } from './endpoint.ts'
import { listOf, nothing } from './field.ts'
import {
  CHARGE_PATH,
  LIST_PATHS,
  coinDeposit,
  deposit,
  depositChannel,
  depositId,
  depositPage,
  depositQuery,
  wireAccount,
  wireCurrency,
  wireDeposit,
  wireQuery,
} from './wire/deposit.ts'

/** An address of the deployment that coins are sent to. */
export type ChargeChannel = Inside<typeof depositChannel>
/** A bank account of the deployment that money is wired to. */
export type ChargeAccount = Inside<typeof wireAccount>
export type CoinDeposit = Inside<typeof coinDeposit>
export type WireDeposit = Inside<typeof wireDeposit>
export type DepositView = Inside<typeof deposit>
export type DepositPage = Inside<typeof depositPage>
export type DepositQuery = Inside<typeof depositQuery>

export const listChargeChannels = defineEndpoint({
  name: 'listChargeChannels',
  method: 'GET',
  path: `${CHARGE_PATH}/info`,
  access: ACCESS.charge,
  request: nothing,
  response: listOf(depositChannel),
  summary: 'The addresses that coins can be sent to',
})

export const listChargeCurrencies = defineEndpoint({
  name: 'listChargeCurrencies',
  method: 'GET',
  path: `${CHARGE_PATH}/symbols`,
  access: ACCESS.charge,
  request: nothing,
  response: listOf(wireCurrency),
  summary: 'The currencies that money can be wired in',
})

export const listChargeAccounts = defineEndpoint({
  name: 'listChargeAccounts',
  method: 'GET',
  path: `${CHARGE_PATH}/wire_info`,
  access: ACCESS.charge,
  request: wireQuery,
  response: listOf(wireAccount),
  summary: 'The bank accounts that money of a currency can be wired to',
})

export const tellCoinDeposit = defineEndpoint({
  name: 'tellCoinDeposit',
  method: 'POST',
  path: `${CHARGE_PATH}/submit`,
  alsoGet: true,
  changes: true,
  access: ACCESS.charge,
  request: coinDeposit,
  response: deposit,
  summary: 'Tells of coins that were sent, with a picture of the transfer',
})

export const tellWireDeposit = defineEndpoint({
  name: 'tellWireDeposit',
  method: 'POST',
  path: `${CHARGE_PATH}/wire_submit`,
  alsoGet: true,
  changes: true,
  access: ACCESS.charge,
  request: wireDeposit,
  response: deposit,
  summary: 'Tells of money that was wired, with a picture of the transfer',
})

const depositList = {
  method: 'GET',
  access: ACCESS.charge,
  request: depositQuery,
  response: depositPage,
  summary: "The user's deposits, the newest first, ten a page",
} as const

export const listDeposits = defineEndpoint({
  ...depositList,
  name: 'listDeposits',
  path: LIST_PATHS.first,
})

/** The same by the name that later clients of the family use. */
export const listDepositsAsWell = defineEndpoint({
  ...depositList,
  name: 'listDepositsAsWell',
  path: LIST_PATHS.later,
})

export const getDeposit = defineEndpoint({
  name: 'getDeposit',
  method: 'GET',
  path: `${CHARGE_PATH}/deposit`,
  access: ACCESS.charge,
  request: depositId,
  response: deposit,
  summary: "One of the user's deposits",
})
