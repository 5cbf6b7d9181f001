/** Repeatable pseudo-random numbers: everything follows from the seed. */
export type Random = {
  /** From 0 to below 1. */
  readonly next: () => number
  /** An integer from `min` to `max`, both included. */
  readonly int: (min: number, max: number) => number
  /** An integer from 0 to below `limit`. */
  readonly below: (limit: number) => number
  /** True in one of `times` cases. */
  readonly oneIn: (times: number) => boolean
  /** True in `percent` of 100 cases. */
  readonly chance: (percent: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
}

/** The small fast counter generator sfc32 of PractRand (public domain); each `row` of a seed is independent. */
export function createRandom(seed: number, row = 0): Random {
  let a = seed | 0
  let b = row | 0
  let c = 0x9e3779b9 | 0
  let counter = 1
  const next = (): number => {
    const mixed = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + mixed) | 0
    return (mixed >>> 0) / 4_294_967_296
  }
  for (let round = 0; round < 16; round++) next()
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    int,
    below: (limit) => Math.floor(next() * limit),
    oneIn: (times) => int(1, times) === 1,
    chance: (percent) => next() * 100 < percent,
    pick: <Item>(items: readonly Item[]) => {
      const item = items[int(0, items.length - 1)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
  }
}
