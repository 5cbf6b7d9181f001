/** Every kind of event as the journal has it. A field that is added to an event has to be named here to compile. */
import type {
  Event,
  NightRate,
  OrderTerms,
  PositionTerms,
  Receipt,
  ReceiptTick,
  Transfer,
} from '@fairlot/core'
import {
  bigint,
  list,
  number,
  optional,
  orNull,
  record,
  text,
  union,
  word,
  writtenOnce,
  type Fields,
} from './field-codec.ts'
import { termsChangeCodec } from './terms-codec.ts'

type EventOf<Type extends Event['type']> = Extract<Event, { type: Type }>

const tick = writtenOnce(
  record<ReceiptTick>({
    instrumentId: number(),
    bid: number(),
    ask: number(),
    seq: number(),
    time: number(),
    receivedAt: number(),
    source: text,
    markUp: optional(number()),
  }),
)

const ticks = list(tick)

const receipt = record<Receipt>({
  action: word(),
  trigger: word(),
  tick: orNull(tick),
  quoteSide: orNull(word()),
  requestedPrice: orNull(number()),
  filledPrice: orNull(number()),
  slippage: number(),
  delayMs: number(),
  conversion: ticks,
  ruleVersion: number(),
  terms: number(),
  prices: optional(ticks),
})

const transfers = list(
  record<Transfer>({
    debit: word(),
    credit: word(),
    amount: bigint(),
    kind: word(),
    orderId: orNull(number()),
    caseId: optional(number()),
  }),
)

const orderTerms: Fields<OrderTerms> = {
  orderId: number(),
  accountId: number(),
  instrumentId: number(),
  side: word(),
  kind: word(),
  lots: number(),
  leverage: number(),
  targetPrice: orNull(number()),
  acceptedPrice: number(),
  takeProfit: orNull(number()),
  stopLoss: orNull(number()),
  expiresAt: orNull(number()),
  createdAt: number(),
  margin: bigint(),
  fee: bigint(),
}

const nightRate = record<NightRate>({
  instrumentId: number(),
  buy: number(),
  sell: number(),
  nights: number(),
})

export const nightRatesCodec = list(nightRate)

export const decodeNightRates = (json: string) => nightRatesCodec.read(JSON.parse(json))

const ended = { type: word(), orderId: number(), accountId: number(), reason: word() } as const
const money = { accountId: number(), transfers }

export const eventCodec = union<'type', Event>('type', {
  accountOpened: record<EventOf<'accountOpened'>>({
    type: word(),
    accountId: number(),
    ledger: word(),
    transfers,
  }),
  orderPlaced: record<EventOf<'orderPlaced'>>({ type: word(), ...orderTerms, receipt }),
  positionOpened: record<EventOf<'positionOpened'>>({
    type: word(),
    ...orderTerms,
    openPrice: number(),
    receipt,
    transfers,
  }),
  orderCancelled: record<EventOf<'orderCancelled'>>({ ...ended, type: word(), reason: word(), receipt }),
  positionClosed: record<EventOf<'positionClosed'>>({
    ...{ ...ended, type: word(), reason: word() },
    closePrice: orNull(number()),
    profit: bigint(),
    receipt,
    transfers,
  }),
  positionReduced: record<EventOf<'positionReduced'>>({
    ...{ ...ended, type: word(), reason: word() },
    partId: number(),
    lots: number(),
    margin: bigint(),
    closePrice: number(),
    position: record<PositionTerms>({ ...orderTerms, openPrice: number(), openedAt: number() }),
    profit: bigint(),
    receipt,
    transfers,
  }),
  stopsSet: record<EventOf<'stopsSet'>>({
    type: word(),
    orderId: number(),
    accountId: number(),
    takeProfit: orNull(number()),
    stopLoss: orNull(number()),
    trailingDistance: orNull(number()),
  }),
  swapBooked: record<EventOf<'swapBooked'>>({
    type: word(),
    orderId: number(),
    accountId: number(),
    rollover: number(),
    nights: number(),
    amount: bigint(),
    receipt,
    transfers,
  }),
  pricesMarked: record<EventOf<'pricesMarked'>>({
    type: word(),
    moment: number(),
    prices: ticks,
    night: orNull(nightRatesCodec),
  }),
  rolledOver: record<EventOf<'rolledOver'>>({ type: word(), rollover: number() }),
  trailingMoved: record<EventOf<'trailingMoved'>>({ type: word(), instrumentId: number(), tick }),
  demoReset: record<EventOf<'demoReset'>>({ type: word(), ...money }),
  depositOpened: record<EventOf<'depositOpened'>>({
    type: word(),
    caseId: number(),
    accountId: number(),
    amount: bigint(),
  }),
  depositEnded: record<EventOf<'depositEnded'>>({
    type: word(),
    caseId: number(),
    outcome: word(),
    amount: bigint(),
    ...money,
  }),
  withdrawalHeld: record<EventOf<'withdrawalHeld'>>({
    type: word(),
    caseId: number(),
    amount: bigint(),
    fee: bigint(),
    ...money,
  }),
  withdrawalEnded: record<EventOf<'withdrawalEnded'>>({
    type: word(),
    caseId: number(),
    outcome: word(),
    ...money,
  }),
  adjustmentAsked: record<EventOf<'adjustmentAsked'>>({
    type: word(),
    caseId: number(),
    accountId: number(),
    amount: bigint(),
    askedBy: number(),
  }),
  adjustmentEnded: record<EventOf<'adjustmentEnded'>>({
    type: word(),
    caseId: number(),
    outcome: word(),
    ...money,
  }),
  accountStatusSet: record<EventOf<'accountStatusSet'>>({
    type: word(),
    accountId: number(),
    status: word(),
    reason: text,
  }),
  accountClosed: record<EventOf<'accountClosed'>>({ type: word(), accountId: number(), left: bigint() }),
  termsSet: record<EventOf<'termsSet'>>({
    type: word(),
    changeId: number(),
    effectiveAt: number(),
    change: termsChangeCodec,
  }),
  termsTookEffect: record<EventOf<'termsTookEffect'>>({ type: word(), changeId: number() }),
  termsWithdrawn: record<EventOf<'termsWithdrawn'>>({ type: word(), changeId: number() }),
  instrumentHalted: record<EventOf<'instrumentHalted'>>({
    type: word(),
    instrumentId: number(),
    reason: orNull(text),
  }),
  tradingModeSet: record<EventOf<'tradingModeSet'>>({ type: word(), mode: word() }),
})
