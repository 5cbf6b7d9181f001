import type { Author, Entry, Event, TermsChange } from '@fairlot/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEntries, decodeEvent, decodeWritten, encodeEntry, eventTexts, listed } from './entry-codec.ts'

const count = fc.nat()
const ticks = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
const amount = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const name = fc.string({ unit: 'grapheme', maxLength: 12 })
const orNull = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null })
const OPTIONAL = new Set<fc.Arbitrary<unknown>>()
/** An optional field. */
function optionalField<Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  const optional = values.map((value) => value)
  OPTIONAL.add(optional)
  return optional
}
const exactly = <Value extends string>(value: Value) => fc.constant(value)

const tick = fc.record({
  instrumentId: count,
  bid: ticks,
  ask: ticks,
  seq: count,
  time: count,
  receivedAt: count,
  source: name,
})
const receipt = fc.record({
  action: fc.constantFrom('place', 'open', 'close', 'cancel', 'finance'),
  trigger: fc.constantFrom('user', 'target', 'stopLoss'),
  tick: orNull(tick),
  quoteSide: fc.constantFrom('bid', 'ask', null),
  requestedPrice: orNull(ticks),
  filledPrice: orNull(ticks),
  slippage: ticks,
  delayMs: count,
  conversion: fc.array(tick, { maxLength: 2 }),
  ruleVersion: count,
  terms: count,
})
const copySource = fc.record({ accountId: count, orderId: count })
const ticksOfPrices = fc.array(tick, { maxLength: 2 })
const receiptOfCopy = fc
  .tuple(receipt, copySource, ticksOfPrices)
  .map(([each, copied, prices]) => ({ ...each, prices, copied }))
const transfers = fc.array(
  fc.record(
    {
      debit: fc.constantFrom('available:7', 'house:demo:fees'),
      credit: fc.constantFrom('frozen:7', 'house:real:swap'),
      amount,
      kind: fc.constantFrom('fee', 'result', 'protection'),
      orderId: orNull(count),
      caseId: count,
    },
    { requiredKeys: ['debit', 'credit', 'amount', 'kind', 'orderId'] },
  ),
  { maxLength: 2 },
)
const terms = {
  orderId: count,
  accountId: count,
  instrumentId: count,
  lots: count,
  leverage: count,
  side: fc.constantFrom('buy', 'sell'),
  kind: fc.constantFrom('market', 'limit', 'stop'),
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
const money = { accountId: count, transfers }
const opened = { caseId: count, accountId: count, amount }
const ended = { caseId: count, outcome: fc.constantFrom('finished', 'paid', 'approved') }

const instrument = fc.record(
  {
    id: count,
    code: name,
    quoteCurrency: name,
    baseCurrency: name,
    priceDecimals: count,
    contractSize: count,
    marginMode: fc.constantFrom('leveraged', 'fixed'),
    leverages: fc.array(count),
    lotStep: count,
    lotMin: count,
    lotMax: count,
    feeRate: count,
    minStopDistance: count,
    allowsNegativePrice: fc.boolean(),
    suspectBand: count,
    maxSpread: count,
    session: name,
    swapRate: fc.record({ buy: ticks, sell: ticks }),
    tripleSwapDay: fc.constantFrom('wed', 'daily'),
    isEnabled: fc.boolean(),
    freshnessMs: count,
    markUp: count,
    sourceOrder: fc.array(name, { maxLength: 2 }),
  },
  { noNullPrototype: true },
)
const listing = fc.record({
  showCode: name,
  name: orNull(name),
  category: name,
  logo: name,
  sort: count,
  pricePip: count,
  typicalSpread: count,
  referencePrice: count,
  yearlyVolatility: count,
})

const changes: Record<TermsChange['kind'], fc.Arbitrary<unknown>> = {
  settings: fc.record({
    kind: exactly('settings'),
    settings: fc.record({
      accountCurrency: name,
      feeType: fc.constantFrom('rate', 'fixed'),
      demoBalance: amount,
      freshnessMs: count,
      warningLevel: count,
      stopOutLevel: count,
      maxLivingOrders: count,
      noticeMs: count,
      fourEyesLimit: amount,
    }),
  }),
  instrument: fc.record({ kind: exactly('instrument'), instrument, listing: orNull(listing) }),
  calendar: fc.record({
    kind: exactly('calendar'),
    session: fc.record({
      name,
      zone: name,
      windows: name,
      holidays: fc.array(fc.record({ date: name, closesAt: orNull(name) }), { maxLength: 2 }),
    }),
  }),
  source: fc.record({
    kind: exactly('source'),
    instrumentId: count,
    source: fc.record({
      kind: fc.constantFrom('live', 'simulated', null),
      hours: fc.constantFrom('session', 'always'),
      freshnessMs: orNull(count),
    }),
  }),
}

const tickSides = { bid: ticks, ask: ticks }
const onInstrument = { instrumentId: count, direction: fc.constantFrom('above', 'below'), decimals: count }
const condition = fc.oneof(
  fc.record({
    kind: exactly('price'),
    side: fc.constantFrom('bid', 'ask', 'mid'),
    price: ticks,
    ...onInstrument,
  }),
  fc.record({ kind: exactly('dayMove'), move: count, ...onInstrument }),
  fc.record({ kind: exactly('marginLevel'), level: count }),
)
const alert = { alertId: count, accountId: count }

const fields: Record<Event['type'], Record<string, fc.Arbitrary<unknown>>> = {
  accountOpened: { accountId: count, ledger: fc.constantFrom('demo', 'real'), transfers },
  orderPlaced: { ...terms, receipt },
  positionOpened: {
    ...terms,
    openPrice: ticks,
    receipt: fc.oneof(receipt, receiptOfCopy),
    transfers,
    strategyEquity: optionalField(amount),
    copied: optionalField(
      fc.record(
        { providerLots: count, equity: amount, multiplier: count, reason: exactly('maximumLot') },
        { requiredKeys: ['providerLots', 'equity'], noNullPrototype: true },
      ),
    ),
  },
  orderCancelled: { ...order, receipt },
  positionClosed: { ...order, closePrice: orNull(ticks), profit: amount, receipt, transfers },
  positionReduced: {
    ...order,
    partId: count,
    lots: count,
    margin: amount,
    closePrice: ticks,
    profit: amount,
    position: fc.record({ ...terms, openPrice: ticks, openedAt: count }),
    receipt,
    transfers,
  },
  alertSet: {
    ...alert,
    condition,
    pauseMs: orNull(count),
    expiresAt: optionalField(count),
    tick: orNull(tick),
  },
  alertRemoved: alert,
  alertFired: {
    ...alert,
    condition,
    tick,
    wakesAt: orNull(count),
    awaitsReturn: optionalField(fc.constant(true)),
    reference: fc.record(tickSides),
    margin: fc.record({ equity: amount, margin: amount, prices: fc.array(tick, { maxLength: 2 }) }),
  },
  alertRearmed: { ...alert, tick },
  alertEnded: { ...alert, condition, reason: fc.constantFrom('expired', 'instrumentOff') },
  stopsSet: {
    orderId: count,
    accountId: count,
    takeProfit: orNull(ticks),
    stopLoss: orNull(ticks),
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
  equityRangeNoted: { accountId: count, moment: count, lowest: amount, highest: amount, equity: amount },
  pricesMarked: {
    moment: count,
    prices: fc.array(tick, { maxLength: 3 }),
    night: orNull(fc.array(fc.record({ instrumentId: count, buy: ticks, sell: ticks, nights: count }))),
  },
  rolledOver: { rollover: count },
  trailingMoved: { instrumentId: count, tick },
  demoReset: money,
  depositOpened: {
    ...opened,
    sent: fc.record({
      currency: name,
      amount,
      fixedRate: orNull(amount),
      rate: amount,
      quotes: fc.array(tick, { maxLength: 2 }),
    }),
  },
  depositEnded: {
    ...ended,
    amount,
    ...money,
    arrived: fc.record({
      currency: name,
      amount,
      at: count,
      rate: amount,
      quotes: fc.array(tick, { maxLength: 2 }),
    }),
    operators: fc.array(count, { maxLength: 2 }),
  },
  withdrawalHeld: {
    ...opened,
    fee: amount,
    transfers,
    payout: fc.record({
      methodId: count,
      destination: count,
      currencyId: count,
      price: amount,
      received: amount,
    }),
  },
  withdrawalApproved: { ...opened, destination: orNull(count), operatorId: count },
  withdrawalApprovalVoided: { caseId: count, accountId: count },
  withdrawalPaying: { ...opened, destination: orNull(count), operatorId: count },
  withdrawalEnded: { ...ended, ...money },
  adjustmentAsked: { ...opened, askedBy: count },
  adjustmentEnded: { ...ended, ...money, operators: fc.array(count, { maxLength: 2 }) },
  accountClosed: { accountId: count, left: amount },
  accountStatusSet: {
    accountId: count,
    status: fc.constantFrom('active', 'frozen'),
    reason: name,
    alone: optionalField(fc.record({ lapsesAt: count, status: fc.constant('closeOnly'), reason: name })),
    recentFreeze: optionalField(fc.record({ since: count, endedAt: fc.option(count) })),
  },
  termsSet: {
    changeId: count,
    effectiveAt: count,
    change: fc.oneof(...Object.values(changes)),
    rules: fc.constantFrom(2, 3),
  },
  termsTookEffect: { changeId: count },
  termsWithdrawn: { changeId: count, rules: optionalField(fc.constant(3)) },
  instrumentHalted: {
    instrumentId: count,
    reason: orNull(name),
    endsAt: optionalField(orNull(count)),
    aloneFrom: optionalField(count),
  },
  tradingModeSet: {
    mode: fc.constantFrom('normal', 'reduceOnly', 'halted', 'cancelOnly'),
    reason: optionalField(name),
    endsAt: optionalField(orNull(count)),
    aloneFrom: optionalField(count),
    after: optionalField(fc.record({ mode: fc.constant('reduceOnly'), reason: name })),
  },
  rulesSet: { rules: count },
  payoutMethodBound: { accountId: count, methodId: count, destination: count, digest: name },
  payoutMethodRemoved: { accountId: count, methodId: count },
  operatorsAdopted: { mayPayAlone: fc.boolean() },
  operatorSet: { operatorId: count, role: fc.constantFrom('finance', 'dealing'), isActive: fc.boolean() },
  operatorJoined: { operatorId: count },
  recoveryAnnounced: {
    operatorId: fc.option(count),
    name: fc.string(),
    role: fc.constantFrom('finance', 'dealing'),
    effectiveAt: count,
    reason: fc.string(),
    digest: fc.string(),
  },
  recoveryCalledOff: {},
  recoveryUsed: { operatorId: count },
  singleOperatorEnded: {},
  referenceAdmitted: {
    instrumentId: count,
    bid: ticks,
    ask: ticks,
    source: name,
    market: orNull(fc.record({ bid: ticks, ask: ticks })),
  },
  referenceSettled: { instrumentId: count, tick },
  strategyPublished: { strategyId: count, accountId: count, feeShare: count, equity: amount },
  strategyFeeSet: { strategyId: count, accountId: count, feeShare: count },
  strategyEnded: { strategyId: count, accountId: count, reason: fc.constantFrom('withdrawn', 'demoReset') },
  copyStarted: {
    ...money,
    ownerId: count,
    ledger: fc.constantFrom('demo', 'real'),
    strategyId: count,
    providerId: count,
    terms: fc.record({ multiplier: count, exposureLimit: count, stopLoss: count }),
    feeShare: count,
    amount,
    carriedLoss: amount,
    openOrders: optionalField(fc.record({ strategyEquity: amount, prices: ticksOfPrices })),
  },
  copyPaused: { accountId: count },
  copyResumed: { accountId: count },
  copyStopLossSet: { accountId: count, stopLoss: count },
  copyTermsSet: { accountId: count, multiplier: count, exposureLimit: count, excluded: fc.array(count) },
  copyFunded: { ...money, amount, base: amount, mark: amount },
  copyReduced: {
    ...money,
    amount,
    fee: amount,
    equity: amount,
    prices: ticksOfPrices,
    base: amount,
    mark: amount,
  },
  copySkipped: {
    accountId: count,
    source: copySource,
    reason: fc.constantFrom('belowMinimumLot', 'copyPaused'),
    equity: orNull(amount),
    multiplier: optionalField(count),
  },
  copyStopped: {
    accountId: count,
    reason: fc.constantFrom('owner', 'stopLoss'),
    proof: optionalField(fc.record({ equity: amount, prices: ticksOfPrices })),
  },
  copyEnded: { ...money, reason: fc.constantFrom('owner', 'stopLoss'), fee: amount, carriedLoss: amount },
  performanceFeeCharged: { ...money, moment: count, equity: orNull(amount), fee: amount, mark: amount },
  monthFeesCharged: { moment: count },
}
function eventOf(type: string, more: Record<string, fc.Arbitrary<unknown>>) {
  const model: Record<string, fc.Arbitrary<unknown>> = { type: exactly(type), ...more }
  const requiredKeys = Object.keys(model).filter((key) => !OPTIONAL.has(model[key] ?? fc.nat()))
  return fc.record(model, { requiredKeys })
}
const event = fc.oneof(...Object.entries(fields).map(([type, more]) => eventOf(type, more)))

const second = fc.record({ id: count, role: fc.constantFrom('finance', 'support') })
const authors: Record<Author['type'], fc.Arbitrary<unknown>> = {
  user: fc.record({ type: exactly('user'), accountId: count }),
  copy: fc.record({ type: exactly('copy'), accountId: count, orderId: count }),
  market: fc.record({ type: exactly('market') }),
  clock: fc.record({ type: exactly('clock') }),
  deployment: fc.record({ type: exactly('deployment') }),
  operator: fc.record({
    type: exactly('operator'),
    id: count,
    role: fc.constantFrom('dealing', 'compliance'),
    reason: name,
    second: orNull(second),
  }),
}
const request = fc.record({ accountId: count, call: name, id: name, digest: name })
const entry = fc.record({
  at: count,
  author: fc.oneof(...Object.values(authors)),
  request: orNull(request),
  events: fc.array(event, { maxLength: 3 }),
})

const encoded = (entries: readonly Entry[]): string => listed(entries.map(encodeEntry))

describe('an entry', () => {
  it('reads back as it was written, with any events', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), (made) => {
        const entries = made as unknown as Entry[]
        expect(decodeEntries(encoded(entries))).toEqual(entries)
      }),
      { numRuns: 300 },
    )
  })

  it('returns the texts of its events exactly as they are in it, when written and when read', () => {
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

  it('starts with its version', () => {
    const { text } = encodeEntry({ at: 1, author: { type: 'clock' }, request: null, events: [] })
    expect(text).toBe('{"version":2,"at":1,"author":{"type":"clock"},"request":null,"events":[]}')
  })

  it('keeps strings that look like amounts as strings', () => {
    const sent = { accountId: 1, call: '12', id: '34', digest: '56' }
    const entries: Entry[] = [{ at: 1, author: { type: 'market' }, request: sent, events: [] }]
    expect(decodeEntries(encoded(entries))).toEqual(entries)
  })

  it('is refused when its version is newer than this program', () => {
    const text = '[{"version":3,"at":1,"author":{"type":"clock"},"request":null,"events":[]}]'
    expect(() => decodeEntries(text)).toThrow('entries of version 3')
  })

  it.each([
    ['{"type":"rolledOver","rollover":"1"}', /has "1" where a number is expected/],
    ['{"type":"rolledOver"}', /where a number is expected/],
    ['{"type":"rolledOver","rollover":1,"more":2}', /where an object of type,rollover is expected/],
    ['{"type":"nonsense"}', /where an object with a known type is expected/],
    ['{"type":"demoReset","accountId":1,"transfers":[{"amount":5}]}', /is expected/],
    ['7', /is expected/],
  ])('is refused with the event %s', (text, sentence) => {
    expect(() => decodeEvent(text)).toThrow(sentence)
  })

  it('is refused when it holds NaN', () => {
    const events: Event[] = [{ type: 'rolledOver', rollover: NaN }]
    expect(() => encodeEntry({ at: 1, author: { type: 'clock' }, request: null, events })).toThrow(
      'no number',
    )
  })
})
