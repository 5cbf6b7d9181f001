import type { Period } from '@fairlot/core'
import type { Feed, FeedInstrument, InstrumentHistory, RawTick } from '../feeds/feed.ts'
import type { OpenFeeds } from '../feeds/open-feeds.ts'
import type { CandleBuilder } from './candle-builder.ts'
import type { StoredCandle } from './candle-store.ts'
import type { InstrumentRegistry } from './instrument-registry.ts'

export type BackfillOptions = {
  readonly feeds: OpenFeeds
  readonly registry: InstrumentRegistry
  readonly feedInstruments: readonly FeedInstrument[]
  readonly candles: Pick<CandleBuilder, 'add'>
  /** Bars that are there already. */
  readonly newest: readonly StoredCandle[]
  readonly onError: (error: unknown, doing: string) => void
}

/**
 * Bars from before the first price, from the source that sets the prices and from no other: a simulated market makes up its past, a
 * recording brings what lies before its start, a live source has none.
 */
export type Backfill = {
  /** Adds the past of everything whose source is known before the feeds start. */
  start(): Promise<void>
  /** Looks at every tick: a source that takes an instrument over later brings its past with it. */
  watch(tick: Pick<RawTick, 'code' | 'source'>): void
  stop(): Promise<void>
}

export function createBackfill(options: BackfillOptions): Backfill {
  const { feeds, registry, feedInstruments, candles, onError } = options
  const known = new Set(options.newest.map(({ instrumentId, source }) => `${instrumentId} ${source}`))
  const lastSource = new Map<string, string>()
  let until = 0
  let isStopped = false
  let running = Promise.resolve()

  const idOf = (code: string) => registry.byCode.get(code)?.instrument.id
  const isMissing = ({ kind }: Feed, code: string) => {
    const id = idOf(code)
    return id !== undefined && !known.has(`${id} ${kind}`)
  }

  const add = async (feed: Feed): Promise<void> => {
    const wanted = feedInstruments.filter(({ code }) => feeds.feedOf(code) === feed && isMissing(feed, code))
    if (!feed.history || wanted.length === 0) return
    for (const { code } of wanted) known.add(`${idOf(code)} ${feed.kind}`)
    for await (const history of feed.history(wanted, until)) {
      if (isStopped) return
      const instrumentId = idOf(history.code)
      if (instrumentId !== undefined) await candles.add(barsOf(history, instrumentId, feed))
    }
  }

  return {
    start: async () => {
      until = feeds.clock.now()
      for (const feed of feeds.feeds) await add(feed)
    },
    watch: ({ code, source }) => {
      if (lastSource.get(code) === source) return
      lastSource.set(code, source)
      const feed = feeds.feeds.find(({ name }) => name === source)
      if (!feed?.history || !isMissing(feed, code)) return
      running = running
        .then(() => add(feed))
        .catch((error: unknown) => onError(error, 'adding the past of prices'))
    },
    stop: async () => {
      isStopped = true
      await running
    },
  }
}

const barsOf = ({ bars }: InstrumentHistory, instrumentId: number, { kind }: Feed): StoredCandle[] =>
  Object.entries(bars).flatMap(([period, list]) =>
    list.map((candle) => ({ instrumentId, source: kind, period: period as Period, candle })),
  )
