import type { ChartPeriod } from './chart-port.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** Distances between two labels of the time axis, in minutes of local time. */
const STEPS = [
  5,
  10,
  15,
  30,
  60,
  120,
  180,
  240,
  360,
  720,
  DAY_MINUTES,
  2 * DAY_MINUTES,
  5 * DAY_MINUTES,
] as const
const MONTH_STEPS = [1, 2, 3, 6, 12] as const

export const PERIOD_MINUTES: Record<ChartPeriod, number> = {
  '1min': 1,
  '5min': 5,
  '15min': 15,
  '30min': 30,
  '60min': 60,
  '1day': DAY_MINUTES,
}

export type TimeTick = { readonly index: number; readonly isBoundary: boolean }

const localMinutes = (time: number): number =>
  Math.floor(time / MINUTE_MS) - new Date(time).getTimezoneOffset()
const localMonths = (time: number): number => {
  const date = new Date(time)
  return date.getFullYear() * 12 + date.getMonth()
}

/** The bucket of a step that a time falls into; a label stands where the bucket changes. */
type Bucket = (time: number) => number

function bucketFor(period: ChartPeriod, leastBars: number): { label: Bucket; boundary: Bucket } {
  const leastMinutes = leastBars * PERIOD_MINUTES[period]
  const step = STEPS.find((minutes) => minutes >= leastMinutes)
  if (period !== '1day' && step !== undefined) {
    return {
      label: (time) => Math.floor(localMinutes(time) / step),
      boundary: (time) => Math.floor(localMinutes(time) / DAY_MINUTES),
    }
  }
  const months = MONTH_STEPS.find((count) => count * 21 >= leastBars) ?? 12
  return {
    label: (time) => Math.floor(localMonths(time) / months),
    boundary: (time) => Math.floor(localMonths(time) / 12),
  }
}

/**
 * Where the time axis carries a label: at round local times at least `leastBars` apart, marked where a new day
 * (bars of a day: a new year) begins. `times` are the bars' starts, epoch ms.
 */
export function timeTicks(
  times: readonly number[],
  period: ChartPeriod,
  leastBars: number,
): readonly TimeTick[] {
  const { label, boundary } = bucketFor(period, Math.max(1, leastBars))
  const ticks: TimeTick[] = []
  for (let index = 1; index < times.length; index++) {
    const [before = 0, time = 0] = [times[index - 1], times[index]]
    const isBoundary = boundary(before) !== boundary(time)
    if (!isBoundary && label(before) === label(time)) continue
    const last = ticks.at(-1)
    if (last && index - last.index < leastBars) {
      if (!isBoundary || last.isBoundary) continue
      ticks.pop()
    }
    ticks.push({ index, isBoundary })
  }
  return ticks
}

export type TimeWriter = {
  readonly tick: (time: number, period: ChartPeriod, isBoundary: boolean) => string
  readonly full: (time: number, period: ChartPeriod) => string
}

/** Writes bar times in the reader's zone and language, with Latin digits and the Gregorian calendar. */
export function timeWriter(locale: string): TimeWriter {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(`${locale}-u-ca-gregory-nu-latn`, { hourCycle: 'h23', ...options })
  const clock = format({ hour: '2-digit', minute: '2-digit' })
  const day = format({ day: 'numeric', month: 'short' })
  const month = format({ month: 'short' })
  const year = format({ year: 'numeric' })
  const dayAndClock = format({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  const fullDay = format({ day: 'numeric', month: 'short', year: 'numeric' })
  return {
    tick: (time, period, isBoundary) => {
      if (period === '1day') return (isBoundary ? year : month).format(time)
      return (isBoundary ? day : clock).format(time)
    },
    full: (time, period) => (period === '1day' ? fullDay : dayAndClock).format(time),
  }
}
