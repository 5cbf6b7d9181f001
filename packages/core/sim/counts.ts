/** How often each rare state was reached. A simulation that never met one has not tested it. */
import { REJECTION_CODES, TICK_REFUSALS } from '../src/index.ts'
import { CASES, FINANCING, SLICES, TERMS } from './rare-operations.ts'

const SIDES = ['buy', 'sell'] as const
const DEALS = ['limit', 'stop', 'takeProfit', 'stopLoss'] as const

const ORDERS: readonly string[] = [
  ...SIDES.flatMap((side) => [
    `market ${side}`,
    `limit ${side} placed`,
    `stop ${side} placed`,
    `closed by user ${side}`,
    `closed by operator ${side}`,
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
]

const PARTS: readonly string[] = [
  ...SIDES.map((side) => `part closed ${side}`),
  'part closed of a part',
  'part closed to the end',
  'rest of a part stopped out',
  'part in fixed margin mode',
  'part of a rounded margin',
  'part of a trailing position',
  'close all',
  'close all of several',
  'close all of some',
  'close all protects the balance',
  ...SIDES.map((side) => `reversed ${side}`),
  'reverse paid by its own margin',
  'reverse refused for money',
  'trailing set',
  'trailing ended',
  'trailing set behind a nearer stop',
  ...SIDES.flatMap((side) => [`trail moved ${side}`, `trailing stop hit ${side}`]),
  'trail moved after a restart',
  'trailing ended by a stop set by hand',
  'trailing goes on under a new take profit',
  'several trailing stops moved by one price',
]

const HALTS: readonly string[] = [
  'halted',
  'halted once more',
  'halt ended',
  'halt ended that was none',
  'stops set while halted',
  'pending cancelled while halted',
  'pending expired while halted',
  'demo reset while halted',
  'trigger reached while halted',
  'first tick after a halt fires',
  'restart while halted',
  'cancel-only',
  'cancel-only ended',
  'stops set in cancel-only mode',
  'pending cancelled in cancel-only mode',
  'trigger reached in cancel-only mode',
  'restart in cancel-only mode',
]

const WAITS = ['a closed market', 'the end of a halt', 'a stale price', 'a stale conversion']

const STOP_OUTS: readonly string[] = [
  ...SIDES.map((side) => `stopped out ${side}`),
  'margin level exactly at the stop-out',
  'margin level a hair above the stop-out',
  'stop-out between equal losses',
  'stop-out that leaves positions',
  'stop-out of the last position',
  'stop-out cancels pendings',
  'stop-out cancels several pendings',
  'stop-out by the tick of another instrument',
  'stop-out by a conversion pair',
  'stop-out closes a gain',
  'stop-out of a hedged account',
  'stop-out of several accounts on one tick',
  'stop-out in fixed margin mode',
  'stop-out of a converted loss',
  'stop-out of several currencies',
  'stop-out after a trigger of the same tick',
  'stop-out of what the tick has opened',
  'stop-out with the balance protected',
  'stop-out by the first tick after a restart',
  'stop-out that leaves a market that is closed',
  'opened below the stop-out',
  ...WAITS.map((what) => `stop-out waits for ${what}`),
  'stop-out waits for the price of another position',
  'trigger waits for the price of another position',
  ...['marketClosed', 'marketHalted', 'cancelOnly', 'stalePrice'].map((bar) => `stop-out reached: ${bar}`),
]

const MARKET: readonly string[] = [
  'trigger reached in a closed market',
  'trigger reached by a late tick',
  'trigger waits for a stale conversion',
  'first tick after a closing fires',
  'opened at a price with a mark-up',
  'fired by a price with a mark-up',
  'first price of another mark-up fires',
  'first tick after a pause is given ten bands',
  'first tick after a gap is held',
  'first tick of all is out of bounds',
  'operator vouches for a price out of bounds',
  'suspect tick confirmed by its own source',
  'suspect tick confirmed by a second source',
  'suspect tick not confirmed by the same frame',
  'suspect tick not confirmed by a tick too soon after it',
  'opening refused for a stale conversion',
  'opening refused for the price of another position',
  'opening with the last rate of a closed pair',
  'position closed at an old conversion rate',
  ...['equal', 'direct', 'inverse', 'through USD', 'fixed margin'].map((way) => `profit booked, ${way}`),
  'restart from the journal',
  'restart from a snapshot',
  'restart with pendings',
  'restart with stops',
  'restart with trailing stops',
  'first tick after a restart fires',
  'stop-out price named',
  'no stop-out price to name',
  ...TICK_REFUSALS.map((reason) => `tick refused: ${reason}`),
  // The core does not know finished orders; its host tells "already closed" from its tables.
  ...REJECTION_CODES.filter((code) => code !== 'alreadyClosed').map((code) => `refused: ${code}`),
]

const EXPECTED = [...[ORDERS, PARTS, HALTS, STOP_OUTS, FINANCING, SLICES, MARKET, TERMS, CASES].flat()]

/** States that only hundreds of thousands of steps reach for certain. */
export const RAREST: readonly string[] = [
  'close all protects the balance',
  'demo reset while halted',
  'pending expired while halted',
  'stop-out cancels several pendings',
  'target of an order past its expiry reached',
  'margin level exactly at the stop-out',
  'margin level a hair above the stop-out',
  'stop-out between equal losses',
  'stop-out of what the tick has opened',
  'stop-out waits for the end of a halt',
  'opened at 17:00:00, not financed',
  'crash within a stop-out',
  'crash between a night and its command',
  'restart in cancel-only mode',
  'expiry in slices',
  'stop-out waits for a stale conversion',
  'refused: tooManyOrders',
  'closed right after its night',
  'part closed right after its night',
  'reversed right after its night',
  'night of a rate that has turned since',
  'announced change no longer possible',
  'market closed by new terms',
  'pending withdrawn when its price is reached',
  'stop-out of a frozen account',
  'stop-out while money is frozen',
  'protection while money is frozen',
  ...['paid', 'rejected', 'cancelled'].map((outcome) => `withdrawal ${outcome} after a stop-out`),
  'position of a frozen account closed by an operator',
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
