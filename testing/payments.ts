import type { InputOf } from '@fairlot/contract'
import {
  decideApproval,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
} from '@fairlot/contract/desk'
import { fromUnits, money, PAYOUT_PRICE_DECIMALS } from '@fairlot/core'
import type { OnDesk } from './on-desk.ts'

/** Addresses with valid check digits. */
export const TRON_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const IBAN = 'DE89370400440532013000'

const REASON = 'a trial'
const NEW = { id: null, version: 0, reason: REASON } as const

const NO_LIMITS = { dayLimit: null, personDayLimit: null, fixedRate: null } as const

const CHANNEL: InputOf<typeof saveDepositChannel> = {
  ...NEW,
  currencyCode: 'USDT',
  protocolCode: 'TRC20',
  address: TRON_ADDRESS,
  tag: '',
  isUnlistedNetwork: false,
  ...NO_LIMITS,
}
const WIRE: InputOf<typeof saveWireAccount> = {
  ...NEW,
  currencyCode: 'USD',
  bankName: 'Quay Bank',
  bankAddress: '2 Quay',
  bankSwift: 'QUAYDEFF',
  payeeName: 'Fairlot clients',
  payeeAccount: IBAN,
  bankRemark: 'your number',
  ...NO_LIMITS,
}
const CURRENCY: InputOf<typeof saveWithdrawalCurrency> = {
  ...NEW,
  code: 'USDT',
  protocol: 'TRC20',
  kind: 'coin',
  feeType: 'fixed',
  fee: money(12_000_000n),
  // 0.9998 coins per unit of the account currency.
  usdPrice: fromUnits(9_998_000_000n, PAYOUT_PRICE_DECIMALS),
  minimum: money(20_000_000n),
  maximum: null,
  personDayLimit: null,
  isOn: true,
  isUnlistedNetwork: false,
}

/**
 * Sets up deposit addresses (address 1 for USDT, account 1 for USD) and the withdrawal currency 1 (USDT, fixed fee of
 * 12, at 0.9998). `second` approves each.
 */
export async function openPayments(finance: OnDesk, second: OnDesk): Promise<void> {
  const requested = [
    await finance.request(saveDepositChannel, CHANNEL),
    await finance.request(saveWireAccount, WIRE),
    await finance.request(saveWithdrawalCurrency, CURRENCY),
  ]
  for (const { approvalId } of requested)
    await second.request(decideApproval, { id: approvalId ?? 0, isApproved: true, reason: REASON })
}
