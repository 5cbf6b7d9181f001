import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { call, dataOf } from '../../testing/calls.ts'
import { openProxy, type DatabaseProxy } from '../../testing/database-proxy.ts'
import { openPriceSource, quote, type PriceSource } from '../../../../../testing/price-source.ts'
import { makePlace, startServer, type RunningServer } from '../../testing/running-server.ts'
import { newTrader, type Trader } from '../../../../../testing/traders.ts'

const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }

/** Only PostgreSQL can become unreachable; a run without it reports that once, at its start. */
describe.runIf(inject('postgresUrl') !== null)('while the database is unavailable', () => {
  let place: Awaited<ReturnType<typeof makePlace>>
  let proxy: DatabaseProxy
  let source: PriceSource
  let server: RunningServer
  let trader: Trader

  beforeAll(async () => {
    place = await makePlace('postgres')
    proxy = await openProxy({ ...place, databaseUrl: place.databaseUrl ?? '' })
    source = await openPriceSource()
    server = await startServer(proxy.place, { env: { FEED: source.url } })
    await quote(source, server.deployment.engine, 'EURUSD', [1.1, 1.10006])
    trader = await newTrader(server)
    await trader.order()
  })
  afterAll(async () => {
    proxy.reconnect()
    await server.stop()
    source.close()
    proxy.close()
    await place.remove()
  })

  const request = (path: string, body?: object) =>
    call(server, path, { headers: { authorization: trader.token, lang: 'en' }, ...(body && { body }) })
  const unavailable = {
    status: 503,
    body: {
      code: 0,
      msg: 'The server cannot confirm requests right now, so yours is not confirmed. Please try again in a moment.',
      data: { reason: 'engineUnavailable' },
    },
  }
  const holding = async () => {
    const { status, body } = await request('/v1/api/forex/my_deal?status=1')
    return status === 200 ? dataOf<{ total: number }>({ body }).total : null
  }

  test('every call that needs the database gets the message that it is unavailable, and calls work again afterwards', async () => {
    proxy.disconnect()
    const headers = { authorization: 'unknown', lang: 'en' }
    expect(await call(server, '/api/user/info', { headers })).toMatchObject(unavailable)
    expect(await request('/v1/api/forex/kline?forex_id=1&period=1min')).toMatchObject(unavailable)
    expect(await request('/v1/api/forex/submit', ticket)).toMatchObject(unavailable)
    expect(await request('/v1/api/forex/my_deal?status=3')).toMatchObject(unavailable)
    expect(await call(server, '/readyz')).toMatchObject({ status: 503 })
    expect(await call(server, '/healthz')).toMatchObject({ status: 200 })
    proxy.reconnect()
    await vi.waitUntil(async () => (await holding()) === 1, { timeout: 10_000, interval: 100 })
    await quote(source, server.deployment.engine, 'EURUSD', [1.1001, 1.10016])
    expect((await request('/v1/api/forex/submit', ticket)).body?.code).toBe(1)
    expect(await holding()).toBe(2)
  })

  test('a database that does not answer delays no call for more than five seconds', async () => {
    proxy.freeze()
    const before = performance.now()
    const answers = await Promise.all([
      request('/v1/api/forex/submit', ticket),
      request('/v1/api/forex/my_deal?status=3'),
      request('/v1/api/forex/kline?forex_id=1&period=1min'),
      call(server, '/api/user/loginForU', { body: { demo_id: 'x' }, headers: { lang: 'en' } }),
    ])
    for (const answer of answers) expect(answer).toMatchObject(unavailable)
    // The limit, and what a machine with every core at work may add to it.
    expect(performance.now() - before).toBeLessThan(7_000)
    proxy.reconnect()
    await vi.waitUntil(async () => (await holding()) !== null, { timeout: 12_000, interval: 100 })
  })
})
