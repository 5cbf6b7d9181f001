import type { ChartPeriod } from './chart-port.ts'

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

export const PERIOD_MINUTES: Record<ChartPeriod, number> = {
  '1min': 1,
  '5min': 5,
  '15min': 15,
  '30min': 30,
  '60min': 60,
  '1day': DAY_MINUTES,
}

export type TimeUnit = 'clock' | 'day' | 'month' | 'year'
/** A label at a bar: what it says is the time of day, the day, the month or the year that begins there. */
export type TimeTick = { readonly index: number; readonly unit: TimeUnit }

/** The bucket of a step that a time falls into; a label stands where the bucket changes. */
type Bucket = (time: number) => number
type Step = { readonly unit: TimeUnit; readonly bucket: Bucket }

const localMinutes: Bucket = (time) => Math.floor(time / MINUTE_MS) - new Date(time).getTimezoneOffset()
const localDays: Bucket = (time) => Math.floor(localMinutes(time) / DAY_MINUTES)
const localYears: Bucket = (time) => new Date(time).getFullYear()
const localMonths: Bucket = (time) => localYears(time) * 12 + new Date(time).getMonth()

const inSteps =
  (bucket: Bucket, size: number): Bucket =>
  (time) =>
    Math.floor(bucket(time) / size)

/** The usual labels, and the rarer ones that outrank them. */
function stepsFor(period: ChartPeriod, leastBars: number): { usual: Step; outranking: Step } {
  if (period === '1day')
    return { usual: dayBarStep(leastBars), outranking: { unit: 'year', bucket: localYears } }
  const minutes = MINUTE_STEPS.find((step) => step >= leastBars * PERIOD_MINUTES[period])
  const day: Step = { unit: 'day', bucket: localDays }
  return { usual: minutes ? { unit: 'clock', bucket: inSteps(localMinutes, minutes) } : day, outranking: day }
}

function dayBarStep(leastBars: number): Step {
  const step = DAY_STEPS.find(({ bars }) => bars >= leastBars)
  if (step) return { unit: 'day', bucket: inSteps(localDays, step.days) }
  const months = MONTH_STEPS.find((count) => count * MONTH_BARS >= leastBars) ?? 12
  return { unit: 'month', bucket: inSteps(localMonths, months) }
}

/**
 * Where the time axis carries a label: at round local times at least `leastBars` apart; where a new day (bars of a
 * day: a new year) begins, the label says so. `times` are the bars' starts, epoch ms.
 */
export function timeTicks(
  times: readonly number[],
  period: ChartPeriod,
  leastBars: number,
): readonly TimeTick[] {
  const { usual, outranking } = stepsFor(period, Math.max(1, leastBars))
  const ticks: TimeTick[] = []
  for (let index = 1; index < times.length; index++) {
    const [before = 0, time = 0] = [times[index - 1], times[index]]
    const step = [outranking, usual].find(({ bucket }) => bucket(before) !== bucket(time))
    if (!step) continue
    const last = ticks.at(-1)
    if (last && index - last.index < leastBars) {
      if (step !== outranking || last.unit === outranking.unit) continue
      ticks.pop()
    }
    ticks.push({ index, unit: step.unit })
  }
  return ticks
}

export type TimeWriter = {
  readonly tick: (time: number, unit: TimeUnit) => string
  readonly full: (time: number, period: ChartPeriod) => string
}

/** Writes bar times in the reader's zone and language, with Latin digits and the Gregorian calendar. */
export function timeWriter(locale: string): TimeWriter {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, { hourCycle: 'h23', ...options })
  const units: Record<TimeUnit, Intl.DateTimeFormat> = {
    clock: format({ hour: '2-digit', minute: '2-digit' }),
    day: format({ day: 'numeric', month: 'short' }),
    month: format({ month: 'short' }),
    year: format({ year: 'numeric' }),
  }
  const dayAndClock = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const fullDay = format({ day: 'numeric', month: 'short', year: 'numeric' })
  return {
    tick: (time, unit) => units[unit].format(time),
    full: (time, period) => (period === '1day' ? fullDay : dayAndClock).format(time),
  }
}
