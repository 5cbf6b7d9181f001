import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getExposure } from '@fairlot/contract/desk'
import { figuresOf, money, ratio } from '@fairlot/core'
import { newTrader, type Trader } from '../../../../testing/traders.ts'
import { entryOf } from '../../../../testing/test-world.ts'
import { call } from '../testing/calls.ts'
import { atDesk } from '../testing/desk.ts'
import { makePlace, startServer, type RunningServer } from '../testing/running-server.ts'
import { createSteppedPace } from '../testing/stepped-pace.ts'

const FRIDAY = Date.parse('2024-05-03T20:54:00Z')
const SATURDAY = Date.parse('2024-05-04T12:00:00Z')
const SECOND = 1_000

/** Three ticks of the closed pair, each within the band of the one before. */
const FALL = [1.08, 1.061, 1.042].map((bid, index) => [SATURDAY + index * 2 * SECOND, bid, bid + 0.00006])
const EURUSD = [[FRIDAY, 1.1, 1.10006], [FRIDAY + SECOND, 1.1, 1.10006], ...FALL]
/** Its own price does not move. */
const BTCUSD = [0, SECOND]
  .map((ms) => FRIDAY + ms)
  .concat([-1, 1, 3, 5, 7].map((seconds) => SATURDAY + seconds * SECOND))
  .map((at) => [at, 65_000, 65_020])

/** The accounts of the second are in euros: what BTC/USD earns is converted by the closed pair. */
describe.each(['USD', 'EUR'])('ticks of a closed market, with accounts in %s, change nothing', (currency) => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-closed-'))
  const pace = createSteppedPace(FRIDAY)
  let place: Awaited<ReturnType<typeof makePlace>>
  let server: RunningServer
  let trader: Trader

  beforeAll(async () => {
    const rows = (ticks: readonly (readonly number[])[]) => ['ts_ms,bid,ask', ...ticks].join('\n')
    writeFileSync(join(folder, 'EURUSD.csv'), rows(EURUSD))
    writeFileSync(join(folder, 'BTCUSD.csv'), rows(BTCUSD))
    place = await makePlace('sqlite')
    server = await startServer(place, {
      pace,
      env: {
        FEED: `replay:${folder}?loop=off`,
        MARKET_HOURS: 'real',
        SETTING_FRESHNESS_MS: '5000',
        SETTING_ACCOUNT_CURRENCY: currency,
      },
    })
    await pace.to(FRIDAY + SECOND)
    trader = await newTrader(server)
  })
  afterAll(async () => {
    await server.stop()
    await place.remove()
    rmSync(folder, { recursive: true })
    expect(server.failures).toEqual([])
  })

  const request = async (path: string, body?: object, { token } = trader) => {
    const headers = { authorization: token, lang: 'en' }
    const answer = await call(server, `/v1/api/${path}`, { headers, ...(body && { body }) })
    return answer.body?.data as Record<string, unknown>
  }
  const idOf = (code: string) => server.deployment.market.registry.byCode.get(code)?.instrument.id ?? 0
  const open = async (type: 1 | 2, code: string, cont: number, multiple: number, by = trader) =>
    (await request('forex/submit', { type, status: 1, forex_id: idOf(code), cont, multiple }, by))['Id']
  /** What the account screens, the copies, the ranking and the risk page value accounts by. */
  const allFigures = () => {
    const state = server.deployment.engine.state()
    return [...state.accounts.values()].map((account) => ({ id: account.id, ...figuresOf(state, account) }))
  }
  const exposure = async () => {
    const desk = await atDesk(server, 'dealing')
    const { totals, instruments } = await desk.request(getExposure, { ledger: 'demo' })
    return { totals, instruments: instruments.map(({ priceAgeMs: _, ...rest }) => rest) }
  }

  test('for an account, a stop that trails, an alert, a copy and the book of the broker', async () => {
    const { engine } = server.deployment
    const [seller, copier] = [await newTrader(server), await newTrader(server)]
    const euro = await open(1, 'EURUSD', 20, 30)
    const bitcoin = await open(1, 'BTCUSD', 0.1, 2)
    const sold = await open(2, 'EURUSD', 1, 30, seller)
    await request('forex/set_trailing', { id: sold, distance: '0.02' }, seller)
    const alert = { kind: 'price', forex_id: idOf('EURUSD'), side: 'bid', direction: 'below', price: '1.07' }
    const { id } = await request('forex/set_alert', alert)
    entryOf(await engine.execute({ type: 'publishStrategy', accountId: trader.user.id, feeShare: ratio(0) }))
    const start = {
      type: 'startCopy',
      accountId: copier.user.id,
      strategyId: 1,
      amount: money(50_000_000_000n),
      terms: { multiplier: ratio(1_000_000), exposureLimit: 30, stopLoss: 90 },
      isWithOpenOrders: true,
    } as const
    entryOf(await engine.execute(start))
    const copies = await engine.read(({ accounts }) =>
      [...accounts.values()].flatMap(({ copy, orders }) => (copy ? orders.size : [])),
    )
    expect(copies).toEqual([2])
    const stopOf = async () => {
      const { data } = await request('forex/my_deal?status=1', undefined, seller)
      return (data as Record<string, unknown>[]).map(({ StopLoss, TrailingDistance }) => [
        StopLoss,
        TrailingDistance,
      ])
    }

    await pace.to(SATURDAY - SECOND)
    const before = await request('main/account/figures')
    const [accounts, book, stop] = [allFigures(), await exposure(), await stopOf()]
    expect(stop[0]?.[1]).toBe(0.02)
    await pace.to(SATURDAY + 8 * SECOND)

    expect(await request('main/account/figures')).toEqual({ ...before, computed_at: SATURDAY + 8 * SECOND })
    expect([allFigures(), await exposure(), await stopOf()]).toEqual([accounts, book, stop])
    const { data } = await request('forex/my_deal?status=1')
    expect((data as { Id: number }[]).map(({ Id }) => Id)).toEqual([bitcoin, euro])
    expect(await request('forex/alerts')).toMatchObject({ data: [{ id, state: 'waiting' }] })
    expect(engine.state().quotes.get(idOf('EURUSD'))).toMatchObject({ bid: 110_000 })
  })
})
