import { candlesChannel, quotesChannel, topicOf, type ServerMessage } from '@fairlot/contract'
import { fromTicks, fromUnits, PERIODS, type Instrument, type Quote } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { frameOf, type Frame, type SocketClient } from '../websocket/socket-client.ts'
import type { SocketHub } from '../websocket/socket-hub.ts'
import { shareFrame, type SharedFrame } from '../websocket/protocol/frame.ts'
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

  hub.onSubscribe(quotesChannel, everything)
  hub.onSubscribe(candlesChannel, (_client, code) => {
    const instrument = market.registry.byCode.get(code ?? '')?.instrument
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
  const instrument = market.registry.byId.get(instrumentId)?.instrument
  const readers = hub.readers(topicOf(candlesChannel, instrument?.code))
  if (!instrument || readers.size === 0) return
  sendAll(hub, readers, movingFrames(market, instrument))
}

/** The final state of a candle is sent once, to slow readers too: no later message repeats it. */
function publishFinished(hub: SocketHub, market: Market, stored: StoredCandle): void {
  const instrument = market.registry.byId.get(stored.instrumentId)?.instrument
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
