/** The wire form, pinned: each sample is decoded and encoded again exactly. */
import { describe, expect, it } from 'vitest'
import { type Codec, encode } from './codec.ts'
import { decode } from './server.ts'
import { accountFigures, fundsBalance, ledgerPage, walletBalance } from '../funds/funds.wire.ts'
import { activityPage } from '../accounts/user.wire.ts'
import { candle } from '../market/candles.wire.ts'
import { category, instrument, watchChange } from '../market/instruments.wire.ts'
import { clientMessage, serverMessage } from '../index.ts'
import { orderPage, takenOrder } from '../trading/orders.wire.ts'
import { sealedReceipt } from '../trading/receipt.wire.ts'
import { basicInfo, settings } from '../market/settings.wire.ts'
import { orderTicket, setStopsRequest, setStopsResponse } from '../trading/ticket.wire.ts'
import { demoKey, loggedIn } from '../accounts/login.wire.ts'

const eurusd = {
  Id: 1,
  Code: 'EURUSD',
  ShowCode: 'EUR/USD',
  Name: 'Euro / US dollar',
  Logo: '/logos/eurusd.svg',
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
  HasForexMultiple: [
    { Id: 1, ForexId: 1, Value: 10 },
    { Id: 2, ForexId: 1, Value: 30 },
  ],
  Sort: 55,
  LastPrice: '1.08475',
  ForexQuotations: {
    ForexId: 1,
    Open: 1.08,
    Close: 1.08475,
    High: 1.09,
    Low: 1.0795,
    Change: 0.4398,
    Volume: 1234,
    NowTime: 1_700_000_000_000,
  },
  Bid: 1.08472,
  Ask: 1.08478,
  Source: 'simulated',
  QuoteTime: 1_700_000_000_000,
  QuoteSeq: 41,
  QuoteAge: 0,
  NextOpenTime: null,
  NextCloseTime: 1_700_100_000_000,
  MinDistance: 0.00006,
  BaseCurrency: 'EUR',
  QuoteCurrency: 'USD',
  NegativePrice: 0,
  SuspectBand: 0.02,
  MaxSpread: 0.01,
  MarkUp: 0.0001,
  Session: 'forex',
  SwapBuy: -2.5,
  SwapSell: 1.25,
  TripleSwapDay: 'wed',
  FreshnessMs: 5000,
}

const silent = {
  ...eurusd,
  MarketStatus: 2,
  HasForexMultiple: [],
  LastPrice: '',
  ForexQuotations: {
    ForexId: 1,
    Open: null,
    Close: null,
    High: null,
    Low: null,
    Change: null,
    Volume: null,
    NowTime: null,
  },
  Bid: null,
  Ask: null,
  Source: null,
  QuoteTime: null,
  QuoteSeq: null,
  QuoteAge: 0,
}

const bar = {
  Id: 1_700_000_040_000,
  Code: 'EURUSD',
  ForexId: 1,
  Period: '1min',
  Time: 1_700_000_040_000,
  Open: 1.08,
  High: 1.0801,
  Low: 1.0799,
  Close: 1.0801,
  Volume: 12,
  Amount: null,
  Change: 0.0093,
}

const brief = {
  Id: 1,
  Code: 'EURUSD',
  ShowCode: 'EUR/USD',
  Name: 'Euro / US dollar',
  Logo: '/logos/eurusd.svg',
  PricePrecision: 5,
  ForexContNum: 100000,
  MarginMode: 2,
  Pip: 0.01,
}

const tick = {
  ForexId: 1,
  Bid: 1.08472,
  Ask: 1.08478,
  Seq: 41,
  TickTime: 1_700_000_000_000,
  ReceivedTime: 1_700_000_000_020,
  Source: 'simulated',
  MarkUp: 0.00001,
}

const receipt = {
  Time: 1_700_000_000_030,
  Action: 'open',
  Trigger: 'user',
  Tick: tick,
  QuoteSide: 'ask',
  RequestedPrice: 1.08478,
  FilledPrice: 1.08478,
  Slippage: 0,
  DelayMs: 10,
  Conversion: [],
  RuleVersion: 2,
  Terms: 112,
}

const holding = {
  Id: 9,
  UserId: 3,
  ForexId: 1,
  ForexTradeLists: brief,
  OrderType: 1,
  Kind: 'market',
  Status: 1,
  ClosedType: 0,
  Quantity: 0.1,
  Multiple: 30,
  OriginPrice: 1.08475,
  Price: 1.08478,
  UpdatePrice: 1.08472,
  TargetProfitPrice: 1.1,
  TargetLossPrice: 0,
  TrailingDistance: null,
  OriginCautionMoney: 361.593333,
  CautionMoney: 361.593333,
  FactProfits: -0.6,
  TradeFee: 0.361593,
  Swap: -1.5,
  ForexContNum: 100000,
  CreateTimeHandler: '2023-11-14 22:13:20',
  CreateTime: 1_700_000_000_030,
  TransactionTime: 1_700_000_000_030,
  CompleteTime: null,
  ExpireTime: null,
  Receipts: [receipt],
}

const openingFee = {
  Id: 2,
  Value: -0.361593,
  MemoTran: 'Opening fee',
  CreatedAtTran: '2023-11-14 22:13:20',
  CreatedTime: 1_700_000_000_030,
  Balance: 99999.638407,
  Kind: 'fee',
  OrderId: 9,
  Lock: 0,
}

const quotation = {
  forex_id: 1,
  open: 1.08,
  close: 1.08475,
  high: 1.09,
  low: 1.0795,
  change: 0.4398,
  volume: 1234,
  bid: 1.08472,
  ask: 1.08478,
  time: 1_700_000_000_000,
  seq: 41,
  source: 'live',
}
const dayMarket = { type: 'DAY_MARKET', symbol: 'EURUSD', quotation }

const me = {
  id: 3,
  uid: '3',
  email: null,
  phone: null,
  area_code: null,
  is_demo: 1,
  invite_code: null,
  credit_score: 100,
  review_status: 0,
}

const SAMPLES: readonly (readonly [name: string, codec: Codec, sample: unknown])[] = [
  ['an instrument', instrument, eurusd],
  ['an instrument without a price', instrument, silent],
  ['a category', category, { Id: 1, NameShowTrans: 'Forex' }],
  ['a candle', candle, bar],
  ['my_deal', orderPage, { data: [holding], total: 1, all_fact_profits: -0.6, balance: 99999.638407 }],
  [
    'submit',
    orderTicket,
    {
      type: 2,
      cont: 0.1,
      forex_id: 1,
      status: 0,
      target_price: 1.09,
      stop_loss_price: 1.1,
      target_profit_price: 0,
      multiple: 30,
      expire_time: 1_700_100_000_000,
    },
  ],
  ['set_stop_price', setStopsRequest, { id: 9, target_profit_price: 1.1, stop_loss_price: 0 }],
  [
    'the answer of set_stop_price',
    setStopsResponse,
    { target_profit_price: 1.1, target_loss_price: 0, warning: null },
  ],
  [
    'the answer of set_stop_price with a warning',
    setStopsResponse,
    {
      target_profit_price: 0,
      target_loss_price: 1.01,
      Warning: { Code: 'stopLossBeyondStopOut', Msg: 'Saved.' },
      warning: 'Saved.',
    },
  ],
  ['the answer of submit', takenOrder, holding],
  [
    'the answer of submit with a warning',
    takenOrder,
    { ...holding, Warning: { Code: 'stopLossBeyondStopOut', Msg: 'Taken.' } },
  ],
  [
    'account figures',
    accountFigures,
    {
      balance: 99999.638407,
      net_value: 99999.038407,
      available_prepayment: 99637.445074,
      current_margin: 361.593333,
      risk_rate: 27655.15,
      prepayment_ratio: 27655.15,
      total_profit: -0.6,
      reserved: 0,
      stop_out: [{ order_id: 9, price: 0.08815 }],
      computed_at: 1_735_693_200_000,
    },
  ],
  ['getBalance', walletBalance, { balance: 100000 }],
  ['forexDetail', fundsBalance, { balance: 100000, lock_balance: 0 }],
  [
    'forexChange',
    ledgerPage,
    {
      data: [openingFee],
      total: 1,
    },
  ],
  ['a demo key', demoKey, { demo_id: 'k3y' }],
  ['a log-in', loggedIn, { token: 't0ken', user: me }],
  ['a setting', settings, { is_show_mobile: 1 }],
  [
    'getBasicInfo',
    basicInfo,
    {
      service_link: '',
      service_link_type: 1,
      verify_reg_type: 2,
      trade_fee_type: 2,
      credit_score: 100,
      app_mode: 'broker',
      currency: 'USD',
      risk_warning: 'Most people lose money.',
      freshness_ms: 5000,
      warning_level: 100,
      stop_out_level: 50,
      draw_needs_identity: 1,
      demo_balance: 100000,
      demo_balance_min: 100,
      demo_balance_max: 1000000,
      trading_mode: 'normal',
      trading_reason: '',
      card_link: '',
      single_operator: 0,
      recovery_at: null,
      recovery_reason: '',
      passkey_domain: null,
      api_version: 1,
      market_time: 1_700_000_000_000,
    },
  ],
  ['one DAY_MARKET message', serverMessage, dayMarket],
  ['several DAY_MARKET messages in a frame', serverMessage, [dayMarket, { ...dayMarket, symbol: 'GBPUSD' }]],
  [
    'a KLINE message',
    serverMessage,
    {
      type: 'KLINE',
      symbol: 'EURUSD',
      forex_id: 1,
      kline: {
        Period: '1min',
        Time: bar.Time,
        Open: 1.08,
        High: 1.0801,
        Low: 1.0799,
        Close: 1.0801,
        Volume: 12,
      },
    },
  ],
  [
    'a FOREX_TRADE message',
    serverMessage,
    {
      type: 'FOREX_TRADE',
      To: 3,
      HazardRate: null,
      CautionMoneyAll: 361.593333,
      ProfitsTotal: -0.6,
      Balance: 99999.638407,
      Reserved: 0,
      TransOrder: [{ Id: 9, UpdatePrice: 1.08472, FactProfits: -0.6 }],
      ComputedAt: 1_735_693_200_000,
      seq: 4,
    },
  ],
  ['a FOREX_CLOSED message', serverMessage, { type: 'FOREX_CLOSED', id: [9], seq: 5 }],
  ['a FOREX_ORDER message', serverMessage, { type: 'FOREX_ORDER', To: 3, seq: 6, Orders: [holding] }],
  [
    'a FOREX_FUNDS message',
    serverMessage,
    {
      type: 'FOREX_FUNDS',
      To: 3,
      seq: 7,
      balance: 99999.638407,
      lock_balance: 0,
      changes: [openingFee],
    },
  ],
  [
    'what was done about an account',
    activityPage,
    {
      data: [
        { By: 'user', Time: 1_700_000_000_000, Text: 'Logged in', Device: 'Firefox', Address: '192.0.2.1' },
        { By: 'operator', Time: 1_700_000_000_001, Text: 'Frozen', Role: 'compliance', Reason: 'papers' },
      ],
      total: 2,
    },
  ],
  [
    'a NOTICE message',
    serverMessage,
    {
      type: 'NOTICE',
      To: 3,
      seq: 8,
      notice: {
        id: 8,
        kind: 'orderExpired',
        title: 'Order expired',
        text: 'Buy 0.1 EUR/USD at 1.08 has expired.',
        time: 1_700_000_000_030,
      },
    },
  ],
  ['a CHAT message', serverMessage, { type: 'CHAT', To: 3, seq: 9, unread: 1 }],
  [
    'a MARKET_STATE message',
    serverMessage,
    {
      type: 'MARKET_STATE',
      mode: 'reduceOnly',
      reason: 'Prices are being checked.',
      halts: [{ ForexId: 2, reason: 'Prices are being checked.' }],
      terms: [1, 2],
    },
  ],
  ['login_result', serverMessage, { type: 'login_result', code: 999 }],
  ['pong', serverMessage, { type: 'pong' }],
  [
    'a sealed receipt',
    sealedReceipt,
    { Number: 3, OrderId: 7, PreviousHash: '00ab', Body: '{"number":3,"at":1}', Hash: 'ff10' },
  ],
  ['login', clientMessage, { type: 'login', params: 't0ken' }],
  ['logout', clientMessage, { type: 'logout' }],
  ['sub to one topic', clientMessage, { type: 'sub', params: 'DAY_MARKET' }],
  ['sub to several topics', clientMessage, { type: 'sub', params: ['KLINE.EURUSD', 'FOREX_TRADE'] }],
  ['unsub', clientMessage, { type: 'unsub', params: 'DAY_MARKET' }],
  ['ping', clientMessage, { type: 'ping' }],
]

describe('the wire', () => {
  it.each(SAMPLES)('encodes %s exactly', (_name, codec, sample) => {
    const read = decode(codec, sample)
    if (!read.ok) expect.fail(`${read.field}: ${read.reason}`)
    expect(JSON.parse(JSON.stringify(encode(codec, read.value)))).toEqual(sample)
  })
})

describe('a ticket', () => {
  const market = { type: 1, cont: '0.01', forex_id: '1', status: '1', multiple: '30' }

  it('may come as text, as forms and queries send it', () => {
    expect(decode(orderTicket, market)).toEqual({
      ok: true,
      value: {
        side: 'buy',
        lots: 100,
        instrumentId: 1,
        kind: null,
        orderType: 'market',
        targetPrice: null,
        stopLoss: null,
        takeProfit: null,
        leverage: 30,
        expiresAt: null,
      },
    })
  })

  it("drops a market order's requested price", () => {
    expect(decode(orderTicket, { ...market, target_price: 1.09 })).toMatchObject({
      value: { targetPrice: null },
    })
  })

  it.each([undefined, 0, '0'])('needs a price for a pending order: %j is none', (target_price) => {
    expect(decode(orderTicket, { ...market, status: 0, target_price })).toMatchObject({
      reason: 'priceMissing',
    })
  })

  it('accepts only buy and sell as side, only market and pending as state', () => {
    expect(decode(orderTicket, { ...market, type: 3 })).toMatchObject({
      reason: 'sideInvalid',
      field: 'type',
    })
    expect(decode(orderTicket, { ...market, status: 3 })).toMatchObject({ reason: 'notUnderstood' })
  })

  it('has no leverage if none was chosen', () => {
    expect(decode(orderTicket, { ...market, multiple: undefined })).toMatchObject({ value: { leverage: 0 } })
    expect(decode(orderTicket, { ...market, multiple: '' })).toMatchObject({ value: { leverage: 0 } })
    expect(decode(orderTicket, { ...market, multiple: ' ' })).toMatchObject({ reason: 'leverageInvalid' })
  })
})

describe('a change of the watch list', () => {
  it.each([
    [{ forex_ids: [1, 9], watched: 1 }, [1, 9], true],
    [{ forex_ids: ['1', '9'], watched: '0' }, [1, 9], false],
    [{ forex_ids: '7', watched: '1' }, [7], true],
  ])('is read out of %j', (wire, instrumentIds, isWatched) => {
    expect(decode(watchChange, wire)).toEqual({ ok: true, value: { instrumentIds, isWatched } })
  })

  it.each([undefined, null, 0, 'x', [1, 'x']])('needs instruments: %j are none', (forex_ids) => {
    expect(decode(watchChange, { forex_ids, watched: 1 })).toMatchObject({ ok: false, reason: 'idInvalid' })
  })
})

describe('a frame', () => {
  it.each([
    null,
    1,
    'ping',
    [],
    {},
    { type: 'PING' },
    { type: 'constructor' },
    { type: ['ping'] },
    [{ type: 'sub' }],
  ])('from a client is not understood when it is %j', (raw) => {
    expect(decode(clientMessage, raw)).toMatchObject({ ok: false, reason: 'notUnderstood' })
  })

  it.each([undefined, null, 7, {}, ['a', 1], [null]])('cannot subscribe to %j', (params) => {
    expect(decode(clientMessage, { type: 'sub', params })).toMatchObject({
      ok: false,
      reason: 'notUnderstood',
    })
  })
})
