import { describe, expect, it } from 'vitest'
import { createBuckets, foldTick, type Candle } from '../src/market/candle.ts'
import { midPrice } from '../src/model/quote.ts'
import { createTradingDays } from '../src/calendar/trading-day.ts'
import { hasRecordings, readRecording, RECORDINGS, SAMPLES } from './recorded-prices.ts'
import { EURUSD, openSource, quoteOf } from './tick-source.ts'

const buckets = createBuckets('newYorkClose', createTradingDays())

type Bar = { readonly time: number; readonly prices: readonly number[] }

/** The refusals of a guard that were made at all, after it has seen pairs of bid and ask. */
function refusalsOf(ticks: Iterable<{ time: number; bid: number; ask: number }>): Record<string, number> {
  const { judge, memory } = openSource()
  for (const { time, bid, ask } of ticks) judge(bid, ask, { time })
  return Object.fromEntries(Object.entries(memory().refusals).filter(([, count]) => count > 0))
}

const toTick = ({ time, prices: [bid = NaN, ask = NaN] }: Bar) => ({ time, bid, ask })
/** The closing prices of a bar of both sides. */
const toClosing = ({ time, prices }: Bar) => ({ time, bid: prices[3] ?? NaN, ask: prices[7] ?? NaN })

it('accepts every tick of the sample day, payrolls included', () => {
  const ticks = readRecording(SAMPLES, 'eurusd-2014-05-02.ticks.csv.gz', 5, 2)
  expect(refusalsOf(ticks.map(toTick))).toEqual({})
})

describe.runIf(hasRecordings())('recorded traps', () => {
  it.each([
    ['EURUSD', 273_925],
    ['NZDUSD', 242_996],
  ])('the OANDA week of %s: all %d ticks are accepted', (code, count) => {
    const days = ['01', '02', '04', '05', '06', '07', '08'].map((day) => `${code}_ticks_201405${day}.csv.gz`)
    const ticks = days.flatMap((file) => readRecording(RECORDINGS, `lean-oanda-2014-05/${file}`, 5, 2))
    expect(ticks).toHaveLength(count)
    expect(refusalsOf(ticks.map(toTick))).toEqual({})
  })

  it.each([
    ['lean-fxcm-2014-05/EURUSD_m1_bidask_20140501-20140508.csv.gz', 5, 8_631, 214],
    ['nautilus-fxcm-m1/USDJPY_m1_bidask_2013-02.csv.gz', 3, 28_761, 683],
  ])('%s: of its closings only the crossed ones are refused', (file, decimals, count, crossed) => {
    const bars = readRecording(RECORDINGS, file, decimals, 8)
    expect(bars).toHaveLength(count)
    expect(refusalsOf(bars.map(toClosing))).toEqual({ crossed })
  })

  describe('the flash crash of the pound, 2016-10-06 23:00 UTC', () => {
    const START = Date.parse('2016-10-06T23:00Z')
    const readBars = () => readRecording(RECORDINGS, 'ejtrader-mt5-h1/GBPUSD_h1_2016-05_2017-06.csv.gz', 5, 4)
    const crash = [126_128, 126_138, 114_754, 123_873]
    const path = (repeats: number) => pathOf([{ time: START, prices: crash }], repeats)

    it('is recorded as it is written here', () => {
      expect(readBars().find(({ time }) => time === START)?.prices).toEqual(crash)
    })

    /** The path open, high, low, close of each bar as ticks, each price repeated. */
    const pathOf = (rows: readonly Bar[], repeats: number): { time: number; bid: number }[] =>
      rows.flatMap(({ time, prices }) =>
        prices.flatMap((bid, step) =>
          Array.from({ length: repeats }, (_, repeat) => ({
            time: time + step * 60_000 + repeat * 1_000,
            bid,
          })),
        ),
      )

    it('passes when each of its prices is confirmed, and makes the recorded bar', () => {
      const { send, judge, memory } = openSource(EURUSD)
      judge(126_128, 126_128, { time: START - 1 })
      let bar: Candle | null = null
      const reasons: string[] = []
      for (const { time, bid } of path(2)) {
        const admission = send(bid, bid, { time })
        reasons.push(admission.accepted ? 'accepted' : admission.reason)
        if (admission.accepted) bar = foldTick(bar, midPrice(quoteOf(admission)), time, '60min', buckets)
      }
      // Open and high; the fall is held and confirmed; the way back is held and confirmed.
      expect(reasons).toEqual([
        'accepted',
        'accepted',
        'accepted',
        'accepted',
        'suspect',
        'accepted',
        'suspect',
        'accepted',
      ])
      expect(bar).toMatchObject({ open: 126_128, high: 126_138, low: 114_754, close: 123_873 })
      expect(memory().last).toMatchObject({ bid: 123_873, seq: 7 })
    })

    it('does not reach its low on the word of one tick', () => {
      const { judge } = openSource(EURUSD)
      expect(path(1).map(({ time, bid }) => judge(bid, bid, { time }))).toEqual([
        'accepted',
        'accepted',
        'suspect',
        'accepted',
      ])
    })

    it('and the fourteen months around it come through whole, every bar of them', () => {
      const { send } = openSource(EURUSD)
      const bars = readBars()
      const rebuilt = new Map<number, Candle>()
      let bar: Candle | null = null
      for (const { time, bid } of pathOf(bars, 2)) {
        const admission = send(bid, bid, { time })
        if (!admission.accepted) continue
        bar = foldTick(bar, midPrice(admission.quote), time, '60min', buckets)
        rebuilt.set(bar.time, bar)
      }
      const rows = [...rebuilt.values()].map(({ time, open, high, low, close }) => ({
        time,
        prices: [open, high, low, close],
      }))
      expect(rows).toEqual(bars)
    })
  })
})
