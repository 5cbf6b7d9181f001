import { lots, money, price, type LedgerKind } from '@fairlot/core'
import { expect, it } from 'vitest'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { openFloor, type Floor } from '../../testing/trading-floor.ts'
import {
  accountIdOf,
  entryOf,
  EURUSD,
  marketOrder,
  orderIdOf,
  TEST_OPERATOR,
} from '../../../../../testing/test-world.ts'
import { describe } from 'vitest'
import type { Database } from '../../database/open.ts'
import { createDayBook } from './day-book.ts'
import { fillsOf } from './fill-queries.ts'
import { countLosing, shareOf, shownShareOf } from './losing-share.ts'
import { activeTraders, houseDays, moneyDays } from './report-queries.ts'

const DAY_MS = 86_400_000
const MONDAY = Date.UTC(2026, 0, 5)
const [TUESDAY, WEDNESDAY] = [MONDAY + DAY_MS, MONDAY + 2 * DAY_MS]
const NOON_MS = DAY_MS / 2
/** 3,000 euros: a margin of a hundred, and no cent too few. */
const SIZE = { lots: lots(300) }

const usd = (text: string) => money(BigInt(Math.round(Number(text) * 1e6)))

async function openReal({ engine }: Floor, amount: string): Promise<number> {
  const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
  const opened = entryOf(await engine.execute({ type: 'openDeposit', accountId, amount: usd(amount) }))
  const deposit = opened.events.find((event) => event.type === 'depositOpened')
  const credit = { type: 'endDeposit', outcome: 'finished', amount: usd(amount), by: TEST_OPERATOR } as const
  entryOf(await engine.execute({ ...credit, caseId: deposit?.caseId ?? 0 }))
  return accountId
}

async function withdraw({ engine }: Floor, accountId: number, amount: string, fee: string): Promise<void> {
  const asked = { type: 'requestWithdrawal', accountId, amount: usd(amount), fee: usd(fee) } as const
  const held = entryOf(await engine.execute(asked)).events.find((event) => event.type === 'withdrawalHeld')
  const end = { type: 'endWithdrawal', outcome: 'paid', by: TEST_OPERATOR } as const
  entryOf(await engine.execute({ ...end, caseId: held?.caseId ?? 0 }))
}

const buy = async ({ engine }: Floor, accountId: number) =>
  orderIdOf(await engine.execute(marketOrder(accountId, SIZE)))
const close = async ({ engine }: Floor, accountId: number, orderId: number) =>
  entryOf(await engine.execute({ type: 'closePosition', accountId, orderId }))

/** Three days of two real traders and a demo one; `count` is called at the end of each. */
async function threeDays(floor: Floor, count: () => Promise<unknown>): Promise<void> {
  const loser = await openReal(floor, '1000')
  const winner = await openReal(floor, '500')
  const demo = await floor.openAccount()
  await floor.tick(100_000)
  const first = await buy(floor, loser)
  const lucky = await buy(floor, winner)
  const played = await buy(floor, demo)
  await floor.tick(100_500)
  await close(floor, loser, first)
  await close(floor, winner, lucky)
  await close(floor, demo, played)
  await count()

  floor.clock.at = TUESDAY + NOON_MS
  await floor.tick(100_500)
  const orderId = await buy(floor, loser)
  const stops = { type: 'setStops', accountId: loser, orderId, takeProfit: null } as const
  entryOf(await floor.engine.execute({ ...stops, stopLoss: price(100_100) }))
  await count()

  floor.clock.at = WEDNESDAY + NOON_MS
  // Past the stop at a single step: a hundred ticks worse than asked.
  await floor.tick(100_000)
  await withdraw(floor, loser, '200', '5')
  await count()
}

describe.each(everyDatabase)('reports, $kind', (databases) => {
  const lived = async (): Promise<{ floor: Floor; database: Database }> => {
    const database = await databases.open()
    const floor = await openFloor(database, { startAt: MONDAY + NOON_MS })
    const book = createDayBook({
      ...{ queries: database.queries, now: () => floor.clock.at },
      onError: (error) => void floor.errors.push(String(error)),
    })
    await threeDays(floor, async () => {
      await floor.engine.caughtUp()
      expect(await book.counted()).toBe(floor.clock.at)
    })
    await book.stop()
    expect(floor.errors).toEqual([])
    return { floor, database }
  }
  const period = (ledger: LedgerKind) => ({ at: WEDNESDAY + NOON_MS, days: 3, ledger })

  it('tell what the house earned, demo apart', async () => {
    const { database } = await lived()
    const none = { protection: 0n, withdrawalFees: 0n, adjustments: 0n }
    // Two fees of a thousandth of 100.003, and twice (1.00500 - 1.00003) x 3,000 paid out.
    const monday = { fees: usd('0.200006'), swaps: 0n, clientResults: usd('-29.82'), ...none }
    // 3,000 x 1.005015 x 3.6 % / 360, for the night from Tuesday to Wednesday.
    const tuesday = { fees: usd('0.100503'), swaps: usd('0.301505'), clientResults: 0n, ...none }
    const wednesday = { fees: 0n, swaps: 0n, clientResults: usd('15.09'), ...none, withdrawalFees: usd('5') }
    expect(await houseDays(database.queries, period('real'))).toEqual([
      { day: MONDAY, ...monday, total: usd('-29.619994') },
      { day: TUESDAY, ...tuesday, total: usd('0.402008') },
      { day: WEDNESDAY, ...wednesday, total: usd('20.09') },
    ])
    const demo = await houseDays(database.queries, period('demo'))
    expect(demo.map(({ total }) => total)).toEqual([usd('-14.809997'), 0n, 0n])
  })

  it('tell deposits and withdrawals', async () => {
    const { database } = await lived()
    expect(await moneyDays(database.queries, period('real'))).toMatchObject([
      { deposits: 2, deposited: usd('1500'), withdrawals: 0, withdrawn: 0n, net: usd('1500') },
      { deposits: 0, withdrawals: 0, net: 0n },
      { deposits: 0, withdrawals: 1, withdrawn: usd('195'), net: usd('-195') },
    ])
  })

  it('tell who traded, by day and by week', async () => {
    const { database } = await lived()
    expect(await activeTraders(database.queries, period('real'))).toEqual({
      days: [
        { day: MONDAY, traders: 2, orders: 2 },
        { day: TUESDAY, traders: 1, orders: 1 },
        { day: WEDNESDAY, traders: 0, orders: 0 },
      ],
      weeks: [{ week: MONDAY, traders: 2 }],
    })
  })

  it('tell spread, slippage and delay from the receipts', async () => {
    const { database } = await lived()
    const { sum, instruments, triggers } = await fillsOf(
      database.queries,
      period('real'),
      new Map([[EURUSD.id, EURUSD]]),
    )
    expect(sum).toMatchObject({ fills: 6, better: 0, worse: 1, delayMostMs: 0 })
    // Three ticks each; a hundred ticks worse once in six fills.
    expect(instruments).toMatchObject([{ code: 'EURUSD', fills: 6, spread: 0.00003, slippage: -0.0001667 }])
    expect(triggers).toMatchObject([
      { trigger: 'user', fills: 5, worse: 0 },
      { trigger: 'stopLoss', fills: 1, worse: 1 },
    ])
  })

  it('tell the share of real accounts that lost money in twelve months', async () => {
    const { database } = await lived()
    const found = await countLosing(database.queries, WEDNESDAY + NOON_MS)
    // 14.91 won, 15.09 lost, and three costs: the loser's. The demo account is nobody's money.
    expect(found).toMatchObject({ accounts: 2, losing: 1, from: Date.UTC(2025, 0, 7) })
    expect(shareOf(found)).toBe(50)
    expect(shownShareOf(found)).toBeNull()
    expect(shownShareOf({ ...found, accounts: 27, losing: 20 })).toBe(74)
    const later = await countLosing(database.queries, WEDNESDAY + 366 * DAY_MS)
    expect(later).toMatchObject({ accounts: 0, losing: 0 })
    expect(shareOf(later)).toBeNull()
  })

  it('count every row once, whoever goes on counting', async () => {
    const { floor, database } = await lived()
    const before = await houseDays(database.queries, period('real'))
    const book = createDayBook({
      ...{ queries: database.queries, now: () => floor.clock.at },
      onError: (error) => void floor.errors.push(String(error)),
    })
    await Promise.all([book.counted(), book.counted()])
    await book.stop()
    expect(await houseDays(database.queries, period('real'))).toEqual(before)
    await database.queries.deleteFrom('money_day').execute()
    await database.queries.deleteFrom('report_progress').where('source', '=', 'transfer').execute()
    const anew = createDayBook({ queries: database.queries, now: () => 0, onError: () => undefined })
    await anew.counted()
    await anew.stop()
    expect(await houseDays(database.queries, period('real'))).toEqual(before)
  })
})
