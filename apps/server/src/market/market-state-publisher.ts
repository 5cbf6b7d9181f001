import { marketStateChannel, topicOf, type MarketState } from '@fairlot/contract'
import type { Event, State, TermsChange, TradingMode } from '@fairlot/core'
import type { Committed, Engine } from '../engine/engine.ts'
import { frameOf } from '../websocket/socket-client.ts'
import type { CategoryBook } from './category-book.ts'
import type { SocketHub } from '../websocket/socket-hub.ts'

const TOPIC = topicOf(marketStateChannel)

type Published = {
  readonly engine: Pick<Engine, 'state' | 'onCommitted'>
  readonly categories: Pick<CategoryBook, 'onChanged'>
}

/** What is committed: the memory runs ahead of it. */
type Known = {
  mode: TradingMode
  readonly halts: Map<number, string>
  readonly announced: Map<number, TermsChange>
}

/**
 * Tells everybody when trading is paused, an instrument is halted, terms are announced or take effect, or the category of
 * instruments is called otherwise. Answers how to stop.
 */
export function publishMarketState(
  hub: SocketHub,
  { engine: { state, onCommitted }, categories }: Published,
): () => void {
  const known = knownOf(state())
  hub.onSubscribe(marketStateChannel, () => [frameOf(messageOf(known, []))])
  const tell = (changed: readonly number[]) => {
    const frame = frameOf(
      messageOf(
        known,
        changed.toSorted((a, b) => a - b),
      ),
    )
    for (const client of hub.readers(TOPIC)) hub.send(client, frame)
  }
  const stops = [
    categories.onChanged((code) => tell(instrumentsIn(state(), code))),
    onCommitted(({ entry }: Committed) => {
      const changed = new Set<number>()
      let isNews = false
      for (const event of entry.events) {
        const touched = take(known, event, entry.at, state())
        isNews ||= touched !== null
        for (const instrumentId of touched ?? []) changed.add(instrumentId)
      }
      if (isNews) tell([...changed])
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const instrumentsIn = ({ listings }: State, category: string): number[] =>
  [...listings].flatMap(([id, listing]) => (listing.category === category ? id : []))

const knownOf = ({ mode, halts, announced }: State): Known => ({
  mode,
  halts: new Map(halts),
  announced: new Map([...announced].map(([id, { change }]) => [id, change])),
})

const messageOf = ({ mode, halts }: Known, changedTerms: readonly number[]): MarketState => ({
  type: 'marketState',
  mode,
  halts: [...halts].map(([instrumentId, reason]) => ({ instrumentId, reason })),
  changedTerms,
})

/** The instruments whose terms an event has changed, none for a halt or a pause; null when it is no news for everybody. */
function take(known: Known, event: Event, at: number, state: State): Iterable<number> | null {
  switch (event.type) {
    case 'tradingModeSet':
      known.mode = event.mode
      return []
    case 'instrumentHalted':
      if (event.reason === null) known.halts.delete(event.instrumentId)
      else known.halts.set(event.instrumentId, event.reason)
      return []
    case 'termsSet':
      if (event.effectiveAt <= at) return concernedBy(event.change, state)
      known.announced.set(event.changeId, event.change)
      return concernedBy(event.change, state)
    case 'termsTookEffect': {
      const change = known.announced.get(event.changeId)
      known.announced.delete(event.changeId)
      return change ? concernedBy(change, state) : null
    }
    case 'termsWithdrawn': {
      const change = known.announced.get(event.changeId)
      known.announced.delete(event.changeId)
      return change ? concernedBy(change, state) : null
    }
    default:
      return null
  }
}

/** Settings concern every instrument, hours those that keep them. */
function concernedBy(change: TermsChange, { instruments }: State): Iterable<number> {
  switch (change.kind) {
    case 'instrument':
      return [change.instrument.id]
    case 'source':
      return [change.instrumentId]
    case 'calendar':
      return [...instruments.values()]
        .filter(({ session }) => session === change.session.name)
        .map(({ id }) => id)
    case 'settings':
      return instruments.keys()
  }
}
