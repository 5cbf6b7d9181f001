import {
  depositChannelsFile,
  getPaymentSetup,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  switchOffReceiving,
  wireAccountsFile,
  withdrawalCurrenciesFile,
} from '@fairlot/contract/desk'
import type { DeskServices } from '../desk-services.ts'
import { shownChannel, shownCurrency, shownWire } from './payment-rows.ts'
import { createReceivingAccounts } from './receiving-accounts.ts'
import { createCurrencyChanges } from './withdrawal-currencies.ts'

/** Where deposits go and what withdrawals are paid in. */
export function registerPaymentSetup(services: DeskServices): void {
  const { api, queries } = services
  const receiving = createReceivingAccounts(services)
  const saveCurrency = createCurrencyChanges(services)

  const setup = async () => ({
    channels: (await queries.selectFrom('deposit_channel').selectAll().orderBy('id').execute()).map(
      shownChannel,
    ),
    wires: (await queries.selectFrom('wire_account').selectAll().orderBy('id').execute()).map(shownWire),
    currencies: (await queries.selectFrom('withdrawal_currency').selectAll().orderBy('id').execute()).map(
      shownCurrency,
    ),
  })
  api.list(
    getPaymentSetup,
    setup,
    { file: depositChannelsFile, rowsOf: ({ channels }) => channels },
    { file: wireAccountsFile, rowsOf: ({ wires }) => wires },
    { file: withdrawalCurrenciesFile, rowsOf: ({ currencies }) => currencies },
  )
  api.operator(saveDepositChannel, ({ operator, request, input: { id, version, reason, ...form } }) =>
    receiving.ask(operator, { kind: 'channel', id, version, form, reason }, request),
  )
  api.operator(saveWireAccount, ({ operator, request, input: { id, version, reason, ...form } }) =>
    receiving.ask(operator, { kind: 'wire', id, version, form, reason }, request),
  )
  api.operator(switchOffReceiving, ({ operator, input }) => receiving.switchOff(operator, input))
  api.operator(saveWithdrawalCurrency, ({ operator, input }) => saveCurrency(operator, input))
}
