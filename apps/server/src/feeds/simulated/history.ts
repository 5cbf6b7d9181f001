import { createBuckets, mergeCandles, price, type Buckets, type Candle, type Period } from '@fairlot/core'
import type { FeedInstrument, InstrumentHistory } from '../feed.ts'
import { createHistoryGrid, type HistoryGrid } from './history-grid.ts'
import { createLogPaths, MOMENTS } from './history-path.ts'
import { createHourlyDays } from './hourly-days.ts'
import { createModel } from './model.ts'
import { meanIntervalMs } from './quoter.ts'
import { createRandom } from './random.ts'

export type SimulatedHistory = {
  of(instrument: FeedInstrument): InstrumentHistory
}

/**
 * The past of the market that `createSimulatedMarket` begins with the same instruments, seed and `startFrom`: bars that
 * end at `until` (epoch ms) at exactly that market's first true price. Crosses follow their legs at every moment, and each period
 * is the merge of finer bars: at least 300 of each. The first costs about a second, each further one a few ms.
 */
export function createSimulatedHistory(
  instruments: readonly FeedInstrument[],
  seed: string,
  until: number,
  startFrom?: ReadonlyMap<string, number>,
): SimulatedHistory {
  const { legsOf } = createModel(instruments, startFrom)
  const grid = createHistoryGrid(until)
  const paths = createLogPaths(grid.edges, seed)
  const tradingDays = createHourlyDays()
  return {
    of(instrument) {
      const path = paths.of(legsOf.get(instrument.code) ?? { base: null, quote: null })
      const slots = slotCandles(instrument, grid, path, seed)
      const buckets = createBuckets(instrument.dayTurn, tradingDays)
      return { code: instrument.code, bars: barsOfPeriods(slots, grid, buckets) }
    },
  }
}

function slotCandles(
  instrument: FeedInstrument,
  { edges }: HistoryGrid,
  path: Float64Array,
  seed: string,
): Candle[] {
  const scale = 10 ** instrument.priceDecimals
  const random = createRandom(seed, `history:volume:${instrument.code}`)
  const ticksPerMs = 1 / meanIntervalMs(instrument)
  const inTicks = (log: number) => price(Math.round(Math.exp(log) * scale))
  return edges.slice(0, -1).map((time, slot) => {
    const first = slot * MOMENTS
    const { high, low } = extremes(path, first, first + MOMENTS)
    const expected = ((edges[slot + 1] ?? time) - time) * ticksPerMs
    return {
      time,
      open: inTicks(path[first] ?? 0),
      high: inTicks(high),
      low: inTicks(low),
      close: inTicks(path[first + MOMENTS] ?? 0),
      volume: Math.max(1, Math.round(expected * (0.6 + 0.8 * random.uniform()))),
    }
  })
}

/** Highest and lowest of the values from `first` to `last`, both included. */
function extremes(values: Float64Array, first: number, last: number): { high: number; low: number } {
  let high = -Infinity
  let low = Infinity
  for (let index = first; index <= last; index++) {
    const value = values[index] ?? 0
    if (value > high) high = value
    if (value < low) low = value
  }
  return { high, low }
}

function barsOfPeriods(
  slots: readonly Candle[],
  { firstSlot }: HistoryGrid,
  buckets: Buckets,
): Record<Period, Candle[]> {
  const barsOf = (period: Period) => mergeCandles(slots.slice(firstSlot[period]), period, buckets)
  return {
    '1min': barsOf('1min'),
    '5min': barsOf('5min'),
    '15min': barsOf('15min'),
    '30min': barsOf('30min'),
    '60min': barsOf('60min'),
    // The grid begins inside the first day, which would be a bar without its beginning.
    '1day': barsOf('1day').slice(1),
  }
}
