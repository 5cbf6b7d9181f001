import type { AxisRange, AxisTick, Chart } from 'klinecharts'
import type { ChartLine, ChartSeries } from './chart-port.ts'
import { decimalsFor, rangeHolding } from './chart-range.ts'
import { timeTicks, type TimeWriter } from './chart-time.ts'
import { CANDLES } from './indicator-view.ts'

const LEAST_LABEL_DISTANCE = 64
/** A label nearer to the edge would be cut. */
const EDGE = 20
/** No label stands closer than this to the tag of the last price. */
const TAG_CLEARANCE = 16

type AxisSources = {
  readonly lines: () => readonly ChartLine[]
  readonly series: () => ChartSeries
  readonly writer: TimeWriter
}

/** Makes the library's axes speak our way: own lines in sight, labels at round local times, no idle digits. */
export function overrideAxes(chart: Chart, sources: AxisSources): void {
  chart.overrideYAxis({
    paneId: CANDLES,
    gap: { top: 0.12, bottom: 0.08 },
    createRange: ({ defaultRange }) => widened(defaultRange, sources),
    createTicks: ({ defaultTicks }) => priceTicks(chart, defaultTicks, sources.series().priceDecimals),
  })
  chart.overrideXAxis({ createTicks: ({ range }) => timeAxisTicks(chart, range, sources) })
}

function widened(range: AxisRange, { lines, series }: AxisSources): AxisRange {
  const scale = 10 ** series().priceDecimals
  const prices = lines().flatMap((line) => (line.label === null ? [] : [line.price / scale]))
  const { from, to } = rangeHolding({ from: range.realFrom, to: range.realTo }, prices)
  const span = to - from
  return {
    ...range,
    from,
    to,
    range: span,
    realFrom: from,
    realTo: to,
    realRange: span,
    displayFrom: from,
    displayTo: to,
    displayRange: span,
  }
}

function priceTicks(chart: Chart, ticks: readonly AxisTick[], priceDecimals: number): AxisTick[] {
  const decimals = decimalsFor(
    ticks.map((tick) => Number(tick.value)),
    priceDecimals,
    Math.min(priceDecimals, 2),
  )
  const format = new Intl.NumberFormat('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  const tagY = tagPlace(chart)
  return ticks
    .filter((tick) => tagY === null || Math.abs(tick.coord - tagY) >= TAG_CLEARANCE)
    .map((tick) => ({ ...tick, text: format.format(Number(tick.value)).replace('-', '−') }))
}

/** Where the library puts the tag of the last price: at the price, or at the edge that is nearer to it. */
function tagPlace(chart: Chart): number | null {
  const last = chart.getDataList().at(-1)?.close
  const place = last === undefined ? {} : chart.convertToPixel({ value: last }, { paneId: CANDLES })
  const height = chart.getSize(CANDLES, 'main')?.height ?? 0
  const y = 'y' in place ? place.y : undefined
  return y === undefined ? null : Math.max(height * 0.05, Math.min(y, height * 0.98))
}

function timeAxisTicks(chart: Chart, range: AxisRange, { series, writer }: AxisSources): AxisTick[] {
  const { period } = series()
  const width = chart.getSize(CANDLES, 'main')?.width ?? 0
  const from = Math.max(0, Math.floor(range.realFrom) - 1)
  const shown = chart.getDataList().slice(from, Math.ceil(range.realTo))
  const leastBars = Math.ceil(LEAST_LABEL_DISTANCE / chart.getBarSpace().bar)
  return timeTicks(
    shown.map((bar) => bar.timestamp),
    period,
    leastBars,
  ).flatMap(({ index, unit }) => {
    const time = shown[index]?.timestamp
    if (time === undefined) return []
    const place = chart.convertToPixel({ dataIndex: from + index }, { paneId: CANDLES })
    const coord = 'x' in place ? place.x : undefined
    return coord === undefined || coord < EDGE || coord > width - EDGE
      ? []
      : [{ coord, value: time, text: writer.tick(time, unit) }]
  })
}
