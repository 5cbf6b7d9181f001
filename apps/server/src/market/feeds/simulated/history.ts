import {
  type Buckets,
  type Candle,
  createBuckets,
  createTradingDays,
  mergeCandles,
  type Period,
  price,
  type TradingDay,
  type TradingDays,
} from '@fairlot/core'
import {
  createModel,
  createRandom,
  stepProcess,
  stepOf,
  type Legs,
  type Process,
  type Step,
} from './model.ts'
import type { FeedInstrument, InstrumentHistory } from '../feed.ts'
import { meanIntervalMs } from './simulated-feed.ts'

/** A cache of trading days by hour: no day ends inside an hour, so one look-up serves all instruments. */
function createHourlyDays(): TradingDays {
  const days = createTradingDays()
  const known = { newYorkClose: new Map<number, TradingDay>(), utcMidnight: new Map<number, TradingDay>() }
  return (rollover, at) => {
    const hour = Math.floor(at / HOUR_MS)
    const day = known[rollover].get(hour) ?? days(rollover, at)
    known[rollover].set(hour, day)
    return day
  }
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** For each period, how many hours back it has bars, at least 300 bars each, and the length of slots from there on. */
const REACH: readonly { period: Period; lengthMs: number; hours: number }[] = [
  { period: '1day', lengthMs: HOUR_MS, hours: 302 * 24 },
  { period: '60min', lengthMs: HOUR_MS, hours: 310 },
  { period: '30min', lengthMs: 30 * MINUTE_MS, hours: 155 },
  { period: '15min', lengthMs: 15 * MINUTE_MS, hours: 78 },
  { period: '5min', lengthMs: 5 * MINUTE_MS, hours: 27 },
  { period: '1min', lengthMs: MINUTE_MS, hours: 6 },
]

/** The history divided into slots: fine near its end, coarser further back. Every bar is a run of slots. */
export type HistoryGrid = {
  /** Starts of the slots, epoch ms, ascending, followed by the end of the last one. */
  readonly edges: readonly number[]
  /** Index of the first slot of a period's bars. */
  readonly firstSlot: Readonly<Record<Period, number>>
}

/** The grid that ends at `until` (epoch ms). Trading days of both kinds begin on full hours. */
function createHistoryGrid(until: number): HistoryGrid {
  const edges: number[] = []
  const firstSlot = { '1min': 0, '5min': 0, '15min': 0, '30min': 0, '60min': 0, '1day': 0 }
  for (const [index, { period, lengthMs, hours }] of REACH.entries()) {
    firstSlot[period] = edges.length
    const end = startOfReach(until, REACH[index + 1]?.hours) ?? until
    for (let at = startOfReach(until, hours) ?? until; at < end; at += lengthMs) edges.push(at)
  }
  return { edges: [...edges, until], firstSlot }
}

const startOfReach = (until: number, hours: number | undefined): number | null =>
  hours === undefined ? null : Math.floor(until / HOUR_MS - hours) * HOUR_MS

/** Steps of the price inside a slot, from which its high and low follow; the same for all instruments. */
const STEPS_PER_SLOT = 4

export type LogPaths = {
  /** Logarithms of an instrument's price, oldest first: one at the first edge, then `STEPS_PER_SLOT` for each slot. */
  of(legs: Legs): Float64Array
}

/**
 * Paths over slots with the given edges (epoch ms) that end where the processes start. In its steady state the process is
 * the same in both directions of time, so the path is built backwards from the present.
 */
function createLogPaths(edges: readonly number[], seed: string): LogPaths {
  const steps = backwardSteps(edges)
  const shocksOf = memoized((group: string) => normals(steps.length, seed, `history:group:${group}`))
  const pathOf = memoized((process: Process) => backwardPath(process, steps, shocksOf(process.group), seed))
  const still = new Float64Array(steps.length + 1)
  return {
    of({ base, quote }) {
      const minus = quote ? pathOf(quote) : still
      return (base ? pathOf(base) : still).map((log, index) => log - (minus[index] ?? 0))
    },
  }
}

/** All steps, the latest first. */
function backwardSteps(edges: readonly number[]): Step[] {
  const known = memoized((lengthMs: number) => stepOf(lengthMs / STEPS_PER_SLOT))
  const steps: Step[] = []
  for (let slot = edges.length - 2; slot >= 0; slot--) {
    const step = known((edges[slot + 1] ?? 0) - (edges[slot] ?? 0))
    for (let moment = 0; moment < STEPS_PER_SLOT; moment++) steps.push(step)
  }
  return steps
}

function backwardPath(
  process: Process,
  steps: readonly Step[],
  shocks: Float64Array,
  seed: string,
): Float64Array {
  const own = normals(steps.length, seed, `history:${process.name}`)
  const path = new Float64Array(steps.length + 1)
  let value = process.start
  path[steps.length] = value
  let index = steps.length
  for (const step of steps) {
    const back = steps.length - index
    value = stepProcess(process, value, step, shocks[back] ?? 0, own[back] ?? 0)
    path[--index] = value
  }
  return path
}

function normals(count: number, seed: string, stream: string): Float64Array {
  const random = createRandom(seed, stream)
  return new Float64Array(count).map(() => random.normal())
}

function memoized<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}

export type SimulatedHistory = {
  of(instrument: FeedInstrument): InstrumentHistory
}

/**
 * The history of the market that `createSimulatedMarket` starts with the same instruments, seed and `startFrom`: bars that end
 * at `until` (epoch ms) at exactly that market's first true price. Crosses follow their legs at every step, and each period is
 * merged from finer bars: at least 300 of each. The first instrument takes about a second, each further one a few ms.
 */
export function createSimulatedHistory(
  instruments: readonly FeedInstrument[],
  seed: string,
  until: number,
  startFrom?: ReadonlyMap<string, number>,
): SimulatedHistory {
  const { legsOf } = createModel(instruments, startFrom)
  const grid = createHistoryGrid(until)
  const paths = createLogPaths(grid.edges, seed)
  const tradingDays = createHourlyDays()
  return {
    of(instrument) {
      const path = paths.of(legsOf.get(instrument.code) ?? { base: null, quote: null })
      const slots = slotCandles(instrument, grid, path, seed)
      const buckets = createBuckets(instrument.dayRollover, tradingDays)
      return { code: instrument.code, bars: barsOfPeriods(slots, grid, buckets) }
    },
  }
}

function slotCandles(
  instrument: FeedInstrument,
  { edges }: HistoryGrid,
  path: Float64Array,
  seed: string,
): Candle[] {
  const scale = 10 ** instrument.priceDecimals
  const random = createRandom(seed, `history:volume:${instrument.code}`)
  const ticksPerMs = 1 / meanIntervalMs(instrument)
  const inTicks = (log: number) => price(Math.round(Math.exp(log) * scale))
  return edges.slice(0, -1).map((time, slot) => {
    const first = slot * STEPS_PER_SLOT
    const { high, low } = extremes(path, first, first + STEPS_PER_SLOT)
    const expected = ((edges[slot + 1] ?? time) - time) * ticksPerMs
    return {
      time,
      open: inTicks(path[first] ?? 0),
      high: inTicks(high),
      low: inTicks(low),
      close: inTicks(path[first + STEPS_PER_SLOT] ?? 0),
      volume: Math.max(1, Math.round(expected * (0.6 + 0.8 * random.uniform()))),
    }
  })
}

/** Highest and lowest of the values from `first` to `last`, both included. */
function extremes(values: Float64Array, first: number, last: number): { high: number; low: number } {
  let high = -Infinity
  let low = Infinity
  for (let index = first; index <= last; index++) {
    const value = values[index] ?? 0
    if (value > high) high = value
    if (value < low) low = value
  }
  return { high, low }
}

function barsOfPeriods(
  slots: readonly Candle[],
  { firstSlot }: HistoryGrid,
  buckets: Buckets,
): Record<Period, Candle[]> {
  const barsOf = (period: Period) => mergeCandles(slots.slice(firstSlot[period]), period, buckets)
  return {
    '1min': barsOf('1min'),
    '5min': barsOf('5min'),
    '15min': barsOf('15min'),
    '30min': barsOf('30min'),
    '60min': barsOf('60min'),
    // The grid starts inside the first day, whose bar would be incomplete.
    '1day': barsOf('1day').slice(1),
  }
}
