import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { makePlace, startServer, type RunningServer } from '../testing/running-server.ts'
import { createSteppedPace } from '../testing/stepped-pace.ts'
import { newTrader, type Trader } from '../../../../testing/traders.ts'

const FRIDAY = Date.parse('2024-05-03T20:54:00Z')
const CLOSES = Date.parse('2024-05-03T20:55:00Z')
const OPENS = Date.parse('2024-05-05T21:05:00Z')
const TICKS = [
  [FRIDAY, 1.1, 1.10006],
  [FRIDAY + 10_000, 1.1001, 1.10016],
  [CLOSES - 1_000, 1.1002, 1.10026],
  // Sources keep sending outside trading hours.
  [CLOSES + 1_000, 1.085, 1.08506],
  [OPENS + 2_000, 1.04, 1.04006],
  [OPENS + 4_000, 1.0401, 1.04016],
] as const

const ticket = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }

describe('a recorded weekend, with real hours', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairlot-weekend-'))
  const pace = createSteppedPace(FRIDAY)
  let place: Awaited<ReturnType<typeof makePlace>>
  let server: RunningServer
  let trader: Trader

  beforeAll(async () => {
    const rows = TICKS.map((tick) => tick.join(','))
    writeFileSync(join(folder, 'EURUSD.csv'), ['ts_ms,bid,ask', ...rows].join('\n'))
    place = await makePlace('sqlite')
    server = await startServer(place, {
      pace,
      env: { FEED: `replay:${folder}?loop=off`, MARKET_HOURS: 'real', SETTING_FRESHNESS_MS: '5000' },
    })
    await pace.to(FRIDAY)
    trader = await newTrader(server)
  })
  afterAll(async () => {
    await server.stop()
    await place.remove()
    rmSync(folder, { recursive: true })
    expect(server.failures).toEqual([])
  })

  const request = async (path: string, body?: object) => {
    const headers = { authorization: trader.token, lang: 'en' }
    const answer = await call(server, `/v1/api/forex/${path}`, { headers, ...(body && { body }) })
    return answer.body as { code: number; msg: string; data: Record<string, unknown> }
  }
  const listed = async () => {
    const { data } = await request('trade_list?searchCurrency=EURUSD')
    return (data as unknown as Record<string, unknown>[])[0]
  }
  let position = 0
  let pending = 0

  test('open: trades, and lists the closing time', async () => {
    expect(await listed()).toMatchObject({
      MarketStatus: 1,
      NextCloseTime: CLOSES,
      NextOpenTime: null,
      Source: 'recorded',
      QuoteTime: FRIDAY,
    })
    const opened = await request('submit', { ...ticket, stop_loss_price: 1.09 })
    const placed = await request('submit', { ...ticket, status: 0, target_price: 1.095 })
    expect([opened.code, placed.code]).toEqual([1, 1])
    position = opened.data['Id'] as number
    pending = placed.data['Id'] as number
  })

  test('a price is fresh for five seconds of the market clock; an older one opens and closes nothing', async () => {
    await pace.to(FRIDAY + 5_000)
    expect(await listed()).toMatchObject({ QuoteTime: FRIDAY, QuoteAge: 5_000 })
    expect((await request('submit', { ...ticket, cont: 0.01 })).code).toBe(1)
    await pace.to(FRIDAY + 5_001)
    for (const refused of [
      await request('submit', ticket),
      await request('submit', { ...ticket, status: 0, target_price: 1.05 }),
      await request('close', { id: position }),
    ]) {
      expect(refused).toEqual({
        code: 0,
        msg: 'There is no current price. Try again in a moment.',
        data: { reason: 'stalePrice' },
      })
    }
    await pace.to(FRIDAY + 10_000)
    expect((await request('submit', { ...ticket, cont: 0.01 })).code).toBe(1)
  })

  test('closed: nothing opens, closes or triggers, but stops can be moved and pending orders cancelled', async () => {
    await pace.to(CLOSES + 2_000)
    expect(await listed()).toMatchObject({
      MarketStatus: 2,
      NextOpenTime: OPENS,
      NextCloseTime: null,
      Bid: 1.1002,
    })
    // Nor is the price outside the hours a candle of its own.
    const candles = (await request('kline?forex_id=1&period=1min')).data as unknown as { Close: number }[]
    expect(candles.at(-1)).toMatchObject({ Close: 1.10023 })
    const closed = { code: 0, msg: 'The market for EURUSD is closed.', data: { reason: 'marketClosed' } }
    expect(await request('submit', ticket)).toEqual(closed)
    expect(await request('submit', { ...ticket, status: 0, target_price: 1.05 })).toEqual(closed)
    expect(await request('close', { id: position })).toEqual(closed)
    // The price outside the hours is below the stop loss and the target, and means nothing.
    expect((await request('my_deal?status=1')).data['total']).toBe(3)
    expect((await request('set_stop_price', { id: position, stop_loss_price: 1.045 })).code).toBe(1)
    expect((await request('cancel_trade', { id: pending })).code).toBe(1)
  })

  test('closed: a tick makes no bar, no change and no price; operators see its count', async () => {
    const { market } = server.deployment
    const bars = await Promise.all(
      (['1min', '60min', '1day'] as const).map((period) =>
        market.candles.read({ instrumentId: 1, period, before: null, limit: 10 }),
      ),
    )
    for (const read of bars)
      expect(read.at(-1)).toMatchObject({ high: 110_023, low: 110_003, close: 110_023 })
    expect((await listed())?.['ForexQuotations']).toMatchObject({ Close: 1.10023, Low: 1.10003 })
    expect(market.intake.refusals(1)).toMatchObject({ outsideHours: 1 })
  })

  test('open again: the first price is an accepted gap, and fills the stop loss', async () => {
    await pace.to(OPENS + 2_500)
    expect(await listed()).toMatchObject({ MarketStatus: 1, NextCloseTime: expect.any(Number), Bid: 1.04 })
    const { data } = await request('my_deal?status=3')
    const ended = (data['data'] as Record<string, unknown>[]).find(({ Id }) => Id === position)
    expect(ended).toMatchObject({ ClosedType: 4, UpdatePrice: 1.04, CompleteTime: OPENS + 2_000 })
    expect((await request('submit', ticket)).code).toBe(1)
  })

  test('a demo reset closes positions at any hour', async () => {
    await pace.to(OPENS + 60_000)
    expect((await request('submit', ticket)).data['reason']).toBe('stalePrice')
    const path = '/v1/api/main/user/resetForexDemoAccount'
    const { body } = await call(server, path, { headers: { authorization: trader.token }, body: {} })
    expect(body).toMatchObject({ code: 1, data: { balance: 100000 } })
    expect((await request('my_deal?status=1')).data['total']).toBe(0)
  })
})
