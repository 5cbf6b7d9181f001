import type { Feed, RawTick } from './feed.ts'
import type { Pace } from './pace.ts'
import { createSourceLines, type SourceTermsOf } from './source-order.ts'

/** How long after the start a feed leaves an instrument to the live sources named before it. */
export const CLAIM_MS = 5_000

/** Who prices what: of several feeds, the first that has an instrument, or as the order of its terms says. */
export type FeedRouter = {
  /** The feeds, each letting through only the prices that are its to set. */
  readonly feeds: readonly Feed[]
  /** The one of `feeds` that prices an instrument now; null when none can. */
  feedOf(code: string): Feed | null
}

/**
 * Without an order a simulated or recorded feed has what it covers. A live one has what it has sent: from its first price of an
 * instrument on it keeps that for good, even when it falls silent (a stale price is honest, another source's in its place is not).
 * An order names sources that may stand in for each other: see `source-order.ts`.
 */
export function createFeedRouter(
  sources: readonly Feed[],
  codes: readonly string[],
  pace: Pace,
  termsOf: SourceTermsOf = () => null,
): FeedRouter {
  const sent = new Map<Feed, Set<string>>()
  const able = new Map(codes.map((code) => [code, sources.filter((feed) => feed.covers([code]).length > 0)]))
  const lines = createSourceLines(sources, {
    termsOf,
    now: () => pace.now(),
    decidedAt: () => startedAt + CLAIM_MS,
  })
  /** Whose price of an instrument was the last that passed. */
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
    const line = lines.of(code)
    return line ? line.owner() : firstOf(code)
  }

  /** Codes that nobody asked for pass: whoever reads them counts them. */
  function admits(feed: Feed, code: string): boolean {
    if (able.has(code) && !has(feed, code)) sent.set(feed, (sent.get(feed) ?? new Set()).add(code))
    const line = lines.of(code)
    return line ? line.admits(feed) : !able.has(code) || firstOf(code) === feed
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
