import { describe, expect, it } from 'vitest'
import { decodeEntries, decodeWritten } from './entry-codec.ts'
import { readReceipt } from '../projection/receipt-chain.ts'

const tick = { instrumentId: 1, bid: 1, ask: 2, seq: 1, time: 1, receivedAt: 1, source: 'test' }
const receiptBy = (trigger: string) => ({
  action: 'cancel',
  trigger,
  tick,
  quoteSide: null,
  requestedPrice: null,
  filledPrice: null,
  slippage: 0,
  delayMs: 0,
  conversion: [],
  ruleVersion: 1,
})
const cancelledBy = (trigger: string) => ({
  type: 'orderCancelled',
  orderId: 3,
  accountId: 7,
  reason: 'expired',
  receipt: receiptBy(trigger),
})
const moneyMoved = {
  type: 'moneyMoved',
  accountId: 7,
  transfers: [
    { debit: 'house:demo:demoIssue', credit: 'available:7', amount: '5', kind: 'demoReset', orderId: null },
  ],
}
const stopsSet = { type: 'stopsSet', orderId: 3, accountId: 7, takeProfit: null, stopLoss: 5 }
const halted = { type: 'instrumentHalted', instrumentId: 1 }
const USER_REQUEST = { accountId: 7, call: 'submit', id: 'a', digest: 'b' }

const written = (event: object, request: object | null = null) =>
  JSON.stringify([{ at: 1, request, events: [event] }])
const authorOf = (event: object, request: object | null = null) =>
  decodeEntries(written(event, request))[0]?.author

const user = { type: 'user', accountId: 7 }
const operator = { type: 'operator', id: 0, role: 'administrator', second: null }

describe('an entry of the first version', () => {
  it.each([
    ['the user whose request it was', cancelledBy('stopOut'), USER_REQUEST, user],
    ['the user who acted', cancelledBy('user'), null, user],
    ['the market, by a target', cancelledBy('target'), null, { type: 'market' }],
    ['the market, by a stop-out', cancelledBy('stopOut'), null, { type: 'market' }],
    ['the clock, by an expiry', cancelledBy('expiry'), null, { type: 'clock' }],
    ['the clock, by a rollover', cancelledBy('rollover'), null, { type: 'clock' }],
    ['the clock, by the end of a rollover', { type: 'rolledOver', rollover: 1 }, null, { type: 'clock' }],
    ['the market, by a trailing stop', { ...stopsSet, trailingDistance: 9 }, null, { type: 'market' }],
    ['the user who moved a stop', { ...stopsSet, trailingDistance: null }, null, user],
    ['the user who reset a demo account', moneyMoved, null, user],
    [
      'the user who opened an account',
      { type: 'accountOpened', accountId: 7, ledger: 'demo', transfers: [] },
      null,
      user,
    ],
    ['an operator, by a halt', { ...halted, reason: 'why' }, null, { ...operator, reason: 'why' }],
    ['an operator, by the end of a halt', { ...halted, reason: null }, null, { ...operator, reason: '' }],
    [
      'an operator, by the trading mode',
      { type: 'tradingModeSet', mode: 'normal' },
      null,
      { ...operator, reason: '' },
    ],
  ])('was caused by %s', (_, event, request, author) => {
    expect(authorOf(event, request)).toEqual(author)
  })

  it('moved money without a trade only to reset a demo account', () => {
    const [entry] = decodeEntries(written(moneyMoved))
    expect(entry?.events).toMatchObject([{ type: 'demoReset', accountId: 7, transfers: [{ amount: 5n }] }])
  })

  it('has receipts without a version of terms, read as 0', () => {
    expect(decodeEntries(written(cancelledBy('user')))[0]?.events).toMatchObject([
      { receipt: { ruleVersion: 1, terms: 0 } },
    ])
  })

  it('keeps the texts that receipts are hashes of', () => {
    for (const event of [cancelledBy('user'), moneyMoved]) {
      expect(decodeWritten(written(event))[0]?.texts).toEqual([JSON.stringify(event)])
    }
  })

  it('has receipts that can still be read', () => {
    const body = `{"number":4,"at":9,"event":${JSON.stringify(cancelledBy('user'))}}`
    expect(readReceipt(body)).toMatchObject({
      number: 4,
      at: 9,
      event: { orderId: 3, receipt: { terms: 0 } },
    })
  })
})
