import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { violations } from '@fairlot/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openForReading, type DatabasePlace } from '../../platform/database/open.ts'
import { realPace } from '../../market/feeds/clock.ts'
import { logInAs } from '../../testing/accounts.ts'
import { call } from '../../testing/calls.ts'
import { unpackFirstJournal, type OldDatabase } from '../../testing/old-database.ts'
import { openPriceSource, quote } from '../../../../../testing/price-source.ts'
import { DATABASES, startServer } from '../../testing/running-server.ts'

const VERIFY = fileURLToPath(new URL('../../commands/verify.ts', import.meta.url))
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** 17:00 in New York in winter, counted from midnight UTC. */
const ROLLOVER_MS = 79_200_000

type Row = Readonly<Record<string, unknown>>

const ALL_EVENTS = [
  'accountOpened',
  'instrumentHalted',
  'moneyMoved',
  'orderCancelled',
  'orderPlaced',
  'positionClosed',
  'positionOpened',
  'positionReduced',
  'rolledOver',
  'stopsSet',
  'swapBooked',
  'tradingModeSet',
]
/** All end reasons of orders, as in the fixture. */
const ALL_ENDS = ['user', 'takeProfit', 'stopLoss', 'stopOut', 'demoReset', 'expired', 'cancelledByUser']

async function firstJournal(kind: (typeof DATABASES)[number]): Promise<OldDatabase> {
  const old = await unpackFirstJournal(kind)
  onTestFinished(old.remove)
  return old
}

/** The output of `npm run verify` for a database without a running server. */
async function verifyOutput(place: DatabasePlace): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: place.dataDir || '.',
    DATABASE_URL: place.databaseUrl ?? '',
  }
  // With a difference it exits with another code, but prints the same output.
  const { stdout } = await promisify(execFile)(process.execPath, [VERIFY], { env }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

/** Starts the current server on an old database; the market clock continues one minute after it stopped. */
async function openMarket({ place, shown }: OldDatabase) {
  const source = await openPriceSource()
  onTestFinished(() => source.close())
  const clock = { at: shown.endedAt + MINUTE_MS }
  const start = () =>
    startServer(place, {
      env: { FEED: source.url, MARKET_HOURS: 'real' },
      pace: { now: () => clock.at, wall: () => clock.at, wait: realPace.wait },
    })
  const server = await start()
  const request = async (name: string, path: string, body?: object, key?: string) => {
    const token = shown.traders[name]?.token ?? ''
    const headers = { authorization: token, ...(key !== undefined && { 'idempotency-key': key }) }
    const answer = await call(server, `/v1/api/${path}`, { headers, ...(body && { body }) })
    expect(answer.body).toMatchObject({ code: 1 })
    return answer.body?.data as Row
  }
  const listed = async (name: string, status: number) => {
    const { total, data } = await request(name, `forex/my_deal?status=${status}`)
    return { total, ids: (data as Row[]).map(({ Id }) => Id) }
  }
  const price = async () => {
    const { engine } = server.deployment
    await quote(source, engine, 'EURUSD', [1.0531, 1.05316])
    await quote(source, engine, 'GBPUSD', [1.3012, 1.30129])
    await quote(source, engine, 'USDJPY', [151.12, 151.13])
    await quote(source, engine, 'EURGBP', [0.8412, 0.8413])
  }
  return { clock, server, start, request, listed, price }
}

describe.each(DATABASES)('a database of the first journal version, %s', (kind) => {
  it('has every event and end reason, and on SQLite journal rows that a crash left out of the tables', async () => {
    const { place } = await firstJournal(kind)
    const { queries, close } = await openForReading(place)
    const rows = await queries.selectFrom('journal').select(['seq', 'entries']).orderBy('seq').execute()
    const found = rows.map(({ entries }) => entries).join()
    expect(ALL_EVENTS.filter((name) => !found.includes(`"type":"${name}"`))).toEqual([])
    expect(ALL_ENDS.filter((name) => !found.includes(`"reason":"${name}"`))).toEqual([])
    const { journal_seq } = await queries.selectFrom('projection').selectAll().executeTakeFirstOrThrow()
    expect((rows.at(-1)?.seq ?? 0n) - journal_seq > 0n).toBe(kind === 'sqlite')
    await close()
  })

  it('shows users the same as before the upgrade, and lets them log in', async () => {
    const old = await firstJournal(kind)
    const { server, request, listed } = await openMarket(old)
    for (const [name, { token: _, ...last }] of Object.entries(old.shown.traders)) {
      const { balance } = await request(name, 'main/account/figures')
      const [pending, holding, history] = await Promise.all([0, 1, 3].map((status) => listed(name, status)))
      expect({ pending, holding, history, balance }).toEqual(last)
    }
    expect((await logInAs(server, old.shown.member)).body).toMatchObject({ code: 1 })
    expect(violations(server.deployment.engine.core())).toEqual([])
    await server.stop()
    expect(server.failures).toEqual([])
  })

  it('trades on through a rollover, restarts, and verifies', async () => {
    const old = await firstJournal(kind)
    const { clock, server, start, request, price } = await openMarket(old)
    await price()
    const { trader, key, orderId } = old.shown.request
    const buy = { type: 1, cont: 0.1, forex_id: 2, status: 1, multiple: 30 }
    // Sent again a minute later, it returns the earlier result.
    expect(await request(trader, 'forex/submit', { ...buy, stop_loss_price: 1.2 }, key)).toMatchObject({
      Id: orderId,
    })
    await request(trader, 'forex/submit', buy)
    await request(trader, 'forex/close', { id: orderId, cont: 0.05 })
    await request(trader, 'forex/cancel_trade', { id: old.shown.traders[trader]?.pending.ids[0] })
    await request('dora', 'main/user/resetForexDemoAccount', {})

    const rollover = Math.floor(clock.at / DAY_MS) * DAY_MS + ROLLOVER_MS
    clock.at = rollover + 10 * MINUTE_MS
    await price()
    const { engine } = server.deployment
    await vi.waitUntil(
      () => engine.state().lastRollover === rollover && engine.state().rollovers.size === 0,
      {
        timeout: 10_000,
      },
    )
    await request(trader, 'forex/close_all', {})
    await server.stop()
    expect(await verifyOutput(old.place)).toMatch(/: no difference\n$/)

    const again = await start()
    expect(violations(again.deployment.engine.core())).toEqual([])
    await again.stop()
    expect([...server.failures, ...again.failures]).toEqual([])
    expect(await verifyOutput(old.place)).toMatch(/: no difference\n$/)
  })
})
