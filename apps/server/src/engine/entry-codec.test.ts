import type { Entry } from '@fairlot/core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeEntries, decodeEvents, encodeEntry, listed } from './entry-codec.ts'

const count = fc.nat()
const ticks = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const word = fc.string({ unit: 'grapheme', maxLength: 12 })
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })

const tick = fc.record({
  instrumentId: count,
  bid: ticks,
  ask: ticks,
  seq: count,
  time: count,
  receivedAt: count,
  source: word,
})
const receipt = fc.record({
  action: fc.constantFrom('place', 'open', 'close', 'cancel'),
  trigger: fc.constantFrom('user', 'target', 'stopLoss'),
  tick: orNull(tick),
  quoteSide: fc.constantFrom('bid', 'ask', null),
  requestedPrice: orNull(ticks),
  filledPrice: orNull(ticks),
  slippage: ticks,
  delayMs: count,
  conversion: fc.array(tick, { maxLength: 2 }),
  ruleVersion: count,
})
const transfers = fc.array(
  fc.record({
    debit: word,
    credit: word,
    amount,
    kind: fc.constantFrom('fee', 'result', 'protection'),
    orderId: orNull(count),
  }),
  { maxLength: 2 },
)
const terms = {
  orderId: count,
  accountId: count,
  instrumentId: count,
  side: fc.constantFrom('buy', 'sell'),
  kind: fc.constantFrom('market', 'limit', 'stop'),
  lots: count,
  leverage: count,
  targetPrice: orNull(ticks),
  acceptedPrice: ticks,
  takeProfit: orNull(ticks),
  stopLoss: orNull(ticks),
  expiresAt: orNull(count),
  createdAt: count,
  margin: amount,
  fee: amount,
}
const order = { orderId: count, accountId: count, reason: fc.constantFrom('user', 'stopLoss', 'demoReset') }
const event = fc.oneof(
  fc.record({
    type: fc.constant('accountOpened'),
    accountId: count,
    ledger: fc.constantFrom('demo', 'real'),
    transfers,
  }),
  fc.record({ type: fc.constant('orderPlaced'), ...terms, receipt }),
  fc.record({ type: fc.constant('positionOpened'), ...terms, openPrice: ticks, receipt, transfers }),
  fc.record({ type: fc.constant('orderCancelled'), ...order, receipt }),
  fc.record({
    type: fc.constant('positionClosed'),
    ...order,
    closePrice: orNull(ticks),
    profit: amount,
    receipt,
    transfers,
  }),
  fc.record({
    type: fc.constant('stopsSet'),
    orderId: count,
    accountId: count,
    takeProfit: orNull(ticks),
    stopLoss: orNull(ticks),
  }),
  fc.record({
    type: fc.constant('positionReduced'),
    ...order,
    partId: count,
    lots: count,
    margin: amount,
    closePrice: ticks,
    position: fc.record({ ...terms, openPrice: ticks, openedAt: count }),
    profit: amount,
    receipt,
    transfers,
  }),
  fc.record({
    type: fc.constant('swapBooked'),
    orderId: count,
    accountId: count,
    rollover: count,
    nights: count,
    amount,
    receipt,
    transfers,
  }),
  fc.record({ type: fc.constant('moneyMoved'), accountId: count, transfers }),
)
const request = fc.record({ accountId: count, call: word, id: word, digest: word })
const entry = fc.record({ at: count, request: orNull(request), events: fc.array(event, { maxLength: 3 }) })

const encoded = (entries: readonly Entry[]): string => listed(entries.map((one) => encodeEntry(one).text))

it('reads back every entry as it was written', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (made) => {
      const entries = made as unknown as Entry[]
      expect(decodeEntries(encoded(entries))).toEqual(entries)
      for (const one of entries) expect(decodeEvents(listed(encodeEntry(one).events))).toEqual(one.events)
    }),
    { numRuns: 200 },
  )
})

it('keeps texts that look like amounts as texts', () => {
  const asked = { accountId: 1, call: '12', id: '34', digest: '56' }
  const entries: Entry[] = [{ at: 1, request: asked, events: [] }]
  expect(decodeEntries(encoded(entries))).toEqual(entries)
})
