import {
  candlesChannel,
  fromTicks,
  fromUnits,
  quotesChannel,
  topicOf,
  type ServerMessage,
} from '@fairlot/contract'
import { PERIODS, type Instrument, type Quote } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { frameOf, type Frame, type SocketClient } from '../plugins/socket-client.ts'
import type { SocketHub } from '../plugins/socket-hub.ts'
import { shareFrame, type SharedFrame } from '../plugins/websocket/frame.ts'
import type { StoredCandle } from './candle-store.ts'
import type { Market } from './market.ts'

/** Prices go out five times a second, whatever the feed's pace: the newest of each instrument that moved. */
const PUBLISH_MS = 200

/** Pushes prices and bars to whoever listens; each frame is built, and compressed, once for all. Answers how to stop. */
export function publishPrices(hub: SocketHub, engine: Engine, market: Market): () => void {
  const topic = topicOf(quotesChannel)
  const moved = new Map<number, Quote>()
  let finished: StoredCandle[] = []
  /** All prices as one frame, built at most once a round however many ask for it. */
  let allQuotes: readonly Frame[] | null = null
  const everything = () => (allQuotes ??= quoteFrames(market, engine.state().quotes.values()))

  hub.greet(quotesChannel, everything)
  hub.greet(candlesChannel, (_client, code) => {
    const instrument = market.catalogue.byCode.get(code ?? '')?.instrument
    return instrument ? movingFrames(market, instrument) : null
  })

  const publishMoved = () => {
    allQuotes = null
    for (const stored of finished) publishFinished(hub, market, stored)
    const readers = hub.readers(topic)
    if (readers.size > 0) sendAll(hub, readers, quoteFrames(market, moved.values()))
    for (const quote of moved.values()) publishMoving(hub, market, quote)
    finished = []
    moved.clear()
  }
  const publish = () => {
    hub.startRound()
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

/** One frame for all, or none: an instrument without a bar yet is not shown. */
function quoteFrames(market: Market, quotes: Iterable<Quote>): SharedFrame[] {
  const updates = [...quotes].flatMap((quote) => market.updateOf(quote) ?? [])
  return updates.length === 0 ? [] : [shareFrame(frameOf({ type: 'quotes', quotes: updates }))]
}

/** The moving bars of an instrument. */
function publishMoving(hub: SocketHub, market: Market, { instrumentId }: Quote): void {
  const instrument = market.catalogue.byId.get(instrumentId)?.instrument
  const readers = hub.readers(topicOf(candlesChannel, instrument?.code))
  if (!instrument || readers.size === 0) return
  sendAll(hub, readers, movingFrames(market, instrument))
}

/** How a bar has ended is said once, to slow readers too: nothing later would tell them. */
function publishFinished(hub: SocketHub, market: Market, stored: StoredCandle): void {
  const instrument = market.catalogue.byId.get(stored.instrumentId)?.instrument
  const readers = hub.readers(topicOf(candlesChannel, instrument?.code))
  if (!instrument || readers.size === 0) return
  const frame = candleFrame(instrument, stored)
  for (const client of readers) hub.send(client, frame)
}

/** One frame a period. */
const movingFrames = (market: Market, instrument: Instrument): SharedFrame[] =>
  PERIODS.flatMap((period) => {
    const candle = market.candles.current(instrument.id, period)
    return candle ? candleFrame(instrument, { instrumentId: instrument.id, period, candle }) : []
  })

function candleFrame(
  { code, priceDecimals }: Instrument,
  { instrumentId, period, candle }: StoredCandle,
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
