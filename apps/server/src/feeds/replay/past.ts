import {
  createBuckets,
  createTradingDays,
  foldTick,
  midPrice,
  PERIODS,
  type Buckets,
  type Candle,
  type Period,
} from '@fairlot/core'
import type { FeedInstrument, InstrumentHistory } from '../feed.ts'
import { priceInTicks } from '../tick-reader.ts'
import type { MergedTick } from './merge.ts'

/** Bars kept of each period: as many as a chart can ask for at once. */
const KEPT_BARS = 1_000

/** Folds ticks that are not played into bars of the mid. */
export type Past = {
  /** Takes a tick at `time` (epoch ms on the market clock). Crossed, zero and negative offers are left out. */
  add(tick: MergedTick, time: number): void
  /** What is known of an instrument; null without a tick. */
  of(code: string): InstrumentHistory | null
}

type Entry = {
  readonly instrument: FeedInstrument
  readonly buckets: Buckets
  readonly bars: Record<Period, Candle[]>
}

export function createPast(instruments: readonly FeedInstrument[]): Past {
  const tradingDays = createTradingDays()
  const entries = new Map<string, Entry>(
    instruments.map((instrument) => [
      instrument.code,
      {
        instrument,
        buckets: createBuckets(instrument.dayTurn, tradingDays),
        bars: { '1min': [], '5min': [], '15min': [], '30min': [], '60min': [], '1day': [] },
      },
    ]),
  )
  return {
    add(tick, time) {
      const entry = entries.get(tick.code)
      if (entry) fold(entry, tick, time)
    },
    of(code) {
      const bars = entries.get(code)?.bars
      return bars && bars['1min'].length > 0 ? { code, bars } : null
    },
  }
}

function fold({ instrument, buckets, bars }: Entry, tick: MergedTick, time: number): void {
  const bid = priceInTicks(tick.bid, instrument.priceDecimals)
  const ask = priceInTicks(tick.ask, instrument.priceDecimals)
  if (bid === null || ask === null || bid <= 0 || bid > ask) return
  const mid = midPrice({ bid, ask })
  for (const period of PERIODS) {
    const known = bars[period]
    const last = known.at(-1) ?? null
    const bar = foldTick(last, mid, time, period, buckets)
    if (bar.time === last?.time) known.pop()
    known.push(bar)
    if (known.length >= 2 * KEPT_BARS) known.splice(0, KEPT_BARS)
  }
}
