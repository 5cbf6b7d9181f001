import { createBuckets, createTradingDays, mergeCandles, PERIODS, type Candle } from '@fairlot/core'
import { expect, test } from 'vitest'
import { instrument, INSTRUMENTS } from '../test-kit.ts'
import { createSimulatedHistory } from './history.ts'
import { createSimulatedMarket } from './simulated-feed.ts'
/** Inside a minute, an hour and a day. */
const UNTIL = Date.UTC(2025, 5, 4, 14, 47, 21, 500)
const START_FROM = new Map([
  ['EURUSD', 1.1234],
  ['BTCUSD', 70_000],
])
const history = createSimulatedHistory(INSTRUMENTS, 'test', UNTIL, START_FROM)
const barsOf = (code: string) => history.of(instrument(code)).bars
const bucketsOf = (code: string) => createBuckets(instrument(code).dayRollover, createTradingDays())

test.each(INSTRUMENTS)(
  '$code has 300 bars of each period, ascending, each starting at a period',
  ({ code }) => {
    const bars = barsOf(code)
    for (const period of PERIODS) {
      const times = bars[period].map(({ time }) => time)
      expect(times.length).toBeGreaterThanOrEqual(300)
      expect(times).toEqual(times.map((time) => bucketsOf(code)(period, time)))
      expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
      expect(times.at(-1)).toBe(bucketsOf(code)(period, UNTIL))
    }
  },
)

test.each(INSTRUMENTS)('$code ends at exactly the first price of the market', ({ code, priceDecimals }) => {
  const market = createSimulatedMarket(INSTRUMENTS, 'test', START_FROM)
  const now = Math.round(market.truePrice(code) * 10 ** priceDecimals)
  for (const period of PERIODS) expect(barsOf(code)[period].at(-1)?.close).toBe(now)
})

test.each(INSTRUMENTS)('bars of $code are whole ticks, with wicks, volume and no gaps', ({ code }) => {
  const bars = barsOf(code)['5min']
  for (const [index, { open, high, low, close, volume }] of bars.entries()) {
    for (const value of [open, high, low, close, volume]) expect(Number.isSafeInteger(value)).toBe(true)
    expect(low).toBeLessThanOrEqual(Math.min(open, close))
    expect(high).toBeGreaterThanOrEqual(Math.max(open, close))
    expect(volume).toBeGreaterThan(0)
    if (index > 0) expect(open).toBe(bars[index - 1]?.close)
  }
  expect(bars.some(({ open, high, close }) => high > Math.max(open, close))).toBe(true)
})

test.each(['EURUSD', 'EURGBP', 'BTCUSD'])('each period of %s is the merge of the finer ones', (code) => {
  const bars = barsOf(code)
  const buckets = bucketsOf(code)
  for (const [index, coarse] of PERIODS.slice(1).entries()) {
    const finer = bars[PERIODS[index] ?? '1min']
    const [, ...merged] = mergeCandles(finer, coarse, buckets)
    expect(merged.length).toBeGreaterThan(5)
    expect(bars[coarse].slice(-merged.length)).toEqual(merged)
  }
})

test('crosses follow their legs at every bar, wicks included', () => {
  const [cross, base, divisor] = ['EURGBP', 'EURUSD', 'GBPUSD'].map((code) => barsOf(code)['1day'])
  const tick = 3e-5
  for (const [index, bar] of (cross ?? []).entries()) {
    const [b, d] = [base?.[index], divisor?.[index]] as [Candle, Candle]
    expect(Math.abs(bar.close / 1e5 - b.close / d.close)).toBeLessThan(tick)
    expect(bar.high / 1e5).toBeLessThan(b.high / d.low + tick)
    expect(bar.low / 1e5).toBeGreaterThan(b.low / d.high - tick)
  }
})

test('daily bars show the yearly volatility', () => {
  for (const code of ['EURUSD', 'XAUUSD', 'US500', 'BTCUSD', 'AAPL']) {
    const closes = barsOf(code)['1day'].map(({ close }) => Math.log(close))
    const squares = closes.slice(1).map((log, index) => (log - (closes[index] ?? 0)) ** 2)
    const yearly = Math.sqrt((squares.reduce((sum, square) => sum + square, 0) / squares.length) * 365.25)
    expect(yearly / instrument(code).yearlyVolatility, code).toBeGreaterThan(0.85)
    expect(yearly / instrument(code).yearlyVolatility, code).toBeLessThan(1.15)
  }
})

test('gives the same history for the same seed, another for another', () => {
  const again = createSimulatedHistory(INSTRUMENTS, 'test', UNTIL, START_FROM)
  const other = createSimulatedHistory(INSTRUMENTS, 'other', UNTIL, START_FROM)
  expect(again.of(instrument('EURGBP'))).toEqual(history.of(instrument('EURGBP')))
  expect(other.of(instrument('EURGBP'))).not.toEqual(history.of(instrument('EURGBP')))
})
