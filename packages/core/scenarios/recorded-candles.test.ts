import { describe, expect, it } from 'vitest'
import { createBuckets, foldTick, type Candle } from '../src/market/candle.ts'
import { createTradingDays } from '../src/calendar/trading-day.ts'
import { hasRecordings, readRecording, RECORDINGS, SAMPLES, type RecordedRow } from './recorded-prices.ts'

const buckets = createBuckets('newYorkClose', createTradingDays())

/** The one-minute bars of both sides, as rows of a publisher: open, high, low, close of the bid, then of the ask. */
function minuteBars(ticks: readonly RecordedRow[]): RecordedRow[] {
  const sides = [0, 1].map((side) => {
    const bars = new Map<number, Candle>()
    let candle: Candle | null = null
    for (const { time, prices } of ticks) {
      const value = prices[side]
      if (value === undefined) throw new Error(`a tick without side ${side} at ${time}`)
      candle = foldTick(candle, value, time, '1min', buckets)
      bars.set(candle.time, candle)
    }
    return bars
  })
  const [bids = new Map<number, Candle>(), asks] = sides
  return [...bids.values()].map((bid) => ({
    time: bid.time,
    prices: [bid, asks?.get(bid.time)].flatMap((bar) =>
      bar ? [bar.open, bar.high, bar.low, bar.close] : [],
    ),
  }))
}

describe('the sample day of EURUSD', () => {
  it('gives the published bars in all eight prices, minute for minute', () => {
    const ticks = readRecording(SAMPLES, 'eurusd-2014-05-02.ticks.csv.gz', 5, 2)
    const published = readRecording(SAMPLES, 'eurusd-2014-05-02.m1.csv.gz', 5, 8)
    const built = minuteBars(ticks)
    expect(ticks).toHaveLength(49_341)
    expect(built).toHaveLength(1_222)
    expect(built).toEqual(published)
  })
})

const SUNDAY = Date.parse('2014-05-04T00:00Z')
const DAYS = ['01', '02', '04', '05', '06', '07', '08']

describe.runIf(hasRecordings())('a recorded week', () => {
  it.each([
    ['EURUSD', 8_306, 8_149],
    ['NZDUSD', 8_472, 8_305],
  ])(
    'of %s gives the published bars in all eight prices: %d, without the Sunday evening %d',
    (code, count, weekdays) => {
      const read = (file: string, prices: number): RecordedRow[] =>
        readRecording(RECORDINGS, `lean-oanda-2014-05/${code}_${file}.csv.gz`, 5, prices)
      const built = DAYS.flatMap((day) => minuteBars(read(`ticks_201405${day}`, 2)))
      expect(built).toHaveLength(count)
      expect(built).toEqual(read('m1_bidask_20140501-20140508', 8))
      expect(built.filter(({ time }) => time < SUNDAY || time >= SUNDAY + 86_400_000)).toHaveLength(weekdays)
    },
  )
})
