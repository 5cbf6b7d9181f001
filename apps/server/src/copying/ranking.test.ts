import { divideRounded, lots, money, ratio, type Instrument } from '@fairlot/core'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRandom } from '../../../../testing/random.ts'
import { entryOf, EURUSD, marketOrder, orderIdOf, quoteAt, testSeed } from '../../../../testing/test-world.ts'
import type { Database } from '../platform/database/open.ts'
import { createHarness, type Harness } from '../testing/engine-harness.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { findRankingDifference } from '../verify/ranking-figures.ts'
import { startRanking, type Ranking } from './ranking.ts'

const USD = 1_000_000n
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Its profit is in pounds. */
const EURGBP: Instrument = { ...EURUSD, id: 2, code: 'EURGBP', quoteCurrency: 'GBP' }
const GBPUSD: Instrument = { ...EURUSD, id: 3, code: 'GBPUSD', baseCurrency: 'GBP' }
const seed = testSeed({ instruments: [EURUSD, EURGBP, GBPUSD] })

const openRanking = async (database: Database, { engine, clock }: Harness): Promise<Ranking> => {
  const ranking = await startRanking({
    engine,
    queries: database.queries,
    now: () => clock.at,
    rankedAfter: () => ({ days: 2, orders: 3 }),
    onError: (error) => {
      throw error
    },
  })
  onTestFinished(() => ranking.stop())
  return ranking
}

describe.each(everyDatabase)('the ranking, $kind', (databases) => {
  const open = async () => {
    const database = await databases.open()
    const harness = await createHarness(database, { seed })
    const { engine, clock } = harness
    let seq = 1_000
    const move = async (instrumentId: number, bid: number) => {
      seq += 1
      engine.tick({ ...quoteAt(bid, clock.at, seq), instrumentId })
      await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
    }
    await move(1, 110_000)
    await move(2, 85_000)
    await move(3, 130_000)
    const accountId = await harness.openAccount()
    const buy = async (size: number, given = {}) =>
      orderIdOf(
        await engine.execute(marketOrder(accountId, { lots: lots(size * 10_000), leverage: 100, ...given })),
      )
    const close = async (orderId: number, part: number | null = null) =>
      entryOf(
        await engine.execute({
          type: 'closePosition',
          accountId,
          orderId,
          lots: part === null ? null : lots(part * 10_000),
        }),
      )
    const publish = async () =>
      entryOf(await engine.execute({ type: 'publishStrategy', accountId, feeShare: ratio(0) }))
    const figures = async (span: string) =>
      database.queries.selectFrom('strategy_figures').selectAll().where('span', '=', span).executeTakeFirst()
    return { database, harness, engine, clock, move, accountId, buy, close, publish, figures }
  }

  it('has the return, the fall and the orders of a strategy', async () => {
    const { database, harness, engine, clock, move, buy, close, publish, figures } = await open()
    await publish()
    const ranking = await openRanking(database, harness)
    clock.at += 1_000
    const first = await buy(1)
    // 10 pips of one lot against it: 106 with the spread of 0.6 pips, and a fee of 1.10.
    await move(1, 109_900)
    await close(first, 0.4)
    await close(first)
    clock.at += 1_000
    const second = await buy(1)
    await move(1, 110_300)
    await close(second)
    await ranking.refresh()
    await engine.caughtUp()
    const all = await figures('all')
    expect(all).toMatchObject({
      orders: 2n,
      win_rate: 500_000n,
      is_short: 1n,
      copiers: 0n,
      flags: 'oneOrder',
    })
    const balance = engine.state().accounts.get(1)?.available.balance ?? 0n
    expect(all?.profit).toBe(balance - 50_000n * USD)
    expect(all?.rate).toBe(divideRounded(all?.profit ?? 0n, 50_000n))
    expect(all?.drawdown).toBeGreaterThan(2_000n)
    expect(await findRankingDifference(database.queries)).toBeNull()
  })

  it('has the highest leverage just after a fill, not that of a fall in between', async () => {
    const { database, harness, engine, clock, move, buy, close, publish, figures } = await open()
    await publish()
    const ranking = await openRanking(database, harness)
    clock.at += 1_000
    // 110,000 x 50,000 of equity.
    const orderId = await buy(1)
    for (const bid of [108_000, 108_000, 110_000]) {
      clock.at += HOUR_MS
      await move(1, bid)
    }
    await close(orderId)
    await ranking.refresh()
    await engine.caughtUp()
    const all = await figures('all')
    expect(all?.drawdown).toBeGreaterThan(35_000n)
    expect(all?.average_leverage).toBeGreaterThan(2_210_000n)
    expect(all?.highest_leverage).toBeLessThan(2_210_000n)
    expect(await findRankingDifference(database.queries)).toBeNull()
  })

  it('has a fall of five minutes between two hours', async () => {
    const { database, harness, engine, clock, move, buy, publish, figures } = await open()
    await publish()
    const ranking = await openRanking(database, harness)
    clock.at += 1_000
    await buy(1)
    for (const [wait, bid] of [
      [60_000, 108_000],
      [5 * 60_000, 110_000],
      [HOUR_MS, 110_000],
    ] as const) {
      clock.at += wait
      await move(1, bid)
    }
    await ranking.refresh()
    await engine.caughtUp()
    const all = await figures('all')
    // 2,000 of 50,000.
    expect(all?.drawdown).toBeGreaterThan(40_000n)
    expect(all?.rate).toBeGreaterThan(-5_000n)
    expect(await findRankingDifference(database.queries)).toBeNull()
    // What fell at the end of a day belongs to that day, however late its hour was computed.
    const days = await database.queries.selectFrom('strategy_day').select(['fall_from', 'fall_to']).execute()
    expect(days.some(({ fall_from, fall_to }) => (fall_from - fall_to) * 25n > fall_from)).toBe(true)
  })

  it('agrees to the last digit with a plain computation from the journal', async () => {
    const { database, harness, engine, clock, move, accountId, buy, close, publish } = await open()
    const other = await harness.openAccount()
    entryOf(await engine.execute({ type: 'publishStrategy', accountId: other, feeShare: ratio(0) }))
    clock.at += 60_000
    const before = await buy(0.5)
    clock.at += 60_000
    await publish()
    let ranking = await openRanking(database, harness)
    const random = createRandom(7)
    const held: number[] = []
    const prices = [110_000, 85_000, 130_000]
    for (let step = 0; step < 160; step += 1) {
      clock.at += random.int(1, 3 * HOUR_MS)
      const instrument = random.int(0, 2)
      prices[instrument] = (prices[instrument] ?? 0) + random.int(-400, 400)
      for (const id of [1, 2, 3]) await move(id, prices[id - 1] ?? 0)
      // A minute in which one of them falls or rises, and comes back.
      if (step % 3 === 0) {
        const price = prices[instrument] ?? 0
        for (const bid of [price + random.int(-900, 900), price]) {
          clock.at += 30_000
          await move(instrument + 1, bid)
        }
      }
      const choice = random.int(0, 9)
      const [oldest] = held
      if (choice < 4 && held.length < 4)
        held.push(await buy(random.int(1, 5) / 10, { instrumentId: random.int(1, 3) }))
      else if (choice < 6 && oldest !== undefined) {
        await close(oldest)
        held.shift()
      } else if (
        choice === 6 &&
        oldest !== undefined &&
        (engine.state().orders.get(oldest)?.lots ?? 0) > 1_000
      )
        await close(oldest, 0.01)
      else if (choice === 7 && step % 5 === 0 && engine.state().accounts.get(accountId)?.copies.length === 0)
        entryOf(
          await engine.execute({
            type: 'startCopy',
            accountId,
            strategyId: 1,
            amount: money(500n * USD),
            terms: { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 10 },
            isWithOpenOrders: false,
          }),
        )
      else if (choice === 8)
        for (const copyId of engine.state().accounts.get(accountId)?.copies ?? [])
          await engine.execute({ type: 'stopCopy', accountId, copyId })
      if (step === 60) await close(before)
      if (step % 40 === 0) await ranking.refresh()
      if (step === 80) {
        await ranking.stop()
        ranking = await openRanking(database, harness)
      }
      // While no server runs, full hours have no prices and rollovers are booked late.
      if (step % 45 === 44) clock.at += 2 * DAY_MS
    }
    await engine.caughtUp()
    await ranking.refresh()
    expect(await findRankingDifference(database.queries)).toBeNull()
    const ranges = await database.queries.selectFrom('equity_range').selectAll().execute()
    expect(ranges.length).toBeGreaterThan(20)
    const all = await database.queries
      .selectFrom('strategy_figures')
      .selectAll()
      .where('strategy_id', '=', 2n)
      .where('span', '=', 'threeWeeks')
      .executeTakeFirstOrThrow()
    expect(all.orders).toBeGreaterThan(20n)
    expect(all.is_short).toBe(0n)

    await database.queries
      .updateTable('strategy_figures')
      .set({ drawdown: all.drawdown + 1n })
      .where('strategy_id', '=', 2n)
      .where('span', '=', 'threeWeeks')
      .execute()
    expect(await findRankingDifference(database.queries)).toMatch(/^strategy 2, threeWeeks: drawdown is/)
    await database.queries
      .updateTable('strategy_figures')
      .set({ drawdown: all.drawdown, score: `${all.score}1` })
      .where('strategy_id', '=', 2n)
      .where('span', '=', 'threeWeeks')
      .execute()
    expect(await findRankingDifference(database.queries)).toMatch(/^strategy 2, threeWeeks: score is/)
  })

  it('counts losses below the minimum equity, and goes on after everything was taken out, as the journal does', async () => {
    const { database, harness, engine, clock, move, accountId, buy, close, publish } = await open()
    for (const _ of [1, 2]) {
      const other = await harness.openAccount()
      entryOf(await engine.execute({ type: 'publishStrategy', accountId: other, feeShare: ratio(0) }))
    }
    await publish()
    const ranking = await openRanking(database, harness)
    const balance = () => engine.state().accounts.get(accountId)?.available.balance ?? 0n
    const moveOut = async (strategyId: number, amount: bigint) => {
      clock.at += 60_000
      const { events } = entryOf(
        await engine.execute({
          type: 'startCopy',
          accountId,
          strategyId,
          amount: money(amount),
          terms: { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 50 },
          isWithOpenOrders: false,
        }),
      )
      return events[0]?.type === 'copyStarted' ? events[0].accountId : 0
    }
    let bid = 110_000
    /** Buys and sells again; says by what the balance was multiplied. */
    const trade = async (by: number) => {
      const before = balance()
      clock.at += 60_000
      await move(1, bid)
      const orderId = await buy(0.01)
      clock.at += 60_000
      bid += by
      await move(1, bid)
      await close(orderId)
      return Number(balance()) / Number(before)
    }
    const copyId = await moveOut(1, balance() - 300n * USD)
    const lost = await trade(-1_000)
    expect(await trade(2_000)).toBeGreaterThan(1.05)
    await moveOut(2, balance())
    expect(balance()).toBe(0n)
    clock.at += 60_000
    entryOf(await engine.execute({ type: 'stopCopy', accountId, copyId }))
    const won = await trade(1_000)
    await ranking.refresh()
    await engine.caughtUp()
    expect(await findRankingDifference(database.queries)).toBeNull()
    const { rate } = await database.queries
      .selectFrom('strategy_figures')
      .select('rate')
      .where('strategy_id', '=', 3n)
      .where('span', '=', 'all')
      .executeTakeFirstOrThrow()
    // Spread and fee of the gain below the minimum are a loss as well, which counts.
    const expected = (lost * won - 1) * 1_000_000
    expect(Number(rate)).toBeLessThan(expected)
    expect(Number(rate)).toBeGreaterThan(expected - 1_000)
  })

  it('has flags and results of copiers that the journal gives as well', async () => {
    const { database, harness, engine, clock, move, buy, close, publish, figures } = await open()
    await publish()
    const ranking = await openRanking(database, harness)
    const copies: { accountId: number; copyId: number }[] = []
    for (let count = 0; count < 3; count += 1) {
      const accountId = await harness.openAccount()
      const { events } = entryOf(
        await engine.execute({
          type: 'startCopy',
          accountId,
          strategyId: 1,
          amount: money(20_000n * USD),
          terms: { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 50 },
          isWithOpenOrders: false,
        }),
      )
      const [started] = events
      copies.push({ accountId, copyId: started?.type === 'copyStarted' ? started.accountId : 0 })
    }
    const [first, second] = copies
    if (!first || !second) throw new Error('no copies')
    // After a loss the lots are raised, six times.
    let bid = 110_000
    const trade = async (size: number, by: number) => {
      clock.at += 60_000
      await move(1, bid)
      const orderId = await buy(size)
      bid += by
      clock.at += 60_000
      await move(1, bid)
      await close(orderId)
    }
    for (let round = 0; round < 6; round += 1) {
      await trade(0.1, -50)
      await trade(0.2, 60)
    }
    entryOf(await engine.execute({ type: 'takeFromCopy', ...second, amount: money(3_000n * USD) }))
    entryOf(await engine.execute({ type: 'stopCopy', ...first }))
    await buy(0.3)
    clock.at += 3 * HOUR_MS
    await move(1, bid - 300)

    /** Changes a figure in all windows, and returns what verify finds. */
    const foundWith = async (change: string) => {
      const before = await database.queries.selectFrom('strategy_figures').selectAll().execute()
      await sql.raw(`update strategy_figures set ${change}`).execute(database.queries)
      const found = await findRankingDifference(database.queries)
      await database.queries.deleteFrom('strategy_figures').execute()
      await database.queries.insertInto('strategy_figures').values(before).execute()
      return found
    }
    await engine.caughtUp()
    await ranking.refresh()
    expect(await findRankingDifference(database.queries)).toBeNull()
    expect(await figures('all')).toMatchObject({ flags: 'raisesAfterLosses,holdsLosses', copiers: 2n })
    expect(await foundWith(`flags = 'holdsLosses'`)).toMatch(
      /: flags is holdsLosses, but the journal gives raises/,
    )
    expect(await foundWith(`copiers = 3`)).toMatch(/: copiers is 3, but the journal gives 2/)
    expect(await foundWith(`copiers_result = copiers_result + 1`)).toMatch(/: copiers_result is/)
    expect(await foundWith(`copied_money = copied_money + 1`)).toMatch(/: copiers_result is/)

    // Without open positions nothing depends on prices of the moment.
    clock.at += 8 * DAY_MS
    await move(1, bid - 300)
    entryOf(await engine.execute({ type: 'closeAll', accountId: 1 }))
    await engine.caughtUp()
    await ranking.refresh()
    expect(await findRankingDifference(database.queries)).toBeNull()
    expect(await foundWith(`copied_money = copied_money + 1, copiers_result = copiers_result + 1`)).toMatch(
      /: copied_money is/,
    )
    expect(await foundWith(`copiers_in_profit = 1`)).toMatch(/: copiers_in_profit is/)
    expect((await figures('all'))?.copiers_median).not.toBeNull()
    expect(await foundWith(`copiers_median = 1`)).toMatch(/: copiers_median is/)
  })
})
