import type { Feed } from './feed.ts'

/** What the terms of an instrument say about its sources. */
export type SourceTerms = {
  /** Their names, the preferred one first. */
  readonly order: readonly string[]
  /** A source that has said nothing of it for longer has fallen silent, ms. */
  readonly freshnessMs: number
}

/** How long a better source must have spoken without a gap before it takes over from one that speaks. */
export const STEADY_MS = 10_000

/** When a source began to speak of an instrument without a gap, and when it last did, on the monotonic clock. */
type Heard = { readonly since: number; readonly last: number }

/** Those of the named sources that can stand in for each other: of the kind of the first. Prices of two kinds are two markets. */
export function lineOf(feeds: readonly Feed[], order: readonly string[], code: string): readonly Feed[] {
  const named = order.flatMap((name) => feeds.find((feed) => feed.name === name) ?? [])
  const able = named.filter((feed) => feed.covers([code]).length > 0)
  return able.filter(({ kind }) => kind === able[0]?.kind)
}

/**
 * Which source prices one instrument, where its terms give an order: the first that speaks. A later one takes over when all before it
 * have fallen silent, an earlier one at once when the present one has, or when it has been back for a while.
 */
export function createSourceLine(startedAt: () => number, claimMs: number) {
  const heard = new Map<Feed, Heard>()
  let owner: Feed | null = null

  const isFresh = (feed: Feed, now: number, freshnessMs: number) =>
    now - (heard.get(feed)?.last ?? -Infinity) <= freshnessMs

  function mayTakeOver(feed: Feed, line: readonly Feed[], now: number, freshnessMs: number): boolean {
    const rank = line.indexOf(feed)
    if (line.slice(0, rank).some((better) => isFresh(better, now, freshnessMs))) return false
    // Those before it are given their time to speak after a start.
    if (!owner) return rank === 0 || now >= startedAt() + claimMs
    if (!line.includes(owner) || !isFresh(owner, now, freshnessMs)) return true
    return now - (heard.get(feed)?.since ?? now) >= STEADY_MS
  }

  return {
    owner: () => owner,
    /** Notes that a source has spoken, and says whether its price is the one that counts. */
    admits(feed: Feed, line: readonly Feed[], { freshnessMs }: SourceTerms, now: number): boolean {
      if (!line.includes(feed)) return false
      const since = isFresh(feed, now, freshnessMs) ? (heard.get(feed)?.since ?? now) : now
      heard.set(feed, { since, last: now })
      if (owner !== feed && mayTakeOver(feed, line, now, freshnessMs)) owner = feed
      return owner === feed
    },
  }
}

export type SourceLine = ReturnType<typeof createSourceLine>
