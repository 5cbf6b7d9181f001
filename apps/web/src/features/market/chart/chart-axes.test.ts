import type { AxisRange, AxisTick, Chart } from 'klinecharts'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import {
  decimalsFor,
  onPriceTicks,
  overrideAxes,
  rangeIncluding,
  timeTicks,
  timeFormatter,
} from './chart-axes.ts'
import type { ChartLine } from './chart-port.ts'
import { figureFormat } from '../../../i18n/number-format.ts'

type YAxis = {
  createRange: (options: { defaultRange: AxisRange }) => AxisRange
  createTicks: (options: { defaultTicks: readonly AxisTick[] }) => AxisTick[]
}
type XAxis = { createTicks: (options: { range: AxisRange }) => AxisTick[] }

const QUARTER_HOUR_MS = 900_000
/** 2026-01-07, 00:00 UTC: the tests run in the zone of the machine, labels are at its round hours. */
const FIRST = Date.UTC(2026, 0, 7)
const range = (from: number, to: number) => ({ from, to, realFrom: from, realTo: to }) as AxisRange
const tick = (value: number, coord: number): AxisTick => ({ value, coord, text: String(value) })

/** The axes of a chart of 60 bars, 5 px each, whose last price lies at `lastY`. */
function axes({ lines = [], priceDecimals = 5, lastY = 0, locale = 'en' }: Partial<Given> = {}) {
  const made: { y?: YAxis; x?: XAxis } = {}
  const bars = Array.from({ length: 60 }, (_, at) => ({
    timestamp: FIRST + at * QUARTER_HOUR_MS,
    close: 1.08,
  }))
  const chart = {
    overrideYAxis: (axis: unknown) => (made.y = axis as YAxis),
    overrideXAxis: (axis: unknown) => (made.x = axis as XAxis),
    getDataList: () => bars,
    getBarSpace: () => ({ bar: 5 }),
    getSize: () => ({ width: 300, height: 200 }),
    convertToPixel: ({ value, dataIndex }: { value?: number; dataIndex?: number }) =>
      value === undefined ? { x: (dataIndex ?? 0) * 5 } : { y: lastY },
  } as unknown as Chart
  const figure = figureFormat(locale).decimal
  const series = { key: '', period: '15min', priceDecimals, bars: [], hasOlder: false } as const
  overrideAxes(chart, {
    lines: () => lines,
    series: () => series,
    formatter: timeFormatter(locale),
    figure,
    position: 'right',
  })
  const { y, x } = made
  if (!y || !x) throw new Error('an axis was not overridden')
  return {
    rangeOf: (from: number, to: number) => y.createRange({ defaultRange: range(from, to) }),
    pricesOf: (...ticks: readonly AxisTick[]) =>
      y.createTicks({ defaultTicks: ticks }).map(({ text }) => text),
    times: () => x.createTicks({ range: range(0, bars.length) }),
  }
}
type Given = { lines: readonly ChartLine[]; priceDecimals: number; lastY: number; locale: string }

const line = (price: number, label: string | null): ChartLine => ({
  id: 'own',
  price,
  label,
  tone: 'up',
  stroke: 'solid',
})

describe('the axis of prices', () => {
  test('is widened to include the user’s lines, but not those of bid and ask', () => {
    const own = axes({ lines: [line(109_000, 'Buy 0.10')] }).rangeOf(1.08, 1.085)
    expect(own).toMatchObject({ from: 1.08, to: 1.09, realTo: 1.09, displayTo: 1.09 })
    expect(own.range).toBeCloseTo(0.01)
    expect(axes({ lines: [line(109_000, null)] }).rangeOf(1.08, 1.085)).toMatchObject({
      from: 1.08,
      to: 1.085,
    })
  })

  test('writes the decimal sign of the user’s language', () => {
    const german = axes({ locale: 'de-DE', priceDecimals: 2 })
    expect(german.pricesOf(tick(38_905.5, 100), tick(38_906, 150))).toEqual(['38.905,50', '38.906,00'])
  })

  test('writes no needless digits, at least two, and a real minus sign', () => {
    expect(axes().pricesOf(tick(1.08, 100), tick(1.085, 150))).toEqual(['1.080', '1.085'])
    expect(axes({ priceDecimals: 2 }).pricesOf(tick(-37.5, 100), tick(1200, 150))).toEqual([
      '−37.50',
      '1,200.00',
    ])
  })

  test.each([
    // A quiet market: the library's steps are finer than a price can be.
    [5, [1.25005, 1.250055, 1.25006, 1.250065, 1.25007], ['1.25005', '1.25006', '1.25007']],
    [1, [38_904.9, 38_904.95, 38_905, 38_905.05], ['38,904.9', '38,905.0']],
    [0, [38_904.5, 38_905, 38_905.5, 38_906], ['38,905', '38,906']],
    [2, [-0.015, -0.01, -0.005, 0, 0.005], ['−0.01', '0.00']],
  ] as const)(
    'with %i decimals names no price twice, and none that cannot be: %j',
    (priceDecimals, values, texts) => {
      const ticks = values.map((value, at) => tick(value, 160 - at * 30))
      expect(axes({ priceDecimals }).pricesOf(...ticks)).toEqual(texts)
    },
  )

  test('puts a price where it lies', () => {
    const ticks = [tick(1.250055, 190), tick(1.250065, 90), tick(1.250075, 50)]
    const [only, ...others] = onPriceTicks(ticks.slice(0, 2), 5)
    expect(only?.value).toBe(1.25006)
    expect(only?.coord).toBeCloseTo(140)
    expect(others).toEqual([])
  })

  test('leaves out labels that the tag of the last price would cover, also at the edge', () => {
    const ticks = [tick(1.09, 20), tick(1.08, 100), tick(1.07, 190)]
    expect(axes({ lastY: 104 }).pricesOf(...ticks)).toEqual(['1.09', '1.07'])
    expect(axes({ lastY: 5000 }).pricesOf(...ticks)).toEqual(['1.09', '1.08'])
  })
})

describe('the axis of time', () => {
  test('has labels far enough from each other and from the edges to be fully readable', () => {
    const labels = axes().times()
    expect(labels.length).toBeGreaterThan(1)
    const places = labels.map(({ coord }) => coord)
    for (const place of places) expect(place).toSatisfy((at: number) => at >= 20 && at <= 280)
    const distances = places.slice(1).map((place, at) => place - (places[at] ?? 0))
    for (const distance of distances) expect(distance).toBeGreaterThanOrEqual(64)
    for (const { text } of labels) expect(text).toMatch(/^(\d\d:00|Jan \d+|\d\d:\d\d)$/)
  })
})

describe('the range of the price axis', () => {
  const candles = { from: 100, to: 200 }

  it('is that of the candles when there are no lines', () => {
    expect(rangeIncluding(candles, [])).toEqual(candles)
  })

  it('extends to a line that is near', () => {
    expect(rangeIncluding(candles, [60, 210])).toEqual({ from: 60, to: 210 })
  })

  it('leaves out a line that would squeeze the candles, and keeps the nearer ones', () => {
    expect(rangeIncluding(candles, [-500, 90])).toEqual({ from: 90, to: 200 })
  })

  it('extends to at most 2.4 times the range of the candles', () => {
    expect(rangeIncluding(candles, [340])).toEqual({ from: 100, to: 340 })
    expect(rangeIncluding(candles, [341])).toEqual(candles)
  })
})

describe('decimals of axis labels', () => {
  it('drops digits that are zero in every label', () => {
    expect(decimalsFor([1.085, 1.086, 1.0875], 5, 2)).toBe(4)
  })

  it('never goes below the minimum', () => {
    expect(decimalsFor([2340, 2350], 2, 1)).toBe(1)
  })

  it('keeps all decimals when one label needs them', () => {
    expect(decimalsFor([1.08501, 1.086], 5, 2)).toBe(5)
  })
})

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = Date.UTC(2014, 4, 1, 12)
const bars = (start: number, stepMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => start + index * stepMs)

describe('labels of the time axis', () => {
  const zone = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = 'UTC'
  })
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  it('are at round times, at least the requested distance apart', () => {
    const ticks = timeTicks(bars(NOON + 7 * MINUTE, MINUTE, 60), '1min', 12)
    expect(ticks.map((tick) => tick.index)).toEqual([8, 23, 38, 53])
  })

  it('mark the first bar of a day', () => {
    const ticks = timeTicks(bars(NOON, HOUR, 30), '60min', 6)
    expect(ticks).toContainEqual({ index: 12, unit: 'day' })
  })

  it('prefer the new day to a round hour that is too close', () => {
    const start = Date.UTC(2014, 4, 1, 20)
    const times = [...bars(start, HOUR, 3), ...bars(Date.UTC(2014, 4, 2, 0), HOUR, 8)]
    const ticks = timeTicks(times, '60min', 5)
    expect(ticks[0]).toEqual({ index: 3, unit: 'day' })
  })

  it('step by weeks or by months for bars of a day, and mark the new year', () => {
    const days = bars(Date.UTC(2014, 10, 15), DAY, 80)
    expect(timeTicks(days, '1day', 20)).toEqual([
      { index: 16, unit: 'month' },
      { index: 47, unit: 'year' },
      { index: 78, unit: 'month' },
    ])
    const weeks = timeTicks(days.slice(0, 30), '1day', 5)
    expect(weeks.every(({ unit }) => unit === 'day')).toBe(true)
    expect(new Set(weeks.slice(1).map(({ index }, at) => index - (weeks[at]?.index ?? 0)))).toEqual(
      new Set([7]),
    )
  })

  it.each(['America/New_York', 'Europe/London', 'Asia/Hong_Kong', 'Pacific/Auckland'])(
    'give a daily bar the date on which its day ends, also to a reader in %s',
    (reader) => {
      process.env['TZ'] = reader
      const { tick, full } = timeFormatter('en')
      // Sunday at 17:00 New York, in winter and in summer, and a day that begins at 00:00 UTC.
      expect(full(Date.UTC(2026, 10, 1, 22), '1day')).toBe('Nov 2, 2026')
      expect(tick(Date.UTC(2026, 6, 5, 21), 'day', '1day')).toBe('Jul 6')
      expect(full(Date.UTC(2026, 10, 1), '1day')).toBe('Nov 1, 2026')
      const days = bars(Date.UTC(2026, 11, 27, 22), DAY, 12)
      expect(timeTicks(days, '1day', 3)).toContainEqual({ index: 4, unit: 'year' })
      process.env['TZ'] = 'UTC'
    },
  )

  it('are written in local time with Latin digits, whatever the language', () => {
    const arabic = timeFormatter('ar')
    expect(arabic.tick(NOON + 5 * MINUTE, 'clock', '1min')).toBe('12:05')
    expect(timeFormatter('en').tick(NOON, 'day', '60min')).toBe('May 1')
    expect(timeFormatter('th').full(NOON, '1day')).toContain('2014')
  })
})
