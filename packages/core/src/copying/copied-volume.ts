/** Sizes of copied positions (trading-rules §12): exact integers, rounded once. */
import { lots, RATIO_SCALE, type Lots, type Money, type Ratio } from '../model/number.ts'
import type { Instrument } from '../model/instrument.ts'

type LotRules = Pick<Instrument, 'lotMin' | 'lotMax' | 'lotStep'>

/** A size and whether the instrument's maximum lowered it; null below the minimum, because sizes are never rounded up. */
export type CopiedVolume = { readonly lots: Lots; readonly isLowered: boolean }

/**
 * Lots of a copy: multiplier x provider's lots x copy's equity / provider's equity, rounded down to the lot step, at
 * most the maximum. Null below the minimum, and for an equity of zero or less.
 */
export function copiedVolume(
  { lotMin, lotMax, lotStep }: LotRules,
  order: { multiplier: Ratio; lots: Lots; equity: Money; providerEquity: Money },
): CopiedVolume | null {
  if (order.equity <= 0n || order.providerEquity <= 0n) return null
  const step = BigInt(lotStep)
  const steps =
    (BigInt(order.multiplier) * BigInt(order.lots) * order.equity) /
    (RATIO_SCALE * order.providerEquity * step)
  const most = BigInt(lotMax) / step
  const volume = lots(Number((steps > most ? most : steps) * step))
  return volume < lotMin ? null : { lots: volume, isLowered: steps > most }
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
