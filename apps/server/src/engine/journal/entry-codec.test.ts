import type { Author, Entry, Event, TermsChange } from '@fairlot/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEntries, decodeEvent, decodeWritten, encodeEntry, eventTexts, listed } from './entry-codec.ts'

const count = fc.nat()
const ticks = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const name = fc.string({ unit: 'grapheme', maxLength: 12 })
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })
const exactly = <Value extends string>(value: Value) => fc.constant(value)

const tick = fc.record({
  ...{ instrumentId: count, bid: ticks, ask: ticks, seq: count, time: count, receivedAt: count },
  source: name,
})
const receipt = fc.record({
  action: fc.constantFrom('place', 'open', 'close', 'cancel', 'finance'),
  trigger: fc.constantFrom('user', 'target', 'stopLoss'),
  tick: orNull(tick),
  quoteSide: fc.constantFrom('bid', 'ask', null),
  ...{ requestedPrice: orNull(ticks), filledPrice: orNull(ticks), slippage: ticks, delayMs: count },
  conversion: fc.array(tick, { maxLength: 2 }),
  ...{ ruleVersion: count, terms: count },
})
const transfers = fc.array(
  fc.record(
    {
      debit: fc.constantFrom('available:7', 'house:demo:fees'),
      credit: fc.constantFrom('frozen:7', 'house:real:swap'),
      ...{ amount, kind: fc.constantFrom('fee', 'result', 'protection'), orderId: orNull(count) },
      caseId: count,
    },
    { requiredKeys: ['debit', 'credit', 'amount', 'kind', 'orderId'] },
  ),
  { maxLength: 2 },
)
const terms = {
  ...{ orderId: count, accountId: count, instrumentId: count, lots: count, leverage: count },
  ...{ side: fc.constantFrom('buy', 'sell'), kind: fc.constantFrom('market', 'limit', 'stop') },
  ...{ targetPrice: orNull(ticks), acceptedPrice: ticks, takeProfit: orNull(ticks), stopLoss: orNull(ticks) },
  ...{ expiresAt: orNull(count), createdAt: count, margin: amount, fee: amount },
}
const order = { orderId: count, accountId: count, reason: fc.constantFrom('user', 'stopLoss', 'demoReset') }
const money = { accountId: count, transfers }
const opened = { caseId: count, accountId: count, amount }
const ended = { caseId: count, outcome: fc.constantFrom('finished', 'paid', 'approved') }

const instrument = fc.record(
  {
    ...{ id: count, code: name, quoteCurrency: name, baseCurrency: name, priceDecimals: count },
    ...{ contractSize: count, marginMode: fc.constantFrom('leveraged', 'fixed'), leverages: fc.array(count) },
    ...{ lotStep: count, lotMin: count, lotMax: count, feeRate: count, minStopDistance: count },
    ...{ allowsNegativePrice: fc.boolean(), suspectBand: count, maxSpread: count, session: name },
    ...{ swapRate: fc.record({ buy: ticks, sell: ticks }), tripleSwapDay: fc.constantFrom('wed', 'daily') },
    ...{ isEnabled: fc.boolean(), freshnessMs: count, markUp: count },
    sourceOrder: fc.array(name, { maxLength: 2 }),
  },
  { noNullPrototype: true },
)
const listing = fc.record({
  ...{ showCode: name, name: orNull(name), category: name, logo: name, sort: count, pricePip: count },
  ...{ typicalSpread: count, referencePrice: count, yearlyVolatility: count },
})

const changes: Record<TermsChange['kind'], fc.Arbitrary<unknown>> = {
  settings: fc.record({
    kind: exactly('settings'),
    settings: fc.record({
      ...{ accountCurrency: name, feeType: fc.constantFrom('rate', 'fixed'), demoBalance: amount },
      ...{ freshnessMs: count, warningLevel: count, stopOutLevel: count, maxLivingOrders: count },
      ...{ noticeMs: count, fourEyesLimit: amount },
    }),
  }),
  instrument: fc.record({ kind: exactly('instrument'), instrument, listing: orNull(listing) }),
  calendar: fc.record({
    kind: exactly('calendar'),
    session: fc.record({
      ...{ name, zone: name, windows: name },
      holidays: fc.array(fc.record({ date: name, closesAt: orNull(name) }), { maxLength: 2 }),
    }),
  }),
  source: fc.record({
    ...{ kind: exactly('source'), instrumentId: count },
    source: fc.record({
      ...{ kind: fc.constantFrom('live', 'simulated', null), hours: fc.constantFrom('session', 'always') },
      freshnessMs: orNull(count),
    }),
  }),
}

const fields: Record<Event['type'], Record<string, fc.Arbitrary<unknown>>> = {
  accountOpened: { accountId: count, ledger: fc.constantFrom('demo', 'real'), transfers },
  orderPlaced: { ...terms, receipt },
  positionOpened: { ...terms, openPrice: ticks, receipt, transfers },
  orderCancelled: { ...order, receipt },
  positionClosed: { ...order, closePrice: orNull(ticks), profit: amount, receipt, transfers },
  positionReduced: {
    ...{ ...order, partId: count, lots: count, margin: amount, closePrice: ticks, profit: amount },
    position: fc.record({ ...terms, openPrice: ticks, openedAt: count }),
    ...{ receipt, transfers },
  },
  stopsSet: {
    ...{ orderId: count, accountId: count, takeProfit: orNull(ticks), stopLoss: orNull(ticks) },
    trailingDistance: orNull(ticks),
  },
  swapBooked: {
    orderId: count,
    accountId: count,
    rollover: count,
    nights: count,
    amount,
    receipt,
    transfers,
  },
  pricesMarked: {
    ...{ moment: count, prices: fc.array(tick, { maxLength: 3 }) },
    night: orNull(fc.array(fc.record({ instrumentId: count, buy: ticks, sell: ticks, nights: count }))),
  },
  rolledOver: { rollover: count },
  trailingMoved: { instrumentId: count, tick },
  demoReset: money,
  depositOpened: opened,
  depositEnded: { ...ended, amount, ...money },
  withdrawalHeld: { ...opened, fee: amount, transfers },
  withdrawalEnded: { ...ended, ...money },
  adjustmentAsked: { ...opened, askedBy: count },
  adjustmentEnded: { ...ended, ...money },
  accountClosed: { accountId: count, left: amount },
  accountStatusSet: { accountId: count, status: fc.constantFrom('active', 'frozen'), reason: name },
  termsSet: { changeId: count, effectiveAt: count, change: fc.oneof(...Object.values(changes)) },
  termsTookEffect: { changeId: count },
  termsWithdrawn: { changeId: count },
  instrumentHalted: { instrumentId: count, reason: orNull(name) },
  tradingModeSet: { mode: fc.constantFrom('normal', 'cancelOnly') },
}
const eventOf = (type: string, more: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record({ type: exactly(type), ...more })
const event = fc.oneof(...Object.entries(fields).map(([type, more]) => eventOf(type, more)))

const second = fc.record({ id: count, role: fc.constantFrom('finance', 'support') })
const authors: Record<Author['type'], fc.Arbitrary<unknown>> = {
  user: fc.record({ type: exactly('user'), accountId: count }),
  market: fc.record({ type: exactly('market') }),
  clock: fc.record({ type: exactly('clock') }),
  deployment: fc.record({ type: exactly('deployment') }),
  operator: fc.record({
    ...{ type: exactly('operator'), id: count, role: fc.constantFrom('dealing', 'compliance') },
    ...{ reason: name, second: orNull(second) },
  }),
}
const request = fc.record({ accountId: count, call: name, id: name, digest: name })
const entry = fc.record({
  ...{ at: count, author: fc.oneof(...Object.values(authors)), request: orNull(request) },
  events: fc.array(event, { maxLength: 3 }),
})

const encoded = (entries: readonly Entry[]): string => listed(entries.map(encodeEntry))

describe('an entry', () => {
  it('reads back as it was written, whatever happened in it', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (made) => {
        const entries = made as unknown as Entry[]
        expect(decodeEntries(encoded(entries))).toEqual(entries)
      }),
      { numRuns: 300 },
    )
  })

  it('gives the texts of its events as they stand in it, written and read', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 3 }), (made) => {
        const entries = made as unknown as Entry[]
        const written = entries.map(encodeEntry)
        const texts = eventTexts(listed(written), written)
        written.forEach(({ text }, index) => expect(text).toContain(`"events":[${texts[index]?.join(',')}]`))
        expect(decodeWritten(listed(written)).map((one) => one.texts)).toEqual(texts)
        expect(texts.map((ofEntry) => ofEntry.map(decodeEvent))).toEqual(entries.map(({ events }) => events))
      }),
    )
  })

  it('names its version first', () => {
    const { text } = encodeEntry({ at: 1, author: { type: 'clock' }, request: null, events: [] })
    expect(text).toBe('{"version":2,"at":1,"author":{"type":"clock"},"request":null,"events":[]}')
  })

  it('keeps texts that look like amounts as texts', () => {
    const asked = { accountId: 1, call: '12', id: '34', digest: '56' }
    const entries: Entry[] = [{ at: 1, author: { type: 'market' }, request: asked, events: [] }]
    expect(decodeEntries(encoded(entries))).toEqual(entries)
  })

  it('of a later version is refused with a sentence', () => {
    const text = '[{"version":3,"at":1,"author":{"type":"clock"},"request":null,"events":[]}]'
    expect(() => decodeEntries(text)).toThrow('entries of version 3')
  })

  it.each([
    ['{"type":"rolledOver","rollover":"1"}', /has "1" where a number belongs/],
    ['{"type":"rolledOver"}', /where a number belongs/],
    ['{"type":"rolledOver","rollover":1,"more":2}', /where an object of type,rollover belongs/],
    ['{"type":"nonsense"}', /where an object with a known type belongs/],
    ['{"type":"demoReset","accountId":1,"transfers":[{"amount":5}]}', /belongs/],
    ['7', /belongs/],
  ])('with the event %s is refused', (text, sentence) => {
    expect(() => decodeEvent(text)).toThrow(sentence)
  })

  it('is refused when a number in it is none', () => {
    const events: Event[] = [{ type: 'rolledOver', rollover: NaN }]
    expect(() => encodeEntry({ at: 1, author: { type: 'clock' }, request: null, events })).toThrow(
      'no number',
    )
  })
})
