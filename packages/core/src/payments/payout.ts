/** What a withdrawal costs, and what arrives (product spec §9): the screen that shows it and the server that books it both ask here. */
import { powerOfTen, divideRounded, MONEY_DECIMALS, money, NO_MONEY, type Money } from '../money/number.ts'

/** Digits of a price of a currency that is paid out, after the point. */
export const PAYOUT_PRICE_DECIMALS = 10
/** Digits of an amount that is paid out: coins have more of them than money. */
export const PAYOUT_DECIMALS = 8

export type PayoutTerms = {
  readonly feeType: 'fixed' | 'rate'
  /** An amount of money, or a share in units of 1e-6. */
  readonly feeRate: bigint
  /** What is paid out for one unit of the account currency, in units of 1e-10. */
  readonly price: bigint
}

export type Payout = {
  /** Part of the amount. */
  readonly fee: Money
  /** In units of 1e-8 of the currency that is paid out; never below 0. */
  readonly received: bigint
}

/** The fee of an amount that leaves, and what of it arrives: (amount - fee) x price. Both are rounded once. */
export function payoutOf(amount: Money, { feeType, feeRate, price }: PayoutTerms): Payout {
  const share = () => divideRounded(amount * feeRate, powerOfTen(MONEY_DECIMALS))
  const fee = money(feeType === 'fixed' ? feeRate : share())
  const rest = amount > fee ? amount - fee : NO_MONEY
  const surplus = MONEY_DECIMALS + PAYOUT_PRICE_DECIMALS - PAYOUT_DECIMALS
  return { fee, received: divideRounded(rest * price, powerOfTen(surplus)) }
}
