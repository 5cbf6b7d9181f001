import type { Decimal, InstrumentListing, OrderView } from '@fairlot/contract'
import { closingPrice, profitOf, toTicks, type Money, type Price } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useOrders } from '../../live/account/orders.ts'
import { lotText } from './ticket/lot-text.ts'
import { useTradeMarket, type TradeMarket } from './trade-market.ts'

/** A horizontal line of a chart: an own order or one of its stops. The price is in ticks. */
export type TradeLine = {
  readonly id: string
  readonly price: number
  readonly tone: 'up' | 'down' | 'brass' | 'ink'
  readonly stroke: 'solid' | 'dashed'
  readonly label: string
}

/** What the labels are written with. */
export type LineWords = {
  readonly open: (order: OrderView, profit: Money | null) => string
  readonly pending: (order: OrderView) => string
  readonly stopLoss: (profit: Money | null) => string
  readonly takeProfit: (profit: Money | null) => string
}

/** The lines of the user's living orders on one instrument, with what each would bring at the prices of now. */
export function useTradeLines(listing: InstrumentListing): readonly TradeLine[] {
  const holding = useOrders('holding').orders
  const pending = useOrders('pending').orders
  const market = useTradeMarket(listing)
  const words = useLineWords()
  const orders = [...(holding ?? []), ...(pending ?? [])].filter(
    (order) => order.instrument.id === listing.id,
  )
  return orders.flatMap((order) => linesOf(order, market, words))
}

/** The lines of one order: where it opened or waits, its stop loss, its take profit. */
export function linesOf(order: OrderView, market: TradeMarket, words: LineWords): TradeLine[] {
  const entry = order.status === 'pending' ? order.acceptedPrice : order.openPrice
  const ticks = (price: Decimal | null): Price | null =>
    price === null ? null : toTicks(price, market.instrument.priceDecimals)
  const openTicks = ticks(entry)
  if (openTicks === null) return []
  const profitAt = (close: Price | null): Money | null =>
    close === null || !market.rate
      ? null
      : profitOf(market.instrument, { ...order, openPrice: openTicks }, close, market.rate)
  const now = order.status === 'holding' && market.quote ? closingPrice(order.side, market.quote) : null
  const isPending = order.status === 'pending'
  const lines: (TradeLine | null)[] = [
    {
      id: `${order.id}`,
      price: openTicks,
      tone: isPending ? 'ink' : order.side === 'buy' ? 'up' : 'down',
      stroke: isPending ? 'dashed' : 'solid',
      label: isPending ? words.pending(order) : words.open(order, profitAt(now)),
    },
    stopLine(`${order.id}-loss`, ticks(order.stopLoss), (price) => words.stopLoss(profitAt(price))),
    stopLine(`${order.id}-profit`, ticks(order.takeProfit), (price) => words.takeProfit(profitAt(price))),
  ]
  return lines.filter((line) => line !== null)
}

const stopLine = (id: string, price: Price | null, label: (price: Price) => string): TradeLine | null =>
  price === null ? null : { id, price, tone: 'brass', stroke: 'dashed', label: label(price) }

function useLineWords(): LineWords {
  const t = useTranslations('chart')
  const { figures } = useLocale()
  const signed = (profit: Money | null): string =>
    profit === null ? '' : figures.fineText(profit, { sign: 'always' })
  const lots = (order: OrderView): string => figures.decimal(lotText(order.lots, order.instrument.lotStep))
  return {
    open: (order, profit) =>
      t(order.side === 'buy' ? 'buyLine' : 'sellLine', { lots: lots(order), profit: signed(profit) || '–' }),
    pending: (order) => t('pendingLine', { side: order.side, kind: order.kind, lots: lots(order) }),
    stopLoss: (profit) => t('stopLine', { profit: signed(profit) }),
    takeProfit: (profit) => t('profitLine', { profit: signed(profit) }),
  }
}
