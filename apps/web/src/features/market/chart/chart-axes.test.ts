import type { AxisRange, AxisTick, Chart } from 'klinecharts'
import { describe, expect, test } from 'vitest'
import { overrideAxes } from './chart-axes.ts'
import type { ChartLine } from './chart-port.ts'
import { timeWriter } from './chart-time.ts'

type YAxis = {
  createRange: (options: { defaultRange: AxisRange }) => AxisRange
  createTicks: (options: { defaultTicks: readonly AxisTick[] }) => AxisTick[]
}
type XAxis = { createTicks: (options: { range: AxisRange }) => AxisTick[] }

const QUARTER_HOUR_MS = 900_000
/** 2026-01-07, 00:00 UTC: the tests run in the zone of the machine, labels stand at its round hours. */
const FIRST = Date.UTC(2026, 0, 7)
const range = (from: number, to: number) => ({ from, to, realFrom: from, realTo: to }) as AxisRange
const tick = (value: number, coord: number): AxisTick => ({ value, coord, text: String(value) })

/** The axes of a chart of 60 bars, 5 px each, whose last price lies at `lastY`. */
function axes({ lines = [], priceDecimals = 5, lastY = 0 }: Partial<Given> = {}) {
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
  const series = { key: '', period: '15min', priceDecimals, bars: [], hasOlder: false } as const
  overrideAxes(chart, { lines: () => lines, series: () => series, writer: timeWriter('en') })
  const { y, x } = made
  if (!y || !x) throw new Error('an axis was not overridden')
  return {
    rangeOf: (from: number, to: number) => y.createRange({ defaultRange: range(from, to) }),
    pricesOf: (...ticks: readonly AxisTick[]) =>
      y.createTicks({ defaultTicks: ticks }).map(({ text }) => text),
    times: () => x.createTicks({ range: range(0, bars.length) }),
  }
}
type Given = { lines: readonly ChartLine[]; priceDecimals: number; lastY: number }

const line = (price: number, label: string | null): ChartLine => ({
  ...{ id: 'own', price, label, tone: 'up', stroke: 'solid' },
})

describe('the axis of prices', () => {
  test('is widened to hold an own line, and not for the two of the quote', () => {
    const own = axes({ lines: [line(109_000, 'Buy 0.10')] }).rangeOf(1.08, 1.085)
    expect(own).toMatchObject({ from: 1.08, to: 1.09, realTo: 1.09, displayTo: 1.09 })
    expect(own.range).toBeCloseTo(0.01)
    expect(axes({ lines: [line(109_000, null)] }).rangeOf(1.08, 1.085)).toMatchObject({
      from: 1.08,
      to: 1.085,
    })
  })

  test('writes no digits that say nothing, at least two, and a true minus', () => {
    expect(axes().pricesOf(tick(1.08, 100), tick(1.085, 150))).toEqual(['1.080', '1.085'])
    expect(axes({ priceDecimals: 2 }).pricesOf(tick(-37.5, 100), tick(1200, 150))).toEqual([
      '−37.50',
      '1,200.00',
    ])
  })

  test('leaves out what the tag of the last price would cover, also where that stands at the edge', () => {
    const ticks = [tick(1.09, 20), tick(1.08, 100), tick(1.07, 190)]
    expect(axes({ lastY: 104 }).pricesOf(...ticks)).toEqual(['1.09', '1.07'])
    expect(axes({ lastY: 5000 }).pricesOf(...ticks)).toEqual(['1.09', '1.08'])
  })
})

describe('the axis of time', () => {
  test('has labels far enough from each other and from the edges to be read whole', () => {
    const labels = axes().times()
    expect(labels.length).toBeGreaterThan(1)
    const places = labels.map(({ coord }) => coord)
    for (const place of places) expect(place).toSatisfy((at: number) => at >= 20 && at <= 280)
    const distances = places.slice(1).map((place, at) => place - (places[at] ?? 0))
    for (const distance of distances) expect(distance).toBeGreaterThanOrEqual(64)
    for (const { text } of labels) expect(text).toMatch(/^(\d\d:00|Jan \d+|\d\d:\d\d)$/)
  })
})
