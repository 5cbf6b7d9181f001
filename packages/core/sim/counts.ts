/** Counts how often each rare state was reached: a simulation that never reached a state has not tested it. */
import { REJECTION_CODES, TICK_REFUSALS, type RejectionCode } from '../src/index.ts'
import { CASES, SWAP_RATES, OPERATORS, SLICES, TERMS } from './rare-operations.ts'

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
  // Limit orders and take profits fill at their price or better, stop orders and stop losses at it or worse.
  ...['limit', 'takeProfit'].flatMap((deal) => [`${deal} at its price`, `${deal} better`]),
  ...['stop', 'stopLoss'].flatMap((deal) => [`${deal} at its price`, `${deal} worse`]),
  'pending cancelled',
  'pending expired by clock',
  'pending expired by tick',
  'target of an order past its expiry reached',
  'not enough at trigger',
  'target reached at a price of zero or below',
  'stops of a pending set',
  'stops of a position set',
  'stops set in a closed market',
  'stops cleared',
  'stops cleared without a price',
  'demo reset',
  'demo reset to a chosen balance',
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
  'not opened, its stop already passed',
  'limit order filled at once',
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
  'trailing continues after a new take profit',
  'a stop left out of a change',
  'trailing continues after a nearer stop of a frozen account',
  'several trailing stops moved by one price',
]

const HALTS: readonly string[] = [
  'halted',
  'halted again',
  'halt ended',
  'halt lifted that did not exist',
  'stops set while halted',
  'pending cancelled while halted',
  'pending expired while halted',
  'demo reset while halted',
  'trigger reached while halted',
  'first tick after a halt fires',
  'restart while halted',
  'halt expired',
  'halt extended by a second operator',
  'halt refused after one that includes it',
  'halt shortened by one that overlaps it',
  'frozen too soon by one operator',
  ...['normal', 'reduceOnly', 'halted'].map((mode) => `mode: ${mode}`),
  'halt of the whole market expired',
  'stops set in a halted market',
  'pending cancelled in a halted market',
  'trigger reached in a halted market',
  'pending waits in reduce-only mode',
  'restart while trading is not open',
  'restart during a halt by one operator',
  'restart during a freeze by one operator',
]

const ALERTS: readonly string[] = [
  ...['price', 'dayMove', 'marginLevel'].flatMap((kind) => [`alert set: ${kind}`, `alert fired: ${kind}`]),
  'alert fired again',
  'alert rearmed',
  'alert ended: expired',
  'alert ended: instrumentOff',
  'restart with alerts that wait for a return',
  'alert fired in a market that does not trade',
  'several alerts on one tick',
  'alert removed',
  'alert removed with its account',
  'restart with alerts',
  'restart with alerts in their pause',
]

const WAITS = ['a closed market', 'the end of a halt', 'a stale price', 'a stale conversion']

const STOP_OUTS: readonly string[] = [
  ...SIDES.map((side) => `stopped out ${side}`),
  'margin level exactly at the stop-out',
  'margin level just above the stop-out',
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
  'stop-out of a position that the tick opened',
  'stop-out with the balance protected',
  'stop-out by the first tick after a restart',
  'stop-out that leaves a position in a closed market',
  'opened below the stop-out',
  ...WAITS.map((what) => `stop-out waits for ${what}`),
  'stop-out waits for the price of another position',
  'trigger waits for the price of another position',
  ...['marketClosed', 'marketHalted', 'stalePrice'].map((bar) => `stop-out reached: ${bar}`),
]

/**
 * The core does not remember closed orders; its host finds "already closed" in its tables. The first rules closed
 * nothing in a halt; the reference model knows only the current rules.
 */
const UNREACHED: readonly RejectionCode[] = [
  ...(['alreadyClosed', 'cancelOnly'] as const),
  // Copying has a simulation of its own.
  ...(['copyingOff', 'copyClosesOnly', 'strategyNotFound', 'strategyRunning', 'strategyTooSoon'] as const),
  ...(['strategyFeeSame', 'copyFeeRaised'] as const),
  ...(['feeShareInvalid', 'ownStrategy', 'strategyIsDemo', 'copyNotFound', 'copyEnding'] as const),
  ...(['copyRunning', 'copyPaused', 'copyNotPaused', 'tooManyCopies', 'strategyFull'] as const),
  ...(['copyTermsInvalid', 'copyAmountTooSmall', 'copyLeftTooSmall'] as const),
  ...(['providerEquityTooLow', 'copiesRunning', 'tooManyOpenings'] as const),
]

const MARKET: readonly string[] = [
  'trigger reached in a closed market',
  'trigger reached by a late tick',
  'trigger waits for a stale conversion',
  'first tick after a closing fires',
  'opened at a price with a mark-up',
  'fired by a price with a mark-up',
  'first price of another mark-up fires',
  'first tick after a pause within ten bands',
  'first tick after a gap is held',
  'first tick is out of bounds',
  'operator admits an out-of-bounds price',
  'admitted reference confirmed',
  'market returned from an admitted reference',
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
  ...REJECTION_CODES.filter((code) => !UNREACHED.includes(code)).map((code) => `refused: ${code}`),
]

const EXPECTED = [
  ORDERS,
  PARTS,
  HALTS,
  ALERTS,
  STOP_OUTS,
  SWAP_RATES,
  SLICES,
  MARKET,
  TERMS,
  CASES,
  OPERATORS,
].flat()

/** States that are reached reliably only in hundreds of thousands of steps. */
export const RAREST: readonly string[] = [
  'stop-out by a conversion pair',
  'stop-out reached: stalePrice',
  'stop-out reached: marketClosed',
  'trigger reached in a closed market',
  'stop-out of several accounts on one tick',
  'refused: balanceLeft',
  'deposit refused: rateStale',
  'frozen again by one operator',
  'market returned from an admitted reference',
  'close all protects the balance',
  'demo reset while halted',
  'pending expired while halted',
  'stop-out cancels several pendings',
  'target of an order past its expiry reached',
  'margin level exactly at the stop-out',
  'margin level just above the stop-out',
  'stop-out between equal losses',
  'stop-out of a position that the tick opened',
  'stop-out waits for the end of a halt',
  'opened at 17:00:00, without swap',
  'crash within a stop-out',
  'crash between a rollover and its command',
  'restart while trading is not open',
  'trailing continues after a nearer stop of a frozen account',
  'pending waits in reduce-only mode',
  'expiry in slices',
  'stop-out waits for a stale conversion',
  'refused: tooManyOrders',
  'refused: tooManyAlerts',
  'closed right after its rollover',
  'part closed right after its rollover',
  'reversed right after its rollover',
  'rollover of a rate that changed its sign since',
  'announced change no longer possible',
  'market closed by a change of terms',
  'pending withdrawn when its price is reached',
  'stop-out of a frozen account',
  'stop-out while money is frozen',
  'protection while money is frozen',
  'halt extended by a second operator',
  'adjustment requested by a disabled operator',
  'credit refused for the sum of an operator',
  'protection repaid',
  'operators adopted with existing real money',
  'withdrawal paid by one operator',
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
