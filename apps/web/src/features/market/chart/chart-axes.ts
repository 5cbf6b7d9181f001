import type { AxisRange, AxisTick, Chart } from 'klinecharts'
import { formatTag } from '../../../i18n/language.ts'
import { type ChartLine, type ChartPeriod, type ChartSeries, PERIOD_MINUTES } from './chart-port.ts'

/** The library's name for the pane of the candles. */
export const CANDLES = 'candle_pane'

const MIN_LABEL_DISTANCE = 64
/** Labels nearer to the edge would be cut. */
const EDGE = 20
/** Smallest distance between a label and the tag of the last price. */
const TAG_CLEARANCE = 16

type AxisSources = {
  readonly lines: () => readonly ChartLine[]
  readonly series: () => ChartSeries
  readonly formatter: TimeFormatter
  readonly position: 'left' | 'right'
  /** Writes a price, given with a decimal point. */
  readonly figure: (price: string) => string
}

/** Adapts the library's axes: the user's orders stay in view, labels stand at round local times, prices have no needless digits. */
export function overrideAxes(chart: Chart, sources: AxisSources): void {
  chart.overrideYAxis({
    paneId: CANDLES,
    position: sources.position,
    gap: { top: 0.12, bottom: 0.08 },
    createRange: ({ defaultRange }) => widened(defaultRange, sources),
    createTicks: ({ defaultTicks }) => priceTicks(chart, defaultTicks, sources),
  })
  chart.overrideXAxis({ createTicks: ({ range }) => timeAxisTicks(chart, range, sources) })
}

function widened(range: AxisRange, { lines, series }: AxisSources): AxisRange {
  const scale = 10 ** series().priceDecimals
  const prices = lines().flatMap((line) => (line.label === null ? [] : [(line.anchor ?? line.price) / scale]))
  const { from, to } = rangeIncluding({ from: range.realFrom, to: range.realTo }, prices)
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

/** Steps between labels, in price ticks, are these times a power of ten. */
const ROUND_STEPS = [1, 2, 5]

/**
 * Labels at prices that the instrument can have. In a quiet market the library's lie between two of them, where several
 * would be written the same: then others replace them, no more than there were.
 */
export function onPriceTicks(ticks: readonly AxisTick[], priceDecimals: number): readonly AxisTick[] {
  const scale = 10 ** priceDecimals
  const inTicks = ticks.map(({ value }) => Number(value) * scale)
  if (inTicks.every((value) => Math.abs(value - Math.round(value)) < 1e-3)) return ticks
  const [first, last] = [ticks[0], ticks.at(-1)]
  if (!first || !last || first === last) return []
  const [from, to] = [Math.min(...inTicks), Math.max(...inTicks)]
  const perTick = (last.coord - first.coord) / ((Number(last.value) - Number(first.value)) * scale)
  const step = roundStep((to - from) / (ticks.length - 1))
  const [lowest, highest] = [Math.ceil(from / step - 1e-3), Math.floor(to / step + 1e-3)]
  return Array.from({ length: Math.max(highest - lowest + 1, 0) }, (_, index) => {
    const at = (lowest + index) * step
    return { value: at / scale, coord: first.coord + (at - Number(first.value) * scale) * perTick, text: '' }
  })
}

/** The least round number of price ticks that is not below `least`. */
function roundStep(least: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of ROUND_STEPS) if (step * power >= least) return step * power
}

function priceTicks(chart: Chart, given: readonly AxisTick[], { series, figure }: AxisSources): AxisTick[] {
  const { priceDecimals } = series()
  const ticks = onPriceTicks(given, priceDecimals)
  const decimals = decimalsFor(
    ticks.map((tick) => Number(tick.value)),
    priceDecimals,
    Math.min(priceDecimals, 2),
  )
  const tagY = tagPlace(chart)
  return ticks
    .filter((tick) => tagY === null || Math.abs(tick.coord - tagY) >= TAG_CLEARANCE)
    .map((tick) => ({ ...tick, text: figure(Number(tick.value).toFixed(decimals)) }))
}

/** Position of the last price's tag: at the price, or at the nearer edge of the pane. */
function tagPlace(chart: Chart): number | null {
  const last = chart.getDataList().at(-1)?.close
  const point = last === undefined ? {} : chart.convertToPixel({ value: last }, { paneId: CANDLES })
  const height = chart.getSize(CANDLES, 'main')?.height ?? 0
  const y = 'y' in point ? point.y : undefined
  return y === undefined ? null : Math.max(height * 0.05, Math.min(y, height * 0.98))
}

function timeAxisTicks(chart: Chart, range: AxisRange, { series, formatter }: AxisSources): AxisTick[] {
  const { period } = series()
  const width = chart.getSize(CANDLES, 'main')?.width ?? 0
  const from = Math.max(0, Math.floor(range.realFrom) - 1)
  const shown = chart.getDataList().slice(from, Math.ceil(range.realTo))
  const minBars = Math.ceil(MIN_LABEL_DISTANCE / chart.getBarSpace().bar)
  return timeTicks(
    shown.map((bar) => bar.timestamp),
    period,
    minBars,
  ).flatMap(({ index, unit }) => {
    const time = shown[index]?.timestamp
    if (time === undefined) return []
    const point = chart.convertToPixel({ dataIndex: from + index }, { paneId: CANDLES })
    const coord = 'x' in point ? point.x : undefined
    return coord === undefined || coord < EDGE || coord > width - EDGE
      ? []
      : [{ coord, value: time, text: formatter.tick(time, unit, period) }]
  })
}

/** The price axis may stretch to this multiple of the candles' range to keep the user's orders in view. */
const MAX_STRETCH = 2.4

export type PriceRange = { readonly from: number; readonly to: number }

/**
 * The candles' range, widened to include those of `prices` that are near enough. The nearest come first; one that would squeeze the
 * candles below 1 / 2.4 of the height is left out.
 */
export function rangeIncluding(candles: PriceRange, prices: readonly number[]): PriceRange {
  const max = (candles.to - candles.from) * MAX_STRETCH
  const byDistance = prices.toSorted((a, b) => distance(candles, a) - distance(candles, b))
  return byDistance.reduce<PriceRange>((held, price) => {
    const wider = { from: Math.min(held.from, price), to: Math.max(held.to, price) }
    return wider.to - wider.from <= max ? wider : held
  }, candles)
}

const distance = (range: PriceRange, price: number): number =>
  Math.max(range.from - price, price - range.to, 0)

/** The fewest decimals, from `min` to `max`, that write every value exactly. */
export function decimalsFor(values: readonly number[], max: number, min: number): number {
  for (let decimals = min; decimals < max; decimals++) {
    const scale = 10 ** decimals
    if (values.every((value) => Math.abs(Math.round(value * scale) / scale - value) < 10 ** -(max + 2)))
      return decimals
  }
  return max
}

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Distances between two labels of the time axis, in minutes of local time. */
const MINUTE_STEPS = [5, 10, 15, 30, 60, 120, 180, 240, 360, 720] as const
/** For bars of a day: the distance in calendar days, and the fewest bars that lie in it. */
const DAY_STEPS = [
  { days: 7, bars: 5 },
  { days: 14, bars: 10 },
] as const
const MONTH_STEPS = [1, 2, 3, 6, 12] as const
const MONTH_BARS = 20

export type TimeUnit = 'clock' | 'day' | 'month' | 'year'
/** A label at a bar: the time of day, or the day, month or year that begins there. */
export type TimeTick = { readonly index: number; readonly unit: TimeUnit }

/** Number of the interval that a time falls into; a label stands where it changes. */
type Bucket = (time: number) => number
type Step = { readonly unit: TimeUnit; readonly bucket: Bucket }

/**
 * The date of a daily bar: the one on which its trading day ends, the same for every reader. A day begins at 17:00 New
 * York or at 00:00 UTC; twelve hours later it is that date by UTC, in summer and in winter.
 */
const HALF_DAY_MS = 12 * 60 * 60_000
const dated = (start: number): Date => new Date(start + HALF_DAY_MS)
const dates: Bucket = (start) => Math.floor(dated(start).getTime() / (DAY_MINUTES * MINUTE_MS))
const yearsOfDates: Bucket = (start) => dated(start).getUTCFullYear()
const monthsOfDates: Bucket = (start) => yearsOfDates(start) * 12 + dated(start).getUTCMonth()

const localMinutes: Bucket = (time) => Math.floor(time / MINUTE_MS) - new Date(time).getTimezoneOffset()
const localDays: Bucket = (time) => Math.floor(localMinutes(time) / DAY_MINUTES)

const inSteps =
  (bucket: Bucket, size: number): Bucket =>
  (time) =>
    Math.floor(bucket(time) / size)

/** The usual labels, and the rarer ones that replace them. */
function stepsFor(period: ChartPeriod, minBars: number): { usual: Step; outranking: Step } {
  if (period === '1day')
    return { usual: dayBarStep(minBars), outranking: { unit: 'year', bucket: yearsOfDates } }
  const minutes = MINUTE_STEPS.find((step) => step >= minBars * PERIOD_MINUTES[period])
  const day: Step = { unit: 'day', bucket: localDays }
  return { usual: minutes ? { unit: 'clock', bucket: inSteps(localMinutes, minutes) } : day, outranking: day }
}

function dayBarStep(minBars: number): Step {
  const step = DAY_STEPS.find(({ bars }) => bars >= minBars)
  if (step) return { unit: 'day', bucket: inSteps(dates, step.days) }
  const months = MONTH_STEPS.find((count) => count * MONTH_BARS >= minBars) ?? 12
  return { unit: 'month', bucket: inSteps(monthsOfDates, months) }
}

/**
 * The labels of the time axis: at round local times, for daily bars at the dates of their days, at least `minBars` apart, and at the beginning of a day (for daily bars: a year).
 * `times` are the bars' starts, epoch ms.
 */
export function timeTicks(
  times: readonly number[],
  period: ChartPeriod,
  minBars: number,
): readonly TimeTick[] {
  const { usual, outranking } = stepsFor(period, Math.max(1, minBars))
  const ticks: TimeTick[] = []
  for (let index = 1; index < times.length; index++) {
    const [before = 0, time = 0] = [times[index - 1], times[index]]
    const step = [outranking, usual].find(({ bucket }) => bucket(before) !== bucket(time))
    if (!step) continue
    const last = ticks.at(-1)
    if (last && index - last.index < minBars) {
      if (step !== outranking || last.unit === outranking.unit) continue
      ticks.pop()
    }
    ticks.push({ index, unit: step.unit })
  }
  return ticks
}

export type TimeFormatter = {
  readonly tick: (time: number, unit: TimeUnit, period: ChartPeriod) => string
  readonly full: (time: number, period: ChartPeriod) => string
}

/** Formats bar times in the device's time zone, daily bars by their date, in the user's language, with Latin digits and the Gregorian calendar. */
export function timeFormatter(locale: string): TimeFormatter {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(formatTag(locale), { hourCycle: 'h23', ...options })
  const unitsIn = (zone: { timeZone?: string }): Record<TimeUnit, Intl.DateTimeFormat> => ({
    clock: format({ ...zone, hour: '2-digit', minute: '2-digit' }),
    day: format({ ...zone, day: 'numeric', month: 'short' }),
    month: format({ ...zone, month: 'short' }),
    year: format({ ...zone, year: 'numeric' }),
  })
  const [local, byDate] = [unitsIn({}), unitsIn({ timeZone: 'UTC' })]
  const dayAndClock = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const fullDate = format({ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
  return {
    tick: (time, unit, period) =>
      period === '1day' ? byDate[unit].format(dated(time)) : local[unit].format(time),
    full: (time, period) => (period === '1day' ? fullDate.format(dated(time)) : dayAndClock.format(time)),
  }
}
