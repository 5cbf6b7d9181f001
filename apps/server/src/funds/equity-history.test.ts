import { figuresOf, isPriced, lots, type Instrument, type Money, type State } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import type { Database } from '../database/open.ts'
import { everyDatabase } from '../testing/on-every-database.ts'
import { createRandom, type Random } from '../../../../testing/random.ts'
import { openTraders } from '../testing/random-traders.ts'
import { changeInstrument } from '../testing/terms.ts'
import {
  entryOf,
  EURUSD,
  marketOrder,
  orderIdOf,
  quoteAt,
  START_OF_TEST,
  testSeed,
} from '../../../../testing/test-world.ts'
import { openFloor, type Floor } from '../testing/trading-floor.ts'
import { equityHistory } from './equity-history.ts'

const HOUR_MS = 3_600_000
/** 17:00 in New York on the day of the test. */
const NIGHT = Date.UTC(2026, 0, 5, 22)
const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER }

/** Its profit is in pounds. */
const EURGBP: Instrument = { ...EURUSD, id: 2, code: 'EURGBP', quoteCurrency: 'GBP' }
const GBPUSD: Instrument = { ...EURUSD, id: 3, code: 'GBPUSD', baseCurrency: 'GBP' }
/** Its margin is an amount of money, which is shared when a part closes. */
const GOLD: Instrument = {
  ...EURUSD,
  ...{ id: 4, code: 'GOLD', baseCurrency: 'XAU', marginMode: 'fixed', contractSize: 333, leverages: [7] },
}
const seed = testSeed({ instruments: [EURUSD, EURGBP, GBPUSD, GOLD] })

const openMarket = (database: Database, startAt = START_OF_TEST) => openFloor(database, { startAt, seed })

let seq = 1_000_000

/** A price of an instrument beside the one that the floor moves; answered when it is committed. */
async function move({ engine, clock }: Floor, instrumentId: number, bid: number): Promise<void> {
  seq += 1
  engine.tick({ ...quoteAt(bid, clock.at, seq), instrumentId })
  await look(engine)
}

/** A command that changes nothing: what the clock asks for comes before it. */
const look = (engine: Floor['engine']) => engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })

/** What an account was worth while it traded, and how many entries its balance had. */
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

/** Lets the clock pass a moment, and nothing else; answers what everybody was worth when it did. */
async function pass({ engine, clock }: Floor, at: number): Promise<Map<number, Seen>> {
  const seen = seenIn(engine.state())
  clock.at = at
  await look(engine)
  return seen
}

/** Financing of nights before a moment that was booked after it was seen. */
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

describe.each(everyDatabase)('the curve of equity, $kind', (databases) => {
  it('is at each marked moment what the account was worth then', async () => {
    const database = await databases.open()
    const seen = new Map<number, Map<number, Seen>>()
    const random = createRandom(5)
    let floor = await openMarket(database)
    for (let life = 0; life < 2; life += 1) {
      const traders = await openTraders(floor, 21 + life)
      for (let hour = 0; hour < 14; hour += 1) {
        for (let step = 0; step < 6; step += 1) {
          for (const id of [2, 3, 4]) await move(floor, id, 80_000 + 10_000 * id + random.below(60))
          await traders.step()
          await tradeElsewhere(floor, random)
        }
        const next = Math.floor(floor.clock.at / HOUR_MS + 1) * HOUR_MS
        seen.set(next, await pass(floor, next + random.below(3) * 1_000))
      }
      await floor.engine.caughtUp()
      expect(floor.errors).toEqual([])
      await floor.engine.stop()
      if (life === 0) floor = await openMarket(database, floor.clock.at)
    }
    let compared = 0
    const accounts = new Set([...seen.values()].flatMap((byAccount) => [...byAccount.keys()]))
    for (const accountId of accounts) {
      for (const { moment, equity } of await equityHistory(database.queries, accountId, ALL)) {
        const then = seen.get(moment)?.get(accountId)
        if (!then || then.equity === null) throw new Error(`nobody was worth anything at ${moment}`)
        const later = await bookedLater(database, accountId, moment, then.entries)
        expect({ accountId, moment, equity }).toEqual({ accountId, moment, equity: then.equity + later })
        compared += 1
      }
    }
    expect(seen.has(NIGHT)).toBe(true)
    expect(compared).toBe(3 * 28 + 3 * 14)
    const parts = await database.queries
      .selectFrom('trade_order')
      .select('id')
      .where('parent_id', 'is not', null)
      .execute()
    expect(parts.length).toBeGreaterThan(10)
  })

  it('is the same whichever period of it is asked for', async () => {
    const database = await databases.open()
    const floor = await openMarket(database)
    const traders = await openTraders(floor, 8)
    for (let hour = 0; hour < 14; hour += 1) {
      await traders.step()
      await pass(floor, Math.floor(floor.clock.at / HOUR_MS + 1) * HOUR_MS)
    }
    await floor.engine.caughtUp()
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

  it('has no point before the account was opened, and none of an account that is not there', async () => {
    const database = await databases.open()
    const floor = await openMarket(database)
    await floor.openAccount()
    await pass(floor, START_OF_TEST + HOUR_MS)
    const second = await floor.openAccount()
    await pass(floor, START_OF_TEST + 2 * HOUR_MS)
    await floor.engine.caughtUp()
    const start = testSeed().settings.demoBalance
    expect(await equityHistory(database.queries, second, ALL)).toEqual([
      { moment: START_OF_TEST + 2 * HOUR_MS, balance: start, equity: start },
    ])
    expect(await equityHistory(database.queries, 99, ALL)).toEqual([])
  })

  it('does not guess at a moment without a price, and knows a night once its price has come', async () => {
    const database = await databases.open()
    const before = await openMarket(database, NIGHT - 60_000)
    const accountId = await before.openAccount()
    await before.tick(108_000)
    await before.engine.execute(marketOrder(accountId))
    await before.engine.stop()
    // Nobody was awake at the turn of the day; prices come back an hour later.
    const floor = await openMarket(database, NIGHT + HOUR_MS + 5_000)
    await look(floor.engine)
    await floor.engine.caughtUp()
    const unknown = await equityHistory(database.queries, accountId, ALL)
    expect(unknown.map(({ moment, equity }) => [moment, equity])).toEqual([
      [NIGHT, null],
      [NIGHT + HOUR_MS, null],
    ])
    await floor.tick(108_010)
    await pass(floor, NIGHT + 2 * HOUR_MS)
    await floor.engine.caughtUp()
    const [night, hour, last] = await equityHistory(database.queries, accountId, ALL)
    // 0.01 lots from 108003 to 108010.
    const profit = 70_000n
    expect(night?.equity).toBe((night?.balance ?? 0n) + profit)
    expect(hour).toEqual({ moment: NIGHT + HOUR_MS, balance: last?.balance, equity: null })
    expect(last?.equity).toBe((last?.balance ?? 0n) + profit)
    expect(last?.balance).toBeLessThan(night?.balance ?? 0n)
  })

  it('counts financing from its night on, also where it was booked behind rows of a later date', async () => {
    const database = await databases.open()
    const floor = await openMarket(database, NIGHT - 60_000)
    const accountId = await floor.openAccount()
    for (const id of [1, 4]) await move(floor, id, 108_000)
    await floor.engine.execute(marketOrder(accountId))
    const gold = marketOrder(accountId, { instrumentId: 4, leverage: 7 })
    const orderId = orderIdOf(await floor.engine.execute(gold))
    await floor.engine.stop()
    const after = await openMarket(database, NIGHT + 5_000)
    await look(after.engine)
    await pass(after, NIGHT + HOUR_MS)
    // Gold has its price, and ends, before the euro has the one that its night waits for.
    await move(after, 4, 107_000)
    entryOf(await after.engine.execute({ type: 'closePosition', accountId, orderId }))
    await after.tick(108_000)
    await pass(after, NIGHT + 2 * HOUR_MS)
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

  it('reckons each moment by the terms and with the parts of then', async () => {
    const database = await databases.open()
    const floor = await openMarket(database)
    const { engine } = floor
    const accountId = await floor.openAccount()
    const open = async () => orderIdOf(await engine.execute(marketOrder(accountId, { lots: lots(300) })))
    await floor.tick(108_000)
    const first = await open()
    await floor.tick(108_103)
    await pass(floor, START_OF_TEST + HOUR_MS)
    await floor.tick(108_103)
    await engine.execute({ type: 'closePosition', accountId, orderId: first, lots: lots(100) })
    await pass(floor, START_OF_TEST + 2 * HOUR_MS)
    await floor.tick(108_103)
    await engine.execute({ type: 'closePosition', accountId, orderId: first })
    await changeInstrument(engine, 1, { contractSize: 1_000 }, { effectiveAt: START_OF_TEST + 4 * HOUR_MS })
    await floor.tick(108_000)
    const second = await open()
    await floor.tick(108_103)
    await pass(floor, START_OF_TEST + 3 * HOUR_MS)
    await floor.tick(108_103)
    await engine.execute({ type: 'closePosition', accountId, orderId: second })
    await pass(floor, START_OF_TEST + 4 * HOUR_MS)
    await floor.tick(108_000)
    await open()
    await floor.tick(108_103)
    await pass(floor, START_OF_TEST + 5 * HOUR_MS)
    await engine.caughtUp()
    const points = await equityHistory(database.queries, accountId, ALL)
    // 0.03 lots of 100,000, 0.02 of them, 0.03 again while less is announced, none, 0.03 of 1,000: each 100 ticks better.
    expect(points.map(({ balance, equity }) => (equity ?? 0n) - balance)).toEqual([
      3_000_000n,
      2_000_000n,
      3_000_000n,
      0n,
      30_000n,
    ])
  })
})

/** Orders, parts and ends on the instruments that the traders leave alone. */
async function tradeElsewhere({ engine }: Floor, random: Random): Promise<void> {
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
