import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { listStrategies, valueOf, type StrategyQuery, type StrategyRow } from '@fairlot/contract'
import { ratio } from '@fairlot/core'
import { startRanking, type Ranking } from '../../apps/server/src/copying/ranking.ts'
import { registerRanking } from '../../apps/server/src/copying/ranking-routes.ts'
import type { Engine } from '../../apps/server/src/engine/engine.ts'
import type { Queries } from '../../apps/server/src/platform/database/open.ts'
import { createApi } from '../../apps/server/src/platform/http/api.ts'
import { createLog } from '../../apps/server/src/platform/http/log.ts'
import { createHttpServer } from '../../apps/server/src/platform/http/server.ts'
import { createAccountTotals } from '../../apps/server/src/engine/projection/account-totals.ts'
import { createOrderQueries, createOrderRepository } from '../../apps/server/src/trading/order-queries.ts'
import { clientOf } from '../../testing/client.ts'
import { accountIdOf, entryOf, marketOrder, quoteAt } from '../../testing/test-world.ts'
import { crowdedEngine } from '../crowded-engine.ts'
import { median, type Extent, type Line } from '../measurement.ts'
import { withCleanup, type Later } from '../with-cleanup.ts'

const STRATEGIES = 10_000
const DAYS = 21
const DAY_MS = 86_400_000
/** A strategy trades on one day in so many. */
const TRADES_EVERY = 7
const BID = 108_469
/** Ticks by which the price moves from day to day, up and down. */
const MOVE = 40
const AT_ONCE = 200
const PAGES = 300
const PAGE_WITHIN_MS = 20
const ROUNDS = 5
const SHOWN_WITHIN_S = 5
const ASK_AGAIN_MS = 50
const QUERY: StrategyQuery = { window: 'threeWeeks', kind: 'demo', sort: 'score', page: 1 }

type Page = (query?: Partial<StrategyQuery>) => Promise<readonly Pick<StrategyRow, 'id' | 'orders'>[]>

/** P15: pages of the ranking from the table that is kept, and the time until a closed order shows in it. */
export const measureRanking = ({ part }: Extent): Promise<Line[]> =>
  withCleanup((later) => measure(later, Math.ceil(STRATEGIES / part)))

async function measure(later: Later, count: number): Promise<Line[]> {
  // Three weeks pass in seconds: a day for each step.
  let behindMs = DAYS * DAY_MS
  const now = () => Math.floor(performance.timeOrigin + performance.now()) - behindMs
  const { engine, database } = await crowdedEngine(later, {
    instruments: 1,
    accounts: 0,
    positions: 0,
    price: BID,
    now,
  })
  let seq = 1
  const move = () => {
    engine.tick(quoteAt(BID + MOVE * (seq % 3), now(), seq))
    seq += 1
  }
  move()
  const providers = await inGroups(Array.from({ length: count }), async () => {
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' }))
    entryOf(await engine.execute({ type: 'publishStrategy', accountId, feeShare: ratio(200_000) }))
    return accountId
  })
  while (behindMs > 0) {
    behindMs -= DAY_MS
    move()
    const today = providers.filter((id) => id % TRADES_EVERY === seq % TRADES_EVERY)
    await inGroups(today, async (id) => entryOf(await engine.execute(marketOrder(id))))
    move()
    await inGroups(today, async (accountId) => entryOf(await engine.execute({ type: 'closeAll', accountId })))
  }
  await engine.caughtUp()
  await nameAll(database.queries)

  const start = () =>
    startRanking({
      engine,
      queries: database.queries,
      now,
      rankedAfter: () => ({ days: 14, orders: 3 }),
      onError: (error, doing) => console.error(`While ${doing}:`, error),
    })
  const first = await start()
  const begin = performance.now()
  await first.refresh()
  const computed = (performance.now() - begin) / 1_000
  const page = await openPages(later, { engine, queries: database.queries, ranking: first, now })
  const pages = await pageTimes(page, Math.ceil(count / 10))
  await first.stop()
  // Started again: every strategy is computed once more in the background, as after a full hour.
  later(await start())
  const shown = await timesUntilShown(engine, page, providers[0] ?? 0, move)
  return linesOf({ count, computed, shown, pages })
}

async function inGroups<Value, Result>(
  values: readonly Value[],
  handle: (value: Value) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  // In groups small enough that no command waits too long.
  for (let begun = 0; begun < values.length; begun += AT_ONCE)
    results.push(...(await Promise.all(values.slice(begun, begun + AT_ONCE).map(handle))))
  return results
}

/** Names are not in the journal; strategies without one are not listed. */
async function nameAll(queries: Queries): Promise<void> {
  const strategies = await queries.selectFrom('strategy').select(['id', 'account_id']).execute()
  const texts = strategies.map(({ id, account_id }) => ({
    strategy_id: id,
    user_id: account_id,
    name: `Strategy ${id}`,
    name_key: `strategy${id}`,
    description: '',
    hidden_for: null,
    changed_at: 0n,
  }))
  for (let begun = 0; begun < texts.length; begun += AT_ONCE)
    await queries
      .insertInto('strategy_text')
      .values(texts.slice(begun, begun + AT_ONCE))
      .execute()
}

type Parts = {
  readonly engine: Engine
  readonly queries: Queries
  readonly ranking: Ranking
  readonly now: () => number
}

/** The ranking by HTTP, without limits of calls. */
async function openPages(later: Later, { engine, queries, ranking, now }: Parts): Promise<Page> {
  const server = await createHttpServer(
    { trustProxy: null },
    { log: createLog('error'), frameSource: () => null, scriptHashes: [] },
  )
  later({ stop: () => server.close() })
  const nobody = () => Promise.resolve(null)
  const api = createApi(server, { admit: nobody, callerBy: nobody, callerOf: () => null })
  const name = { showCode: 'EURUSD', name: 'Euro / US dollar', logo: '' }
  const repository = createOrderRepository(queries)
  const totals = createAccountTotals(engine, queries)
  const services = {
    engine,
    queries,
    orderQueries: createOrderQueries(engine, repository, () => name, totals),
    ranking,
    now,
    operatorName: () => '',
    rankedAfter: () => ({ days: 14, orders: 3 }),
    instrumentOf: () => ({ code: name.showCode, name: name.name, priceDecimals: 5 }),
    checkSecondFactor: nobody,
  }
  registerRanking(api, services, nobody)
  await server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.server.address() as AddressInfo
  const client = clientOf(`http://127.0.0.1:${port}`)
  return async (query) => valueOf(await client.call(listStrategies, { ...QUERY, ...query })).strategies
}

/** Seconds from the close of an order, durable in the journal, until the list by orders has it: it is the first there. */
async function timesUntilShown(
  engine: Engine,
  page: Page,
  accountId: number,
  move: () => void,
): Promise<number[]> {
  const ordersShown = async () => (await page({ sort: 'orders' }))[0]?.orders ?? 0
  const times: number[] = []
  let known = await ordersShown()
  for (let round = 0; round < ROUNDS; round += 1) {
    move()
    entryOf(await engine.execute(marketOrder(accountId)))
    entryOf(await engine.execute({ type: 'closeAll', accountId }))
    const begin = performance.now()
    while ((await ordersShown()) <= known) await delay(ASK_AGAIN_MS)
    times.push((performance.now() - begin) / 1_000)
    known += 1
  }
  return times
}

/** Milliseconds of pages after each other, spread over the list. */
async function pageTimes(page: Page, pages: number): Promise<number[]> {
  const times: number[] = []
  for (let count = 0; count < PAGES; count += 1) {
    const begin = performance.now()
    await page({ page: 1 + ((count * 7) % pages) })
    times.push(performance.now() - begin)
  }
  return times
}

type Measured = {
  readonly count: number
  /** Seconds in which every strategy was computed from its first day on. */
  readonly computed: number
  readonly shown: readonly number[]
  readonly pages: readonly number[]
}

function linesOf({ count, computed, shown, pages }: Measured): Line[] {
  const answered = pages.toSorted((a, b) => a - b)[Math.floor(pages.length * 0.99)] ?? NaN
  const longest = Math.max(...shown)
  return [
    {
      goal: 'P15',
      what: `a page of ${count.toLocaleString('en')} strategies over three weeks by HTTP, 99th percentile`,
      measured: `${answered.toFixed(1)} ms`,
      yardstick: `median ${median(pages).toFixed(1)} ms`,
      ratio: answered,
      target: { atMost: PAGE_WITHIN_MS },
      note: [
        'the ratio is the figure itself, in ms.',
        `The first page, for which the list is sorted: ${(pages[0] ?? NaN).toFixed(0)} ms.`,
        `All strategies were computed in ${computed.toFixed(0)} s.`,
      ].join(' '),
    },
    {
      goal: 'P15',
      what: `a closed order until the list shows it, longest of ${shown.length}`,
      measured: `${longest.toFixed(2)} s`,
      yardstick: `median ${median(shown).toFixed(2)} s`,
      ratio: longest,
      target: { atMost: SHOWN_WITHIN_S },
      note: 'the ratio is the figure itself, in seconds, while all strategies are computed again in the background.',
    },
  ]
}
