import type { Clock, Feed, FeedInstrument, RawTick } from '../feed.ts'
import type { Pace } from '../pace.ts'
import { historyInProcess } from './history-process.ts'
import { createSimulatedMarket } from './market.ts'

/** Ten steps a second: fine enough for three ticks a second at random times. */
const STEP_MS = 100
const NAME = 'simulated'

export type SimulatedFeedOptions = {
  /** Everything that may be traded; prices of those that this feed does not price are simulated too, but not sent. */
  readonly instruments: readonly FeedInstrument[]
  readonly seed: string
  readonly clock: Clock
  readonly pace: Pace
  /** Market ms that pass in a real one: above 1 beside a fast replay. */
  readonly speed: number
  /** Last prices by code, in units of the quote currency: a restart goes on from them. */
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
    covers: (asked) => asked.filter((code) => codes.has(code)),
    freshnessMs: () => null,
    counters: () => ({ received, broken: 0 }),
    history: (asked, until) => historyInProcess({ instruments, asked, seed, until, startFrom }),
    start: (emit) => void run(emit),
    stop: () => stopping.abort(),
  }
}
