import type { LedgerRecord, OrderView } from '@fairlot/contract'
import { DEPLOYMENT, money, type Event, type LedgerAccountId, type Posting } from '@fairlot/core'
import { describe, expect, it, test } from 'vitest'
import type { NoticeFact } from '../engine/projection/notice-facts.ts'
import { noticeIn } from '../notices/notice-text.ts'
import { translatorFor } from '../platform/i18n/translate.ts'
import {
  messageCount,
  messagesOf,
  privateChanges,
  ROWS_PER_MESSAGE,
  type MessageSources,
  type PrivateChange,
} from './private-stream.ts'

const event = (fields: Record<string, unknown>) => ({ accountId: 3, ...fields }) as unknown as Event

const committed = (
  events: readonly Event[],
  postings: readonly Posting[] = [],
  trailed: Parameters<typeof privateChanges>[0]['trailed'] = [],
) => ({ entry: { at: 50, author: DEPLOYMENT, request: null, events }, postings, trailed })

const posting = (debit: LedgerAccountId, credit: LedgerAccountId) =>
  ({ debit, credit, amount: money(1n), kind: 'fee' }) as Posting

const changeOf3 = (...parts: Parameters<typeof committed>) =>
  privateChanges(committed(...parts), (userId) => userId === 3).get(3)

describe('the changes of a commit for a user', () => {
  it('names every changed order once', () => {
    const change = changeOf3([
      event({ type: 'orderPlaced', orderId: 1 }),
      event({ type: 'positionOpened', orderId: 2 }),
      event({ type: 'stopsSet', orderId: 2 }),
      event({ type: 'swapBooked', orderId: 4 }),
      event({ type: 'orderCancelled', orderId: 5, reason: 'cancelledByUser' }),
    ])
    expect(change?.orderIds).toEqual([1, 2, 4, 5])
    expect(change).toMatchObject({ at: 50, closedIds: [], notices: [] })
  })

  it('names the position and the part that was closed of it', () => {
    const change = changeOf3([event({ type: 'positionReduced', orderId: 2, partId: 9, reason: 'user' })])
    expect(change?.orderIds).toEqual([2, 9])
    expect(change?.closedIds).toEqual([])
  })

  it('names closed positions separately, for any reason', () => {
    const change = changeOf3([
      event({ type: 'positionClosed', orderId: 2, reason: 'takeProfit' }),
      event({ type: 'positionClosed', orderId: 3, reason: 'demoReset' }),
    ])
    expect(change?.closedIds).toEqual([2, 3])
  })

  it('names orders whose trailing stops moved', () => {
    const trailed = [{ orderId: 7, accountId: 3, stopLoss: 1 }] as unknown as Parameters<typeof committed>[2]
    expect(changeOf3([event({ type: 'trailingMoved', instrumentId: 1 })], [], trailed)?.orderIds).toEqual([7])
  })

  it('has the bookings to and from the user', () => {
    const ours = [posting('available:3', 'house:demo:fees'), posting('house:demo:trading', 'available:3')]
    const change = changeOf3([], [...ours, posting('available:4', 'house:demo:fees')])
    expect(change?.postings).toEqual(ours)
  })

  it('has a notice for a pending order that ended by itself, but not for a cancelled one', () => {
    const end = (orderId: number, reason: string) => event({ type: 'orderCancelled', orderId, reason })
    const change = changeOf3([
      end(1, 'expired'),
      end(2, 'notEnoughAtTrigger'),
      end(3, 'withdrawnByOperator'),
      end(4, 'cancelledByUser'),
      end(5, 'demoReset'),
    ])
    expect(change?.notices).toEqual([
      { kind: 'orderExpired', orderId: 1 },
      { kind: 'orderNotFilled', orderId: 2 },
      { kind: 'orderCancelledByOperator', orderId: 3 },
    ])
  })

  it('says that alerts have changed, and has a notice of one that fired', () => {
    const condition = { kind: 'marginLevel', level: 150 }
    const margin = { equity: 3n, margin: 2n, prices: [] }
    const change = changeOf3([
      event({ type: 'alertSet', alertId: 8 }),
      event({ type: 'alertFired', alertId: 8, condition, tick: { seq: 7 }, margin }),
      event({ type: 'alertRemoved', alertId: 9 }),
    ])
    expect(change?.hasAlertChange).toBe(true)
    expect(change?.notices).toEqual([
      { kind: 'alertFired', alertId: 8, seq: '7', about: 'marginLevel', level: '150', reached: '150' },
    ])
    const messages = written(change ?? NO_CHANGE, sources())
    expect(messages.at(-1)).toMatchObject({ topic: 'ALERT', type: 'alerts', userId: 3 })
    expect(messages).toHaveLength(messageCount(change ?? NO_CHANGE))
  })

  it('reports a stop-out once, with the orders that it ended', () => {
    const change = changeOf3([
      event({ type: 'orderCancelled', orderId: 1, reason: 'stopOut' }),
      event({ type: 'positionClosed', orderId: 2, reason: 'stopOut' }),
      event({ type: 'positionClosed', orderId: 3, reason: 'stopOut' }),
    ])
    expect(change?.notices).toEqual([{ kind: 'stopOut', closed: 2, cancelled: 1 }])
  })

  it('names the copies that have changed once, apart from the own orders and money', () => {
    const events = [
      event({ type: 'positionOpened', orderId: 1, receipt: {} }),
      event({ type: 'positionOpened', orderId: 2, accountId: 8, receipt: {} }),
      event({ type: 'copySkipped', accountId: 8 }),
      event({ type: 'positionClosed', orderId: 4, accountId: 9, reason: 'copyEnded', receipt: {} }),
    ]
    const postings = [posting('available:8', 'house:demo:fees')]
    const change = privateChanges(committed(events, postings), (id) => id === 3, {
      ownerOf: () => 3,
      providerOf: () => null,
    }).get(3)
    expect(change).toMatchObject({ orderIds: [1], closedIds: [], copyIds: [8, 9], postings: [] })
  })

  it('tells a provider that copiers came, went or moved money, but neither who nor what they hold', () => {
    const concerned = { ownerOf: (id: number) => (id > 20 ? 4 : id), providerOf: () => 3 }
    const changeAfter = (...types: readonly string[]) =>
      privateChanges(
        committed(types.map((type) => event({ type: type as 'copySkipped', accountId: 21 } as Event))),
        (id) => id === 3,
        concerned,
      ).get(3)
    for (const type of [
      'copyStarted',
      'copyEnded',
      'copyFunded',
      'copyReduced',
      'performanceFeeCharged',
    ] as const)
      expect(changeAfter(type), type).toMatchObject({ copyIds: [], orderIds: [], hasCopierChange: true })
    expect(changeAfter('copySkipped', 'copyPaused')).toBeUndefined()
  })

  it('is not computed for users who are not followed', () => {
    const others = committed([event({ type: 'orderPlaced', orderId: 1, accountId: 4 })])
    expect([...privateChanges(others, (userId) => userId === 3)]).toEqual([])
  })
})

const NO_CHANGE: PrivateChange = {
  at: 50,
  orderIds: [],
  closedIds: [],
  copyIds: [],
  hasCopierChange: false,
  postings: [],
  notices: [],
  hasCaseStep: false,
  hasAlertChange: false,
}

const order = (id: number): OrderView =>
  ({
    id,
    side: 'sell',
    lots: 1500,
    acceptedPrice: 1.0835,
    instrument: { showCode: 'EUR/USD', priceDecimals: 5 },
  }) as OrderView

const sources = (...ids: number[]): MessageSources => ({
  orders: new Map(ids.map((id) => [id, order(id)])),
  codeOf: () => 'EUR/USD',
  funds: { available: money(7n), frozen: money(1n) },
  recordOf: ({ debitEntry }, translate) =>
    ({ id: debitEntry, memo: translate('memo.fee', { orderId: '1' }) }) as LedgerRecord,
})

const written = (change: PrivateChange, from: MessageSources) =>
  messagesOf(3, change, from).map(({ topic, message }, index) => ({
    topic,
    ...message(translatorFor('en'), 90 + index),
  }))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('the messages of a change', () => {
  it('contain orders first, then closed positions, then bookings, then notices', () => {
    const change: PrivateChange = {
      ...NO_CHANGE,
      orderIds: [1, 2],
      closedIds: [2],
      postings: [{ debitEntry: 8 } as Posting],
      notices: [{ kind: 'orderExpired', orderId: 1 }],
    }
    expect(written(change, sources(1, 2))).toMatchObject([
      { topic: 'FOREX_ORDER', type: 'orders', userId: 3, orders: [{ id: 1 }, { id: 2 }] },
      { topic: 'FOREX_CLOSED', type: 'closed', orderIds: [2] },
      { topic: 'FOREX_FUNDS', type: 'funds', available: 7n, frozen: 1n, records: [{ id: 8 }] },
      { topic: 'NOTICE', type: 'notice', notice: { id: 93, kind: 'orderExpired', time: 50 } },
    ])
    expect(messageCount(change)).toBe(4)
  })

  it('are split when there are many rows, and counted before they are built', () => {
    const change = { ...NO_CHANGE, orderIds: numbers(2 * ROWS_PER_MESSAGE + 1), closedIds: [1] }
    const messages = written(change, sources(...change.orderIds))
    expect(messages.map((message) => ('orders' in message ? message.orders.length : 0))).toEqual([
      50, 50, 1, 0,
    ])
    expect(messageCount(change)).toBe(messages.length)
  })

  it('are none when nothing concerns the user', () => {
    expect(written(NO_CHANGE, sources())).toEqual([])
    expect(messageCount(NO_CHANGE)).toBe(0)
  })
})

const FIRED: readonly NoticeFact[] = [
  {
    kind: 'alertFired',
    alertId: 4,
    seq: '48213',
    about: 'price',
    instrumentId: 1,
    side: 'mid',
    direction: 'above',
    level: '1.08900',
    price: '1.089005',
  },
  {
    kind: 'alertFired',
    alertId: 5,
    seq: '48213',
    about: 'dayMove',
    instrumentId: 1,
    direction: 'below',
    move: '0.5',
    price: '1.08400',
    from: '1.08950',
  },
  { kind: 'alertFired', alertId: 6, seq: '48213', about: 'marginLevel', level: '150', reached: '149.98' },
]

test.each([
  [0, 'EUR/USD reached 1.08900', 'The mid is 1.089005, at or above 1.08900. Tick 48213.'],
  [1, 'EUR/USD fell by 0.5 % today', 'The mid is 1.08400, and the day began at 1.08950. Tick 48213.'],
  [2, 'Margin level at 150 %', 'Your margin level has fallen to 149.98 %. Tick 48213.'],
] as const)('a notice of a fired alert names its price and its tick (%i)', (place, title, text) => {
  const fact = FIRED[place]
  if (!fact) throw new Error('no such fact')
  expect(noticeIn(translatorFor('en'), fact, sources())).toEqual({ title, text })
})

test.each(['en', 'hk'] as const)('every notice names in %s the order and the reason', (language) => {
  const facts: NoticeFact[] = [
    { kind: 'orderExpired', orderId: 1 },
    { kind: 'orderNotFilled', orderId: 1 },
    { kind: 'orderCancelledByOperator', orderId: 1 },
    { kind: 'stopOut', closed: 2, cancelled: 0 },
    { kind: 'supportAnswered', text: '0.15 EUR/USD at 1.08350' },
    ...FIRED,
  ]
  for (const fact of facts) {
    const { title, text } = noticeIn(translatorFor(language), fact, sources(1))
    expect(`${title} ${text}`).not.toMatch(/notice\.|[{}]/)
    if (fact.kind === 'alertFired') expect(text).toContain('48213')
    else if (fact.kind !== 'stopOut') expect(text).toMatch(/0\.15.*EUR\/USD.*1\.08350/)
  }
})

test.each([
  ['en', 'A picture'],
  ['hk', '一張圖片'],
] as const)('a notice of an answer without text names its content, %s', (language, text) => {
  const fact: NoticeFact = { kind: 'supportAnswered', text: '' }
  expect(noticeIn(translatorFor(language), fact, sources()).text).toBe(text)
})

test('a notice of a stop-out counts what it ended', () => {
  const { text } = noticeIn(translatorFor('en'), { kind: 'stopOut', closed: 1, cancelled: 2 }, sources())
  expect(text).toContain('One position was closed. 2 pending orders were cancelled.')
})
