import { DEPLOYMENT, figuresOf, isPriced, lots, type Instrument, type Money, type State } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import type { Database } from '../platform/database/open.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { createRandom, type Random } from '../../../../testing/random.ts'
import { openTraders } from '../testing/random-commands.ts'
import { changeInstrument } from '../testing/engine-setup.ts'
import {
  entryOf,
  EURUSD,
  marketOrder,
  orderIdOf,
  quoteAt,
  START_OF_TEST,
  testSeed,
} from '../../../../testing/test-world.ts'
import { createHarness, type Harness } from '../testing/engine-harness.ts'
import { equityHistory } from './equity.ts'

const HOUR_MS = 3_600_000
/** The rollover on the day of the test: 17:00 in New York. */
const ROLLOVER = Date.UTC(2026, 0, 5, 22)
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Its profit is in pounds. */
const EURGBP: Instrument = { ...EURUSD, id: 2, code: 'EURGBP', quoteCurrency: 'GBP' }
const GBPUSD: Instrument = { ...EURUSD, id: 3, code: 'GBPUSD', baseCurrency: 'GBP' }
/** Its margin is a fixed amount, which a partial close divides. */
const GOLD: Instrument = {
  ...EURUSD,
  id: 4,
  code: 'GOLD',
  baseCurrency: 'XAU',
  marginMode: 'fixed',
  contractSize: 333,
  leverages: [7],
}
const seed = testSeed({ instruments: [EURUSD, EURGBP, GBPUSD, GOLD] })

const openMarket = (database: Database, startAt = START_OF_TEST) => createHarness(database, { startAt, seed })

let seq = 1_000_000

/** A price of an instrument other than the one that the harness moves; resolves once it is committed. */
async function move({ engine, clock }: Harness, instrumentId: number, bid: number): Promise<void> {
  seq += 1
  engine.tick({ ...quoteAt(bid, clock.at, seq), instrumentId })
  await look(engine)
}

/** A command that changes nothing. What is due by the clock is done before it. */
const look = (engine: Harness['engine']) => engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })

/** The equity of an account while it traded, and how many entries its balance had. */
type Seen = { readonly equity: Money | null; readonly entries: number }

const seenIn = (state: State): Map<number, Seen> =>
  new Map(
    [...state.accounts.values()].map((account) => [
      account.id,
      {
        equity: isPriced(state, account) ? figuresOf(state, account).equity : null,
        entries: account.available.entryCount,
      },
    ]),
  )

/** Moves the clock past a moment, and returns what every account was worth before. */
async function pass({ engine, clock }: Harness, at: number): Promise<Map<number, Seen>> {
  const seen = seenIn(engine.state())
  clock.at = at
  await look(engine)
  return seen
}

/** Swaps dated before a moment, but booked after the account was seen. */
async function bookedLater({ queries }: Database, accountId: number, moment: number, entries: number) {
  const rows = await queries
    .selectFrom('transfer')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    .where('kind', '=', 'swap')
    .where('at', '<', BigInt(moment))
    .execute()
  const owner = `available:${accountId}`
  return rows
    .map((row) => (row.credit === owner ? [row.credit_entry, row.amount] : [row.debit_entry, -row.amount]))
    .filter(([entry = 0n]) => entry > entries)
    .reduce((sum, [, amount = 0n]) => sum + amount, 0n)
}

describe.each(everyDatabase)('the equity curve, $kind', (databases) => {
  it('shows at each price snapshot what the account was worth then', async () => {
    const database = await databases.open()
    const seen = new Map<number, Map<number, Seen>>()
    const random = createRandom(5)
    let harness = await openMarket(database)
    for (let life = 0; life < 2; life += 1) {
      const traders = await openTraders(harness, 21 + life)
      for (let hour = 0; hour < 14; hour += 1) {
        for (let step = 0; step < 6; step += 1) {
          for (const id of [2, 3, 4]) await move(harness, id, 80_000 + 10_000 * id + random.below(60))
          await traders.step()
          await tradeElsewhere(harness, random)
        }
        const next = Math.floor(harness.clock.at / HOUR_MS + 1) * HOUR_MS
        seen.set(next, await pass(harness, next + random.below(3) * 1_000))
      }
      await harness.engine.caughtUp()
      expect(harness.errors).toEqual([])
      await harness.engine.stop()
      if (life === 0) harness = await openMarket(database, harness.clock.at)
    }
    let compared = 0
    const accounts = new Set([...seen.values()].flatMap((byAccount) => [...byAccount.keys()]))
    for (const accountId of accounts) {
      for (const { moment, equity } of await equityHistory(database.queries, accountId, ALL)) {
        const then = seen.get(moment)?.get(accountId)
        if (!then || then.equity === null) throw new Error(`no equity was recorded at ${moment}`)
        const later = await bookedLater(database, accountId, moment, then.entries)
        expect({ accountId, moment, equity }).toEqual({ accountId, moment, equity: then.equity + later })
        compared += 1
      }
    }
    expect(seen.has(ROLLOVER)).toBe(true)
    expect(compared).toBe(3 * 28 + 3 * 14)
    const parts = await database.queries
      .selectFrom('trade_order')
      .select('id')
      .where('parent_id', 'is not', null)
      .execute()
    expect(parts.length).toBeGreaterThan(10)
  })

  it('is the same for every period that is requested', async () => {
    const database = await databases.open()
    const harness = await openMarket(database)
    const traders = await openTraders(harness, 8)
    for (let hour = 0; hour < 14; hour += 1) {
      await traders.step()
      await pass(harness, Math.floor(harness.clock.at / HOUR_MS + 1) * HOUR_MS)
    }
    await harness.engine.caughtUp()
    const whole = await equityHistory(database.queries, 1, ALL)
    expect(whole).toHaveLength(14)
    for (const [place, { moment }] of whole.entries()) {
      expect(await equityHistory(database.queries, 1, { from: moment, to: ALL.to })).toEqual(
        whole.slice(place),
      )
      expect(await equityHistory(database.queries, 1, { from: 0, to: moment })).toEqual(
        whole.slice(0, place + 1),
      )
    }
  })

  it('has no point before the account was opened, and none for an unknown account', async () => {
    const database = await databases.open()
    const harness = await openMarket(database)
    await harness.openAccount()
    await pass(harness, START_OF_TEST + HOUR_MS)
    const second = await harness.openAccount()
    await pass(harness, START_OF_TEST + 2 * HOUR_MS)
    await harness.engine.caughtUp()
    const start = testSeed().settings.demoBalance
    expect(await equityHistory(database.queries, second, ALL)).toEqual([
      { moment: START_OF_TEST + 2 * HOUR_MS, balance: start, equity: start },
    ])
    expect(await equityHistory(database.queries, 99, ALL)).toEqual([])
  })

  it('is unknown at a moment without a price, and known at a rollover once its price has arrived', async () => {
    const database = await databases.open()
    const before = await openMarket(database, ROLLOVER - 60_000)
    const accountId = await before.openAccount()
    await before.tick(108_000)
    await before.engine.execute(marketOrder(accountId))
    await before.engine.stop()
    // The server was stopped during the rollover; prices come back an hour later.
    const harness = await openMarket(database, ROLLOVER + HOUR_MS + 5_000)
    await look(harness.engine)
    await harness.engine.caughtUp()
    const unknown = await equityHistory(database.queries, accountId, ALL)
    expect(unknown.map(({ moment, equity }) => [moment, equity])).toEqual([
      [ROLLOVER, null],
      [ROLLOVER + HOUR_MS, null],
    ])
    await harness.tick(108_010)
    await pass(harness, ROLLOVER + 2 * HOUR_MS)
    await harness.engine.caughtUp()
    const [rollover, hour, last] = await equityHistory(database.queries, accountId, ALL)
    // 0.01 lots from 108003 to 108010.
    const profit = 70_000n
    expect(rollover?.equity).toBe((rollover?.balance ?? 0n) + profit)
    expect(hour).toEqual({ moment: ROLLOVER + HOUR_MS, balance: last?.balance, equity: null })
    expect(last?.equity).toBe((last?.balance ?? 0n) + profit)
    expect(last?.balance).toBeLessThan(rollover?.balance ?? 0n)
  })

  it('counts a swap from its rollover on, also if it was booked after rows of a later date', async () => {
    const database = await databases.open()
    const harness = await openMarket(database, ROLLOVER - 60_000)
    const accountId = await harness.openAccount()
    for (const id of [1, 4]) await move(harness, id, 108_000)
    await harness.engine.execute(marketOrder(accountId))
    const gold = marketOrder(accountId, { instrumentId: 4, leverage: 7 })
    const orderId = orderIdOf(await harness.engine.execute(gold))
    await harness.engine.stop()
    const after = await openMarket(database, ROLLOVER + 5_000)
    await look(after.engine)
    await pass(after, ROLLOVER + HOUR_MS)
    // Gold has its price and is closed before the euro has the price that its rollover waits for.
    await move(after, 4, 107_000)
    entryOf(await after.engine.execute({ type: 'closePosition', accountId, orderId }))
    await after.tick(108_000)
    await pass(after, ROLLOVER + 2 * HOUR_MS)
    await after.engine.caughtUp()
    const rows = await database.queries.selectFrom('transfer').selectAll().orderBy('id').execute()
    expect(rows.map(({ kind }) => kind)).toEqual(['demoIssue', 'fee', 'fee', 'swap', 'result', 'swap'])
    const [issue = 0n, ...paid] = rows.map(({ amount }) => amount)
    const [fee = 0n, goldFee = 0n, goldSwap = 0n, loss = 0n, swap = 0n] = paid
    const whole = await equityHistory(database.queries, accountId, ALL)
    expect(whole.map(({ balance }) => balance)).toEqual([
      issue - fee - goldFee,
      issue - fee - goldFee - goldSwap - swap,
      issue - fee - goldFee - goldSwap - swap - loss,
    ])
    for (const [place, { moment }] of whole.entries())
      expect(await equityHistory(database.queries, accountId, { from: moment, to: moment })).toEqual(
        whole.slice(place, place + 1),
      )
  })

  it('values each moment by the terms and the open lots of that time', async () => {
    const database = await databases.open()
    const harness = await openMarket(database)
    const { engine } = harness
    const accountId = await harness.openAccount()
    const open = async () => orderIdOf(await engine.execute(marketOrder(accountId, { lots: lots(300) })))
    await harness.tick(108_000)
    const first = await open()
    await harness.tick(108_103)
    await pass(harness, START_OF_TEST + HOUR_MS)
    await harness.tick(108_103)
    await engine.execute({ type: 'closePosition', accountId, orderId: first, lots: lots(100) })
    await pass(harness, START_OF_TEST + 2 * HOUR_MS)
    await harness.tick(108_103)
    await engine.execute({ type: 'closePosition', accountId, orderId: first })
    const later = { effectiveAt: START_OF_TEST + 4 * HOUR_MS, by: DEPLOYMENT }
    await changeInstrument(engine, 1, { contractSize: 1_000 }, later)
    await harness.tick(108_000)
    const second = await open()
    await harness.tick(108_103)
    await pass(harness, START_OF_TEST + 3 * HOUR_MS)
    await harness.tick(108_103)
    await engine.execute({ type: 'closePosition', accountId, orderId: second })
    await pass(harness, START_OF_TEST + 4 * HOUR_MS)
    await harness.tick(108_000)
    await open()
    await harness.tick(108_103)
    await pass(harness, START_OF_TEST + 5 * HOUR_MS)
    await engine.caughtUp()
    const points = await equityHistory(database.queries, accountId, ALL)
    // 0.03 lots of 100,000; 0.02 lots; 0.03 lots, with the new contract size announced; none; 0.03 lots of 1,000. Each 100 ticks up.
    expect(points.map(({ balance, equity }) => (equity ?? 0n) - balance)).toEqual([
      3_000_000n,
      2_000_000n,
      3_000_000n,
      0n,
      30_000n,
    ])
  })
})

/** Orders, partial closes and closes on the instruments that the random traders do not use. */
async function tradeElsewhere({ engine }: Harness, random: Random): Promise<void> {
  for (const account of engine.state().accounts.values()) {
    const instrumentId = [2, 4][random.below(2)] ?? 2
    const held = [...account.orders.values()].find((order) => order.instrumentId === instrumentId)
    const leverage = instrumentId === 4 ? 7 : 30
    const side = random.below(2) === 0 ? 'buy' : 'sell'
    const accountId = account.id
    await engine.execute(
      held && random.below(2) === 0
        ? { type: 'closePosition', accountId, orderId: held.id, lots: lots(100 * (1 + random.below(3))) }
        : marketOrder(accountId, { instrumentId, side, leverage, lots: lots(100 * (1 + random.below(7))) }),
    )
  }
}
