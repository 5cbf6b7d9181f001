/** Every codec: any decoded value, encoded, sent as JSON and decoded again, is unchanged. */
import type { Lots, Money, Ratio } from '@fairlot/core'
import { decimalText, fromUnits } from '@fairlot/core/decimal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Codec, encode } from './codec.ts'
import { decode } from './server.ts'
import { REFUSAL_REASONS } from './error-code.ts'
import {
  accountFigures,
  balanceHistory,
  fundsBalance,
  ledgerPage,
  ledgerQuery,
  pageQuery,
  statementQuery,
  walletBalance,
} from '../funds/funds.wire.ts'
import { activityPage } from '../accounts/user.wire.ts'
import { candle, candleQuery, PERIODS, recentCandleQuery } from '../market/candles.wire.ts'
import { refusalData } from './protocol.wire.ts'
import {
  category,
  instrument,
  instrumentSearch,
  quotation,
  watchChange,
  watchList,
} from '../market/instruments.wire.ts'
import { serverMessage } from '../trading/messages.wire.ts'
import { clientMessage } from '../market/messages.wire.ts'
import { addedAlert, alert, alertList, newAlert, typedAlert, typedAlertList } from '../trading/alerts.wire.ts'
import { closing, orderId, orderPage, orderQuery, takenOrder } from '../trading/orders.wire.ts'
import { sealedReceipt } from '../trading/receipt.wire.ts'
import { basicInfo, settingQuery, settings } from '../market/settings.wire.ts'
import { orderTicket, setStopsRequest, setStopsResponse } from '../trading/ticket.wire.ts'

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const count = fc.maxSafeNat()
const time = fc.integer({ min: 0, max: 4_102_444_800_000 })
const text = fc.string({ unit: 'grapheme' })
/** An optional text that is empty is null. */
const filled = text.filter((value) => value !== '')
const bool = fc.boolean()
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const list = <T>(arbitrary: fc.Arbitrary<T>) => fc.array(arbitrary, { maxLength: 3 })

const money = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }).map((units) => units as Money)
const lots = fc.nat(1_000_000_000).map((units) => units as Lots)
const ratio = fc.nat(10_000_000).map((units) => units as Ratio)
const price = fc
  .tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.nat(10))
  .map(([units, decimals]) => fromUnits(units, decimals))
  .filter((value) => (decimalText(value).split('.')[0] ?? '').replace('-', '').length <= 12)
const wished = price.filter((value) => value !== 0)
const source = fc.constantFrom('live' as const, 'recorded' as const, 'simulated' as const)
const side = fc.constantFrom('buy' as const, 'sell' as const)
const period = fc.constantFrom(...PERIODS)

const day = fc.record({
  open: price,
  close: price,
  high: price,
  low: price,
  changePercent: orNull(price),
  volume: price,
})

const ageMs = orNull(count)
const quote = { instrumentId: id, bid: price, ask: price, time, seq: count, source, day, ageMs }
const bar = { period, time, open: price, high: price, low: price, close: price, volume: price }

const brief = {
  id,
  code: text,
  showCode: text,
  name: text,
  logo: text,
  priceDecimals: fc.nat(10),
  contractSize: id,
  marginMode: fc.constantFrom('fixed' as const, 'leveraged' as const),
  lotStep: lots,
}

const direction = fc.constantFrom('above' as const, 'below' as const)
const alertCondition = fc.oneof(
  fc.record({
    kind: fc.constant('price' as const),
    instrumentId: id,
    side: fc.constantFrom('bid' as const, 'ask' as const, 'mid' as const),
    direction,
    price,
  }),
  fc.record({ kind: fc.constant('dayMove' as const), instrumentId: id, direction, percent: price }),
  fc.record({ kind: fc.constant('marginLevel' as const), level: count }),
)
/** A pause in whole minutes, ms. */
const wholeMinutes = orNull(fc.integer({ min: 1, max: 43_200 }).map((minutes) => minutes * 60_000))
const alertView = fc.record({
  id,
  condition: alertCondition,
  pauseMs: orNull(count),
  setAt: time,
  state: fc.constantFrom('waiting' as const, 'fired' as const, 'expired' as const, 'instrumentOff' as const),
  awaitsReturn: bool,
  expiresAt: orNull(time),
  endedAt: orNull(time),
  wakesAt: orNull(time),
  target: orNull(price),
  fired: orNull(
    fc.record({
      time,
      instrumentId: id,
      bid: price,
      ask: price,
      seq: count,
      quoteTime: time,
      source: text,
      price: orNull(price),
      reference: orNull(price),
      level: orNull(price),
    }),
  ),
})
const typedAlertView = fc.tuple(alertView, wholeMinutes).map(([view, pauseMs]) => ({ ...view, pauseMs }))

const listing = fc.record({
  ...brief,
  categoryId: id,
  isOpen: bool,
  isTradable: bool,
  lotMin: lots,
  lotMax: lots,
  feeRate: ratio,
  leverages: list(id),
  sort: fc.maxSafeInteger(),
  day: orNull(day),
  bid: orNull(price),
  ask: orNull(price),
  source: orNull(source),
  quoteTime: orNull(time),
  quoteAgeMs: fc.nat(),
  quoteSeq: orNull(count),
  nextOpenAt: orNull(time),
  nextCloseAt: orNull(time),
  minStopDistance: price,
  baseCurrency: text,
  quoteCurrency: text,
  allowsNegativePrice: bool,
  suspectBand: ratio,
  maxSpread: ratio,
  markUp: ratio,
  session: text,
  haltReason: orNull(text),
  swapBuy: ratio,
  swapSell: ratio,
  tripleSwapDay: fc.constantFrom('wed' as const, 'fri' as const, 'daily' as const),
  freshnessMs: id,
  barsSince: orNull(time),
})

const tick = fc.record({
  instrumentId: id,
  bid: price,
  ask: price,
  seq: count,
  time,
  receivedAt: time,
  source: text,
  markUp: price,
  admitted: fc.constantFrom(null, 'yes' as const),
})

const MODES = ['normal', 'reduceOnly', 'halted', 'cancelOnly'] as const

const receipt = fc.record({
  at: time,
  action: fc.constantFrom('place' as const, 'open' as const, 'close' as const, 'cancel' as const),
  trigger: fc.constantFrom('user' as const, 'target' as const, 'stopLoss' as const, 'expiry' as const),
  tick: orNull(tick),
  quoteSide: orNull(fc.constantFrom('bid' as const, 'ask' as const)),
  requestedPrice: orNull(price),
  filledPrice: orNull(price),
  slippage: price,
  delayMs: fc.maxSafeInteger(),
  conversion: list(tick),
  ruleVersion: count,
  ground: fc.constantFrom(null, 'ownerRequest' as const, 'termsBroken' as const),
  kind: fc.constantFrom(null, 'limit' as const, 'stop' as const),
  terms: count,
  hash: orNull(text),
  previousHash: orNull(text),
})

const role = fc.constantFrom('dealing' as const, 'administrator' as const)

const order = fc.record({
  id,
  parentId: orNull(id),
  accountId: id,
  instrument: fc.record(brief),
  side,
  kind: fc.constantFrom('market' as const, 'limit' as const, 'stop' as const),
  status: fc.constantFrom('pending' as const, 'holding' as const, 'closed' as const, 'cancelled' as const),
  endReason: fc.constantFrom('none' as const, 'stopOut' as const, 'expired' as const, 'demoReset' as const),
  endedBy: orNull(fc.record({ role, reason: text })),
  lots,
  leverage: id,
  acceptedPrice: price,
  openPrice: orNull(price),
  currentPrice: orNull(price),
  takeProfit: orNull(wished),
  stopLoss: orNull(wished),
  trailingDistance: orNull(price),
  originalMargin: money,
  margin: money,
  profit: money,
  fee: money,
  swap: money,
  createdAt: time,
  openedAt: orNull(time),
  endedAt: orNull(time),
  expiresAt: orNull(time),
  receipts: list(receipt),
})

const activity = fc.record({
  by: fc.constantFrom('user' as const, 'operator' as const),
  at: time,
  text,
  role: orNull(role),
  reason: orNull(text),
  device: orNull(text),
  address: orNull(text),
})

const record = fc.record({
  id,
  amount: money,
  memo: text,
  createdAt: time,
  balance: money,
  kind: fc.constantFrom('demoIssue' as const, 'fee' as const, 'result' as const, 'protection' as const),
  orderId: orNull(id),
  caseId: orNull(id),
  isFrozen: bool,
})

/** First moments of days that have a year of four digits. */
const dayOfUtc = fc.integer({ min: 0, max: 2_900_000 }).map((days) => days * 86_400_000)

const basic = fc.record({
  serviceLink: text,
  serviceOpensIn: fc.constantFrom('chat' as const, 'dialog' as const),
  registrationCheck: fc.constantFrom('code' as const, 'captcha' as const),
  feeType: fc.constantFrom('fixed' as const, 'rate' as const),
  creditScore: fc.maxSafeInteger(),
  appMode: fc.constantFrom('broker' as const, 'main' as const),
  currency: text,
  riskWarning: text,
  freshnessMs: id,
  warningLevel: price,
  stopOutLevel: price,
  needsIdentityToWithdraw: fc.boolean(),
  demoBalance: money,
  demoBalanceMin: money,
  demoBalanceMax: money,
  tradingMode: fc.constantFrom(...MODES),
  tradingReason: text,
  cardLink: filled,
  isSingleOperator: bool,
  recoveryAt: orNull(time),
  recoveryReason: text,
  passkeyDomain: orNull(text),
  apiVersion: id,
  marketTime: time,
})

const warning = fc.record({ code: fc.constant('stopLossBeyondStopOut' as const), message: text })

const ticket = fc
  .record({
    side,
    lots,
    instrumentId: id,
    targetPrice: orNull(wished),
    stopLoss: orNull(wished),
    takeProfit: orNull(wished),
    leverage: count,
    expiresAt: orNull(time),
    kind: fc.constantFrom(null, 'limit' as const, 'stop' as const),
  })
  .map((terms) => ({
    ...terms,
    kind: terms.targetPrice === null ? null : terms.kind,
    orderType: terms.targetPrice === null ? ('market' as const) : ('pending' as const),
  }))

const stops = fc.record({ takeProfit: orNull(wished), stopLoss: orNull(wished) })

const fromServer = fc.oneof(
  fc.record({
    type: fc.constant('quotes' as const),
    quotes: fc.array(fc.record({ code: text, ...quote }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('candle' as const),
    code: text,
    instrumentId: id,
    bar: fc.record(bar),
  }),
  fc.record({
    type: fc.constant('account' as const),
    userId: id,
    level: orNull(price),
    margin: money,
    profit: money,
    balance: money,
    reserved: money,
    orders: list(fc.record({ id, currentPrice: price, profit: money })),
    computedAt: time,
    seq: count,
  }),
  fc.record({ type: fc.constant('orders' as const), userId: id, orders: list(order), seq: count }),
  fc.record({
    type: fc.constant('funds' as const),
    userId: id,
    available: money,
    frozen: money,
    records: list(record),
    seq: count,
  }),
  fc.record({
    type: fc.constant('notice' as const),
    userId: id,
    notice: fc.record({
      id,
      kind: fc.constantFrom('orderExpired' as const, 'orderNotFilled' as const, 'stopOut' as const),
      title: text,
      text,
      time,
    }),
    seq: count,
  }),
  fc.record({ type: fc.constant('chat' as const), userId: id, seq: count, unread: count }),
  fc.record({ type: fc.constant('alerts' as const), userId: id, seq: count }),
  fc.record({
    type: fc.constant('marketState' as const),
    mode: fc.constantFrom(...MODES),
    reason: text,
    halts: list(fc.record({ instrumentId: id, reason: text })),
    changedTerms: list(id),
  }),
  fc.record({ type: fc.constant('closed' as const), orderIds: list(id), seq: count }),
  fc.record({ type: fc.constant('loginResult' as const), code: fc.constantFrom(1, 999) }),
  fc.record({ type: fc.constant('pong' as const) }),
  fc.record({
    type: fc.constant('refused' as const),
    code: fc.constantFrom(0, 999),
    message: text,
    reason: fc.constantFrom(...REFUSAL_REASONS),
    topic: orNull(text),
  }),
)

const fromClient = fc.oneof(
  fc.record({ type: fc.constant('login' as const), token: text }),
  fc.record({
    type: fc.constantFrom('subscribe' as const, 'unsubscribe' as const),
    topics: fc.array(text, { minLength: 1 }),
  }),
  fc.record({ type: fc.constantFrom('logout' as const, 'ping' as const) }),
)

type Trip = { readonly name: string; readonly run: () => void }

const trip = <T>(name: string, codec: Codec<T>, values: fc.Arbitrary<NoInfer<T>>): Trip => ({
  name,
  run: () =>
    fc.assert(
      fc.property(values, (value) => {
        const sent: unknown = JSON.parse(JSON.stringify(encode(codec, value)))
        expect(decode(codec, sent)).toEqual({ ok: true, value })
      }),
    ),
})

const figures = fc.record({
  balance: money,
  equity: money,
  free: money,
  margin: money,
  level: orNull(price),
  profit: money,
  reserved: money,
  stopOuts: list(fc.record({ orderId: id, price })),
  computedAt: time,
})

const page = fc.record({ orders: list(order), total: count, profit: money, balance: money })
const search = { instrumentId: id, period }

describe('a round trip keeps', () => {
  it.each([
    trip('instrument', instrument, listing),
    trip('category', category, fc.record({ id, name: text })),
    trip('instrument search', instrumentSearch, fc.record({ search: orNull(filled) })),
    trip('quotation', quotation, fc.record(quote)),
    trip('candle', candle, fc.record({ ...bar, code: text, instrumentId: id })),
    trip(
      'candle query',
      candleQuery,
      fc.record({ ...search, before: orNull(time), limit: orNull(fc.integer({ min: 1, max: 1000 })) }),
    ),
    trip('recent candle query', recentCandleQuery, fc.record(search)),
    trip('order page', orderPage, page),
    trip(
      'order query',
      orderQuery,
      fc.record({
        list: fc.constantFrom('pending' as const, 'holding' as const, 'history' as const),
        page: id,
        before: orNull(id),
        copyId: orNull(id),
      }),
    ),
    trip('order id', orderId, fc.record({ orderId: id })),
    trip('closing', closing, fc.record({ orderId: id, lots: orNull(lots) })),
    trip(
      'sealed receipt',
      sealedReceipt,
      fc.record({ number: id, orderId: id, previousHash: text, body: text, hash: text }),
    ),
    trip('order ticket', orderTicket, ticket),
    trip(
      'change of stops',
      setStopsRequest,
      fc
        .tuple(stops, fc.record({ orderId: id }), fc.subarray(['takeProfit', 'stopLoss'] as const))
        .map(([chosen, of, left]) => ({
          ...of,
          ...chosen,
          ...Object.fromEntries(left.map((name) => [name, undefined])),
        })),
    ),
    trip(
      'stops as set',
      setStopsResponse,
      stops.chain((set) => fc.record({ warning: orNull(warning) }).map((said) => ({ ...set, ...said }))),
    ),
    trip(
      'taken order',
      takenOrder,
      order.chain((taken) => fc.record({ warning: orNull(warning) }).map((said) => ({ ...taken, ...said }))),
    ),
    trip('account figures', accountFigures, figures),
    trip('wallet balance', walletBalance, fc.record({ balance: money })),
    trip('funds', fundsBalance, fc.record({ available: money, frozen: money })),
    trip('activities', activityPage, fc.record({ activities: list(activity), total: count })),
    trip('ledger page', ledgerPage, fc.record({ records: list(record), total: count })),
    trip('alert', alert, alertView),
    trip('alerts', alertList, list(alertView)),
    trip('alert of a type', typedAlert, typedAlertView),
    trip('alerts of a type', typedAlertList, list(typedAlertView)),
    trip(
      'added alert',
      addedAlert,
      fc.record({ condition: alertCondition, pauseMs: wholeMinutes, expiresAt: orNull(time) }),
    ),
    trip(
      'new alert',
      newAlert,
      fc.record({ condition: alertCondition, pauseMs: orNull(count), expiresAt: orNull(time) }),
    ),
    trip('watch list', watchList, fc.record({ instrumentIds: list(id) })),
    trip('watch change', watchChange, fc.record({ instrumentIds: list(id), isWatched: bool })),
    trip('page query', pageQuery, fc.record({ page: id })),
    trip(
      'ledger query',
      ledgerQuery,
      fc.record({
        page: id,
        before: orNull(id),
        group: orNull(fc.constantFrom('trading' as const, 'money' as const, 'nights' as const)),
      }),
    ),
    trip(
      'balance history',
      balanceHistory,
      fc.record({ points: list(fc.record({ at: time, balance: money })) }),
    ),
    trip(
      'statement query',
      statementQuery,
      fc.record({ from: dayOfUtc, to: dayOfUtc, format: fc.constantFrom('pdf' as const, 'csv' as const) }),
    ),
    trip('basic info', basicInfo, basic),
    trip('setting query', settingQuery, fc.record({ key: fc.constant('registrationMode' as const) })),
    trip(
      'settings',
      settings,
      fc.record({
        registrationMode: orNull(
          fc.constantFrom('email' as const, 'emailOrMobile' as const, 'mobile' as const),
        ),
      }),
    ),
    trip(
      'refusal',
      refusalData,
      fc.record({
        reason: orNull(text),
        field: orNull(text),
        needed: orNull(money),
        fee: orNull(money),
        free: orNull(money),
      }),
    ),
    trip('message of the server', serverMessage, fromServer),
    trip('message of a client', clientMessage, fromClient),
  ])('$name', ({ run }) => {
    run()
  })
})
