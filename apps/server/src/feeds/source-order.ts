import type { Feed } from './feed.ts'

/** What the terms of an instrument say about its sources. */
type SourceTerms = {
  /** Their names, the preferred one first. */
  readonly order: readonly string[]
  /** A source that has said nothing of it for longer has fallen silent, ms. */
  readonly freshnessMs: number
}

/** The order of an instrument's sources by the terms in force; null where they give none. */
export type SourceTermsOf = (code: string) => SourceTerms | null

/** How long a better source must have spoken without a gap before it takes over from one that speaks. */
export const STEADY_MS = 10_000

/** When a source began to speak of an instrument without a gap, and when it last did, on the monotonic clock. */
type Heard = { readonly since: number; readonly last: number }

/** What is remembered of an instrument: who prices it, and whom it was heard from. */
type Memory = { owner: Feed | null; readonly heard: Map<Feed, Heard> }

type LinesOptions = {
  readonly termsOf: SourceTermsOf
  /** The monotonic clock, ms. */
  readonly now: () => number
  /** Until then the first of a line is left its time to speak after a start. */
  readonly decidedAt: () => number
}

/**
 * Which source prices an instrument whose terms give an order: the first that speaks. A later one takes over when all before it
 * have fallen silent, an earlier one at once when the present one has, or when it has been back for a while.
 */
export function createSourceLines(feeds: readonly Feed[], { termsOf, now, decidedAt }: LinesOptions) {
  const memories = new Map<string, Memory>()

  function memoryOf(code: string): Memory {
    const memory = memories.get(code) ?? { owner: null, heard: new Map() }
    memories.set(code, memory)
    return memory
  }

  /** The order that holds for an instrument now; null where it has none, or none of its sources is there. */
  function of(code: string) {
    const terms = termsOf(code)
    const line = terms ? lineOf(feeds, terms.order, code) : []
    if (!terms || line.length === 0) return null
    const memory = memoryOf(code)
    const isFresh = (feed: Feed) => now() - (memory.heard.get(feed)?.last ?? -Infinity) <= terms.freshnessMs

    function mayTakeOver(feed: Feed): boolean {
      const { owner } = memory
      const rank = line.indexOf(feed)
      if (line.slice(0, rank).some(isFresh)) return false
      if (!owner) return rank === 0 || now() >= decidedAt()
      if (!line.includes(owner) || !isFresh(owner)) return true
      return now() - (memory.heard.get(feed)?.since ?? now()) >= STEADY_MS
    }

    return {
      /** Who prices it; before the first price, who is to. */
      owner: (): Feed | null =>
        memory.owner && line.includes(memory.owner) ? memory.owner : (line[0] ?? null),
      /** Notes that a source has spoken, and says whether its price is the one that counts. */
      admits(feed: Feed): boolean {
        if (!line.includes(feed)) return false
        const since = isFresh(feed) ? memory.heard.get(feed)?.since : undefined
        memory.heard.set(feed, { since: since ?? now(), last: now() })
        if (memory.owner !== feed && mayTakeOver(feed)) memory.owner = feed
        return memory.owner === feed
      },
    }
  }

  return { of }
}

/** Those of the named sources that can stand in for each other: of the kind of the first. Prices of two kinds are two markets. */
function lineOf(feeds: readonly Feed[], order: readonly string[], code: string): readonly Feed[] {
  const named = order.flatMap((name) => feeds.find((feed) => feed.name === name) ?? [])
  const able = named.filter((feed) => feed.covers([code]).length > 0)
  return able.filter(({ kind }) => kind === able[0]?.kind)
}
