import type { OrderView } from '@fairlot/contract'
import type { FigureFormat } from '../../../i18n/figure.ts'

const LOTS_DECIMALS = 4
const USUAL_DECIMALS = 2

/** Lots as they are usually written: two decimals, four only where they are needed. */
export const lotsText = (figures: FigureFormat, lots: number): string =>
  figures.figure(lots, LOTS_DECIMALS, { shown: lots % 100 === 0 ? USUAL_DECIMALS : LOTS_DECIMALS })

/** A price of the order's instrument with all its decimals, or a dash. */
export const priceText = (
  figures: FigureFormat,
  price: string | null,
  { instrument }: Pick<OrderView, 'instrument'>,
): string => (price === null ? '–' : figures.decimal(price, { shown: instrument.priceDecimals }))

/** The price an order stands at: its fill, or what it waits for. */
export const enteredPrice = (order: Pick<OrderView, 'openPrice' | 'acceptedPrice'>): string =>
  order.openPrice ?? order.acceptedPrice

export const isAlive = ({ status }: Pick<OrderView, 'status'>): boolean =>
  status === 'holding' || status === 'pending'
