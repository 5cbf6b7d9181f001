import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { call, dataOf } from '../testing/calls.ts'
import { openCable, type DatabaseCable } from '../testing/database-cable.ts'
import { openPriceSource, quote, type PriceSource } from '../../../../testing/price-source.ts'
import { makePlace, startServer, type RunningServer } from '../testing/running-server.ts'
import { newTrader, type Trader } from '../../../../testing/traders.ts'

const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }

/** Only a server can go away from under us; without one the run says so once, at its start. */
describe.runIf(inject('postgresUrl') !== null)('while the database is away', () => {
  let place: Awaited<ReturnType<typeof makePlace>>
  let cable: DatabaseCable
  let source: PriceSource
  let server: RunningServer
  let trader: Trader

  beforeAll(async () => {
    place = await makePlace('postgres')
    cable = await openCable({ ...place, databaseUrl: place.databaseUrl ?? '' })
    source = await openPriceSource()
    server = await startServer(cable.place, { env: { FEED: source.url } })
    await quote(source, server.deployment.engine, 'EURUSD', [1.1, 1.10006])
    trader = await newTrader(server)
    await trader.order()
  })
  afterAll(async () => {
    cable.plug()
    await server.stop()
    source.close()
    cable.close()
    await place.remove()
  })

  const ask = (path: string, body?: object) =>
    call(server, path, { headers: { authorization: trader.token, lang: 'en' }, ...(body && { body }) })
  const unavailable = {
    status: 503,
    body: {
      code: 0,
      msg: 'The server cannot confirm anything right now. Nothing counts as done until it can; please try again in a moment.',
      data: { reason: 'engineUnavailable' },
    },
  }
  const holding = async () => {
    const { status, body } = await ask('/v1/api/forex/my_deal?status=1')
    return status === 200 ? dataOf<{ total: number }>({ body }).total : null
  }

  test('every call that needs it is refused with its own sentence, and it all works again afterwards', async () => {
    cable.pull()
    const guess = { authorization: 'unknown', lang: 'en' }
    expect(await call(server, '/api/user/info', { headers: guess })).toMatchObject(unavailable)
    expect(await ask('/v1/api/forex/kline?forex_id=1&period=1min')).toMatchObject(unavailable)
    expect(await ask('/v1/api/forex/submit', ticket)).toMatchObject(unavailable)
    expect(await ask('/v1/api/forex/my_deal?status=3')).toMatchObject(unavailable)
    expect(await call(server, '/readyz')).toMatchObject({ status: 503 })
    expect(await call(server, '/healthz')).toMatchObject({ status: 200 })
    cable.plug()
    await vi.waitUntil(async () => (await holding()) === 1, { timeout: 10_000, interval: 100 })
    await quote(source, server.deployment.engine, 'EURUSD', [1.1001, 1.10016])
    expect((await ask('/v1/api/forex/submit', ticket)).body?.code).toBe(1)
    expect(await holding()).toBe(2)
  })

  test('a database that says nothing keeps nobody waiting for more than five seconds', async () => {
    cable.freeze()
    const before = performance.now()
    const answers = await Promise.all([
      ask('/v1/api/forex/submit', ticket),
      ask('/v1/api/forex/my_deal?status=3'),
      ask('/v1/api/forex/kline?forex_id=1&period=1min'),
      call(server, '/api/user/loginForU', { body: { demo_id: 'x' }, headers: { lang: 'en' } }),
    ])
    for (const answer of answers) expect(answer).toMatchObject(unavailable)
    expect(performance.now() - before).toBeLessThan(5_500)
    cable.plug()
    await vi.waitUntil(async () => (await holding()) !== null, { timeout: 12_000, interval: 100 })
  })
})
