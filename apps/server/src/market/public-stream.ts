import {
  candlesChannel,
  marketStateChannel,
  quotesChannel,
  topicOf,
  type MarketState,
  type QuoteUpdate,
  type ServerMessage,
} from '@fairlot/contract'
import {
  fromTicks,
  fromUnits,
  PERIODS,
  type Event,
  type Instrument,
  type Quote,
  type State,
  type TermsChange,
  type TradingMode,
} from '@fairlot/core'
import type { Committed, Engine } from '../engine/engine.ts'
import type { Subscribe } from '../platform/emitter.ts'
import { shareFrame, type SharedFrame } from '../platform/sockets/protocol/frame.ts'
import { frameOf, type Frame, type SocketClient } from '../platform/sockets/socket-client.ts'
import type { SocketHub } from '../platform/sockets/socket-hub.ts'
import type { StoredCandle } from './candles.ts'
import type { CategoryBook } from './category-book.ts'
import type { Market } from './market.ts'

/** Prices are published five times a second at any pace of the feed: the newest of each instrument that moved. */
const PUBLISH_MS = 200

/** Pushes prices and bars to subscribers; each frame is built and compressed once. Returns a function that stops it. */
export function publishPrices(hub: SocketHub, engine: Engine, market: Market): () => void {
  const topic = topicOf(quotesChannel)
  const moved = new Map<number, Quote>()
  let finished: StoredCandle[] = []
  /** All prices as one frame, built at most once per round. */
  let allQuotes: readonly Frame[] | null = null
  // With their ages: after a reconnect or a late start a silent source is seen at once.
  const withAge = (quote: Quote): QuoteUpdate | null => {
    const update = market.updateOf(quote)
    return update && { ...update, ageMs: Math.max(0, market.now() - quote.receivedAt) }
  }
  const everything = () => (allQuotes ??= framesOf([...engine.state().quotes.values()].map(withAge)))

  hub.onSubscribe(quotesChannel, everything)
  hub.onSubscribe(candlesChannel, (_client, code) => {
    const instrument = market.registry.byCode.get(code ?? '')?.instrument
    return instrument ? currentFrames(market, instrument) : null
  })

  const publishMoved = () => {
    for (const stored of finished) publishFinished(hub, market, stored)
    const readers = hub.readers(topic)
    if (readers.size > 0)
      sendAll(hub, readers, framesOf([...moved.values()].map((quote) => market.updateOf(quote))))
    for (const quote of moved.values()) publishCurrent(hub, market, quote)
    finished = []
    moved.clear()
  }
  const publish = () => {
    hub.startRound()
    allQuotes = null
    if (moved.size > 0) publishMoved()
    hub.endRound()
  }

  const stopListening = [
    engine.onQuote((quote) => moved.set(quote.instrumentId, quote)),
    market.candles.onFinished((stored) => finished.push(stored)),
  ]
  const timer = setInterval(publish, PUBLISH_MS)
  return () => {
    clearInterval(timer)
    for (const stop of stopListening) stop()
  }
}

function sendAll(hub: SocketHub, readers: Iterable<SocketClient>, frames: readonly Frame[]): void {
  for (const frame of frames) {
    for (const client of readers) hub.sendPrices(client, frame)
  }
}

/** One frame with all prices, or none; instruments without a bar yet are left out. */
function framesOf(updates: readonly (QuoteUpdate | null)[]): SharedFrame[] {
  const quotes = updates.flatMap((update) => update ?? [])
  return quotes.length === 0 ? [] : [shareFrame(frameOf({ type: 'quotes', quotes }))]
}

/** The current bars of an instrument. */
function publishCurrent(hub: SocketHub, market: Market, { instrumentId }: Quote): void {
  const instrument = market.registry.byId.get(instrumentId)?.instrument
  const readers = hub.readers(topicOf(candlesChannel, instrument?.code))
  if (!instrument || readers.size === 0) return
  sendAll(hub, readers, currentFrames(market, instrument))
}

/** The final state of a candle is sent once, to slow readers too: no later message repeats it. */
function publishFinished(hub: SocketHub, market: Market, stored: StoredCandle): void {
  const instrument = market.registry.byId.get(stored.instrumentId)?.instrument
  const readers = hub.readers(topicOf(candlesChannel, instrument?.code))
  if (!instrument || readers.size === 0) return
  const frame = candleFrame(instrument, stored)
  for (const client of readers) hub.send(client, frame)
}

/** One frame per period. */
const currentFrames = (market: Market, instrument: Instrument): SharedFrame[] =>
  PERIODS.flatMap((period) => {
    const candle = market.candles.current(instrument.id, period)
    return candle ? candleFrame(instrument, { instrumentId: instrument.id, period, candle }) : []
  })

function candleFrame(
  { code, priceDecimals }: Instrument,
  { instrumentId, period, candle }: Omit<StoredCandle, 'source'>,
): SharedFrame {
  const bar = {
    period,
    time: candle.time,
    open: fromTicks(candle.open, priceDecimals),
    high: fromTicks(candle.high, priceDecimals),
    low: fromTicks(candle.low, priceDecimals),
    close: fromTicks(candle.close, priceDecimals),
    volume: fromUnits(candle.volume, 0),
  }
  const message: ServerMessage = { type: 'candle', code, instrumentId, bar }
  return shareFrame(frameOf(message))
}

const TOPIC = topicOf(marketStateChannel)

type Published = {
  readonly engine: Pick<Engine, 'state' | 'onCommitted'>
  readonly categories: Pick<CategoryBook, 'onChanged'>
  /** Payments are announced in the same list as terms. */
  readonly payments: { readonly onAnnounced: Subscribe<null> }
}

/** The committed state: the engine's state is ahead of the journal. */
type Known = {
  mode: TradingMode
  reason: string
  readonly halts: Map<number, string>
  readonly announced: Map<number, TermsChange>
}

/** Publishes trading modes, halts, announced and effective terms, and renamed categories. Returns a function that stops it. */
export function publishMarketState(
  hub: SocketHub,
  { engine: { state, onCommitted }, categories, payments }: Published,
): () => void {
  const known = knownOf(state())
  hub.onSubscribe(marketStateChannel, () => [frameOf(messageOf(known, []))])
  const publish = (changed: readonly number[]) => {
    const frame = frameOf(
      messageOf(
        known,
        changed.toSorted((a, b) => a - b),
      ),
    )
    for (const client of hub.readers(TOPIC)) hub.send(client, frame)
  }
  const stops = [
    categories.onChanged((code) => publish(instrumentsIn(state(), code))),
    payments.onAnnounced(() => publish([...state().instruments.keys()])),
    onCommitted(({ entry }: Committed) => {
      const changed = new Set<number>()
      let isNews = false
      for (const event of entry.events) {
        const affected = take(known, event, entry.at, state())
        isNews ||= affected !== null
        for (const instrumentId of affected ?? []) changed.add(instrumentId)
      }
      if (isNews) publish([...changed])
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

const instrumentsIn = ({ listings }: State, category: string): number[] =>
  [...listings].flatMap(([id, listing]) => (listing.category === category ? id : []))

const knownOf = ({ mode, modeReason, halts, announced }: State): Known => ({
  mode,
  reason: modeReason,
  halts: new Map(halts),
  announced: new Map([...announced].map(([id, { change }]) => [id, change])),
})

const messageOf = ({ mode, reason, halts }: Known, changedTerms: readonly number[]): MarketState => ({
  type: 'marketState',
  mode,
  reason,
  halts: [...halts].map(([instrumentId, why]) => ({ instrumentId, reason: why })),
  changedTerms,
})

/** The instruments whose terms an event changed, none for a halt or trading mode; null if it is not published. */
function take(known: Known, event: Event, at: number, state: State): Iterable<number> | null {
  switch (event.type) {
    case 'tradingModeSet':
      known.mode = event.mode
      known.reason = event.reason ?? ''
      return []
    case 'instrumentHalted':
      if (event.reason === null) known.halts.delete(event.instrumentId)
      else known.halts.set(event.instrumentId, event.reason)
      return []
    case 'termsSet':
      if (event.effectiveAt <= at) return affectedBy(event.change, state)
      known.announced.set(event.changeId, event.change)
      return affectedBy(event.change, state)
    case 'termsTookEffect': {
      const change = known.announced.get(event.changeId)
      known.announced.delete(event.changeId)
      return change ? affectedBy(change, state) : null
    }
    case 'termsWithdrawn': {
      const change = known.announced.get(event.changeId)
      known.announced.delete(event.changeId)
      return change ? affectedBy(change, state) : null
    }
    default:
      return null
  }
}

/** The instruments that a change affects: all for settings, those of the session for hours. */
function affectedBy(change: TermsChange, { instruments }: State): Iterable<number> {
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
