import { refine, object, transform } from '../protocol/codec.ts'
import {
  choice,
  id,
  lots,
  omittable,
  omittableOrBlank,
  nullable,
  priceChange,
  priceOrZero,
  text,
  time,
  int,
  withDefault,
} from '../protocol/field.ts'

const ticketFields = object({
  side: ['type', choice({ buy: 1, sell: 2 }, { reason: 'sideInvalid' })],
  lots: ['cont', lots],
  instrumentId: ['forex_id', id],
  orderType: ['status', choice({ market: 1, pending: 0 })],
  /** The requested price of a pending order; a market order's is dropped. */
  targetPrice: ['target_price', priceOrZero],
  stopLoss: ['stop_loss_price', priceOrZero],
  takeProfit: ['target_profit_price', priceOrZero],
  /** 0 or omitted: no leverage selected. */
  leverage: ['multiple', withDefault(int(0, 'leverageInvalid'), 0)],
  /** Pending orders only, epoch ms. */
  expiresAt: ['expire_time', omittableOrBlank(time)],
  /** Pending orders only: what it is meant to be. Null: what the price makes of it. */
  kind: ['kind', omittableOrBlank(choice({ limit: 'limit', stop: 'stop' }), 'orderKindInvalid')],
})

/** Only a pending order has a kind. */
const ticketWithKind = refine(ticketFields, {
  decode: (ticket) => (ticket.orderType === 'market' && ticket.kind !== null ? null : ticket),
  encode: (ticket) => ticket,
  reason: 'orderKindInvalid',
})

/** The parameters of `submit`. A pending order needs its price. */
export const orderTicket = refine(ticketWithKind, {
  decode: (ticket) => {
    if (ticket.orderType === 'market') return { ...ticket, targetPrice: null }
    return ticket.targetPrice === null ? null : ticket
  },
  encode: (ticket) => ticket,
  reason: 'priceMissing',
})

/** The parameters of `set_stop_price`. */
export const setStopsRequest = object({
  orderId: ['id', id],
  takeProfit: ['target_profit_price', priceChange],
  stopLoss: ['stop_loss_price', priceChange],
})

const WARNINGS = { stopLossBeyondStopOut: 'stopLossBeyondStopOut' } as const

/** Not part of the given API: the change was made, with a warning. */
export const warning = object({
  code: ['Code', choice(WARNINGS)],
  /** A text in the caller's language. */
  message: ['Msg', text],
})

const stopsSetFields = object({
  takeProfit: ['target_profit_price', priceOrZero],
  stopLoss: ['target_loss_price', priceOrZero],
  /** For a stop loss beyond the stop-out. */
  warning: ['Warning', omittable(warning)],
  warningText: ['warning', nullable(text)],
})

/** The answer of `set_stop_price`. The wire has the text of the warning twice. */
export const setStopsResponse = transform(stopsSetFields, {
  decode: ({ warningText: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, warningText: rest.warning?.message ?? null }),
})
