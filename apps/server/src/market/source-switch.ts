import { DEPLOYMENT } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import type { RawTick } from '../feeds/feed.ts'
import { isSameSource, sourceBy, type MarketHours } from '../feeds/instrument-source.ts'
import type { OpenFeeds } from '../feeds/open-feeds.ts'
import type { InstrumentRegistry } from './instrument-registry.ts'

/**
 * Looks at every price before it is taken in: the first that comes from another source changes the terms before it, for hours and
 * freshness are those of the source.
 */
export function watchSourceSwitches(options: {
  engine: Pick<Engine, 'state' | 'execute'>
  registry: InstrumentRegistry
  feeds: OpenFeeds
  marketHours: MarketHours
}): (tick: RawTick) => void {
  const { engine, registry, feeds, marketHours } = options
  const last = new Map<string, string>()
  return ({ code, source: name }) => {
    if (last.get(code) === name) return
    const instrument = registry.byCode.get(code)?.instrument
    if (!instrument) return
    // The router knows what there was at the start; what came later has the source that sends it.
    const feed = feeds.feedOf(code) ?? feeds.feeds.find((one) => one.name === name) ?? null
    const isOrdered = (instrument.sourceOrder ?? []).length > 0
    const source = { ...sourceBy(feed, code, marketHours), ...(isOrdered && { name }) }
    last.set(code, name)
    const before = engine.state().sources.get(instrument.id)
    // Where sources stand in for each other, each change of hands is told of, though their kind is the same.
    if (isSameSource(before, source) && (!isOrdered || before?.name === name)) return
    const change = { kind: 'source' as const, instrumentId: instrument.id, source }
    void engine
      .execute({ type: 'setTerms', change, effectiveAt: null, by: DEPLOYMENT })
      // What could not be written is tried again with the next price.
      .then((answer) => !('entry' in answer) && last.delete(code))
  }
}
