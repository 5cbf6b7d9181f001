/** Performance fee, high-water mark and base of a copy (trading-rules §12). Amounts are rounded once, half away from zero. */
import type { Copy } from '../model/copying.ts'
import { larger, money, NO_MONEY, RATIO_SCALE, smaller, type Money } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import { hasDetailedCopying, type RulesInForce } from '../model/rules.ts'

type FeeTerms = Pick<Copy, 'feeShare' | 'mark'>

/** What a fee is computed from: open profit pays none before it is booked, an open loss counts at once. */
export const feeBasis = ({ balance, equity }: { balance: Money; equity: Money }): Money =>
  smaller(balance, equity)

/** The fee on everything above the mark, at the month's end and at the end of a copy. */
export const feeOn = ({ feeShare, mark }: FeeTerms, basis: Money): Money =>
  money(divideRounded(larger(0n, basis - mark) * BigInt(feeShare), RATIO_SCALE))

/** The fee on taking out `amount`: its part of the fee on everything. `amount` is at most the basis, both above zero. */
export const feeOnTaking = ({ feeShare, mark }: FeeTerms, basis: Money, amount: Money): Money =>
  money(divideRounded(larger(0n, basis - mark) * amount * BigInt(feeShare), basis * RATIO_SCALE))

/**
 * The mark after taking out `amount`, which is at most the basis. At or above the mark it falls by the same part; below it
 * by the amount itself, so that what is still lost stays to be made up for before a fee is due again.
 */
export const markAfterTaking = (
  { mark }: FeeTerms,
  { basis, amount }: { basis: Money; amount: Money },
  rules: RulesInForce,
): Money =>
  basis < mark && hasDetailedCopying(rules)
    ? money(mark - amount)
    : money(divideRounded(mark * (basis - amount), basis))

/** The base after taking out `amount` at an equity above zero. */
export const baseAfterTaking = ({ base }: Pick<Copy, 'base'>, equity: Money, amount: Money): Money =>
  money(divideRounded(base * (equity - amount), equity))

/** True at or below the copy stop loss; compared by multiplying across. */
export const isAtStopLoss = ({ base, stopLoss }: Pick<Copy, 'base' | 'stopLoss'>, equity: Money): boolean =>
  equity * 100n <= base * BigInt(stopLoss)

/** The loss that a later copy of the same provider makes up for first. */
export const lossBelowMark = ({ mark }: FeeTerms, basis: Money): Money =>
  larger(NO_MONEY, money(mark - basis))
