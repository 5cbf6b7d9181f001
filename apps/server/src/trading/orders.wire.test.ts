import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../testing/calls.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { newTrader } from '../../../../testing/traders.ts'

describe.each(DATABASES)('orders over the wire, %s', (kind) => {
  const server = serverOn(kind)
  let token = ''
  let userId = 0
  const request = async (path: string, body?: object) => {
    const answer = await call(server(), path, {
      headers: { authorization: token, lang: 'en' },
      ...(body && { body }),
    })
    return answer.body as { code: number; msg: string; data: Record<string, unknown> }
  }
  const buy = { type: 1, cont: 0.1, forex_id: 1, status: 1, multiple: 30 }
  const limit = { ...buy, status: 0, target_price: '1.09' }
  const submitted = async (ticket: object) => (await request('/v1/api/forex/submit', ticket)).data
  const deals = async (status: number, page = 1) =>
    (await request(`/v1/api/forex/my_deal?status=${status}&page=${page}`)).data as {
      data: Record<string, unknown>[]
      total: number
    }

  beforeEach(async () => {
    await server().price('EURUSD', [1.1, 1.10006])
    const trader = await newTrader(server())
    token = trader.token
    userId = trader.user.id
  })

  const moment = expect.toSatisfy((time) => Math.abs(Number(time) - Date.now()) < 60_000)
  const tick = {
    ForexId: 1,
    Bid: 1.1,
    Ask: 1.10006,
    Seq: expect.any(Number),
    TickTime: moment,
    ReceivedTime: moment,
    MarkUp: 0,
    Source: expect.stringMatching(/^ws:127\.0\.0\.1:\d+$/),
  }
  const receipt = {
    Time: moment,
    Action: 'open',
    Trigger: 'user',
    Tick: tick,
    QuoteSide: 'ask',
    RequestedPrice: 1.10006,
    FilledPrice: 1.10006,
    Slippage: 0,
    DelayMs: expect.any(Number),
    Conversion: [],
    RuleVersion: 7,
    Terms: expect.any(Number),
  }
  /** Receipts carry their place in the account's chain once they are in the tables. */
  const chained = (stored: object, PreviousHash: unknown = '0'.repeat(64)) => ({
    ...stored,
    PreviousHash,
    Hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const bought = () => ({
    Id: expect.any(Number),
    UserId: userId,
    ForexId: 1,
    ForexTradeLists: {
      Id: 1,
      Code: 'EURUSD',
      ShowCode: 'EUR/USD',
      Name: '',
      Logo: '',
      PricePrecision: 5,
      ForexContNum: 100000,
      MarginMode: 2,
      Pip: 0.01,
    },
    OrderType: 1,
    Kind: 'market',
    Status: 1,
    ClosedType: 0,
    Quantity: 0.1,
    Multiple: 30,
    OriginPrice: 1.10003,
    Price: 1.10006,
    UpdatePrice: 1.1,
    TargetProfitPrice: 0,
    TargetLossPrice: 0,
    OriginCautionMoney: 366.686667,
    CautionMoney: 366.686667,
    FactProfits: -0.6,
    TradeFee: 0.366687,
    Swap: 0,
    TrailingDistance: null,
    ForexContNum: 100000,
    CreateTimeHandler: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
    CreateTime: moment,
    TransactionTime: moment,
    CompleteTime: null,
    ExpireTime: null,
    Receipts: [receipt],
  })

  test('submit buys at the ask and returns the exact order', async () => {
    const answer = await request('/v1/api/forex/submit', buy)
    expect(answer).toEqual({ code: 1, msg: 'Done', data: bought() })
    const { CreateTimeHandler, CreateTime } = answer.data
    const written = new Date(Number(CreateTime)).toISOString().slice(0, 19).replace('T', ' ')
    expect(CreateTimeHandler).toBe(written)
  })

  test('submit sells at the bid', async () => {
    expect(await submitted({ ...buy, type: 2 })).toMatchObject({
      OrderType: 2,
      OriginPrice: 1.10003,
      Price: 1.1,
      UpdatePrice: 1.10006,
      FactProfits: -0.6,
    })
  })

  test('my_deal lists what submit returned, with the sums of the list', async () => {
    await submitted(buy)
    expect(await request('/v1/api/forex/my_deal?status=1&page=1')).toEqual({
      code: 1,
      msg: 'Done',
      data: {
        data: [{ ...bought(), Receipts: [chained(receipt)] }],
        total: 1,
        all_fact_profits: -0.6,
        balance: 99999.633313,
      },
    })
  })

  test('submit places a pending order that reserves its margin and fee', async () => {
    const expires = Date.now() + 3_600_000
    const unfilled = { QuoteSide: null, FilledPrice: null }
    const placed = { ...receipt, Action: 'place', Kind: 'limit', RequestedPrice: 1.09, ...unfilled }
    const pending = await submitted({
      ...limit,
      stop_loss_price: 1.08,
      target_profit_price: '1.2',
      expire_time: expires,
    })
    expect(pending).toEqual({
      ...bought(),
      Kind: 'limit',
      Status: 0,
      OriginPrice: 1.09,
      Price: null,
      FactProfits: 0,
      ExpireTime: expires,
      OriginCautionMoney: 363.333333,
      CautionMoney: 363.333333,
      TradeFee: 0.363333,
      TargetProfitPrice: 1.2,
      TargetLossPrice: 1.08,
      TransactionTime: null,
      Receipts: [placed],
    })
    expect((await deals(0)).data).toEqual([{ ...pending, Receipts: [chained(placed)] }])
    expect((await request('/v1/api/main/account/figures')).data).toMatchObject({
      reserved: 363.696666,
      current_margin: 0,
    })
  })

  test('a limit that is reached already fills at once, a stop that is passed is refused with the price', async () => {
    const pending = { ...buy, status: 0, target_price: 1.2 }
    expect(await submitted({ ...pending, kind: 'limit' })).toMatchObject({
      Status: 1,
      Kind: 'limit',
      OriginPrice: 1.2,
      Price: 1.10006,
      Receipts: [{ Action: 'open', Kind: 'limit', RequestedPrice: 1.2, FilledPrice: 1.10006 }],
    })
    const passed = await request('/v1/api/forex/submit', { ...pending, target_price: 1.05, kind: 'stop' })
    expect(passed).toMatchObject({
      code: 0,
      msg: 'The price is 1.10006 already: a buy stop must be above it. Nothing was ordered.',
      data: { reason: 'targetPassed' },
    })
    expect(await submitted({ ...pending, kind: 'stop' })).toMatchObject({ Status: 0, Kind: 'stop' })
    expect(await submitted({ ...pending, kind: '' })).toMatchObject({ Status: 0, Kind: 'stop' })
    for (const wrong of [
      { ...pending, kind: 'market' },
      { ...pending, kind: 7 },
      { ...buy, kind: 'limit' },
    ])
      expect((await request('/v1/api/forex/submit', wrong)).data).toMatchObject({
        reason: 'orderKindInvalid',
      })
  })

  test('a pending order fills once the market reaches it, and keeps its Id', async () => {
    const { Id } = await submitted(limit)
    await server().price('EURUSD', [1.0899, 1.08996])
    const [position] = (await deals(1)).data
    expect(position).toMatchObject({ Id, Status: 1, Kind: 'limit', OriginPrice: 1.09, Price: 1.08996 })
    expect((await deals(0)).total).toBe(0)
  })

  test('close books the profit at the bid and returns the closed order', async () => {
    const { Id } = await submitted(buy)
    await server().price('EURUSD', [1.101, 1.10106])
    const closed = await request('/v1/api/forex/close', { id: Id })
    expect(closed).toMatchObject({
      code: 1,
      data: {
        Id,
        Status: 3,
        ClosedType: 1,
        Price: 1.10006,
        UpdatePrice: 1.101,
        FactProfits: 9.4,
        OriginCautionMoney: 366.686667,
        CautionMoney: 0,
        TradeFee: 0.366687,
        CompleteTime: moment,
        Receipts: [receipt, { Action: 'close', QuoteSide: 'bid', FilledPrice: 1.101 }],
      },
    })
    expect(await deals(3)).toEqual({
      data: [closed.data],
      total: 1,
      all_fact_profits: 9.4,
      balance: 100009.033313,
    })
    expect((await deals(1)).total).toBe(0)
  })

  test('cancel_trade ends a pending order without a fee', async () => {
    const { Id } = await submitted(limit)
    expect((await request('/v1/api/forex/cancel_trade', { id: Id })).data).toMatchObject({
      Id,
      Status: 4,
      ClosedType: 7,
      Price: null,
      UpdatePrice: null,
      FactProfits: 0,
      TradeFee: 0,
      CautionMoney: 0,
    })
    expect((await deals(3)).total).toBe(1)
    expect((await request('/v1/api/main/wallet/getBalance')).data).toEqual({ balance: 100000 })
  })

  test('set_stop_price sets both stops, moves or clears one, and leaves alone what is left out', async () => {
    const { Id } = await submitted(buy)
    const set = (stops: object) => request('/v1/api/forex/set_stop_price', { id: Id, ...stops })
    const shown = async () => {
      const [position] = (await deals(1)).data
      return [position?.['TargetProfitPrice'], position?.['TargetLossPrice']]
    }
    expect((await set({ target_profit_price: '1.12', stop_loss_price: 1.08 })).data).toEqual({
      target_profit_price: 1.12,
      target_loss_price: 1.08,
      warning: null,
    })
    expect(await shown()).toEqual([1.12, 1.08])
    expect((await set({ target_profit_price: 1.13 })).data).toEqual({
      target_profit_price: 1.13,
      target_loss_price: 1.08,
      warning: null,
    })
    expect(await shown()).toEqual([1.13, 1.08])
    await set({ stop_loss_price: 1.07, target_profit_price: '' })
    expect(await shown()).toEqual([1.13, 1.07])
    await set({ stop_loss_price: 0 })
    expect(await shown()).toEqual([1.13, 0])
    await set({})
    expect(await shown()).toEqual([1.13, 0])
    await set({ target_profit_price: 0 })
    expect(await shown()).toEqual([0, 0])
  })

  test('a stop loss ends the position at the price that reached it', async () => {
    await submitted({ ...buy, stop_loss_price: 1.095 })
    await server().price('EURUSD', [1.094, 1.09406])
    const [ended] = (await deals(3)).data
    expect(ended).toMatchObject({ Status: 3, ClosedType: 4, UpdatePrice: 1.094, FactProfits: -60.6 })
  })

  test('the account figures are those of trading-rules §3', async () => {
    await submitted(buy)
    expect(await request('/v1/api/main/account/figures')).toEqual({
      code: 1,
      msg: 'Done',
      data: {
        balance: 99999.633313,
        net_value: 99999.033313,
        available_prepayment: 99632.346646,
        current_margin: 366.686667,
        risk_rate: 27270.98,
        prepayment_ratio: 27270.98,
        total_profit: -0.6,
        reserved: 0,
        stop_out: [],
        computed_at: expect.any(Number),
      },
    })
  })

  test('without a position the margin level is null', async () => {
    expect((await request('/v1/api/main/account/figures')).data).toMatchObject({
      risk_rate: null,
      prepayment_ratio: null,
    })
  })

  test('resetForexDemoAccount ends every order without a fill and restores the balance', async () => {
    await submitted(buy)
    await submitted(limit)
    const reset = await request('/v1/api/main/user/resetForexDemoAccount', {})
    expect(reset).toEqual({
      code: 1,
      msg: 'Demo account reset. It has its starting balance.',
      data: { balance: 100000 },
    })
    const { data } = await deals(3)
    expect(
      data.map(({ Status, ClosedType, FactProfits, UpdatePrice }) => [
        Status,
        ClosedType,
        FactProfits,
        UpdatePrice,
      ]),
    ).toEqual([
      [4, 9, 0, null],
      [3, 9, 0, null],
    ])
    expect((await request('/v1/api/main/account/figures')).data).toMatchObject({
      balance: 100000,
      current_margin: 0,
      reserved: 0,
    })
  })

  test('resetForexDemoAccount sets the balance that is given, within the limits of the deployment', async () => {
    const path = '/v1/api/main/user/resetForexDemoAccount'
    expect(await request(path, { balance: '2500.5' })).toMatchObject({ code: 1, data: { balance: 2500.5 } })
    for (const balance of [99.999999, 1000000.000001, 0, -5])
      expect(await request(path, { balance })).toMatchObject({
        code: 0,
        msg: 'A demo account can start with 100.00 to 1,000,000.00.',
      })
    expect(await request(path, { balance: 'much' })).toMatchObject({ code: 0 })
    expect((await request('/v1/api/main/account/figures')).data).toMatchObject({ balance: 2500.5 })
    expect(await request(path, { balance: '' })).toMatchObject({ code: 1, data: { balance: 100000 } })
  })

  test('funds: the balance, and each booking with the balance after it, newest first', async () => {
    const { Id } = await submitted(buy)
    await request('/v1/api/forex/close', { id: Id })
    expect((await request('/v1/api/main/account/forexDetail')).data).toEqual({
      balance: 99999.033313,
      lock_balance: 0,
    })
    expect((await request('/v1/api/main/wallet/getBalance')).data).toEqual({ balance: 99999.033313 })
    const row = {
      Id: expect.any(Number),
      CreatedTime: moment,
      CreatedAtTran: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      Lock: 0,
    }
    expect((await request('/v1/api/main/accountLog/forexChange?page=1')).data).toEqual({
      data: [
        {
          ...row,
          Value: -0.6,
          MemoTran: `Result of order ${String(Id)}`,
          Balance: 99999.033313,
          Kind: 'result',
          OrderId: Id,
        },
        {
          ...row,
          Value: -0.366687,
          MemoTran: `Opening fee of order ${String(Id)}`,
          Balance: 99999.633313,
          Kind: 'fee',
          OrderId: Id,
        },
        { ...row, Value: 100000, MemoTran: 'Starting demo balance', Balance: 100000, Kind: 'demoIssue' },
      ],
      total: 3,
    })
  })

  test('rows after an order are complete, though the list has changed since the rows before', async () => {
    const ids: number[] = []
    for (let count = 0; count < 15; count++) ids.unshift((await submitted(limit))['Id'] as number)
    const idsOf = (data: readonly Record<string, unknown>[]) => data.map(({ Id }) => Id)
    const after = async (status: number, id: unknown) =>
      (await request(`/v1/api/forex/my_deal?status=${status}&before=${String(id)}`)).data as never as {
        data: Record<string, unknown>[]
      }
    const first = idsOf((await deals(0)).data)
    expect(first).toEqual(ids.slice(0, 10))
    for (const id of ids.slice(1, 4)) await request('/v1/api/forex/cancel_trade', { id })
    expect(idsOf((await after(0, first.at(-1))).data)).toEqual(ids.slice(10))
    // It may have left the list itself.
    expect(idsOf((await after(0, ids[3])).data)).toEqual(ids.slice(4, 14))
    for (const id of ids.slice(4)) await request('/v1/api/forex/cancel_trade', { id })
    const latest = idsOf((await deals(3)).data)
    expect(latest).toHaveLength(10)
    const rest = idsOf((await after(3, latest.at(-1))).data)
    expect(new Set([...latest, ...rest])).toEqual(new Set(ids.slice(1)))
    for (const [wrong, reason] of [
      ['999999999', 'orderNotFound'],
      [String(ids[0]), 'orderNotFound'],
      ['x', 'idInvalid'],
      ['0', 'idInvalid'],
    ] as const)
      expect(await request(`/v1/api/forex/my_deal?status=3&before=${wrong}`)).toMatchObject({
        code: 0,
        data: { reason, field: 'before' },
      })
  })

  test('pages hold ten rows, newest first; one past the end is empty, one below the first is refused', async () => {
    const ids: unknown[] = []
    for (let count = 0; count < 12; count++) ids.unshift((await submitted({ ...buy, cont: 0.01 }))['Id'])
    const [first, second, third] = [await deals(1, 1), await deals(1, 2), await deals(1, 3)]
    expect([...first.data, ...second.data].map(({ Id }) => Id)).toEqual(ids)
    expect([first, second, third].map(({ data, total }) => [data.length, total])).toEqual([
      [10, 12],
      [2, 12],
      [0, 12],
    ])
    for (const id of ids) await request('/v1/api/forex/close', { id })
    const lists = ['/v1/api/forex/my_deal?status=3&', '/v1/api/main/accountLog/forexChange?']
    for (const list of lists) {
      const rows = async (page: string) =>
        (await request(`${list}page=${page}`)).data as unknown as { data: unknown[] }
      const { data: first } = await rows('1')
      expect(first).toHaveLength(10)
      const { data: after } = await rows(`1&before=${(first[3] as { Id: number }).Id}`)
      expect(after.slice(0, 6)).toEqual(first.slice(4))
      expect((await rows('2')).data.length).toBeGreaterThan(1)
      expect((await rows('900719925474099')).data).toEqual([])
      expect((await rows('9007199254740991')).data).toEqual([])
      for (const page of ['0', '-1', '1.5', 'x', '1e1', '0x1', '9007199254740993', '1&page=2']) {
        expect(await request(`${list}page=${page}`)).toMatchObject({
          code: 0,
          data: { reason: 'pageInvalid' },
        })
      }
    }
  })
})
