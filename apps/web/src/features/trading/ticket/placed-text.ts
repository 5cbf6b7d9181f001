import type { Decimal, InstrumentListing, OrderView } from '@fairlot/contract'
import { direction, toTicks, type Price } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { lotText } from './lot-text.ts'

/**
 * One line about an order that was taken: filled at which price and how that compares with the one on the button, or
 * what it waits for. `shown` is the price the button carried when it was pressed, in ticks.
 */
export function usePlacedText(listing: InstrumentListing): (order: OrderView, shown: Price | null) => string {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { priceDecimals, showCode } = listing
  const price = (value: Decimal) => figures.decimal(value, { shown: priceDecimals })
  return (order, shown) => {
    const common = {
      side: order.side,
      code: showCode,
      lots: figures.decimal(lotText(order.lots, order.instrument.lotStep)),
    }
    if (order.openPrice === null)
      return t('placed', { ...common, kind: order.kind, price: price(order.acceptedPrice) })
    const better = shown === null ? 0 : improvement(order, shown, toTicks(order.openPrice, priceDecimals))
    return t('filled', {
      ...common,
      price: price(order.openPrice),
      slip: better === 0 ? 'none' : better > 0 ? 'better' : 'worse',
      distance: figures.figure(Math.abs(better), priceDecimals),
    })
  }
}

/** How much better than shown an order was filled, in ticks; below zero: worse. */
export const improvement = ({ side }: Pick<OrderView, 'side'>, shown: Price, filled: Price | null): number =>
  filled === null ? 0 : direction(side) * (shown - filled)
