import { noun, reshape } from '../codec.ts'
import { choice, decimal, id, orNull, percent, price, time, whole } from '../field.ts'

export const quoteSource = choice({ live: 'live', recorded: 'recorded', simulated: 'simulated' })

const row = noun({
  instrumentId: ['forex_id', id],
  open: ['open', price],
  close: ['close', price],
  high: ['high', price],
  low: ['low', price],
  changePercent: ['change', orNull(percent)],
  volume: ['volume', decimal],
  bid: ['bid', price],
  ask: ['ask', price],
  time: ['time', time],
  seq: ['seq', whole()],
  source: ['source', quoteSource],
})

/** `quotation` of a DAY_MARKET message: the newest price and the trading day so far, on the mid. */
export const quotation = reshape(row, {
  decode: ({ open, close, high, low, changePercent, volume, ...quote }) => ({
    ...quote,
    day: { open, close, high, low, changePercent, volume },
  }),
  encode: ({ day, ...quote }) => ({ ...quote, ...day }),
})
