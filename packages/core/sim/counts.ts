/** How often each rare state was reached. A simulation that never met one has not tested it. */
import { REJECTION_CODES, TICK_REFUSALS } from '../src/index.ts'

const SIDES = ['buy', 'sell'] as const
const DEALS = ['limit', 'stop', 'takeProfit', 'stopLoss'] as const

const EXPECTED: readonly string[] = [
  ...SIDES.flatMap((side) => [
    `market ${side}`,
    `limit ${side} placed`,
    `stop ${side} placed`,
    `closed by user ${side}`,
    ...DEALS.map((deal) => `${deal} ${side} fired`),
  ]),
  // Limits and take profits fill at their price or better, stops and stop losses at it or worse.
  ...['limit', 'takeProfit'].flatMap((deal) => [`${deal} at its price`, `${deal} better`]),
  ...['stop', 'stopLoss'].flatMap((deal) => [`${deal} at its price`, `${deal} worse`]),
  'pending cancelled',
  'pending expired by clock',
  'pending expired by tick',
  'target of an order past its expiry reached',
  'not enough at trigger',
  'target reached at zero or below',
  'stops of a pending set',
  'stops of a position set',
  'stops set in a closed market',
  'stops cleared',
  'stops cleared without a price',
  'demo reset',
  'demo reset with positions',
  'demo reset with pendings',
  'demo reset in a closed market',
  'negative balance protection',
  'negative balance protection by a trigger',
  'balance below zero with positions',
  'closed at a negative price',
  'several triggers on one tick',
  'several triggers of one account on one tick',
  'stop and pending on one tick',
  'filled beyond its own stop',
  'request repeated',
  'request repeated after a restart',
  'request id forgotten after 48 hours',
  'foreign order',
  'finished order',
  'order of a real account refused for money',
  'trigger reached in a closed market',
  'trigger reached by a late tick',
  'trigger waits for a stale conversion',
  'first tick after a closing fires',
  'opening refused for a stale conversion',
  'opening with the last rate of a closed pair',
  'position closed at an old conversion rate',
  'halted instrument refused',
  ...['equal', 'direct', 'inverse', 'through USD', 'fixed margin'].map((way) => `profit booked, ${way}`),
  'restart from the journal',
  'restart from a snapshot',
  'restart with pendings',
  'restart with stops',
  'first tick after a restart fires',
  'suspect tick confirmed',
  ...TICK_REFUSALS.map((reason) => `tick refused: ${reason}`),
  // The core does not know finished orders; its host tells "already closed" from its tables.
  ...REJECTION_CODES.filter((code) => code !== 'alreadyClosed').map((code) => `refused: ${code}`),
]

export type Counts = {
  readonly all: Map<string, number>
  readonly hit: (name: string, isHit?: boolean) => void
}

export function createCounts(): Counts {
  const all = new Map(EXPECTED.map((name) => [name, 0]))
  return {
    all,
    hit(name, isHit = true) {
      const count = all.get(name)
      if (count === undefined) throw new Error(`"${name}" is not on the list of rare states`)
      if (isHit) all.set(name, count + 1)
    },
  }
}

export const neverReached = ({ all }: Counts): string[] =>
  [...all].filter(([, count]) => count === 0).map(([name]) => name)
