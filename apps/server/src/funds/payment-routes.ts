import {
  askWithdrawal,
  bindReceivingMethod,
  getDeposit,
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
import type { Api, UserCall } from '../http/api.ts'
import { listAccounts, listChannels, listCurrencies } from './charge-channels.ts'
import type { Today } from './day-limits.ts'
import { createDeposits } from './deposits.ts'
import { createDrafts, type Drafts } from './drafts.ts'
import type { PaymentServices } from './payment-services.ts'
import { listPayoutKinds } from './payout-currencies.ts'
import { createReceivingMethods } from './receiving-methods.ts'
import { createTurns } from './turns.ts'
import { createWithdrawals } from './withdrawals.ts'

/** Money that comes and goes: for real accounts only, by the line of each call in the table of access. Answers what settles drafts of before. */
export function registerPayments(api: Api, services: PaymentServices): Drafts {
  const { queries, engine, now } = services
  const parts = { ...services, drafts: createDrafts(services), inTurn: createTurns() }
  const deposits = createDeposits(parts)
  const withdrawals = createWithdrawals(parts)
  const methods = createReceivingMethods(services)

  const todayOf = async ({ user }: Pick<UserCall<unknown>, 'user'>): Promise<Today> => {
    await engine.caughtUp()
    return { queries, userId: user.id, now: now() }
  }

  api.user(listChargeChannels, async (call) => listChannels(await todayOf(call)))
  api.user(listChargeCurrencies, () => listCurrencies(queries))
  api.user(listChargeAccounts, async (call) => listAccounts(await todayOf(call), call.input.currency))
  api.user(tellCoinDeposit, deposits.tellCoin)
  api.user(tellWireDeposit, deposits.tellWire)
  api.user(listDeposits, deposits.list)
  api.user(listDepositsAsWell, deposits.list)
  api.user(getDeposit, deposits.find)

  api.user(listPayoutCurrencies, async (call) => listPayoutKinds(await todayOf(call), call.input.kind))
  api.user(askWithdrawal, withdrawals.ask)
  api.user(listWithdrawals, withdrawals.list)
  api.user(getWithdrawal, withdrawals.find)
  api.user(takeBackWithdrawal, withdrawals.takeBack)

  api.user(listReceivingMethods, methods.list)
  api.user(bindReceivingMethod, methods.bind)
  api.user(removeReceivingMethod, methods.remove)
  return parts.drafts
}
