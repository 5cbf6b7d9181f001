import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { call } from '../testing/calls.ts'
import { startServerOn } from '../../../../testing/server-process.ts'
import { openPriceSource, type PriceSource } from '../../../../testing/price-source.ts'
import { DATABASES, makePlace, startServer } from '../testing/running-server.ts'
import { newTrader } from '../../../../testing/traders.ts'

/** Processes start slowly on a machine busy with other tests. */
const TIMEOUT_MS = 60_000

type Row = Record<string, unknown>

describe.each(DATABASES)('the market after a restart, %s', (kind) => {
  let place: Awaited<ReturnType<typeof makePlace>>
  let source: PriceSource
  /** The running server, in this process or in a child process. */
  let url = ''
  let end: () => Promise<unknown> = async () => undefined

  const start = async () => {
    const server = await startServer(place, { env: { FEED: source.url } })
    url = server.url
    end = server.stop
    return server
  }
  const startChild = async () => {
    const server = await startServerOn(place, { FEED: source.url, SETTING_FRESHNESS_MS: '60000' })
    url = server.url
    end = server.kill
  }
  beforeEach(async () => {
    place = await makePlace(kind)
    source = await openPriceSource()
  })
  afterEach(async () => {
    await end()
    source.close()
    await place.remove()
  })

  const get = async (path: string) => (await call({ url }, `/v1/api/forex/${path}`)).body?.data as Row[]
  const shown = async (code: string) => (await get(`trade_list?searchCurrency=${code}`))[0] ?? {}
  /** Sends a price and waits until the list shows it; returns its tick number. */
  const price = async (code: string, bid: number, ask: number, time = Date.now()) => {
    await source.send(JSON.stringify({ symbol: code, bid, ask, time }))
    await vi.waitUntil(async () => (await shown(code))['Bid'] === bid, { interval: 10, timeout: 5_000 })
    return (await shown(code))['QuoteSeq'] as number
  }

  test(
    'never repeats tick numbers, even if the server is killed before it has saved any',
    { timeout: TIMEOUT_MS },
    async () => {
      await startChild()
      const seen = [await price('EURUSD', 1.1, 1.10006)]
      const { token } = await newTrader({ url })
      await end()
      await startChild()
      seen.push(await price('EURUSD', 1.1001, 1.10016))
      await end()
      await start()
      seen.push(await price('EURUSD', 1.1002, 1.10026))
      expect((await call({ url }, '/api/user/info', { headers: { authorization: token } })).body?.code).toBe(
        1,
      )
      await end()
      await start()
      expect((await shown('EURUSD'))['Bid']).toBe(1.1002)
      seen.push(await price('EURUSD', 1.1003, 1.10036))
      expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b))
      expect(seen[0]).toBe(1)
    },
  )

  test('continues counting refused ticks, without reporting earlier ones again', async () => {
    const { deployment: before } = await start()
    const refused = { symbol: 'EURUSD', bid: 1.2, ask: 1.1, time: Date.now() }
    await source.send(JSON.stringify(refused))
    await source.send(JSON.stringify({ ...refused, symbol: 'NOSUCH' }))
    await price('GBPUSD', 1.3, 1.30006)
    expect(before.market.refusedTicks()).toContain('EURUSD crossed 1')
    await end()
    const { deployment: after } = await start()
    expect(after.market.refusedTicks()).toBeNull()
    const { intake } = after.market
    expect([intake.refusals(1).crossed, intake.unknownCount()]).toEqual([1, 1])
    await source.send(JSON.stringify(refused))
    await price('GBPUSD', 1.3001, 1.30016)
    expect(intake.refusals(1).crossed).toBe(2)
    expect(after.market.refusedTicks()).toBe('refused ticks: EURUSD crossed 1')
  })

  test('has the same bars to the last digit, and continues the moving one', async () => {
    const minute = Math.floor(Date.now() / 60_000) * 60_000
    await start()
    await price('EURUSD', 1.1, 1.10006, minute - 60_000)
    await price('EURUSD', 1.1001, 1.10016, minute)
    const bars = () => get('kline?forex_id=1&period=1min')
    const before = await bars()
    await end()
    await start()
    expect(await bars()).toEqual(before)
    await price('EURUSD', 1.1005, 1.10056, minute + 1)
    const [finished, moving] = await bars()
    expect(finished).toEqual(before[0])
    expect(moving).toMatchObject({
      Time: minute,
      Open: 1.10013,
      High: 1.10053,
      Low: 1.10013,
      Close: 1.10053,
      Volume: 2,
    })
  })
})

test('a server stops withCleanup, however soon after it is ready', async () => {
  const place = await makePlace('sqlite')
  const server = await startServerOn(place, { FEED: 'ws://127.0.0.1:9' })
  expect(await server.stop()).toBe(0)
  await place.remove()
})
