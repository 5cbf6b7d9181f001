import { setTimeout as pause } from 'node:timers/promises'
import { nightBefore } from '@fairlot/core'
import type { Engine } from '../../apps/server/src/engine/engine.ts'
import { accountIdOf, entryOf, marketOrder, quoteAt } from '../../testing/test-world.ts'
import { cleanly, type Later } from '../cleanly.ts'
import { watchCommits, type Commit } from '../commit-watch.ts'
import { allDecided, crowdedEngine } from '../crowded-engine.ts'
import { median, type Extent, type Line } from '../reading.ts'

const ACCOUNTS = 200_000
const POSITIONS = 1_000_000
const INSTRUMENTS = 10
const BID = 108_469
/** Accounts whose orders meet no night. */
const NEWCOMERS = 50
/** Prices of all instruments come so often, ms. */
const TICK_MS = 100
/** Somebody orders so often, ms. */
const ORDER_MS = 20
const DECIDED_WITHIN_MS = 50
/** On a machine that is this busy the price of an order may be one tick late, and no more. */
const FRESH_MS = 2 * TICK_MS
/** The clock stands so long before 17:00 New York when the crowd is there, ms. */
const BEFORE_NIGHT_MS = 60_000
const DAY_MS = 86_400_000

/** P13: how long an order waits until it is decided while a night is booked to a million positions, and how long the night takes. */
export const measureNight = (extent: Extent): Promise<Line[]> => cleanly((later) => playNight(later, extent))

async function playNight(later: Later, { part }: Extent): Promise<Line[]> {
  const [accounts, positions] = [ACCOUNTS / part, POSITIONS / part]
  const night = workdayNight()
  let offset = night - BEFORE_NIGHT_MS - performance.now()
  const now = () => Math.floor(offset + performance.now())
  const commits: Commit[] = []
  const { engine, database } = await crowdedEngine(later, {
    ...{ instruments: INSTRUMENTS, accounts, positions, price: BID, now },
    through: (opened) => watchCommits(opened, commits),
  })
  const tickAll = tickerOf(engine, now)
  tickAll()
  const ticking = setInterval(tickAll, TICK_MS)
  later({ stop: async () => clearInterval(ticking) })
  // The first prices are news to every account.
  await allDecided(engine)
  const open = () => engine.execute({ type: 'openAccount', ledger: 'demo' })
  const newcomers = (await Promise.all(Array.from({ length: NEWCOMERS }, open))).map(accountIdOf)
  await engine.caughtUp()
  offset += Math.max(0, night - now())
  // Otherwise the last prices would be a minute old.
  tickAll()

  const begin = performance.now()
  const orders = await orderUntilOver(engine, { newcomers, accounts, now, commits })
  // The memory is ahead of the journal: its last slice may still be under way.
  await allDecided(engine)
  const decidedS = (performance.now() - begin) / 1_000
  await engine.caughtUp()
  const followedS = (performance.now() - begin) / 1_000
  const { count } = await database.queries
    .selectFrom('transfer')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('kind', '=', 'swap')
    .executeTakeFirstOrThrow()
  const ofNight = commits.filter(({ sent }) => sent > begin)
  return [lineOf(orders, { financed: Number(count), commits: ofNight, decidedS, followedS })]
}

type Night = {
  readonly financed: number
  readonly commits: readonly Commit[]
  readonly decidedS: number
  readonly followedS: number
}

function lineOf(orders: readonly Ordered[], { financed, commits, decidedS, followedS }: Night): Line {
  const of = (figure: keyof Ordered) => orders.map((order) => order[figure])
  const [decided, answered] = [of('decidedMs'), of('answeredMs')]
  const longest = Math.max(...decided)
  const oldest = Math.max(...of('ageMs'))
  if (oldest > FRESH_MS) console.error(`an order was filled at a price of ${oldest.toFixed(0)} ms`)
  const commit = Math.max(...commits.map(({ sent, landed }) => landed - sent))
  return {
    goal: 'P13',
    what: `an order's longest wait until it is decided while ${financed.toLocaleString('en')} positions are financed`,
    measured: `${longest.toFixed(0)} ms`,
    yardstick: `until it is answered ${Math.max(...answered).toFixed(0)} ms; longest commit ${commit.toFixed(0)} ms`,
    ratio: longest,
    target: { atMost: DECIDED_WITHIN_MS },
    note: [
      `the ratio is the figure itself, in ms. Of ${orders.length} orders, until decided: ${spread(decided)}`,
      `without the commit that was under way when it came: ${spread(of('oursMs'))}; until answered: ${spread(answered)}.`,
      `The oldest price an order was filled at had come ${oldest.toFixed(0)} ms before its decision,`,
      `and the longest delay on a receipt says ${Math.max(...of('delayMs'))} ms.`,
      `The night was decided after ${decidedS.toFixed(1)} s, and in all tables after ${followedS.toFixed(1)} s.`,
    ].join(' '),
  }
}

const spread = (waits: readonly number[]): string =>
  `median ${median(waits).toFixed(1)} ms, one in a hundred ${nearly(waits).toFixed(0)}, longest ${Math.max(...waits).toFixed(0)}`

/** One in a hundred is longer. */
const nearly = (waits: readonly number[]): number =>
  waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? NaN

/** The last 17:00 New York that is financed: weekends have none. */
function workdayNight(): number {
  let night = nightBefore(Date.now())
  while ([0, 6].includes(new Date(night).getUTCDay())) night = nightBefore(night - DAY_MS / 2)
  return night
}

function tickerOf(engine: Engine, now: () => number): () => void {
  let seq = 0
  return () => {
    seq += 1
    for (let id = 1; id <= INSTRUMENTS; id += 1)
      engine.tick({ ...quoteAt(BID + (seq % 3), now(), seq), instrumentId: id })
  }
}

/** What became of an order, ms. */
type Ordered = {
  /** Until it was decided, and given to the database. */
  readonly decidedMs: number
  /** The same without the commit that was under way when it came. */
  readonly oursMs: number
  readonly answeredMs: number
  /** How long before its decision the price had come that it was filled at. */
  readonly ageMs: number
  /** The same as its receipt says. */
  readonly delayMs: number
}

type Ordering = {
  readonly newcomers: readonly number[]
  readonly accounts: number
  readonly now: () => number
  readonly commits: readonly Commit[]
}

/**
 * Orders, by newcomers and by one of the crowd in turn, while the night goes on: from before 17:00 until every account has been
 * gone through.
 */
async function orderUntilOver(
  engine: Engine,
  { newcomers, accounts, now, commits }: Ordering,
): Promise<Ordered[]> {
  const order = async (accountId: number): Promise<Ordered> => {
    const asked = performance.now()
    const underway = commits.at(-1)
    const { at, events } = entryOf(await engine.execute(marketOrder(accountId)))
    const answered = performance.now()
    // Answers come before anything else is decided.
    const decided = commits.at(-1)?.sent ?? NaN
    const opened = events.find((event) => event.type === 'positionOpened')
    const { tick, delayMs } = opened?.receipt ?? {}
    if (!tick || delayMs === undefined) throw new Error('an order was not filled')
    if (delayMs !== at - tick.receivedAt)
      throw new Error(`a receipt says ${delayMs} ms for ${at - tick.receivedAt}`)
    const free = Math.max(asked, underway?.landed ?? 0)
    const times = { decidedMs: decided - asked, oursMs: decided - free, answeredMs: answered - asked }
    return { ...times, ageMs: now() - (answered - decided) - tick.receivedAt, delayMs }
  }
  const asked: Promise<Ordered>[] = []
  for (let count = 0; count === 0 || isNight(engine); count += 1) {
    const one = 1 + ((count * 7_919) % accounts)
    asked.push(order(count % 2 === 0 ? (newcomers[(count / 2) % NEWCOMERS] ?? one) : one))
    await pause(ORDER_MS)
  }
  return Promise.all(asked)
}

/** True until nothing of the night is left to book. */
const isNight = (engine: Engine): boolean => engine.state().nights.size > 0
