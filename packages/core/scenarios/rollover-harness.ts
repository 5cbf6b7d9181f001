/** A test harness around 17:00 in New York, for tests of overnight swap. */
import {
  isRejection,
  price,
  ratio,
  type Budget,
  type Instrument,
  type Quote,
  type SwapBooked,
} from '../src/index.ts'
import { demoHarness, type Harness } from './harness.ts'
import { INSTRUMENTS, instrumentOf } from './market.ts'

/** -3.6 % a year on a purchase, +1.8 % on a sale: of 100,000 that is 10 and 5 a rollover. */
const SWAP: Partial<Instrument> = { swapRate: { buy: ratio(-3_600_000), sell: ratio(1_800_000) } }

export const withSwap = (
  codes: readonly string[],
  terms: Partial<Instrument> = SWAP,
): readonly Instrument[] =>
  INSTRUMENTS.map((instrument) =>
    codes.includes(instrument.code) ? { ...instrument, ...terms } : instrument,
  )

export const at = (text: string): number => Date.parse(`${text}Z`)

/** A harness at a moment (UTC), with euros at 1.00000 that cost 10 a rollover to hold and earn 5. */
export function rolloverHarness(
  moment: string,
  options: { terms?: Partial<Instrument>; budget?: Budget } = {},
): Harness {
  const harness = demoHarness({
    instruments: withSwap(['EURUSD', 'GER40', 'USDJPY', 'FIXED'], { ...SWAP, ...options.terms }),
    ...(options.budget ? { budget: options.budget } : {}),
  })
  goTo(harness, moment)
  harness.tick('EURUSD', '1.00000', '1.00000')
  return harness
}

/** Waits; on the way the clock books what is due. */
export function goTo(harness: Harness, moment: string): readonly SwapBooked[] {
  harness.wait(at(moment) - harness.now())
  return swapsOf(harness.clock())
}

export function swapsOf(outcome: ReturnType<Harness['send']>): readonly SwapBooked[] {
  if (isRejection(outcome)) throw new Error(outcome.rejected)
  return outcome.entry.events.filter((event) => event.type === 'swapBooked')
}

/** The rollovers that are not over. */
export const waiting = ({ state }: Pick<Harness, 'state'>): number[] => [...state.rollovers.keys()]

export const quoteOf = (code: string, time: number): Quote => ({
  instrumentId: instrumentOf(code).id,
  bid: price(100_000),
  ask: price(100_000),
  seq: 1,
  time,
  receivedAt: time,
  source: 'recorded',
})

export const reported = (swaps: readonly SwapBooked[]) =>
  swaps.map(({ orderId, rollover, nights, amount }) => [
    orderId,
    new Date(rollover).toISOString().slice(0, 16),
    nights,
    Number(amount) / 1e6,
  ])
