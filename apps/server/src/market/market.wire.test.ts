import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'

type Row = Record<string, unknown>

describe.each(DATABASES)('the market over the wire, %s', (kind) => {
  const server = serverOn(kind)
  const get = async (path: string, lang = 'en') =>
    (await call(server(), `/v1/api/forex/${path}`, { headers: { lang } })).body as {
      code: number
      data: Row[] & Row
    }
  const codes = async (search: string) =>
    (await get(`trade_list?searchCurrency=${encodeURIComponent(search)}`)).data.map(({ Code }) => Code)
  /** Three minutes of prices that end now; times increase, as the guard requires. */
  const minute = Math.floor(Date.now() / 60_000) * 60_000
  const PRICES: [time: number, bid: number, ask: number][] = [
    [minute - 120_000, 1.1, 1.10006],
    [minute - 110_000, 1.102, 1.10206],
    [minute - 90_000, 1.099, 1.09906],
    [minute - 60_001, 1.1005, 1.10056],
    [minute - 60_000, 1.101, 1.10106],
    [minute, 1.1012, 1.10126],
  ]

  beforeAll(async () => {
    for (const [time, bid, ask] of PRICES) await server().price('EURUSD', [bid, ask], time)
  })

  test('trade_list returns every instrument, highest rank first, with or without a price', async () => {
    const { code, data } = await get('trade_list')
    expect(code).toBe(1)
    expect(data).toHaveLength(55)
    expect(data.map(({ Sort }) => Sort)).toEqual(Array.from({ length: 55 }, (_, index) => 55 - index))
    const [eurusd, gbpusd] = data
    const day = (eurusd?.['ForexQuotations'] as Row | undefined)?.['Open']
    expect(eurusd).toEqual({
      Id: 1,
      Code: 'EURUSD',
      ShowCode: 'EUR/USD',
      Name: '',
      Logo: '',
      CategoryId: 1,
      MarketStatus: 1,
      TradeStatus: 1,
      PricePrecision: 5,
      Pip: 0.01,
      ForexMinCont: 0.01,
      ForexMaxCont: 100,
      ForexContNum: 100000,
      ForexFeeRate: 0.001,
      MarginMode: 2,
      HasForexMultiple: [1, 2, 5, 10, 20, 30].map((Value, index) => ({ Id: index + 1, ForexId: 1, Value })),
      Sort: 55,
      LastPrice: '1.10123',
      ForexQuotations: {
        ForexId: 1,
        Open: day,
        Close: 1.10123,
        High: expect.any(Number),
        Low: expect.any(Number),
        Change: expect.any(Number),
        Volume: expect.any(Number),
        NowTime: expect.any(Number),
      },
      Bid: 1.1012,
      Ask: 1.10126,
      Source: 'live',
      QuoteTime: expect.any(Number),
      QuoteSeq: PRICES.length,
      QuoteAge: expect.any(Number),
      NextOpenTime: null,
      NextCloseTime: null,
      MinDistance: 0.00006,
      BaseCurrency: 'EUR',
      QuoteCurrency: 'USD',
      NegativePrice: 0,
      SuspectBand: 0.02,
      MaxSpread: 0.01,
      MarkUp: 0,
      Session: 'forex',
      SwapBuy: 0,
      SwapSell: 0,
      TripleSwapDay: 'wed',
      FreshnessMs: 60_000,
      BarsSince: minute - 120_000,
    })
    expect(gbpusd).toMatchObject({
      Code: 'GBPUSD',
      Bid: null,
      Ask: null,
      QuoteTime: null,
      QuoteSeq: null,
      LastPrice: '',
      ForexQuotations: { ForexId: 2, Open: null, Close: null, High: null, Low: null, NowTime: null },
    })
  })

  test('searchCurrency finds by code, shown code or name, however they are written', async () => {
    for (const search of ['eurusd', 'EUR USD', 'eur-usd', 'usd/eur'])
      expect(await codes(search)).toEqual(['EURUSD'])
    expect(await codes(' EUR/us ')).toEqual(['EURUSD'])
    // A pair is named after its currencies, in English and in the caller's language.
    expect(await codes('dollar yen')).toContain('USDJPY')
    expect(await codes('us dollar yen')).toEqual(['USDJPY'])
    expect(
      (await get('trade_list?searchCurrency=' + encodeURIComponent('美元 日圓'), 'hk')).data[0],
    ).toMatchObject({
      Code: 'USDJPY',
    })
    expect(await codes('bitcoin')).toContain('BTCUSD')
    expect(await codes('')).toHaveLength(55)
    expect(await codes('no such thing')).toEqual([])
    expect(await codes('%')).toEqual([])
    expect(await codes("'; drop table instrument; --")).toEqual([])
    expect(await codes('\u0000')).toEqual([])
    expect((await codes('jpy')).length).toBeGreaterThan(3)
  })

  test.each<[search: string, lang: string, found: readonly string[]]>([
    ['原油', 'hk', ['WTI', 'BRENT']],
    ['石油', 'jp', ['WTI', 'BRENT']],
    ['نفط', 'ar', ['WTI', 'BRENT']],
    ['خام', 'ar', ['WTI', 'BRENT']],
    ['比特幣', 'hk', ['BTCUSD']],
    ['比特币', 'hk', ['BTCUSD']],
    ['بيتكوين', 'ar', ['BTCUSD']],
    ['الذهب', 'ar', ['XAUUSD']],
    ['ذهب', 'ar', ['XAUUSD']],
    ['黃金', 'hk', ['XAUUSD']],
    ['ゴールド', 'jp', ['XAUUSD']],
    ['금', 'kr', ['XAUUSD']],
    ['ทอง', 'th', ['XAUUSD']],
    ['恆指', 'hk', ['HK50']],
  ])('searchCurrency finds %s in %s', async (search, lang, found) => {
    const { data } = await get(`trade_list?searchCurrency=${encodeURIComponent(search)}`, lang)
    expect(data.map(({ Code }) => Code)).toEqual(found)
  })

  test.each([
    ['ゆーろ', 'jp', 'EURUSD', 'USDJPY'],
    ['ﾕｰﾛ', 'jp', 'EURUSD', 'USDJPY'],
    ['أمريكى', 'ar', 'EURUSD', 'EURGBP'],
  ])('searchCurrency finds %s in %s, however its letters are written', async (search, lang, one, other) => {
    const { data } = await get(`trade_list?searchCurrency=${encodeURIComponent(search)}`, lang)
    const found = data.map(({ Code }) => Code)
    expect(found).toContain(one)
    expect(found).not.toContain(other)
  })

  test('getCategories returns names in the language of the caller', async () => {
    expect((await get('getCategories')).data).toEqual(
      ['Forex', 'Metals', 'Energies', 'Indices', 'Crypto', 'Shares'].map((NameShowTrans, index) => ({
        Id: index + 1,
        NameShowTrans,
      })),
    )
    expect((await get('getCategories', 'tw')).data[0]).toEqual({ Id: 1, NameShowTrans: '外匯' })
  })

  test('kline returns bars of the mid by the time of their prices, ascending, the last one moving', async () => {
    const bar = (
      Time: number,
      Open: number,
      High: number,
      Low: number,
      Close: number,
      Volume: number,
      Change: number,
    ) => ({
      Id: Time,
      Code: 'EURUSD',
      ForexId: 1,
      Period: '1min',
      Time,
      Open,
      High,
      Low,
      Close,
      Volume,
      Amount: null,
      Change,
    })
    expect((await get('kline?forex_id=1&period=1min')).data).toEqual([
      bar(minute - 120_000, 1.10003, 1.10203, 1.09903, 1.10053, 4, 0.0455),
      bar(minute - 60_000, 1.10103, 1.10103, 1.10103, 1.10103, 1, 0),
      bar(minute, 1.10123, 1.10123, 1.10123, 1.10123, 1, 0),
    ])
    await server().price('EURUSD', [1.1013, 1.10136], minute + 1)
    const [last] = (await get('kline?forex_id=1&period=1min&limit=1')).data
    expect(last).toEqual(bar(minute, 1.10123, 1.10133, 1.10123, 1.10133, 2, 0.0091))
    expect((await get('abbreviated_cache_kline?forex_id=1&period=1min')).data.at(-1)).toEqual(last)
  })

  test('kline pages back with `to`, and returns at most `limit` bars', async () => {
    const times = async (query: string) =>
      (await get(`kline?forex_id=1&period=1min${query}`)).data.map(({ Time }) => Number(Time) - minute)
    expect(await times(`&to=${minute}`)).toEqual([-120_000, -60_000])
    expect(await times(`&to=${minute}&limit=1`)).toEqual([-60_000])
    expect(await times(`&to=${minute + 1}&limit=2`)).toEqual([-60_000, 0])
    expect(await times('&limit=2')).toEqual([-60_000, 0])
    expect(await times('&to=0')).toEqual([])
    expect(await times('&to=8640000000000000&limit=1000')).toHaveLength(3)
  })

  test('abbreviated_cache_kline returns the last 60 bars', async () => {
    const first = minute - 70 * 60_000
    for (let index = 0; index <= 70; index++)
      await server().price('AUDUSD', [0.65, 0.65006], first + index * 60_000)
    const [audusd] = (await get('trade_list?searchCurrency=AUDUSD')).data
    const bars = async (call: string) =>
      (await get(`${call}?forex_id=${String(audusd?.['Id'])}&period=1min`)).data.map(({ Time }) => Time)
    const all = await bars('kline')
    expect(all).toHaveLength(71)
    expect(await bars('abbreviated_cache_kline')).toEqual(all.slice(-60))
  })

  test('every period has its bars, and an instrument without a price has none', async () => {
    for (const period of ['1min', '5min', '15min', '30min', '60min', '1day']) {
      const { data } = await get(`kline?forex_id=1&period=${period}`)
      expect(data.at(-1)).toMatchObject({ Period: period, Close: 1.10133 })
    }
    expect((await get('kline?forex_id=2&period=1min')).data).toEqual([])
  })

  test.each([
    ['', 'periodInvalid'],
    ['forex_id=1', 'periodInvalid'],
    ['period=1min', 'idInvalid'],
    ['forex_id=1&period=2min', 'periodInvalid'],
    ['forex_id=1&period=toString', 'periodInvalid'],
    ['forex_id=0&period=1min', 'idInvalid'],
    ['forex_id=-1&period=1min', 'idInvalid'],
    ['forex_id=1e0&period=1min', 'idInvalid'],
    ['forex_id=0x1&period=1min', 'idInvalid'],
    ['forex_id=1&forex_id=2&period=1min', 'idInvalid'],
    ['forex_id=56&period=1min', 'unknownInstrument'],
    ['forex_id=9007199254740991&period=1min', 'unknownInstrument'],
    ['forex_id=1&period=1min&limit=0', 'notUnderstood'],
    ['forex_id=1&period=1min&limit=1001', 'notUnderstood'],
    ['forex_id=1&period=1min&to=-1', 'timeInvalid'],
    ['forex_id=1&period=1min&to=1e12', 'timeInvalid'],
    ['forex_id=1&period=1min&to=99999999999999999999', 'timeInvalid'],
  ])('kline refuses ?%s', async (query, reason) => {
    expect(await get(`kline?${query}`)).toMatchObject({ code: 0, data: { reason } })
  })
})
