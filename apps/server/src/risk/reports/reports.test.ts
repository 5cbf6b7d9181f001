import { lots, money, price, type LedgerKind } from '@fairlot/core'
import { expect, it } from 'vitest'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { createHarness, type Harness } from '../../testing/engine-harness.ts'
import {
  accountIdOf,
  entryOf,
  EURUSD,
  marketOrder,
  orderIdOf,
  TEST_OPERATOR,
} from '../../../../../testing/test-world.ts'
import { describe } from 'vitest'
import type { Database } from '../../platform/database/open.ts'
import { createDayBook } from './day-book.ts'
import { activeTraders, brokerDays, fillsOf, moneyDays } from './report-queries.ts'
import { countLosing, shareOf, shownShareOf } from './losing-share.ts'

const DAY_MS = 86_400_000
const MONDAY = Date.UTC(2026, 0, 5)
const [TUESDAY, WEDNESDAY] = [MONDAY + DAY_MS, MONDAY + 2 * DAY_MS]
const NOON_MS = DAY_MS / 2
/** 3,000 euros: a margin of exactly a hundred. */
const SIZE = { lots: lots(300) }

const usd = (text: string) => money(BigInt(Math.round(Number(text) * 1e6)))

async function openReal({ engine }: Harness, amount: string): Promise<number> {
  const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
  const opened = entryOf(await engine.execute({ type: 'openDeposit', accountId, amount: usd(amount) }))
  const deposit = opened.events.find((event) => event.type === 'depositOpened')
  const credit = { type: 'endDeposit', outcome: 'finished', amount: usd(amount), by: TEST_OPERATOR } as const
  entryOf(await engine.execute({ ...credit, caseId: deposit?.caseId ?? 0 }))
  return accountId
}

async function withdraw({ engine }: Harness, accountId: number, amount: string, fee: string): Promise<void> {
  const request = { type: 'requestWithdrawal', accountId, amount: usd(amount), fee: usd(fee) } as const
  const held = entryOf(await engine.execute(request)).events.find((event) => event.type === 'withdrawalHeld')
  const end = { type: 'endWithdrawal', outcome: 'paid', by: TEST_OPERATOR } as const
  entryOf(await engine.execute({ ...end, caseId: held?.caseId ?? 0 }))
}

const buy = async ({ engine }: Harness, accountId: number) =>
  orderIdOf(await engine.execute(marketOrder(accountId, SIZE)))
const close = async ({ engine }: Harness, accountId: number, orderId: number) =>
  entryOf(await engine.execute({ type: 'closePosition', accountId, orderId }))

/** Three days of two real traders and a demo one; `count` is called at the end of each. */
async function threeDays(harness: Harness, count: () => Promise<unknown>): Promise<void> {
  const loser = await openReal(harness, '1000')
  const winner = await openReal(harness, '500')
  const demo = await harness.openAccount()
  await harness.tick(100_000)
  const first = await buy(harness, loser)
  const lucky = await buy(harness, winner)
  const played = await buy(harness, demo)
  await harness.tick(100_500)
  await close(harness, loser, first)
  await close(harness, winner, lucky)
  await close(harness, demo, played)
  await count()

  harness.clock.at = TUESDAY + NOON_MS
  await harness.tick(100_500)
  const orderId = await buy(harness, loser)
  const stops = { type: 'setStops', accountId: loser, orderId, takeProfit: null } as const
  entryOf(await harness.engine.execute({ ...stops, stopLoss: price(100_100) }))
  await count()

  harness.clock.at = WEDNESDAY + NOON_MS
  // The price gaps through the stop loss: filled a hundred ticks worse.
  await harness.tick(100_000)
  await withdraw(harness, loser, '200', '5')
  await count()
}

describe.each(everyDatabase)('reports, $kind', (databases) => {
  const afterThreeDays = async (): Promise<{ harness: Harness; database: Database }> => {
    const database = await databases.open()
    const harness = await createHarness(database, { startAt: MONDAY + NOON_MS })
    const book = createDayBook({
      queries: database.queries,
      now: () => harness.clock.at,
      onError: (error) => void harness.errors.push(String(error)),
    })
    await threeDays(harness, async () => {
      await harness.engine.caughtUp()
      expect(await book.counted()).toBe(harness.clock.at)
    })
    await book.stop()
    expect(harness.errors).toEqual([])
    return { harness, database }
  }
  const period = (ledger: LedgerKind) => ({ at: WEDNESDAY + NOON_MS, days: 3, ledger })

  it('show what the broker earned, separately for demo accounts', async () => {
    const { database } = await afterThreeDays()
    const none = { protection: 0n, withdrawalFees: 0n, adjustments: 0n }
    // Two fees of a thousandth of 100.003, and twice (1.00500 - 1.00003) x 3,000 paid out.
    const monday = { fees: usd('0.200006'), swaps: 0n, clientResults: usd('-29.82'), ...none }
    // 3,000 x 1.005015 x 3.6 % / 360, at the rollover between Tuesday and Wednesday.
    const tuesday = { fees: usd('0.100503'), swaps: usd('0.301505'), clientResults: 0n, ...none }
    const wednesday = { fees: 0n, swaps: 0n, clientResults: usd('15.09'), ...none, withdrawalFees: usd('5') }
    expect(await brokerDays(database.queries, period('real'))).toEqual([
      { day: MONDAY, ...monday, total: usd('-29.619994') },
      { day: TUESDAY, ...tuesday, total: usd('0.402008') },
      { day: WEDNESDAY, ...wednesday, total: usd('20.09') },
    ])
    const demo = await brokerDays(database.queries, period('demo'))
    expect(demo.map(({ total }) => total)).toEqual([usd('-14.809997'), 0n, 0n])
  })

  it('show deposits and withdrawals', async () => {
    const { database } = await afterThreeDays()
    expect(await moneyDays(database.queries, period('real'))).toMatchObject([
      { deposits: 2, deposited: usd('1500'), withdrawals: 0, withdrawn: 0n, net: usd('1500') },
      { deposits: 0, withdrawals: 0, net: 0n },
      { deposits: 0, withdrawals: 1, withdrawn: usd('195'), net: usd('-195') },
    ])
  })

  it('show the number of active traders by day and by week', async () => {
    const { database } = await afterThreeDays()
    expect(await activeTraders(database.queries, period('real'))).toEqual({
      days: [
        { day: MONDAY, traders: 2, orders: 2 },
        { day: TUESDAY, traders: 1, orders: 1 },
        { day: WEDNESDAY, traders: 0, orders: 0 },
      ],
      weeks: [{ week: MONDAY, traders: 2 }],
    })
  })

  it('show spread, slippage and delay from the receipts', async () => {
    const { database } = await afterThreeDays()
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

  it('show the share of real accounts that lost money in twelve months', async () => {
    const { database } = await afterThreeDays()
    const found = await countLosing(database.queries, WEDNESDAY + NOON_MS)
    // One account won 14.91 and lost 15.09 and three costs. The demo account does not count.
    expect(found).toMatchObject({ accounts: 2, losing: 1, from: Date.UTC(2025, 0, 7) })
    expect(shareOf(found)).toBe(50)
    expect(shownShareOf(found)).toBeNull()
    expect(shownShareOf({ ...found, accounts: 27, losing: 20 })).toBe(74)
    const later = await countLosing(database.queries, WEDNESDAY + 366 * DAY_MS)
    expect(later).toMatchObject({ accounts: 0, losing: 0 })
    expect(shareOf(later)).toBeNull()
  })

  it('count every row once, also concurrently and after a recount from the start', async () => {
    const { harness, database } = await afterThreeDays()
    const before = await brokerDays(database.queries, period('real'))
    const book = createDayBook({
      queries: database.queries,
      now: () => harness.clock.at,
      onError: (error) => void harness.errors.push(String(error)),
    })
    await Promise.all([book.counted(), book.counted()])
    await book.stop()
    expect(await brokerDays(database.queries, period('real'))).toEqual(before)
    await database.queries.deleteFrom('money_day').execute()
    await database.queries.deleteFrom('report_progress').where('source', '=', 'transfer').execute()
    const recount = createDayBook({ queries: database.queries, now: () => 0, onError: () => undefined })
    await recount.counted()
    await recount.stop()
    expect(await brokerDays(database.queries, period('real'))).toEqual(before)
  })
})
