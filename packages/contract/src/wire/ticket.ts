import { narrow, noun, reshape } from '../codec.ts'
import {
  choice,
  id,
  lots,
  maybe,
  maybeBlank,
  orNull,
  priceOrNone,
  text,
  time,
  whole,
  withDefault,
} from '../field.ts'

const row = noun({
  side: ['type', choice({ buy: 1, sell: 2 }, { reason: 'sideInvalid' })],
  lots: ['cont', lots],
  instrumentId: ['forex_id', id],
  entry: ['status', choice({ market: 1, pending: 0 })],
  /** The wished price of a pending order; a market order's is dropped. */
  targetPrice: ['target_price', priceOrNone],
  stopLoss: ['stop_loss_price', priceOrNone],
  takeProfit: ['target_profit_price', priceOrNone],
  /** Zero, or left out: none chosen. */
  leverage: ['multiple', withDefault(whole(0, 'leverageInvalid'), 0)],
  /** Pending orders only, epoch ms. */
  expiresAt: ['expire_time', maybeBlank(time)],
})

/** What `submit` takes. A pending order needs its price. */
export const orderTicket = narrow(row, {
  decode: (ticket) => {
    if (ticket.entry === 'market') return { ...ticket, targetPrice: null }
    return ticket.targetPrice === null ? null : ticket
  },
  encode: (ticket) => ticket,
  reason: 'priceMissing',
})

/** What `set_stop_price` takes. */
export const stopsChange = noun({
  orderId: ['id', id],
  takeProfit: ['target_profit_price', priceOrNone],
  stopLoss: ['stop_loss_price', priceOrNone],
})

const WARNINGS = { stopLossBeyondStopOut: 'stopLossBeyondStopOut' } as const

/** Ours: a change was taken, and there is something to know about it. */
export const warning = noun({
  code: ['Code', choice(WARNINGS)],
  /** A sentence in the caller's language. */
  message: ['Msg', text],
})

const stopsRow = noun({
  takeProfit: ['target_profit_price', priceOrNone],
  stopLoss: ['target_loss_price', priceOrNone],
  /** When the stop loss lies beyond the stop-out. */
  warning: ['Warning', maybe(warning)],
  sentence: ['warning', orNull(text)],
})

/** What `set_stop_price` answers. The wire says the sentence of the warning twice. */
export const stopsSet = reshape(stopsRow, {
  decode: ({ sentence: _, ...rest }) => rest,
  encode: (rest) => ({ ...rest, sentence: rest.warning?.message ?? null }),
})
