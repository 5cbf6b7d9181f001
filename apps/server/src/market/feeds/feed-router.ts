import type { Feed, RawTick } from './feed.ts'
import type { Pace } from './clock.ts'

/** The terms of an instrument about its sources. */
type SourceTerms = {
  /** Names of the sources, the preferred one first. */
  readonly order: readonly string[]
  /** A source that has sent no price of it for longer counts as silent, ms. */
  readonly freshnessMs: number
}

/** The order of an instrument's sources by the terms in force; null if they give none. */
export type SourceTermsOf = (code: string) => SourceTerms | null

/** How long a preferred source must send without a gap before it takes over from an active one. */
export const STEADY_MS = 10_000

/** Since when a source sends prices of an instrument without a gap, and the time of the last one, on the monotonic clock. */
type Activity = { readonly since: number; readonly last: number }

/** The source that prices an instrument, and the activity of all its sources. */
type Memory = { owner: Feed | null; readonly activity: Map<Feed, Activity> }

type OrdersOptions = {
  readonly termsOf: SourceTermsOf
  /** The monotonic clock, ms. */
  readonly now: () => number
  /** After a start the preferred source has until then to send its first price. */
  readonly decidedAt: () => number
}

/**
 * Selects the source that prices an instrument whose terms give an order: the first that sends. A later one takes over when
 * all before it are silent; an earlier one at once when the present one is silent, or after it has been back for a while.
 */
function createSourceOrders(feeds: readonly Feed[], { termsOf, now, decidedAt }: OrdersOptions) {
  const memories = new Map<string, Memory>()

  function memoryOf(code: string): Memory {
    const memory = memories.get(code) ?? { owner: null, activity: new Map() }
    memories.set(code, memory)
    return memory
  }

  /** The order of an instrument's sources now; null if it has none, or none of its sources exists. */
  function of(code: string) {
    const terms = termsOf(code)
    const ordered = terms ? eligibleSources(feeds, terms.order, code) : []
    if (!terms || ordered.length === 0) return null
    const memory = memoryOf(code)
    const isFresh = (feed: Feed) =>
      now() - (memory.activity.get(feed)?.last ?? -Infinity) <= terms.freshnessMs

    function mayTakeOver(feed: Feed): boolean {
      const { owner } = memory
      const rank = ordered.indexOf(feed)
      if (ordered.slice(0, rank).some(isFresh)) return false
      if (!owner) return rank === 0 || now() >= decidedAt()
      if (!ordered.includes(owner) || !isFresh(owner)) return true
      return now() - (memory.activity.get(feed)?.since ?? now()) >= STEADY_MS
    }

    return {
      /** The source that prices it; before the first price, the preferred one. */
      owner: (): Feed | null =>
        memory.owner && ordered.includes(memory.owner) ? memory.owner : (ordered[0] ?? null),
      /** Records a price of a source; true if the source prices the instrument. */
      admits(feed: Feed): boolean {
        if (!ordered.includes(feed)) return false
        const since = isFresh(feed) ? memory.activity.get(feed)?.since : undefined
        memory.activity.set(feed, { since: since ?? now(), last: now() })
        if (memory.owner !== feed && mayTakeOver(feed)) memory.owner = feed
        return memory.owner === feed
      },
    }
  }

  return { of }
}

/** The named sources that can replace each other: those of the kind of the first, since prices of two kinds are two markets. */
function eligibleSources(feeds: readonly Feed[], order: readonly string[], code: string): readonly Feed[] {
  const named = order.flatMap((name) => feeds.find((feed) => feed.name === name) ?? [])
  const able = named.filter((feed) => feed.covers([code]).length > 0)
  return able.filter(({ kind }) => kind === able[0]?.kind)
}

/** How long after the start a feed waits for the live sources named before it, ms. */
export const CLAIM_MS = 5_000

/** Selects one of several feeds for each instrument: the first that has it, or by the order in its terms. */
export type FeedRouter = {
  /** The feeds, each limited to the instruments that it prices. */
  readonly feeds: readonly Feed[]
  /** The one of `feeds` that prices an instrument now; null when none can. */
  feedOf(code: string): Feed | null
}

/**
 * Without an order a simulated or recorded feed has every instrument it covers, a live one those it has sent: it keeps an
 * instrument for good from its first price, even when it falls silent (a stale price is honest, a price of another source in
 * its place is not). For an order of sources see `createSourceOrders`.
 */
export function createFeedRouter(
  sources: readonly Feed[],
  codes: readonly string[],
  pace: Pace,
  termsOf: SourceTermsOf = () => null,
): FeedRouter {
  const sent = new Map<Feed, Set<string>>()
  const able = new Map(codes.map((code) => [code, sources.filter((feed) => feed.covers([code]).length > 0)]))
  const orders = createSourceOrders(sources, {
    termsOf,
    now: () => pace.now(),
    decidedAt: () => startedAt + CLAIM_MS,
  })
  /** The feed of the last price that passed, by instrument. */
  const last = new Map<string, Feed>()
  let startedAt = Infinity

  const has = (feed: Feed, code: string) => feed.kind !== 'live' || (sent.get(feed)?.has(code) ?? false)
  function firstOf(code: string): Feed | null {
    const candidates = able.get(code) ?? []
    const first = candidates.find((feed) => has(feed, code))
    const isUndecided = first?.kind !== 'live' && pace.now() < startedAt + CLAIM_MS
    return (isUndecided ? candidates[0] : (first ?? candidates[0])) ?? null
  }

  function ownerOf(code: string): Feed | null {
    const order = orders.of(code)
    return order ? order.owner() : firstOf(code)
  }

  /** Unknown codes pass, since the reader counts them. */
  function admits(feed: Feed, code: string): boolean {
    if (able.has(code) && !has(feed, code)) sent.set(feed, (sent.get(feed) ?? new Set()).add(code))
    const order = orders.of(code)
    return order ? order.admits(feed) : !able.has(code) || firstOf(code) === feed
  }

  /** The first price of a source that takes over has no reference. */
  function passes(feed: Feed, code: string, reopen: (code: string) => void): boolean {
    const before = last.get(code) ?? ownerOf(code)
    if (!admits(feed, code)) return false
    if (before !== null && before !== feed) reopen(code)
    if (able.has(code)) last.set(code, feed)
    return true
  }

  const wrapped = new Map<Feed, Feed>()
  for (const feed of sources) {
    wrapped.set(feed, {
      ...feed,
      start(emit: (tick: RawTick) => void, reopen: (code: string) => void = () => undefined) {
        startedAt = Math.min(startedAt, pace.now())
        return feed.start((tick) => {
          if (passes(feed, tick.code, reopen)) emit(tick)
        }, reopen)
      },
    })
  }
  return {
    feeds: [...wrapped.values()],
    feedOf(code) {
      const owner = ownerOf(code)
      return owner ? (wrapped.get(owner) ?? null) : null
    },
  }
}
