/** Sizes of copied positions (trading-rules §12): exact integers, rounded once. */
import { lots, RATIO_SCALE, type Lots, type Money, type Ratio } from '../model/number.ts'
import type { Instrument } from '../model/instrument.ts'
import { hasDetailedCopying, type RulesInForce } from '../model/rules.ts'

type LotRules = Pick<Instrument, 'lotMin' | 'lotMax' | 'lotStep'>

/** A size and whether the instrument's maximum lowered it; null below the minimum, because sizes are never rounded up. */
export type CopiedVolume = { readonly lots: Lots; readonly isLowered: boolean }

/** What the size of a copied order follows from. */
export type Proportion = {
  readonly multiplier: Ratio
  /** Of the provider's order. */
  readonly lots: Lots
  /** Of the copy and of the provider, just before the fill. */
  readonly equity: Money
  readonly providerEquity: Money
}

/** A size that lacks less than this part of itself is exact: fees are rounded to 1e-6. */
const EXACT = 1_000_000n

/** Multiplier x provider's lots x copy's equity / provider's equity, as a fraction. */
const proportional = ({ multiplier, lots: size, equity, providerEquity }: Proportion) => ({
  numerator: BigInt(multiplier) * BigInt(size) * equity,
  denominator: RATIO_SCALE * providerEquity,
})

/**
 * Lots of a copy: multiplier x provider's lots x copy's equity / provider's equity, rounded down to the lot step, at
 * most the maximum. A size that lacks less than a millionth of itself to a step counts as that step. Null below the
 * minimum, and for an equity of zero or less.
 */
export function copiedVolume(
  { lotMin, lotMax, lotStep }: LotRules,
  order: Proportion,
  rules: RulesInForce,
): CopiedVolume | null {
  if (order.equity <= 0n || order.providerEquity <= 0n) return null
  const step = BigInt(lotStep)
  const exact = proportional(order)
  const [numerator, denominator] = [exact.numerator, exact.denominator * step]
  const down = numerator / denominator
  const isNext = hasDetailedCopying(rules) && ((down + 1n) * denominator - numerator) * EXACT < numerator
  const steps = isNext ? down + 1n : down
  const most = BigInt(lotMax) / step
  const volume = lots(Number((steps > most ? most : steps) * step))
  return volume < lotMin ? null : { lots: volume, isLowered: steps > most }
}

/** True where a copied order is smaller than its proportion, by a millionth of it or more. */
export function isRoundedDown(copied: Lots, order: Proportion): boolean {
  const { numerator, denominator } = proportional(order)
  return (numerator - BigInt(copied) * denominator) * EXACT >= numerator
}

/**
 * What a copied position keeps after the provider's was reduced: its opening lots x the provider's lots left / the
 * provider's lots when copied, to the nearest lot step, a half down. Zero where that is below the minimum: it closes.
 */
export function lotsLeft(
  { lotMin, lotStep }: Pick<LotRules, 'lotMin' | 'lotStep'>,
  opened: { lots: Lots; providerLots: Lots },
  providerLotsLeft: Lots,
): Lots {
  const numerator = BigInt(opened.lots) * BigInt(providerLotsLeft)
  const denominator = BigInt(opened.providerLots) * BigInt(lotStep)
  const steps = (2n * numerator + denominator - 1n) / (2n * denominator)
  const left = lots(Number(steps) * lotStep)
  return left < lotMin ? lots(0) : left
}
