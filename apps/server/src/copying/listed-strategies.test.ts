import { NO_MONEY, ratio } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { accountIdOf, entryOf, START_OF_TEST, testSeed } from '../../../../testing/test-world.ts'
import type { StrategyFiguresTable } from '../platform/database/copying-schema.ts'
import { usd } from '../testing/copying-setup.ts'
import { createHarness } from '../testing/engine-harness.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { listedByOpenLoss, listedPage } from './listed-strategies.ts'

type Sort = Parameters<typeof listedPage>[1]['sort']

const NOTHING: Omit<StrategyFiguresTable, 'strategy_id'> = {
  span: 'threeWeeks',
  ledger: 'demo',
  ended_at: null,
  up_to: 0n,
  journal_seq: 0n,
  is_short: 0n,
  score: '05',
  rate: 0n,
  profit: 0n,
  win_rate: null,
  drawdown: 0n,
  profit_factor: null,
  average_leverage: null,
  highest_leverage: null,
  exposed_share: 0n,
  orders: 30n,
  days: 30n,
  flags: '',
  copiers: 0n,
  copied_money: 0n,
  copiers_result: 0n,
  copiers_in_profit: null,
  copiers_median: null,
}

describe.each(everyDatabase)('lists of strategies, $kind', (databases) => {
  /** Publishes strategies a second after each other. */
  const published = async (...figures: readonly Partial<StrategyFiguresTable>[]) => {
    const database = await databases.open()
    const { engine, clock } = await createHarness(database, { seed: testSeed() })
    for (const [place, given] of figures.entries()) {
      clock.at += 1_000
      const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'demo' }))
      entryOf(await engine.execute({ type: 'publishStrategy', accountId, feeShare: ratio(0) }))
      const id = BigInt(place + 1)
      const text = { name: 'A name', name_key: 'aname', description: '', hidden_for: null, changed_at: 0n }
      await database.queries
        .insertInto('strategy_text')
        .values({ strategy_id: id, user_id: BigInt(accountId), ...text })
        .execute()
      await database.queries
        .insertInto('strategy_figures')
        .values({ ...NOTHING, strategy_id: id, ...given })
        .execute()
    }
    await engine.caughtUp()
    /** The strategies of the list, by their places of publication. */
    const listed = async (sort: Sort = 'score') => {
      const query = { window: 'threeWeeks', kind: 'demo', sort, page: 1 } as const
      const { ids, total } = await listedPage(database.queries, query, clock.at)
      expect(total).toBe(ids.length)
      return ids.map(Number)
    }
    return { database, clock, listed }
  }

  const orderOf = async (sort: Sort, ...figures: readonly Partial<StrategyFiguresTable>[]) =>
    (await published(...figures)).listed(sort)

  it('leave out what is hidden, and what ended more than a year ago', async () => {
    const { database, clock, listed } = await published({}, {}, {}, {})
    const year = 365n * 86_400_000n
    const end = (id: bigint, ended_at: bigint) =>
      database.queries
        .updateTable('strategy_figures')
        .set({ ended_at })
        .where('strategy_id', '=', id)
        .execute()
    await end(1n, BigInt(clock.at) - year)
    await end(2n, BigInt(clock.at) - year + 1n)
    await database.queries
      .updateTable('strategy_text')
      .set({ hidden_for: 'A wrong name.' })
      .where('strategy_id', '=', 3n)
      .execute()
    expect(await listed()).toEqual([2, 4])
  })

  it('have pages of ten', async () => {
    const { database, clock } = await published(...Array.from({ length: 12 }, () => ({})))
    const query = { window: 'threeWeeks', kind: 'demo', sort: 'score' } as const
    expect(await listedPage(database.queries, { ...query, page: 2 }, clock.at)).toEqual({
      ids: [11n, 12n],
      total: 12,
    })
  })

  it('are in the order of their scores, those that are too short to judge below', async () => {
    const figures = [{ score: '05' }, { score: '19', is_short: 1n }, { score: '12' }, { score: '11' }]
    expect(await orderOf('score', ...figures)).toEqual([3, 4, 1, 2])
  })

  it('break ties by more closed orders, then by the older publication', async () => {
    expect(await orderOf('score', {}, { orders: 31n }, {}, { score: '12' })).toEqual([4, 2, 1, 3])
    expect(await orderOf('winRate', {}, { orders: 31n }, {}, { win_rate: 1n })).toEqual([4, 2, 1, 3])
  })

  it.each([
    ['drawdown', 'drawdown'],
    ['averageLeverage', 'average_leverage'],
    ['highestLeverage', 'highest_leverage'],
  ] as const)('begin with the smallest %s', async (sort, column) => {
    expect(await orderOf(sort, { [column]: 2n }, { [column]: 1n }, { [column]: 3n })).toEqual([2, 1, 3])
  })

  it('begin with the smallest open loss, those that have ended last', async () => {
    const ended = { ended_at: BigInt(START_OF_TEST) }
    const { database, clock } = await published({}, ended, { orders: 31n }, {}, {})
    const losses = new Map([
      [1, usd(-5)],
      [3, usd(-7)],
      [4, NO_MONEY],
      [5, usd(-5)],
    ])
    const list = { window: 'threeWeeks', kind: 'demo', sort: 'openLoss' } as const
    const page = await listedByOpenLoss(
      database.queries,
      { ...list, page: 1 },
      {
        now: clock.at,
        lossesOf: (accountIds) => Promise.resolve(accountIds.map((id) => losses.get(id) ?? usd(-1_000))),
      },
    )
    expect(page).toEqual({ ids: [4n, 1n, 5n, 3n, 2n], total: 5 })
  })

  it.each([
    ['profitFactor', 'profit_factor'],
    ['copiersInProfit', 'copiers_in_profit'],
    ['copiersMedian', 'copiers_median'],
  ] as const)('begin with the largest %s, those without one last', async (sort, column) => {
    expect(await orderOf(sort, { [column]: null }, { [column]: 1n }, { [column]: 2n })).toEqual([3, 2, 1])
  })
})
