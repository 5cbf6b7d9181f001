import {
  candlesChannel,
  fromTicks,
  fromUnits,
  quotesChannel,
  topicOf,
  type ServerMessage,
} from '@fairlot/contract'
import { PERIODS, type Period, type Quote } from '@fairlot/core'
import type { Engine } from '../engine/engine.ts'
import { frameOf, type SocketHub } from '../plugins/socket-hub.ts'
import type { Market } from './market.ts'

/** Prices go out five times a second, whatever the feed's pace: the newest of each instrument that moved. */
const PUBLISH_MS = 200

/** Pushes prices and moving bars to whoever listens; each frame is built once for all. Answers how to stop. */
export function publishPrices(hub: SocketHub, engine: Engine, market: Market): () => void {
  const moved = new Map<number, Quote>()
  const topic = topicOf(quotesChannel)
  const stopListening = engine.onQuote((quote) => moved.set(quote.instrumentId, quote))

  const quotesMessage = (quotes: Iterable<Quote>): ServerMessage => ({
    type: 'quotes',
    quotes: [...quotes].flatMap((quote) => market.updateOf(quote) ?? []),
  })
  const everything = () => quotesMessage(engine.state().quotes.values())
  hub.greet(quotesChannel, () => [everything()])
  hub.greet(candlesChannel, (_client, code) => candleMessages(market, code ?? ''))

  const publish = () => {
    if (moved.size === 0) return
    const readers = hub.readers(topic)
    if (readers.size > 0) {
      const frame = frameOf(quotesMessage(moved.values()))
      let fullFrame: string | null = null
      for (const client of readers) {
        if (!client.isBehind) hub.sendPrices(client, frame)
        else if (client.socket.bufferedAmount === 0) {
          client.isBehind = false
          fullFrame ??= frameOf(everything())
          hub.sendPrices(client, fullFrame)
        }
      }
    }
    for (const quote of moved.values()) publishCandles(hub, market, quote)
    moved.clear()
  }

  const timer = setInterval(publish, PUBLISH_MS)
  return () => {
    clearInterval(timer)
    stopListening()
  }
}

function publishCandles(hub: SocketHub, market: Market, quote: Quote): void {
  const code = market.catalogue.byId.get(quote.instrumentId)?.instrument.code
  if (code === undefined) return
  const readers = hub.readers(topicOf(candlesChannel, code))
  if (readers.size === 0) return
  for (const message of candleMessages(market, code)) {
    const frame = frameOf(message)
    for (const client of readers) hub.sendPrices(client, frame)
  }
}

/** The moving bars of an instrument, one message a period. */
const candleMessages = (market: Market, code: string): ServerMessage[] =>
  PERIODS.flatMap((period) => candleMessage(market, code, period) ?? [])

function candleMessage(market: Market, code: string, period: Period): ServerMessage | null {
  const instrument = market.catalogue.byCode.get(code)?.instrument
  const candle = instrument && market.candles.current(instrument.id, period)
  if (!candle) return null
  const { priceDecimals } = instrument
  const bar = {
    period,
    time: candle.time,
    open: fromTicks(candle.open, priceDecimals),
    high: fromTicks(candle.high, priceDecimals),
    low: fromTicks(candle.low, priceDecimals),
    close: fromTicks(candle.close, priceDecimals),
    volume: fromUnits(candle.volume, 0),
  }
  return { type: 'candle', code, instrumentId: instrument.id, bar }
}
