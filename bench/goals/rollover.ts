import { setTimeout as pause } from 'node:timers/promises'
import { rolloverBefore } from '@fairlot/core'
import type { Engine } from '../../apps/server/src/engine/engine.ts'
import { accountIdOf, entryOf, marketOrder, quoteAt } from '../../testing/test-world.ts'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { watchCommits, type Commit } from '../commit-watch.ts'
import { allDecided, crowdedEngine } from '../crowded-engine.ts'
import { median, type Extent, type Line } from '../measurement.ts'

const ACCOUNTS = 200_000
const POSITIONS = 1_000_000
const INSTRUMENTS = 10
const BID = 108_469
/** Accounts whose orders have no swap outstanding. */
const NEWCOMERS = 50
/** Interval of prices of all instruments, ms. */
const TICK_MS = 100
/** Interval of orders, ms. */
const ORDER_MS = 20
const DECIDED_WITHIN_MS = 50
/** On a machine this busy an order's price may be one tick late, but no more. */
const FRESH_MS = 2 * TICK_MS
/** How long before 17:00 New York the clock starts once the positions exist, ms. */
const BEFORE_ROLLOVER_MS = 60_000
const DAY_MS = 86_400_000

/**
 * P13: how long an order waits for its decision while a rollover is booked to a million positions, and how long the
 * rollover takes.
 */
export const measureRollover = (extent: Extent): Promise<Line[]> =>
  withCleanup((later) => measureWith(later, extent))

async function measureWith(later: Later, { part }: Extent): Promise<Line[]> {
  const [accounts, positions] = [ACCOUNTS / part, POSITIONS / part]
  const rollover = workdayRollover()
  let offset = rollover - BEFORE_ROLLOVER_MS - performance.now()
  const now = () => Math.floor(offset + performance.now())
  const commits: Commit[] = []
  const { engine, database } = await crowdedEngine(later, {
    instruments: INSTRUMENTS,
    accounts,
    positions,
    price: BID,
    now,
    through: (opened) => watchCommits(opened, commits),
  })
  const tickAll = tickerOf(engine, now)
  tickAll()
  const ticking = setInterval(tickAll, TICK_MS)
  later({ stop: async () => clearInterval(ticking) })
  // The first prices concern every account.
  await allDecided(engine)
  const open = () => engine.execute({ type: 'openAccount', ledger: 'demo' })
  const newcomers = (await Promise.all(Array.from({ length: NEWCOMERS }, open))).map(accountIdOf)
  await engine.caughtUp()
  offset += Math.max(0, rollover - now())
  // Otherwise the last prices would be a minute old.
  tickAll()

  const begin = performance.now()
  const orders = await orderUntilOver(engine, { newcomers, accounts, now, commits })
  // The state in memory is ahead of the journal: its last slice may still be in progress.
  await allDecided(engine)
  const decidedS = (performance.now() - begin) / 1_000
  await engine.caughtUp()
  const followedS = (performance.now() - begin) / 1_000
  const { count } = await database.queries
    .selectFrom('transfer')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('kind', '=', 'swap')
    .executeTakeFirstOrThrow()
  const ofRollover = commits.filter(({ sent }) => sent > begin)
  return [lineOf(orders, { booked: Number(count), commits: ofRollover, decidedS, followedS })]
}

type Rollover = {
  readonly booked: number
  readonly commits: readonly Commit[]
  readonly decidedS: number
  readonly followedS: number
}

function lineOf(orders: readonly Ordered[], { booked, commits, decidedS, followedS }: Rollover): Line {
  const of = (figure: keyof Ordered) => orders.map((order) => order[figure])
  const [decided, answered] = [of('decidedMs'), of('answeredMs')]
  const longest = Math.max(...decided)
  const oldest = Math.max(...of('ageMs'))
  if (oldest > FRESH_MS) console.error(`an order was filled at a price of ${oldest.toFixed(0)} ms`)
  const commit = Math.max(...commits.map(({ sent, landed }) => landed - sent))
  return {
    goal: 'P13',
    what: `an order's longest wait until it is decided while ${booked.toLocaleString('en')} positions are charged swap`,
    measured: `${longest.toFixed(0)} ms`,
    yardstick: `until answered ${Math.max(...answered).toFixed(0)} ms; longest commit ${commit.toFixed(0)} ms`,
    ratio: longest,
    target: { atMost: DECIDED_WITHIN_MS },
    note: [
      `the ratio is the figure itself, in ms. Of ${orders.length} orders, until decided: ${spread(decided)}`,
      `without the commit in progress when it arrived: ${spread(of('oursMs'))}; until answered: ${spread(answered)}.`,
      `The oldest price that filled an order arrived ${oldest.toFixed(0)} ms before its decision,`,
      `and the longest delay on a receipt says ${Math.max(...of('delayMs'))} ms.`,
      `The rollover was decided after ${decidedS.toFixed(1)} s, and in all tables after ${followedS.toFixed(1)} s.`,
    ].join(' '),
  }
}

const spread = (waits: readonly number[]): string =>
  `median ${median(waits).toFixed(1)} ms, 99th percentile ${percentile99(waits).toFixed(0)}, longest ${Math.max(...waits).toFixed(0)}`

const percentile99 = (waits: readonly number[]): number =>
  waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? NaN

/** The last 17:00 New York on a workday; swap is not charged at weekends. */
function workdayRollover(): number {
  let rollover = rolloverBefore(Date.now())
  while ([0, 6].includes(new Date(rollover).getUTCDay())) rollover = rolloverBefore(rollover - DAY_MS / 2)
  return rollover
}

function tickerOf(engine: Engine, now: () => number): () => void {
  let seq = 0
  return () => {
    seq += 1
    for (let id = 1; id <= INSTRUMENTS; id += 1)
      engine.tick({ ...quoteAt(BID + (seq % 3), now(), seq), instrumentId: id })
  }
}

/** Timings of an order, ms. */
type Ordered = {
  /** Until it was decided and sent to the database. */
  readonly decidedMs: number
  /** The same without the commit that was in progress when it arrived. */
  readonly oursMs: number
  readonly answeredMs: number
  /** Age of its fill price at the decision. */
  readonly ageMs: number
  /** The same according to its receipt. */
  readonly delayMs: number
}

type Ordering = {
  readonly newcomers: readonly number[]
  readonly accounts: number
  readonly now: () => number
  readonly commits: readonly Commit[]
}

/**
 * Places orders, alternately by newcomers and by existing accounts, from before 17:00 until every account is
 * processed.
 */
async function orderUntilOver(
  engine: Engine,
  { newcomers, accounts, now, commits }: Ordering,
): Promise<Ordered[]> {
  const order = async (accountId: number): Promise<Ordered> => {
    const requested = performance.now()
    const inProgress = commits.at(-1)
    const { at, events } = entryOf(await engine.execute(marketOrder(accountId)))
    const answered = performance.now()
    // Answers are sent before anything else is decided.
    const decided = commits.at(-1)?.sent ?? NaN
    const opened = events.find((event) => event.type === 'positionOpened')
    const { tick, delayMs } = opened?.receipt ?? {}
    if (!tick || delayMs === undefined) throw new Error('an order was not filled')
    if (delayMs !== at - tick.receivedAt)
      throw new Error(`a receipt says ${delayMs} ms for ${at - tick.receivedAt}`)
    const free = Math.max(requested, inProgress?.landed ?? 0)
    const times = { decidedMs: decided - requested, oursMs: decided - free, answeredMs: answered - requested }
    return { ...times, ageMs: now() - (answered - decided) - tick.receivedAt, delayMs }
  }
  const requested: Promise<Ordered>[] = []
  for (let count = 0; count === 0 || isRollover(engine); count += 1) {
    const one = 1 + ((count * 7_919) % accounts)
    requested.push(order(count % 2 === 0 ? (newcomers[(count / 2) % NEWCOMERS] ?? one) : one))
    await pause(ORDER_MS)
  }
  return Promise.all(requested)
}

/** True while swaps of the rollover are left to book. */
const isRollover = (engine: Engine): boolean => engine.state().rollovers.size > 0
