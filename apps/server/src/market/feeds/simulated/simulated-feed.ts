import { formatDecimal } from '@fairlot/core'
import type { Pace } from '../clock.ts'
import type { Clock, Feed, FeedInstrument, RawTick } from '../feed.ts'
import { historyInProcess } from './history-process.ts'
import { createModel, createRandom, createWalk, YEAR_MS, type Random } from './model.ts'
/** Ten steps a second: fine enough for three ticks a second at random times. */
const STEP_MS = 100
const NAME = 'simulated'

type SimulatedFeedOptions = {
  /** All instruments; those priced by another feed are simulated too, but not sent. */
  readonly instruments: readonly FeedInstrument[]
  readonly seed: string
  readonly clock: Clock
  readonly pace: Pace
  /** Market ms per real ms: above 1 beside a fast replay. */
  readonly speed: number
  /** Last prices by code, in units of the quote currency, from which a restart continues. */
  readonly startFrom?: ReadonlyMap<string, number>
}

/** Prices made by the seeded model; see `createSimulatedMarket`. */
export function createSimulatedFeed(options: SimulatedFeedOptions): Feed {
  const { instruments, seed, clock, pace, speed, startFrom } = options
  const codes = new Set(instruments.map(({ code }) => code))
  const stopping = new AbortController()
  let received = 0

  async function run(emit: (tick: RawTick) => void): Promise<void> {
    const market = createSimulatedMarket(instruments, seed, startFrom)
    while (!stopping.signal.aborted) {
      for (const tick of market.step(STEP_MS * speed)) {
        received++
        emit({ ...tick, time: clock.now(), source: NAME })
      }
      await pace.wait(STEP_MS, stopping.signal)
    }
  }

  return {
    name: NAME,
    kind: 'simulated',
    covers: (wanted) => wanted.filter((code) => codes.has(code)),
    freshnessMs: () => null,
    counters: () => ({ received, broken: 0 }),
    history: (wanted, until) => historyInProcess({ instruments, wanted, seed, until, startFrom }),
    start: (emit) => void run(emit),
    stop: () => stopping.abort(),
  }
}

/** A simulated quote; prices are plain decimals of the instrument's precision. */
export type SimulatedTick = { readonly code: string; readonly bid: string; readonly ask: string }

/** Sets the quotes of one instrument around its true price; null when it does not tick at `now` (ms since the start). */
type Quoter = (truePrice: number, now: number) => SimulatedTick | null

/** Bounds of the mean time between two ticks: short for instruments that move much against their spread. */
const QUICKEST_MS = 250
const SLOWEST_MS = 1_400
/** Mean time for an instrument that moves a quarter of its spread in a second; grows with the square root of that time. */
const INTERVAL_SCALE_MS = 260
/** Longest time between two ticks, apart from the timer's step: far below the freshness limit. */
const LONGEST_MS = 1_800
/** Autocorrelation of the spread from tick to tick, and its standard deviation around the typical one. */
const SPREAD_MEMORY = 0.9
const SPREAD_DEVIATION = 0.12

/**
 * Ticks at random times, and at once when the true price has left the quote: the true price always lies between bid and
 * ask. The spread is at least one tick, between half and twice the typical one.
 */
function createQuoter(instrument: FeedInstrument, random: Random): Quoter {
  const { code, priceDecimals } = instrument
  const scale = 10 ** priceDecimals
  const typicalTicks = instrument.typicalSpread * scale
  const meanMs = meanIntervalMs(instrument)
  let deviation = 0
  let bid = 1
  let ask = 0
  let dueAt = 0
  return (truePrice, now) => {
    const mid = truePrice * scale
    if (now < dueAt && bid <= mid && mid <= ask) return null
    deviation =
      SPREAD_MEMORY * deviation + Math.sqrt(1 - SPREAD_MEMORY ** 2) * SPREAD_DEVIATION * random.normal()
    const spread = Math.max(1, Math.round(typicalTicks * Math.min(2, Math.max(0.5, 1 + deviation))))
    bid = Math.round(mid - spread / 2)
    ask = bid + spread
    dueAt = now + Math.min(LONGEST_MS, meanMs * (0.5 + random.uniform()))
    return { code, bid: formatDecimal(bid, priceDecimals), ask: formatDecimal(ask, priceDecimals) }
  }
}

/** Mean time between two ticks of an instrument, ms. */
export function meanIntervalMs(instrument: FeedInstrument): number {
  const quarterSpread = instrument.typicalSpread / instrument.referencePrice / 4
  const seconds = ((quarterSpread / instrument.yearlyVolatility) ** 2 * YEAR_MS) / 1_000
  return Math.min(SLOWEST_MS, Math.max(QUICKEST_MS, INTERVAL_SCALE_MS * Math.sqrt(seconds)))
}

type SimulatedMarket = {
  /** Advances the market by `dtMs` and returns the new ticks: of all instruments in the first step. */
  step(dtMs: number): SimulatedTick[]
  /** The true price of an instrument now, in units of its quote currency, around which its quotes are set. */
  truePrice(code: string): number
}

/**
 * A market that never closes: the same for the same instruments, seed and steps, whatever the wall time. `startFrom` holds
 * last prices by code, in units of the quote currency; others start at their reference price.
 *
 * A quote always encloses the true price, and the true price of a cross is the exact ratio of its legs, so no round trip
 * over several pairs ever earns anything.
 */
export function createSimulatedMarket(
  instruments: readonly FeedInstrument[],
  seed: string,
  startFrom?: ReadonlyMap<string, number>,
): SimulatedMarket {
  const walk = createWalk(createModel(instruments, startFrom), seed)
  const quoters = instruments.map((instrument) => ({
    code: instrument.code,
    quote: createQuoter(instrument, createRandom(seed, `quotes:${instrument.code}`)),
  }))
  const truePrice = (code: string) => Math.exp(walk.log(code))
  let now = 0
  return {
    truePrice,
    step(dtMs) {
      walk.step(dtMs)
      now += dtMs
      return quoters.flatMap(({ code, quote }) => quote(truePrice(code), now) ?? [])
    },
  }
}
