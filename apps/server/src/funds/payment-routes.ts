import {
  askWithdrawal,
  bindReceivingMethod,
  getWithdrawal,
  listChargeAccounts,
  listChargeChannels,
  listChargeCurrencies,
  listDeposits,
  listDepositsAsWell,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  removeReceivingMethod,
  takeBackWithdrawal,
  tellCoinDeposit,
  tellWireDeposit,
} from '@fairlot/contract'
import type { Api } from '../http/api.ts'
import { listAccounts, listChannels, listCurrencies } from './charge-channels.ts'
import { createDeposits } from './deposits.ts'
import type { PaymentServices } from './payment-services.ts'
import { listPayoutKinds } from './payout-currencies.ts'
import { createReceivingMethods } from './receiving-methods.ts'
import { createWithdrawals } from './withdrawals.ts'

/** Money that comes and goes: for real accounts only, by the line of each call in the table of access. */
export function registerPayments(api: Api, services: PaymentServices): void {
  const { queries } = services
  const deposits = createDeposits(services)
  const withdrawals = createWithdrawals(services)
  const methods = createReceivingMethods(services)

  api.user(listChargeChannels, () => listChannels(queries))
  api.user(listChargeCurrencies, () => listCurrencies(queries))
  api.user(listChargeAccounts, ({ input }) => listAccounts(queries, input.currency))
  api.user(tellCoinDeposit, deposits.tellCoin)
  api.user(tellWireDeposit, deposits.tellWire)
  api.user(listDeposits, deposits.list)
  api.user(listDepositsAsWell, deposits.list)

  api.user(listPayoutCurrencies, ({ input }) => listPayoutKinds(queries, input.kind))
  api.user(askWithdrawal, withdrawals.ask)
  api.user(listWithdrawals, withdrawals.list)
  api.user(getWithdrawal, withdrawals.find)
  api.user(takeBackWithdrawal, withdrawals.takeBack)

  api.user(listReceivingMethods, methods.list)
  api.user(bindReceivingMethod, methods.bind)
  api.user(removeReceivingMethod, methods.remove)
}
