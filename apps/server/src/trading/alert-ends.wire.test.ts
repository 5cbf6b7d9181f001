import { listAlerts, listNotices, setAlert, valueOf, type NewAlert } from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { newTrader, type Trader } from '../../../../testing/traders.ts'
import { realPace } from '../market/feeds/clock.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1_440 * MINUTE_MS

describe.each(DATABASES)('alerts and time, %s', (kind) => {
  /** How far the tests have moved the clock, ms. */
  let ahead = 0
  const server = serverOn(kind, {
    pace: { now: () => realPace.now() + ahead, wall: () => realPace.wall() + ahead, wait: realPace.wait },
  })
  let trader: Trader
  const list = async () => valueOf(await trader.client.call(listAlerts, null))
  const noticesOf = async () =>
    valueOf(await trader.client.call(listNotices, { page: 1, before: null })).notices
  const condition = { kind: 'price', instrumentId: 1, side: 'bid', direction: 'above' } as const
  const set = async (price: number, more: Partial<NewAlert> = {}) =>
    valueOf(
      await trader.client.call(setAlert, {
        condition: { ...condition, price } as unknown as NewAlert['condition'],
        pauseMs: null,
        expiresAt: null,
        ...more,
      }),
    )
  const now = () => server().deployment.market.now()

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    trader = await newTrader(server())
  })

  test('one with an expiry ends then without firing, and its owner is told', async () => {
    const expiresAt = now() + MINUTE_MS
    const { id } = await set(1.2, { expiresAt })
    expect(await list()).toMatchObject([{ id, state: 'waiting', expiresAt, endedAt: null }])
    ahead += MINUTE_MS
    await expect.poll(list).toMatchObject([{ id, state: 'expired', expiresAt, fired: null }])
    expect(await noticesOf()).toMatchObject([
      {
        kind: 'alertEnded',
        group: 'alerts',
        title: 'Alert expired',
        text: 'EUR/USD, bid at or above 1.20000: its time is over, so it no longer waits.',
      },
    ])
  })

  test('one that fired for good is listed for 30 days', async () => {
    const { id } = await set(1.101)
    await server().price('EURUSD', [1.101, 1.10106])
    expect(await list()).toMatchObject([{ id, state: 'fired' }])
    const { queries } = server().deployment.database
    const firedAt = async (at: number) => {
      await queries
        .updateTable('alert')
        .set({ fired_at: BigInt(at) })
        .where('id', '=', BigInt(id))
        .execute()
    }
    await firedAt(now() - 30 * DAY_MS + MINUTE_MS)
    expect(await list()).toMatchObject([{ id, state: 'fired' }])
    await firedAt(now() - 30 * DAY_MS - 1)
    expect(await list()).toEqual([])
  })
})
