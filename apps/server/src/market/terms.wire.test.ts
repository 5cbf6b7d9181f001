import { defineSession, price, ratio } from '@fairlot/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { changeInstrument, setTerms } from '../testing/engine-setup.ts'
import { verify } from '../verify/verify.ts'
import { newTrader } from '../../../../testing/traders.ts'

type Row = Record<string, unknown>
type Answer = { code: number; msg: string; data: Row }

const [EURUSD, GBPUSD, USDJPY] = [1, 2, 11]

describe.each(DATABASES)('terms that change while the server runs, %s', (kind) => {
  const server = serverOn(kind)
  let token = ''
  const engine = () => server().deployment.engine
  const request = async (path: string, body?: object) => {
    const headers = { authorization: token, lang: 'en' }
    const answer = await call(server(), `/v1/api/forex/${path}`, { headers, ...(body && { body }) })
    return answer.body as Answer
  }
  const submit = (ticket: object = {}) =>
    request('submit', { type: 1, cont: 0.1, forex_id: EURUSD, status: 1, multiple: 30, ...ticket })
  const listed = async (id: number) => {
    const { data } = await request('trade_list')
    return (data as unknown as Row[]).find((row) => row['Id'] === id)
  }
  const deals = async (status: number) =>
    (await request(`my_deal?status=${status}`)).data as { data: Row[] } & Row

  const reserved = async () => {
    const { body } = await call(server(), '/v1/api/main/account/figures', {
      headers: { authorization: token },
    })
    return (body as Answer).data['reserved'] as number
  }

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await server().price('GBPUSD', [1.3, 1.30009])
    token = (await newTrader(server())).token
  })

  test('lists a new fee and leverages at once, and applies them from the next order', async () => {
    const before = (await submit()).data
    await changeInstrument(engine(), EURUSD, { feeRate: ratio(2_000), leverages: [5, 10] })
    expect(await listed(EURUSD)).toMatchObject({
      ForexFeeRate: 0.002,
      HasForexMultiple: [{ Value: 5 }, { Value: 10 }],
    })
    expect((await submit()).data['reason']).toBe('leverageNotOffered')
    const after = (await submit({ multiple: 10 })).data
    expect([before['TradeFee'], before['CautionMoney']]).toEqual([0.366687, 366.686667])
    expect([after['TradeFee'], after['CautionMoney']]).toEqual([2.20012, 1_100.06])
    expect((await deals(1)).data).toMatchObject([{ Id: after['Id'] }, { TradeFee: 0.366687, Multiple: 30 }])
    const terms = [before, after].map((row) => (row['Receipts'] as Row[])[0]?.['Terms'] as number)
    expect(terms[1]).toBe((terms[0] ?? 0) + 1)
    await changeInstrument(engine(), EURUSD, { feeRate: ratio(1_000), leverages: [1, 2, 5, 10, 20, 30] })
  })

  test('closes the market at once by a new session, and lists when it opens', async () => {
    const instrument = engine().state().instruments.get(EURUSD)
    // Open on one weekday that is not today.
    const weekday = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'][(new Date().getUTCDay() + 3) % 7] ?? ''
    const session = { name: 'rare', zone: 'UTC', windows: `${weekday} 10:00-${weekday} 11:00`, holidays: [] }
    expect(defineSession(session).windows).toHaveLength(1)
    await setTerms(engine(), { kind: 'calendar', session })
    await changeInstrument(engine(), EURUSD, { session: 'rare' })
    const kept = { kind: 'live' as const, freshnessMs: null }
    await setTerms(engine(), { kind: 'source', instrumentId: EURUSD, source: { ...kept, hours: 'session' } })
    const row = await listed(EURUSD)
    expect(row).toMatchObject({ MarketStatus: 2, Session: 'rare', NextCloseTime: null })
    expect(new Date(row?.['NextOpenTime'] as number).toISOString()).toContain('T10:00:00')
    expect((await submit()).data['reason']).toBe('marketClosed')
    await setTerms(engine(), { kind: 'source', instrumentId: EURUSD, source: { ...kept, hours: 'always' } })
    await changeInstrument(engine(), EURUSD, { session: instrument?.session ?? '' })
    expect((await submit()).code).toBe(1)
  })

  test('removes a disabled instrument from the list, cancels its pending orders, and lets its positions be closed', async () => {
    const position = (await submit({ forex_id: GBPUSD })).data['Id']
    const waiting = (await submit({ forex_id: GBPUSD, status: 0, target_price: 1.2 })).data['Id']
    const other = (await submit({ status: 0, target_price: 1.05 })).data['Id']
    const before = await reserved()
    await changeInstrument(engine(), GBPUSD, { isEnabled: false })
    expect(await listed(GBPUSD)).toBeUndefined()
    expect((await submit({ forex_id: GBPUSD })).data['reason']).toBe('instrumentDisabled')
    await expect.poll(async () => (await deals(0)).data.map((row) => row['Id'])).toEqual([other])
    expect((await deals(3)).data).toMatchObject([{ Id: waiting, Status: 4, ClosedType: 10 }])
    expect((await deals(1)).data).toMatchObject([{ Id: position, ForexTradeLists: { Code: 'GBPUSD' } }])
    expect(await reserved()).toBeLessThan(before)
    await server().price('GBPUSD', [1.31, 1.31009])
    expect((await deals(1)).data).toMatchObject([{ Id: position, UpdatePrice: 1.31 }])
    expect((await request('close', { id: position })).data).toMatchObject({ Status: 3, ClosedType: 1 })
    await changeInstrument(engine(), GBPUSD, { isEnabled: true })
    expect(await listed(GBPUSD)).toMatchObject({ TradeStatus: 1 })
  })

  test('checks ticks by the current band and spread', async () => {
    await changeInstrument(engine(), GBPUSD, { maxSpread: ratio(1_000_000), suspectBand: ratio(900_000) })
    await server().price('GBPUSD', [1.5, 1.9])
    expect(await listed(GBPUSD)).toMatchObject({ Bid: 1.5, Ask: 1.9, SuspectBand: 0.9, MaxSpread: 1 })
    await server().price('GBPUSD', [1.3, 1.30009])
    await changeInstrument(engine(), GBPUSD, { maxSpread: ratio(10_000), suspectBand: ratio(20_000) })
  })

  test('widens the next price by a mark-up for everybody, stores it with the quote, and names it in receipts', async () => {
    await changeInstrument(engine(), EURUSD, { markUp: ratio(100) })
    // The last price stays until the source sends again.
    expect(await listed(EURUSD)).toMatchObject({ MarkUp: 0.0001, Bid: 1.1, Ask: 1.10006 })
    const quote = await server().price('EURUSD', [1.1, 1.10006])
    expect(quote).toMatchObject({ bid: 109_989, ask: 110_017, markUp: 11 })
    expect(await listed(EURUSD)).toMatchObject({ Bid: 1.09989, Ask: 1.10017 })
    expect((await submit()).data).toMatchObject({
      Price: 1.10017,
      Receipts: [{ FilledPrice: 1.10017, Tick: { Bid: 1.09989, Ask: 1.10017, MarkUp: 0.00011 } }],
    })
    // One bar, or two where a minute began meanwhile.
    const bars = (await request('kline?forex_id=1&period=1min')).data as unknown as { Close: number }[]
    expect(new Set(bars.map(({ Close }) => Close))).toEqual(new Set([1.10003]))
    // The guard checks the price of the source, without the mark-up.
    await changeInstrument(engine(), EURUSD, { maxSpread: ratio(120) })
    await server().price('EURUSD', [1.1, 1.10006])
    const { queries } = server().deployment.database
    const kept = () => queries.selectFrom('quote').selectAll().where('instrument_id', '=', 1n).execute()
    await expect.poll(kept).toMatchObject([{ bid: 109_989n, ask: 110_017n, mark_up: 11n }])
    await changeInstrument(engine(), EURUSD, { markUp: ratio(0), maxSpread: ratio(10_000) })
    await server().price('EURUSD', [1.1, 1.10006])
    expect((await submit()).data).toMatchObject({ Price: 1.10006, Receipts: [{ Tick: { MarkUp: 0 } }] })
    await engine().caughtUp()
    expect((await verify(server().deployment.database)).difference).toBeNull()
  })

  test('lists a new instrument at once, priced by any source that sends it', async () => {
    const { instruments, listings } = engine().state()
    const [yen, listing] = [instruments.get(USDJPY), listings.get(USDJPY)]
    if (!yen || !listing) throw new Error('USDJPY is seeded')
    const instrument = { ...yen, id: 56, code: 'USDTHB', quoteCurrency: 'THB', minStopDistance: price(5) }
    const added = { ...listing, showCode: 'USD/THB', category: 'Exotics', sort: 99 }
    await setTerms(engine(), { kind: 'instrument', instrument, listing: added })
    expect(await listed(56)).toMatchObject({ ShowCode: 'USD/THB', CategoryId: 7, Bid: null })
    expect((await request('getCategories')).data).toContainEqual({ Id: 7, NameShowTrans: 'Exotics' })
    await server().price('USDTHB', [33.5, 33.51])
    expect(await listed(56)).toMatchObject({ Bid: 33.5, Ask: 33.51, Source: 'live' })
    expect((await submit({ forex_id: 56, multiple: 10 })).code).toBe(1)
    expect((await request('kline?forex_id=56&period=1min')).data).toMatchObject([{ Close: 33.505 }])
  })

  test('publishes and applies changed trading settings', async () => {
    const { settings } = engine().state()
    const changed = { ...settings, maxLivingOrders: 1, feeType: 'fixed' as const, warningLevel: 120 }
    await setTerms(engine(), { kind: 'settings', settings: changed })
    const { body } = await call(server(), '/api/basicSet/getBasicInfo')
    expect(body?.data).toMatchObject({ trade_fee_type: 1, warning_level: 120 })
    expect((await submit()).code).toBe(1)
    expect(await submit()).toMatchObject({
      msg: 'An account has at most 1 open and pending orders. Close or cancel one first.',
      data: { reason: 'tooManyOrders' },
    })
    await setTerms(engine(), { kind: 'settings', settings })
  })
})
