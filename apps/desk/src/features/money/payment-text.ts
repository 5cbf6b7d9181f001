import type { WithdrawalCurrency } from '@fairlot/contract/desk'
import { formatDecimal, parseDecimal } from '@fairlot/core/decimal'
import { MONEY_DECIMALS } from '@fairlot/core/number'
import type { Money } from '@fairlot/core'
import { exactMoney, money } from '../../i18n/figures.ts'

/** A share in units of 1e-6 as percent. */
const PERCENT_DECIMALS = 4
const percentOf = (fee: bigint): string => formatDecimal(fee, PERCENT_DECIMALS).replace(/\.?0+$/, '')

/** What is taken off, such as `5.00` or `1 %`. */
export const feeText = ({ fee, feeType }: Pick<WithdrawalCurrency, 'fee' | 'feeType'>): string =>
  feeType === 'fixed' ? money(fee) : `${percentOf(fee)} %`

/** A fee as its field has it: an amount, or percent. */
export const feeField = ({ fee, feeType }: Pick<WithdrawalCurrency, 'fee' | 'feeType'>): string =>
  feeType === 'fixed' ? amountField(fee) : percentOf(fee)

export const readFee = (text: string, feeType: WithdrawalCurrency['feeType']): Money | null =>
  feeType === 'fixed' ? readAmount(text) : (parseDecimal(text.trim(), PERCENT_DECIMALS) as Money | null)

/** An amount as its field has it; empty for none. */
export const amountField = (amount: bigint | null): string =>
  amount === null ? '' : exactMoney(amount).replaceAll(',', '')

/** Null for what is no amount. */
export const readAmount = (text: string): Money | null =>
  parseDecimal(text.trim(), MONEY_DECIMALS) as Money | null
