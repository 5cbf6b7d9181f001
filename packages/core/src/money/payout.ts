/** The fee of a withdrawal and the amount received, computed alike by the screen and the server. */
import { powerOfTen, MONEY_DECIMALS, money, NO_MONEY, type Money } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'

/** Decimals of the price of a payout currency. */
export const PAYOUT_PRICE_DECIMALS = 10
/** Decimals of a payout amount: coins have more than money. */
export const PAYOUT_DECIMALS = 8

export type PayoutTerms = {
  readonly feeType: 'fixed' | 'rate'
  /** An amount of money, or a share in units of 1e-6. */
  readonly feeRate: bigint
  /** Amount paid out for one unit of the account currency, in units of 1e-10. */
  readonly price: bigint
}

export type Payout = {
  /** Part of the amount. */
  readonly fee: Money
  /** In units of 1e-8 of the payout currency; never below 0. */
  readonly received: bigint
}

/** The fee of a withdrawal and the amount received: (amount - fee) x price. Both are rounded once. */
export function payoutOf(amount: Money, { feeType, feeRate, price }: PayoutTerms): Payout {
  const share = () => divideRounded(amount * feeRate, powerOfTen(MONEY_DECIMALS))
  const fee = money(feeType === 'fixed' ? feeRate : share())
  const rest = amount > fee ? amount - fee : NO_MONEY
  const surplus = MONEY_DECIMALS + PAYOUT_PRICE_DECIMALS - PAYOUT_DECIMALS
  return { fee, received: divideRounded(rest * price, powerOfTen(surplus)) }
}
