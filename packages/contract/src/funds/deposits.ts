import { ACCESS } from '../protocol/access.ts'
import type { Infer } from '../protocol/codec.ts'
import { defineEndpoint } from '../protocol/endpoint.ts'
import { listOf, nothing } from '../protocol/field.ts'
import {
  DEPOSIT_PATH,
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
} from './deposits.wire.ts'

/** An address of the deployment for deposits of coins. */
export type DepositAddress = Infer<typeof depositChannel>
/** A bank account of the deployment for deposits by wire. */
export type DepositAccount = Infer<typeof wireAccount>
export type CoinDeposit = Infer<typeof coinDeposit>
export type WireDeposit = Infer<typeof wireDeposit>
export type DepositView = Infer<typeof deposit>
export type DepositPage = Infer<typeof depositPage>
export type DepositQuery = Infer<typeof depositQuery>

export const listDepositAddresses = defineEndpoint({
  name: 'listChargeChannels',
  method: 'GET',
  path: `${DEPOSIT_PATH}/info`,
  access: ACCESS.charge,
  request: nothing,
  response: listOf(depositChannel),
  summary: 'The addresses that coins can be sent to',
})

export const listDepositCurrencies = defineEndpoint({
  name: 'listChargeCurrencies',
  method: 'GET',
  path: `${DEPOSIT_PATH}/symbols`,
  access: ACCESS.charge,
  request: nothing,
  response: listOf(wireCurrency),
  summary: 'The currencies that money can be wired in',
})

export const listDepositAccounts = defineEndpoint({
  name: 'listChargeAccounts',
  method: 'GET',
  path: `${DEPOSIT_PATH}/wire_info`,
  access: ACCESS.charge,
  request: wireQuery,
  response: listOf(wireAccount),
  summary: 'The bank accounts that money of a currency can be wired to',
})

export const reportCoinDeposit = defineEndpoint({
  name: 'tellCoinDeposit',
  method: 'POST',
  path: `${DEPOSIT_PATH}/submit`,
  alsoGet: true,
  changes: true,
  access: ACCESS.charge,
  request: coinDeposit,
  response: deposit,
  summary: 'Reports coins that were sent, with a picture of the transfer',
})

export const reportWireDeposit = defineEndpoint({
  name: 'tellWireDeposit',
  method: 'POST',
  path: `${DEPOSIT_PATH}/wire_submit`,
  alsoGet: true,
  changes: true,
  access: ACCESS.charge,
  request: wireDeposit,
  response: deposit,
  summary: 'Reports money that was wired, with a picture of the transfer',
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

/** The same under the name used by later clients of the family. */
export const listDepositsAsWell = defineEndpoint({
  ...depositList,
  name: 'listDepositsAsWell',
  path: LIST_PATHS.later,
})

export const getDeposit = defineEndpoint({
  name: 'getDeposit',
  method: 'GET',
  path: `${DEPOSIT_PATH}/deposit`,
  access: ACCESS.charge,
  request: depositId,
  response: deposit,
  summary: "One of the user's deposits",
})
