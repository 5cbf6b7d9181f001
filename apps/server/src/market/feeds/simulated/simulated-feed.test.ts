import { describe, expect, test } from 'vitest'
import { instrument, INSTRUMENTS } from '../test-kit.ts'
import { createSimulatedMarket, type SimulatedTick } from './simulated-feed.ts'
const STEP_MS = 100
const codes = INSTRUMENTS.map(({ code }) => code)

/** Runs a market and passes the ticks of each step to `onStep`. */
function run(steps: number, onStep: (ticks: readonly SimulatedTick[], step: number) => void, seed = 'test') {
  const market = createSimulatedMarket(INSTRUMENTS, seed)
  for (let step = 0; step < steps; step++) onStep(market.step(STEP_MS), step)
  return market
}

test('the seed and the number of steps determine every tick', () => {
  const ticksOf = (seed: string) => {
    const all: SimulatedTick[] = []
    run(500, (ticks) => all.push(...ticks), seed)
    return all
  }
  expect(ticksOf('a')).toEqual(ticksOf('a'))
  expect(ticksOf('a')).not.toEqual(ticksOf('b'))
})

test('the path of an instrument does not depend on which others exist', () => {
  const eurusd = (list: readonly (typeof INSTRUMENTS)[number][]) => {
    const market = createSimulatedMarket(list, 'test')
    return Array.from({ length: 100 }, () => market.step(STEP_MS).find(({ code }) => code === 'EURUSD'))
  }
  expect(eurusd(INSTRUMENTS)).toEqual(eurusd([instrument('EURUSD')]))
})

test('crosses follow their legs over 100,000 steps, and no round trip makes a profit', () => {
  const legs = [
    ['EURGBP', 'EURUSD', 'GBPUSD'],
    ['EURNZD', 'EURUSD', 'NZDUSD'],
    ['EURJPY', 'EURGBP', null, 'GBPJPY'],
    ['GBPJPY', 'GBPUSD', null, 'USDJPY'],
  ] as const
  const bids = new Map<string, number>()
  const asks = new Map<string, number>()
  let widest = -Infinity
  const market = run(100_000, (ticks) => {
    for (const { code, bid, ask } of ticks) {
      bids.set(code, Number(bid))
      asks.set(code, Number(ask))
    }
    const bid = (code: string) => bids.get(code) ?? Number.NaN
    const ask = (code: string) => asks.get(code) ?? Number.NaN
    for (const [cross, base, divisor, factor] of legs) {
      const most = divisor ? ask(base) / bid(divisor) : ask(base) * ask(factor)
      const least = divisor ? bid(base) / ask(divisor) : bid(base) * bid(factor)
      widest = Math.max(widest, bid(cross) / most - 1, 1 - ask(cross) / least)
    }
  })
  expect(widest).toBeLessThan(1e-12)
  const ratio = market.truePrice('EURUSD') / market.truePrice('GBPUSD')
  expect(market.truePrice('EURGBP') / ratio).toBeCloseTo(1, 12)
})

test('a quote always encloses the true price', () => {
  const quotes = new Map<string, SimulatedTick>()
  const market = createSimulatedMarket(INSTRUMENTS, 'test')
  for (let step = 0; step < 5_000; step++) {
    for (const tick of market.step(STEP_MS)) quotes.set(tick.code, tick)
    for (const { code, bid, ask } of quotes.values()) {
      const isInside = Number(bid) <= market.truePrice(code) && market.truePrice(code) <= Number(ask)
      if (!isInside) expect.fail(`${code} at ${market.truePrice(code)} left ${bid} to ${ask}`)
    }
  }
  expect(quotes.size).toBe(INSTRUMENTS.length)
})

test('the spread is an integer of at least one tick and varies around the typical one', () => {
  const spreads = new Map<string, number[]>()
  run(5_000, (ticks) => {
    for (const { code, bid, ask } of ticks) {
      const scale = 10 ** instrument(code).priceDecimals
      spreads.set(code, [...(spreads.get(code) ?? []), Math.round((Number(ask) - Number(bid)) * scale)])
    }
  })
  for (const code of codes) {
    const seen = spreads.get(code) ?? []
    const typical = instrument(code).typicalSpread * 10 ** instrument(code).priceDecimals
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(1)
    const mean = seen.reduce((sum, spread) => sum + spread, 0) / seen.length
    expect(mean / typical, code).toBeGreaterThan(0.9)
    expect(mean / typical, code).toBeLessThan(1.1)
    expect(new Set(seen).size, code).toBeGreaterThan(1)
  }
})

test('everything ticks in the first step and at least every two seconds, majors two to five times a second', () => {
  const lastStep = new Map<string, number>()
  const counts = new Map<string, number>()
  let longest = 0
  run(3_000, (ticks, step) => {
    if (step === 0) expect(ticks.map(({ code }) => code)).toEqual(codes)
    for (const { code } of ticks) {
      longest = Math.max(longest, step - (lastStep.get(code) ?? step))
      lastStep.set(code, step)
      counts.set(code, (counts.get(code) ?? 0) + 1)
    }
  })
  expect(longest * STEP_MS).toBeLessThanOrEqual(2_000)
  for (const code of ['EURUSD', 'GBPUSD', 'USDJPY']) {
    expect((counts.get(code) ?? 0) / 300, code).toBeGreaterThan(2)
    expect((counts.get(code) ?? 0) / 300, code).toBeLessThan(5)
  }
  expect((counts.get('USDHKD') ?? 0) / 300).toBeLessThan(1)
})

describe('over long times', () => {
  const HOUR_MS = 3_600_000
  const YEAR_HOURS = 8_766

  function hourlyLogs(hours: number): Map<string, number[]> {
    const market = createSimulatedMarket(INSTRUMENTS, 'long')
    const logs = new Map(codes.map((code) => [code, [Math.log(market.truePrice(code))]]))
    for (let hour = 0; hour < hours; hour++) {
      market.step(HOUR_MS)
      for (const [code, path] of logs) path.push(Math.log(market.truePrice(code)))
    }
    return logs
  }
  const returns = (path: readonly number[]) => path.slice(1).map((log, index) => log - (path[index] ?? 0))
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0)
  const logs = hourlyLogs(3 * YEAR_HOURS)
  const ofCode = (code: string) => returns(logs.get(code) ?? [])
  const correlation = (a: string, b: string) =>
    dot(ofCode(a), ofCode(b)) / Math.sqrt(dot(ofCode(a), ofCode(a)) * dot(ofCode(b), ofCode(b)))

  test.each(INSTRUMENTS)('$code has its yearly volatility', ({ code, yearlyVolatility }) => {
    const volatility = Math.sqrt(dot(ofCode(code), ofCode(code)) / 3)
    const isCross = ['EURGBP', 'EURJPY', 'GBPJPY', 'EURNZD'].includes(code)
    const tolerance = isCross ? 0.2 : 0.03
    expect(volatility / yearlyVolatility).toBeGreaterThan(1 - tolerance)
    expect(volatility / yearlyVolatility).toBeLessThan(1 + tolerance)
  })

  test('instruments of a group are correlated, others are not', () => {
    expect(correlation('EURUSD', 'GBPUSD')).toBeGreaterThan(0.4)
    expect(correlation('US500', 'NAS100')).toBeGreaterThan(0.7)
    expect(correlation('US500', 'AAPL')).toBeGreaterThan(0.4)
    expect(Math.abs(correlation('US500', 'BTCUSD'))).toBeLessThan(0.05)
  })

  test('prices stay near their references', () => {
    for (const { code, referencePrice, yearlyVolatility } of INSTRUMENTS) {
      const distances = (logs.get(code) ?? []).map((log) => Math.abs(log - Math.log(referencePrice)))
      expect(Math.max(...distances), code).toBeLessThan(2 * yearlyVolatility)
    }
  })
})

test('a restart continues from the last prices', () => {
  const before = createSimulatedMarket(INSTRUMENTS, 'test')
  for (let day = 0; day < 20; day++) before.step(86_400_000)
  const last = new Map(codes.map((code) => [code, before.truePrice(code)]))
  const after = createSimulatedMarket(INSTRUMENTS, 'another', last)
  for (const code of codes) expect(after.truePrice(code) / before.truePrice(code), code).toBeCloseTo(1, 12)
  expect(after.truePrice('EURUSD')).not.toBeCloseTo(1.085, 3)
})

test('pairs without a dollar leg are priced too, and continue from their last prices', () => {
  const market = createSimulatedMarket([instrument('EURGBP'), instrument('GBPJPY')], 'test')
  expect(market.step(STEP_MS)).toHaveLength(2)
  expect(market.truePrice('EURGBP')).toBeCloseTo(0.8577, 4)
  expect(market.truePrice('GBPJPY')).toBeCloseTo(191.27, 1)
  const last = new Map([
    ['EURGBP', 0.9],
    ['GBPJPY', 180],
  ])
  const after = createSimulatedMarket([instrument('EURGBP'), instrument('GBPJPY')], 'test', last)
  expect(after.truePrice('EURGBP')).toBeCloseTo(0.9, 10)
  expect(after.truePrice('GBPJPY')).toBeCloseTo(180, 10)
})

test('a last price of zero or less starts from the reference again', () => {
  const market = createSimulatedMarket(INSTRUMENTS, 'test', new Map([['NATGAS', -3]]))
  expect(market.truePrice('NATGAS')).toBeCloseTo(2.61, 10)
})
