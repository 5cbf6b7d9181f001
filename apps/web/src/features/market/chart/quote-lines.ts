import { toTicks, type Decimal } from '@fairlot/contract'
import type { ChartLine } from './chart-port.ts'

type Quoted = { readonly bid: Decimal; readonly ask: Decimal }

/** The two dotted lines of a quote: what one could sell and buy at now. */
export function quoteLines(quote: Quoted | null, priceDecimals: number): readonly ChartLine[] {
  const line = (id: string, price: Decimal): ChartLine[] => {
    const ticks = toTicks(price, priceDecimals)
    return ticks === null ? [] : [{ id, price: ticks, tone: 'quiet', stroke: 'dotted', label: null }]
  }
  return quote ? [...line('bid', quote.bid), ...line('ask', quote.ask)] : []
}
