import type { EndReason, Money, OrderKind, OrderStatus } from '@fairlot/core'
import { noun, reshape, type Inside } from '../codec.ts'
import {
  choice,
  id,
  listOf,
  lots,
  maybe,
  maybeBlank,
  money,
  orNull,
  price,
  priceOrNone,
  text,
  time,
  whole,
  withDefault,
} from '../field.ts'
import { instrumentBrief } from './instrument.ts'
import { operatorRole } from './operator-role.ts'
import { receipt } from './receipt.ts'
import { warning } from './ticket.ts'
import { utcText } from './utc-text.ts'

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
} as const satisfies Record<EndReason, number>

const FIELDS = {
  id: ['Id', id],
  /** The position that this closed part was cut from. */
  parentId: ['ParentId', maybe(id)],
  accountId: ['UserId', id],
  instrumentId: ['ForexId', id],
  instrument: ['ForexTradeLists', instrumentBrief],
  side: ['OrderType', choice({ buy: 1, sell: 2 }, { otherwise: 'sell' })],
  kind: ['Kind', choice(KINDS)],
  status: ['Status', choice(STATUSES)],
  endReason: ['ClosedType', choice(END_REASONS)],
  /** Which operator closed it, and why; null where none did. */
  endedBy: ['ClosedBy', maybe(noun({ role: ['Role', operatorRole], reason: ['Reason', text] }))],
  lots: ['Quantity', lots],
  leverage: ['Multiple', whole(1)],
  /** The mid at acceptance, or the wished price of a pending order. */
  acceptedPrice: ['OriginPrice', price],
  /** The fill price, spread included; null before the fill. */
  openPrice: ['Price', orNull(price)],
  /** What the order would close at now, in the end what it closed at; null without a price. */
  currentPrice: ['UpdatePrice', orNull(price)],
  takeProfit: ['TargetProfitPrice', priceOrNone],
  stopLoss: ['TargetLossPrice', priceOrNone],
  /** How far behind the best price the stop loss follows; null where it stands still. */
  trailingDistance: ['TrailingDistance', orNull(price)],
  /** Margin at the fill, or reserved while pending. */
  originalMargin: ['OriginCautionMoney', money],
  /** Margin held now; zero after the end. */
  margin: ['CautionMoney', money],
  /** Floating, in the end realised; the fee is not deducted. */
  profit: ['FactProfits', money],
  fee: ['TradeFee', money],
  /** Overnight financing booked so far; a part of no profit. */
  swap: ['Swap', withDefault(money, NO_MONEY)],
  contractSize: ['ForexContNum', whole(1)],
  createdText: ['CreateTimeHandler', text],
  createdAt: ['CreateTime', time],
  openedAt: ['TransactionTime', orNull(time)],
  endedAt: ['CompleteTime', orNull(time)],
  expiresAt: ['ExpireTime', orNull(time)],
  receipts: ['Receipts', withDefault(listOf(receipt), [])],
} as const

const row = noun(FIELDS)
const takenRow = noun({ ...FIELDS, warning: ['Warning', maybe(warning)] })

/** The instrument's id and contract size and the text of the time repeat what is said elsewhere. */
const repeated = ({ instrument, createdAt }: Pick<Inside<typeof row>, 'instrument' | 'createdAt'>) => ({
  instrumentId: instrument.id,
  contractSize: instrument.contractSize,
  createdText: utcText(createdAt),
})

/** A row of `my_deal`. */
export const order = reshape(row, {
  decode: ({ instrumentId: _id, contractSize: _size, createdText: _text, ...rest }) => rest,
  encode: (rest) => ({ ...rest, ...repeated(rest) }),
})

/** What `submit` answers: the order, and what there is to know about it. */
export const takenOrder = reshape(takenRow, {
  decode: ({ instrumentId: _id, contractSize: _size, createdText: _text, ...rest }) => rest,
  encode: (rest) => ({ ...rest, ...repeated(rest) }),
})

export const orderPage = noun({
  orders: ['data', listOf(order)],
  total: ['total', whole()],
  /** Over all rows of the list, not only this page. */
  profit: ['all_fact_profits', money],
  balance: ['balance', money],
})

export const orderQuery = noun({
  list: ['status', choice({ pending: 0, holding: 1, history: 3 })],
  page: ['page', withDefault(whole(1, 'pageInvalid'), 1)],
})

export const orderId = noun({ orderId: ['id', id] })

export const closing = noun({
  orderId: ['id', id],
  /** Null closes the whole position. */
  lots: ['cont', maybeBlank(lots)],
})

/** What `set_trailing` takes: the distance in price; zero or none stops the stop where it stands. */
export const trailingChange = noun({ orderId: ['id', id], distance: ['distance', priceOrNone] })

/** What `close_all` answers: the orders that have ended, and how many positions could not be closed now. */
export const closedOrders = noun({ orders: ['data', listOf(order)], remainingCount: ['left_open', whole()] })
