import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { movablePace } from '../testing/accounts.ts'
import { call } from '../testing/calls.ts'
import { DATABASES, makePlace, startServer } from '../testing/running-server.ts'
import { CLAIM_MS } from './feeds/feed-router.ts'
import { openPriceSource, type PriceSource } from '../../../../testing/price-source.ts'

type Row = Record<string, unknown>

const MINUTE_MS = 60_000

describe.each(DATABASES)('the history of charts, %s', (kind) => {
  let place: Awaited<ReturnType<typeof makePlace>>
  let source: PriceSource
  let url = ''
  let stop: () => Promise<unknown> = async () => undefined
  let pass: (ms: number) => void = () => undefined

  const start = async (feed: string) => {
    const moved = movablePace()
    pass = moved.pass
    const server = await startServer(place, { env: { FEED: feed }, pace: moved.pace })
    url = server.url
    stop = async () => {
      await server.stop()
      expect(server.failures).toEqual([])
    }
  }
  beforeEach(async () => {
    place = await makePlace(kind)
    source = await openPriceSource()
  })
  afterEach(async () => {
    await stop()
    source.close()
    await place.remove()
  })

  const get = async (path: string) => (await call({ url }, `/v1/api/forex/${path}`)).body?.data as Row[]
  const shown = async (code: string) => (await get(`trade_list?searchCurrency=${code}`))[0] ?? {}
  const bars = async (code: string, period: string) => {
    const { Id } = await shown(code)
    return get(`kline?forex_id=${Number(Id)}&period=${period}&limit=1000`)
  }
  const price = async (code: string, bid: number, ask: number) => {
    await source.send(JSON.stringify({ symbol: code, bid, ask }))
    await vi.waitUntil(async () => (await shown(code))['Bid'] === bid, { interval: 20, timeout: 5_000 })
  }

  test('comes for each instrument from its own source', async () => {
    await start(`${source.url},simulated:1`)
    const before = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
    await price('EURUSD', 1.1, 1.10006)
    expect(await bars('GBPUSD', '1day')).toEqual([])
    pass(CLAIM_MS)
    await vi.waitUntil(async () => (await bars('GBPUSD', '1day')).length >= 300, { timeout: 10_000 })

    const simulated = await shown('GBPUSD')
    expect(simulated).toMatchObject({ Source: 'simulated' })
    expect(simulated).not.toHaveProperty('BarsSince')
    const days = await bars('GBPUSD', '1day')
    // The moving day includes its beginning, and is one bar.
    expect(Number(days.at(-1)?.['Volume'])).toBeGreaterThan(50)
    expect(new Set(days.map(({ Time }) => Time)).size).toBe(days.length)
    // Its range is that of a normal day.
    expect(Number(days.at(-1)?.['High']) / Number(days.at(-1)?.['Low'])).toBeLessThan(1.03)

    const live = await shown('EURUSD')
    expect(live).toMatchObject({ Source: 'live', BarsSince: expect.any(Number) })
    expect(live['BarsSince']).toBeGreaterThanOrEqual(before)
    expect(await bars('EURUSD', '1day')).toMatchObject([{ Open: 1.10003, Volume: 1 }])
  })

  test('never mixes prices of two kinds of source', async () => {
    await start('simulated:1')
    await vi.waitUntil(async () => (await shown('EURUSD'))['Bid'] !== null, { timeout: 5_000 })
    const made = (await bars('EURUSD', '60min')).slice(0, -1)
    expect(made.length).toBeGreaterThan(300)
    await stop()

    await start(source.url)
    expect(await bars('EURUSD', '60min')).toEqual([])
    const { Bid } = await shown('EURUSD')
    const bid = Math.round((Number(Bid) + 0.0001) * 1e5) / 1e5
    await price('EURUSD', bid, Math.round((bid + 0.00006) * 1e5) / 1e5)
    expect(await bars('EURUSD', '60min')).toMatchObject([{ Volume: 1 }])
    expect(await shown('EURUSD')).toMatchObject({ Source: 'live', ForexQuotations: { Change: 0 } })
    await stop()

    await start('simulated:1')
    await vi.waitUntil(async () => (await shown('EURUSD'))['Source'] === 'simulated', { timeout: 5_000 })
    expect((await bars('EURUSD', '60min')).slice(0, made.length)).toEqual(made)
  })
})
