import { readDecimal } from '@fairlot/contract'
import type { Decimal, OrderView } from '@fairlot/contract'

export type StopName = 'stopLoss' | 'takeProfit'

/** A typed stop: nothing, a price, or text that is none. */
export type TypedStop = { kind: 'none' } | { kind: 'price'; price: Decimal } | { kind: 'unreadable' }

const WHOLE_DIGITS = 12

/** Reads a stop as typed; a comma counts as the point. More decimals than the instrument has are not a price of it. */
export function readStop(text: string, priceDecimals: number): TypedStop {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return { kind: 'none' }
  const price = readDecimal(typed, { wholeDigits: WHOLE_DIGITS, fractionDigits: priceDecimals })
  return price === null || price.startsWith('-') || price === '0'
    ? { kind: 'unreadable' }
    : { kind: 'price', price }
}

/** On which side of the market a stop must lie: a buy's loss and a sell's profit below. */
export const stopSide = (name: StopName, side: OrderView['side']): 'below' | 'above' =>
  (name === 'stopLoss') === (side === 'buy') ? 'below' : 'above'

/** The price a stop is measured from: the closing price, or what a pending order waits for. */
export const stopReference = (
  order: Pick<OrderView, 'status' | 'acceptedPrice' | 'currentPrice'>,
): Decimal | null => (order.status === 'pending' ? order.acceptedPrice : order.currentPrice)
