import type { EndReason, Money, OrderKind, OrderStatus } from '@fairlot/core'
import { object, transform, type Infer } from '../protocol/codec.ts'
import {
  choice,
  id,
  listOf,
  lots,
  omittable,
  omittableOrBlank,
  money,
  nullable,
  price,
  priceOrZero,
  text,
  time,
  int,
  withDefault,
  utcText,
} from '../protocol/field.ts'
import { instrumentBrief } from '../market/instruments.wire.ts'
import { operatorRole } from '../protocol/protocol.wire.ts'
import { receipt } from './receipt.wire.ts'
import { warning } from './ticket.wire.ts'

const NO_MONEY = 0n as Money

const STATUSES = { pending: 0, holding: 1, closed: 3, cancelled: 4 } as const satisfies Record<
  OrderStatus,
  number
>
const KINDS = { market: 'market', limit: 'limit', stop: 'stop' } as const satisfies Record<
  OrderKind,
  OrderKind
>

const END_REASONS = {
  none: 0,
  user: 1,
  stopOut: 2,
  takeProfit: 3,
  stopLoss: 4,
  operator: 5,
  expired: 6,
  cancelledByUser: 7,
  notEnoughAtTrigger: 8,
  demoReset: 9,
  withdrawnByOperator: 10,
  stopPassed: 11,
  providerClosed: 12,
  // 13, ended by the stop loss of its copy, is not sent: the order says copyEnded, and the copy has the reason.
  copyEnded: 14,
} as const satisfies Record<EndReason, number>

const FIELDS = {
  id: ['Id', id],
  /** The position of which this is a closed part. */
  parentId: ['ParentId', omittable(id)],
  accountId: ['UserId', id],
  instrumentId: ['ForexId', id],
  instrument: ['ForexTradeLists', instrumentBrief],
  side: ['OrderType', choice({ buy: 1, sell: 2 }, { otherwise: 'sell' })],
  kind: ['Kind', choice(KINDS)],
  status: ['Status', choice(STATUSES)],
  endReason: ['ClosedType', choice(END_REASONS)],
  /** The operator who closed it, and the ground; null for none. */
  endedBy: ['ClosedBy', omittable(object({ role: ['Role', operatorRole], reason: ['Reason', text] }))],
  lots: ['Quantity', lots],
  leverage: ['Multiple', int(1)],
  /** The mid at acceptance, or the requested price of a pending order. */
  acceptedPrice: ['OriginPrice', price],
  /** The fill price, spread included; null before the fill. */
  openPrice: ['Price', nullable(price)],
  /** The current closing price, after the end the final one; null without a price. */
  currentPrice: ['UpdatePrice', nullable(price)],
  takeProfit: ['TargetProfitPrice', priceOrZero],
  stopLoss: ['TargetLossPrice', priceOrZero],
  /** The distance of a trailing stop loss from the best price; null for a fixed one. */
  trailingDistance: ['TrailingDistance', nullable(price)],
  /** Margin at the fill, or reserved while pending. */
  originalMargin: ['OriginCautionMoney', money],
  /** Current margin; zero after the end. */
  margin: ['CautionMoney', money],
  /** Open profit, after the end the realised one; before fees. */
  profit: ['FactProfits', money],
  fee: ['TradeFee', money],
  /** Overnight swap booked so far; not part of the profit. */
  swap: ['Swap', withDefault(money, NO_MONEY)],
  contractSize: ['ForexContNum', int(1)],
  createdText: ['CreateTimeHandler', text],
  createdAt: ['CreateTime', time],
  openedAt: ['TransactionTime', nullable(time)],
  endedAt: ['CompleteTime', nullable(time)],
  expiresAt: ['ExpireTime', nullable(time)],
  receipts: ['Receipts', withDefault(listOf(receipt), [])],
} as const

const row = object(FIELDS)
const takenRow = object({ ...FIELDS, warning: ['Warning', omittable(warning)] })

/** The instrument's id and contract size and the time as text repeat other fields. */
const repeated = ({ instrument, createdAt }: Pick<Infer<typeof row>, 'instrument' | 'createdAt'>) => ({
  instrumentId: instrument.id,
  contractSize: instrument.contractSize,
  createdText: utcText(createdAt),
})

/** A row of `my_deal`. */
export const order = transform(row, {
  decode: ({ instrumentId: _id, contractSize: _size, createdText: _text, ...rest }) => rest,
  encode: (rest) => ({ ...rest, ...repeated(rest) }),
})

/** The answer of `submit`: the order and its warning. */
export const takenOrder = transform(takenRow, {
  decode: ({ instrumentId: _id, contractSize: _size, createdText: _text, ...rest }) => rest,
  encode: (rest) => ({ ...rest, ...repeated(rest) }),
})

export const orderPage = object({
  orders: ['data', listOf(order)],
  total: ['total', int()],
  /** Over all rows of the list, not only this page. */
  profit: ['all_fact_profits', money],
  balance: ['balance', money],
})

export const orderQuery = object({
  list: ['status', choice({ pending: 0, holding: 1, history: 3 })],
  page: ['page', withDefault(int(1, 'pageInvalid'), 1)],
  /** In place of a page: the rows after this order of the list, so that a list that changes loses and doubles none. */
  before: ['before', omittableOrBlank(id)],
  /** A copy of the caller, whose orders are listed in place of the own ones. */
  copyId: ['copy_id', omittableOrBlank(id)],
})

export const orderId = object({ orderId: ['id', id] })

export const closing = object({
  orderId: ['id', id],
  /** Null closes the whole position. */
  lots: ['cont', omittableOrBlank(lots)],
})

/** The parameters of `set_trailing`: the distance in price; zero or none keeps the stop where it is. */
export const trailingChange = object({ orderId: ['id', id], distance: ['distance', priceOrZero] })

/** The answer of `close_all`: the closed orders, and the number of positions that could not be closed. */
export const closedOrders = object({ orders: ['data', listOf(order)], remainingCount: ['left_open', int()] })
