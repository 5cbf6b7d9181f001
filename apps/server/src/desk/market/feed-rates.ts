import type { Engine } from '../../engine/engine.ts'

/** What rates are counted over, ms, in parts of this length. */
const WINDOW_MS = 60_000
const PART_MS = 5_000
const PARTS = WINDOW_MS / PART_MS

type Counted = { readonly parts: number[]; part: number }

/** Accepted prices of an instrument in the last minute. */
export function countRates(
  { onQuote }: Pick<Engine, 'onQuote'>,
  now: () => number,
): (instrumentId: number) => number {
  const counted = new Map<number, Counted>()
  /** Clears what has become older than the window. */
  const upToNow = (one: Counted): Counted => {
    const part = Math.floor(now() / PART_MS)
    const passed = Math.min(PARTS, part - one.part)
    for (let step = 1; step <= passed; step += 1) one.parts[(one.part + step) % PARTS] = 0
    one.part = Math.max(part, one.part)
    return one
  }
  onQuote(({ instrumentId }) => {
    const known = counted.get(instrumentId)
    const one = upToNow(
      known ?? { parts: Array.from({ length: PARTS }, () => 0), part: Math.floor(now() / PART_MS) },
    )
    if (!known) counted.set(instrumentId, one)
    const index = one.part % PARTS
    one.parts[index] = (one.parts[index] ?? 0) + 1
  })
  return (instrumentId) => {
    const one = counted.get(instrumentId)
    return one ? upToNow(one).parts.reduce((sum, count) => sum + count, 0) : 0
  }
}
