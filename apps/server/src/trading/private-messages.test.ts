import type { LedgerRecord, OrderView } from '@fairlot/contract'
import { money, type Posting } from '@fairlot/core'
import { describe, expect, it, test } from 'vitest'
import { translatorFor } from '../i18n/translate.ts'
import type { NoticeFact } from '../notifications/notice-fact.ts'
import { noticeIn } from '../notifications/notice-words.ts'
import { messageCount, messagesOf, ROWS_PER_MESSAGE, type Told } from './private-messages.ts'
import type { PrivateChange } from './private-changes.ts'

const QUIET: PrivateChange = {
  ...{ at: 50, orderIds: [], closedIds: [], postings: [], notices: [], hasCaseStep: false },
}

const order = (id: number): OrderView =>
  ({
    id,
    side: 'sell',
    lots: 1500,
    acceptedPrice: 1.0835,
    instrument: { showCode: 'EUR/USD', priceDecimals: 5 },
  }) as OrderView

const told = (...ids: number[]): Told => ({
  orders: new Map(ids.map((id) => [id, order(id)])),
  funds: { available: money(7n), frozen: money(1n) },
  recordOf: ({ debitEntry }, translate) =>
    ({ id: debitEntry, memo: translate('memo.fee', { orderId: '1' }) }) as LedgerRecord,
})

const written = (change: PrivateChange, from: Told) =>
  messagesOf(3, change, from).map(({ topic, message }, index) => ({
    topic,
    ...message(translatorFor('en'), 90 + index),
  }))

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

describe('the messages of a change', () => {
  it('tell orders first, then ends, then money, then words', () => {
    const change: PrivateChange = {
      ...QUIET,
      orderIds: [1, 2],
      closedIds: [2],
      postings: [{ debitEntry: 8 } as Posting],
      notices: [{ kind: 'orderExpired', orderId: 1 }],
    }
    expect(written(change, told(1, 2))).toMatchObject([
      { topic: 'FOREX_ORDER', type: 'orders', userId: 3, orders: [{ id: 1 }, { id: 2 }] },
      { topic: 'FOREX_CLOSED', type: 'closed', orderIds: [2] },
      { topic: 'FOREX_FUNDS', type: 'funds', available: 7n, frozen: 1n, records: [{ id: 8 }] },
      { topic: 'NOTICE', type: 'notice', notice: { id: 93, kind: 'orderExpired', time: 50 } },
    ])
    expect(messageCount(change)).toBe(4)
  })

  it('are cut where there are many rows, and counted before they are made', () => {
    const change = { ...QUIET, orderIds: numbers(2 * ROWS_PER_MESSAGE + 1), closedIds: [1] }
    const messages = written(change, told(...change.orderIds))
    expect(messages.map((message) => ('orders' in message ? message.orders.length : 0))).toEqual([
      50, 50, 1, 0,
    ])
    expect(messageCount(change)).toBe(messages.length)
  })

  it('are none where nothing concerns the user', () => {
    expect(written(QUIET, told())).toEqual([])
    expect(messageCount(QUIET)).toBe(0)
  })
})

test.each(['en', 'hk'] as const)('every notice says in %s what happened to what, and why', (language) => {
  const facts: NoticeFact[] = [
    { kind: 'orderExpired', orderId: 1 },
    { kind: 'orderNotFilled', orderId: 1 },
    { kind: 'orderWithdrawn', orderId: 1 },
    { kind: 'stopOut', closed: 2, cancelled: 0 },
    { kind: 'supportAnswered', text: '0.15 EUR/USD at 1.08350' },
  ]
  for (const fact of facts) {
    const { title, text } = noticeIn(translatorFor(language), fact, told(1).orders)
    expect(`${title} ${text}`).not.toMatch(/notice\.|[{}]/)
    if (fact.kind !== 'stopOut') expect(text).toMatch(/0\.15.*EUR\/USD.*1\.08350/)
  }
})

test.each([
  ['en', 'A picture'],
  ['hk', '一張圖片'],
] as const)('a notice of an answer without words says what it is, %s', (language, text) => {
  const fact: NoticeFact = { kind: 'supportAnswered', text: '' }
  expect(noticeIn(translatorFor(language), fact, new Map()).text).toBe(text)
})

test('a notice of a stop-out counts what it ended', () => {
  const { text } = noticeIn(translatorFor('en'), { kind: 'stopOut', closed: 1, cancelled: 2 }, new Map())
  expect(text).toContain('One position was closed. 2 pending orders were cancelled.')
})
