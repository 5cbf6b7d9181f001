import type { InstrumentListing, OrderView } from '@fairlot/contract'
import { feeOf, marginOf } from '@fairlot/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { reversePosition } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Confirm } from '@fairlot/ui/sheet.tsx'
import { showToast } from '@fairlot/ui/toast.ts'
import { useTradeMarket } from '../trade-market.ts'
import { lotsText, priceText } from './order-labels.tsx'
import { refreshAfterFailure } from './use-closing.ts'

type ReverseActionProps = {
  order: OrderView
  listing: InstrumentListing
  isDisabled: boolean
  onDone: () => void
}

/** Closes a position and opens its opposite, after naming what both book and take. */
export function ReverseAction({ order, listing, isDisabled, onDone }: ReverseActionProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const [isAsking, setIsAsking] = useState(false)
  const reverse = useMutation({
    mutationFn: () => reversePosition(order.id),
    onSuccess: (opened) => {
      const price = priceText(figures, opened.openPrice, opened)
      showToast({ text: t('reversed', { side: opened.side, lots: lotsText(figures, opened.lots), price }) })
      onDone()
    },
    onError: refreshAfterFailure,
    onSettled: () => setIsAsking(false),
  })
  const text = useReverseText(order, listing)
  return (
    <>
      <Button tone="outline" size="small" disabled={isDisabled} onClick={() => setIsAsking(true)}>
        {t('reverse')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('reverseTitle', { code: order.instrument.showCode })}
        text={text}
        confirmLabel={t('reverse')}
        cancelLabel={t('keepAsIs')}
        isBusy={reverse.isPending}
        onConfirm={() => reverse.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

/** What a reversal does at the prices of now: where this one closes the opposite opens, so both have one price. */
function useReverseText(order: OrderView, listing: InstrumentListing): string {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { instrument, quote, rate } = useTradeMarket(listing)
  const feeType = useBasicInfo()?.feeType ?? 'rate'
  const mark = useMarkToMarket(order)
  const price = quote && (order.side === 'buy' ? quote.bid : quote.ask)
  const { lots, leverage } = order
  const margin = price !== null && rate ? marginOf(instrument, { lots, leverage, price, rate }) : null
  return t('reverseText', {
    side: order.side,
    lots: lotsText(figures, lots),
    price: priceText(figures, mark.currentPrice, order),
    profit: figures.fineText(mark.profit, { sign: 'always' }),
    margin: margin === null ? '–' : figures.fineText(margin),
    fee: margin === null ? '–' : figures.fineText(feeOf(instrument, feeType, { lots, margin })),
  })
}
