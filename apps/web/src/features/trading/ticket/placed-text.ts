import type { InstrumentListing, OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { lotText } from './lot-text.ts'

/** One line about an order that was taken: filled at which price and with which slippage, or what it waits for. */
export function usePlacedText(listing: InstrumentListing): (order: OrderView) => string {
  const t = useTranslations('ticket')
  const { figures } = useSpeech()
  const price = (text: string) => figures.decimal(text, { shown: listing.priceDecimals })
  return (order) => {
    const common = {
      side: order.side,
      code: listing.showCode,
      lots: figures.decimal(lotText(order.lots, order.instrument.lotStep)),
    }
    if (order.openPrice === null)
      return t('placed', { ...common, kind: order.kind, price: price(order.acceptedPrice) })
    const slippage = slippageOf(order)
    return t('filled', {
      ...common,
      price: price(order.openPrice),
      slip: slippage === '0' ? 'none' : slippage.startsWith('-') ? 'worse' : 'better',
      distance: price(slippage.replace('-', '')),
    })
  }
}

/** Above zero is better for the user than asked. */
const slippageOf = ({ receipts }: OrderView): string =>
  receipts.find((receipt) => receipt.action === 'open')?.slippage ?? '0'
