import type { InputOf } from '@fairlot/contract'
import {
  decideApproval,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
} from '@fairlot/contract/desk'
import { fromUnits, money, PAYOUT_PRICE_DECIMALS } from '@fairlot/core'
import type { OnDesk } from './on-desk.ts'

/** Addresses with the right check digits. */
export const TRON_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const IBAN = 'DE89370400440532013000'

const REASON = 'a trial'
const NEW = { id: null, version: 0, reason: REASON } as const

const NO_LIMITS = { dayLimit: null, personDayLimit: null } as const

const CHANNEL: InputOf<typeof saveDepositChannel> = {
  ...{ ...NEW, currencyCode: 'USDT', protocolCode: 'TRC20', address: TRON_ADDRESS },
  ...NO_LIMITS,
}
const WIRE: InputOf<typeof saveWireAccount> = {
  ...{ ...NEW, currencyCode: 'USD', bankName: 'Quay Bank', bankAddress: '2 Quay', bankSwift: 'QUAYDEFF' },
  ...{ payeeName: 'Fairlot clients', payeeAccount: IBAN, bankRemark: 'your number' },
  ...NO_LIMITS,
}
const CURRENCY: InputOf<typeof saveWithdrawalCurrency> = {
  ...{ ...NEW, code: 'USDT', protocol: 'TRC20', kind: 'coin', feeType: 'fixed', fee: money(12_000_000n) },
  // 0.9998 of a coin for one unit of the account currency.
  usdPrice: fromUnits(9_998_000_000n, PAYOUT_PRICE_DECIMALS),
  ...{ minimum: money(20_000_000n), maximum: null, personDayLimit: null, isOn: true },
}

/**
 * Sets up as operators do where deposits go (address 1 of USDT, account 1 of USD) and what withdrawals are paid in (currency 1:
 * USDT for a fixed 12, at 0.9998). `second` agrees.
 */
export async function openPayments(finance: OnDesk, second: OnDesk): Promise<void> {
  const asked = [await finance.ask(saveDepositChannel, CHANNEL), await finance.ask(saveWireAccount, WIRE)]
  for (const { approvalId } of asked)
    await second.ask(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: REASON })
  await finance.ask(saveWithdrawalCurrency, CURRENCY)
}
