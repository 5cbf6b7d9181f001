/** How far the price axis may stretch to keep own lines in sight: this many times what the candles need. */
const MOST_STRETCH = 2.4

export type PriceRange = { readonly from: number; readonly to: number }

/**
 * The candles' range, widened to hold those of `prices` that are near enough. The nearest come first; one that
 * would squeeze the candles below 1 / 2.4 of the height stays outside.
 */
export function rangeHolding(candles: PriceRange, prices: readonly number[]): PriceRange {
  const most = (candles.to - candles.from) * MOST_STRETCH
  const byDistance = prices.toSorted((a, b) => distance(candles, a) - distance(candles, b))
  return byDistance.reduce<PriceRange>((held, price) => {
    const wider = { from: Math.min(held.from, price), to: Math.max(held.to, price) }
    return wider.to - wider.from <= most ? wider : held
  }, candles)
}

const distance = (range: PriceRange, price: number): number =>
  Math.max(range.from - price, price - range.to, 0)

/** The fewest decimals, at least `least`, that write every value exactly: axis labels lose digits that say nothing. */
export function decimalsFor(values: readonly number[], most: number, least: number): number {
  for (let decimals = least; decimals < most; decimals++) {
    const scale = 10 ** decimals
    if (values.every((value) => Math.abs(Math.round(value * scale) / scale - value) < 10 ** -(most + 2)))
      return decimals
  }
  return most
}
