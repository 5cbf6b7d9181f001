/** The size of a copied position checked against the rule alone, without the core's own sizing (trading-rules §12). */
import type { Money } from '@fairlot/core'
import type { Figure } from './figure.ts'

type CopiedSize = {
  /** What was opened, and the provider's order, in lots of 1e-4. */
  readonly lots: number
  readonly providerLots: number
  /** Of the copy, 1e-6. */
  readonly multiplier: number
  /** Of the copy and of the provider, just before the fill. */
  readonly equity: Money
  readonly providerEquity: Money
  readonly instrument: { readonly lotStep: number; readonly lotMax: number }
  /** From version 4 of the rules on, a size that lacks less than a millionth of itself to a step counts as that step. */
  readonly isNearCounted: boolean
}

/**
 * Proportion = multiplier x provider's lots x copy's equity / provider's equity. What was opened is a number of whole
 * steps, not above the proportion, and less than a step below it; the maximum lot may be further below.
 */
export function sizeFigures({ lots, instrument, isNearCounted, ...from }: CopiedSize): Figure[] {
  const { lotStep, lotMax } = instrument
  // Everything times 1e6 x the provider's equity, so that it stays whole.
  const unit = 1_000_000n * from.providerEquity
  const proportion = BigInt(from.multiplier) * BigInt(from.providerLots) * from.equity
  const reaches = (size: number): boolean => {
    const lacking = BigInt(size) * unit - proportion
    return lacking <= 0n || (isNearCounted && lacking * 1_000_000n < proportion)
  }
  const isNextPossible = lots + lotStep <= lotMax
  return [
    ['lots beyond whole steps', lots % lotStep, 0],
    ['lots within the proportion', reaches(lots), true],
    ['another step within the proportion', isNextPossible && reaches(lots + lotStep), false],
  ]
}
