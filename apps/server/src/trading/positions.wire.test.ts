import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { endSingleOperatorMode } from '../testing/engine-setup.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { TEST_OPERATOR as by } from '../../../../testing/test-world.ts'
import { newTrader } from '../../../../testing/traders.ts'

type Row = Record<string, unknown>
type Answer = { code: number; msg: string; data: Row }

describe.each(DATABASES)('positions over the wire, %s', (kind) => {
  const server = serverOn(kind)
  let token = ''
  const request = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await call(server(), `/v1/api/${path}`, {
      headers: { authorization: token, lang: 'en', ...headers },
      ...(body && { body }),
    })
    return answer.body as Answer
  }
  const buy = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }
  const submitted = async (ticket: object = {}) =>
    (await request('forex/submit', { ...buy, ...ticket })).data as Row & { Id: number }
  const deals = async (status: number) =>
    (await request(`forex/my_deal?status=${status}`)).data as unknown as { data: Row[]; total: number }

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    await server().price('GBPUSD', [1.3, 1.30009])
    token = (await newTrader(server())).token
  })

  test('a partial close becomes an order of its own, the rest keeps its Id', async () => {
    const { Id } = await submitted()
    await server().price('EURUSD', [1.101, 1.10106])
    const { code, data: part } = await request('forex/close', { id: Id, cont: 0.04 })
    expect(code).toBe(1)
    expect(part).toMatchObject({
      ParentId: Id,
      Status: 3,
      ClosedType: 1,
      Quantity: 0.04,
      Price: 1.10006,
      UpdatePrice: 1.101,
      FactProfits: 3.76,
      TradeFee: 0,
      CautionMoney: 0,
      OriginCautionMoney: 146.674667,
    })
    expect(part['Id']).not.toBe(Id)
    expect((await deals(1)).data).toMatchObject([{ Id, Quantity: 0.06, CautionMoney: 220.012, Status: 1 }])
    expect((await deals(3)).data).toEqual([part])
    expect((await request('forex/close', { id: Id })).data).toMatchObject({
      Id,
      Quantity: 0.06,
      FactProfits: 5.64,
    })
  })

  test('a partial close of the full size closes the position, and one above it is refused', async () => {
    const { Id } = await submitted({ cont: 0.02 })
    expect((await request('forex/close', { id: Id, cont: 0.03 })).data['reason']).toBe('lotsAboveMaximum')
    expect((await request('forex/close', { id: Id, cont: 0.02 })).data).toMatchObject({ Id, Status: 3 })
    expect(await request('forex/close', { id: Id, cont: 0.01 })).toMatchObject({
      data: { reason: 'alreadyClosed' },
    })
  })

  test('a partial close repeated with the same key is carried out once', async () => {
    const { Id } = await submitted()
    const key = { 'idempotency-key': 'half' }
    const first = await request('forex/close', { id: Id, cont: 0.05 }, key)
    expect(await request('forex/close', { id: Id, cont: 0.05 }, key)).toEqual(first)
    expect((await deals(1)).data).toMatchObject([{ Id, Quantity: 0.05 }])
  })

  test('close_all closes what can be closed and returns the number left open', async () => {
    const ids = [(await submitted()).Id, (await submitted({ type: 2 })).Id]
    const halted = await submitted({ forex_id: 2, multiple: 30, cont: 0.02 })
    const { engine } = server().deployment
    await engine.execute({ type: 'haltInstrument', instrumentId: 2, reason: 'The exchange is down.', by })
    const key = { 'idempotency-key': 'all' }
    const { data } = await request('forex/close_all', {}, key)
    expect(data).toMatchObject({ data: ids.toReversed().map((Id) => ({ Id, Status: 3 })), left_open: 1 })
    expect((await request('forex/close', { id: halted.Id })).msg).toBe(
      'Trading in GBPUSD is halted: The exchange is down.',
    )
    await engine.execute({ type: 'haltInstrument', instrumentId: 2, reason: null, by })
    await request('forex/close', { id: halted.Id, cont: 0.01 })
    expect((await request('forex/close_all', {}, key)).data).toEqual(data)
    expect((await request('forex/close_all', {})).data).toMatchObject({
      data: [{ Id: halted.Id }],
      left_open: 0,
    })
    expect((await request('forex/close_all', {})).data['reason']).toBe('nothingToClose')
    expect((await request('forex/close_all', {}, key)).data).toEqual(data)
  })

  test('a halted instrument is listed as closed with its reason, until it is resumed', async () => {
    // Within 4 hours of the halt above.
    const two = { ...by, second: { id: 900_000, role: 'compliance' } } as const
    await endSingleOperatorMode(server())
    const { engine } = server().deployment
    const listed = async () => {
      const rows = (await request('forex/trade_list')).data as unknown as Row[]
      return rows.find((row) => row['Id'] === 2)
    }
    await engine.execute({ type: 'haltInstrument', instrumentId: 2, reason: 'A wrong price.', by: two })
    expect(await listed()).toMatchObject({ MarketStatus: 2, HaltReason: 'A wrong price.' })
    await engine.execute({ type: 'haltInstrument', instrumentId: 2, reason: null, by })
    expect(await listed()).toMatchObject({ MarketStatus: 1 })
    expect(await listed()).not.toHaveProperty('HaltReason')
  })

  test('in reduce-only mode pending orders can be cancelled and positions closed, but nothing opens', async () => {
    const { engine } = server().deployment
    const open = await submitted()
    const waiting = await submitted({ status: 0, target_price: 1.09 })
    const tradingMode = async () => {
      const { body } = await call(server(), '/api/basicSet/getBasicInfo')
      return (body as Answer).data['trading_mode']
    }
    await engine.execute({ type: 'setTradingMode', mode: 'reduceOnly', by })
    expect(await tradingMode()).toBe('reduceOnly')
    expect((await request('forex/submit', buy)).data['reason']).toBe('reduceOnly')
    expect((await request('forex/close', { id: open.Id })).code).toBe(1)
    expect((await request('forex/cancel_trade', { id: waiting.Id })).code).toBe(1)
    await engine.execute({ type: 'setTradingMode', mode: 'normal', by })
    expect(await tradingMode()).toBe('normal')
    expect((await request('forex/submit', buy)).code).toBe(1)
  })

  test('reverse closes and opens the opposite, and returns the new position', async () => {
    const { Id } = await submitted()
    const { data } = await request('forex/reverse', { id: Id })
    expect(data).toMatchObject({ OrderType: 2, Quantity: 0.1, Multiple: 30, Status: 1, Price: 1.1 })
    expect((await deals(3)).data).toMatchObject([{ Id, Status: 3, ClosedType: 1 }])
    expect((await deals(1)).data).toMatchObject([{ Id: data['Id'] }])
    expect((await request('forex/reverse', { id: Id })).data['reason']).toBe('alreadyClosed')
  })

  test('a trailing stop follows the price and closes behind it', async () => {
    const { Id } = await submitted()
    const { data } = await request('forex/set_trailing', { id: Id, distance: 0.002 })
    expect(data).toMatchObject({ Id, TrailingDistance: 0.002, TargetLossPrice: 1.098 })
    await server().price('EURUSD', [1.105, 1.10506])
    expect((await deals(1)).data).toMatchObject([{ Id, TargetLossPrice: 1.103 }])
    await server().price('EURUSD', [1.1029, 1.10296])
    expect((await deals(3)).data).toMatchObject([{ Id, ClosedType: 4, UpdatePrice: 1.1029 }])
  })

  test('a trailing stop without a distance stays at its price', async () => {
    const { Id } = await submitted()
    await request('forex/set_trailing', { id: Id, distance: 0.002 })
    const { data } = await request('forex/set_trailing', { id: Id })
    expect(data).toMatchObject({ Id, TrailingDistance: null, TargetLossPrice: 1.098 })
  })

  test('figures name the stop-out price, and a stop loss beyond it is accepted with a warning', async () => {
    const { Id } = await submitted({ cont: 20 })
    const { data } = await request('main/account/figures')
    const [stopOut] = data['stop_out'] as { order_id: number; price: number }[]
    expect(stopOut?.order_id).toBe(Id)
    const limit = stopOut?.price ?? 0
    // Balance 100,000 less the fee of 73.337333, margin 73,337.333333: half of it is left 63,257.996 below the open.
    expect(limit).toBe(1.06843)
    const within = await request('forex/set_stop_price', {
      id: Id,
      stop_loss_price: (limit + 0.001).toFixed(5),
    })
    expect(within).toMatchObject({ code: 1, data: { warning: null } })
    const beyond = await request('forex/set_stop_price', {
      id: Id,
      stop_loss_price: (limit - 0.001).toFixed(5),
    })
    expect(beyond).toMatchObject({ code: 1, data: { warning: expect.stringContaining('stopped out') } })
    expect(beyond.data['Warning']).toEqual({ Code: 'stopLossBeyondStopOut', Msg: beyond.data['warning'] })
    expect(within.data).not.toHaveProperty('Warning')
  })

  const beyondStopOut = { Code: 'stopLossBeyondStopOut', Msg: expect.stringContaining('stopped out') }

  test('an order whose stop loss is beyond its stop-out is accepted with a warning', async () => {
    // Of 20 lots the account is stopped out at 1.06843, as above.
    const safe = await submitted({ cont: 20, stop_loss_price: 1.06844 })
    expect(safe).toMatchObject({ Status: 1, TargetLossPrice: 1.06844 })
    expect(safe).not.toHaveProperty('Warning')
    await request('forex/close', { id: safe.Id })
    await request('main/user/resetForexDemoAccount', {})
    const taken = await submitted({ cont: 20, stop_loss_price: 1.06 })
    expect(taken).toMatchObject({ Status: 1, TargetLossPrice: 1.06, Warning: beyondStopOut })
    expect((await deals(1)).data[0]).not.toHaveProperty('Warning')
  })

  test('a pending order is checked as if opened at its target', async () => {
    const pending = { status: 0, cont: 20, target_price: 1.05 }
    // Balance 100,000 less the fee of 70, margin 70,000: 64,930 may go, 0.032465 below the target: 1.01753.
    expect(await submitted({ ...pending, stop_loss_price: 1.01753 })).not.toHaveProperty('Warning')
    await request('main/user/resetForexDemoAccount', {})
    const taken = await submitted({ ...pending, stop_loss_price: 1.01752 })
    expect(taken).toMatchObject({ Status: 0, Warning: beyondStopOut })
    const moved = await request('forex/set_stop_price', { id: taken.Id, stop_loss_price: 1.03 })
    expect(moved.data).toMatchObject({ warning: null })
  })

  test('the warning uses current prices, so a repeat may return another', async () => {
    const ticket = { ...buy, cont: 20, stop_loss_price: 1.06 }
    const key = { 'idempotency-key': 'risky' }
    const first = await request('forex/submit', ticket, key)
    expect(first.data['Warning']).toEqual(beyondStopOut)
    await request('forex/set_stop_price', { id: first.data['Id'], stop_loss_price: 1.09 })
    const again = await request('forex/submit', ticket, key)
    expect(again.data['Id']).toBe(first.data['Id'])
    expect(again.data).not.toHaveProperty('Warning')
  })

  test('every receipt names the one before it', async () => {
    const first = await submitted()
    const second = await submitted({ type: 2 })
    await request('forex/close', { id: first.Id })
    const finished = (await deals(3)).data.flatMap((row) => row['Receipts'] as Row[])
    const active = (await deals(1)).data.flatMap((row) => row['Receipts'] as Row[])
    expect(active).toHaveLength(1)
    const [opened, closed] = finished
    expect(opened?.['PreviousHash']).toBe('0'.repeat(64))
    expect(active[0]?.['PreviousHash']).toBe(opened?.['Hash'])
    expect(closed?.['PreviousHash']).toBe(active[0]?.['Hash'])
    expect(second.Id).toBeGreaterThan(first.Id)
  })
})
