/** Random choices that a seed repeats; when they are made depends on the machine all the same. */
export type Chance = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number
  /** True once in so many times. */
  oneIn(times: number): boolean
  of<T>(things: readonly [T, ...T[]]): T
}

/** The generator called mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    oneIn: (times) => between(1, times) === 1,
    of: (things) => things[between(0, things.length - 1)] ?? things[0],
  }
}
