import { CallError, type InstrumentListing, type OrderView } from '@fairlot/contract'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useInstrument } from '../../../live/market/instruments.ts'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { entryPrice, lotsText, priceText, useCloseBlock } from './order-labels.tsx'
import { CloseAction, partOf, refreshAfterFailure, useLotRule } from './close-position.tsx'
import { useMutation } from '@tanstack/react-query'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount, useMarkToMarket } from '../../../live/account/account.ts'
import { cancelPending, changeStops, orderPath, reversePosition } from '../../../live/account/orders.ts'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import { feeOf, marginOf, partRange } from '@fairlot/core'
import { failureText } from '../../../live/requests/request.ts'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useTradeMarket } from '../trade-market.ts'

type OrderActionsProps = { order: OrderView; onGo: (view: SheetView) => void; onDone: () => void }

const HALF = 50

/** Buttons side by side, which share the width. */
const ButtonGroup = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 *:grow">{children}</div>
)

/** The most frequent actions on an open or pending order. */
export function OrderActions({ order, onGo, onDone }: OrderActionsProps) {
  const t = useTranslations('order')
  const blockText = useCloseBlock(order)
  const half = partOf(order.lots, HALF, useLotRule(order))
  return (
    <>
      {blockText !== null && <p className="pb-2 text-note text-second">{blockText}</p>}
      <ButtonGroup>
        <Button tone="outline" onClick={() => onGo('stops')}>
          {t('setStops')}
        </Button>
        {order.status === 'pending' && <CancelAction order={order} onDone={onDone} />}
        {order.status === 'holding' && half !== null && (
          <CloseAction order={order} part={half} isDisabled={blockText !== null} onDone={() => undefined} />
        )}
        {order.status === 'holding' && (
          <CloseAction order={order} part={null} isDisabled={blockText !== null} onDone={onDone} />
        )}
      </ButtonGroup>
    </>
  )
}

/** Further actions on a position. */
export function PositionActions({ order, onGo, onDone }: OrderActionsProps) {
  const t = useTranslations('order')
  const isBlocked = useCloseBlock(order) !== null
  const listing = useInstrument(order.instrument.id)
  const hasParts = partRange(useLotRule(order), order.lots) !== null
  return (
    <ButtonGroup>
      {hasParts && (
        <Button tone="outline" size="small" disabled={isBlocked} onClick={() => onGo('part')}>
          {t('closePart')}
        </Button>
      )}
      {listing && (
        <ReverseAction
          order={order}
          listing={listing}
          isDisabled={isBlocked || !listing.isTradable}
          onDone={onDone}
        />
      )}
      <BreakEvenAction order={order} />
      {listing && (
        <Button tone="outline" size="small" onClick={() => onGo('trailing')}>
          {t('trailing')}
        </Button>
      )}
      {listing && (
        <Button tone="outline" size="small" onClick={() => onGo('alert')}>
          {t('alert')}
        </Button>
      )}
    </ButtonGroup>
  )
}

/** The view that a sheet shows of its order. */
export type SheetView = 'detail' | 'stops' | 'part' | 'trailing' | 'alert' | 'parent'

type CancelActionProps = { order: OrderView; onDone: () => void }

/** Cancels a pending order after a confirmation with the margin and fee that become free. */
function CancelAction({ order, onDone }: CancelActionProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const [isConfirming, setIsConfirming] = useState(false)
  const cancel = useMutation({
    mutationFn: () => cancelPending(order.id),
    onSuccess: onDone,
    // After a missing response it may have been cancelled.
    onError: () => void refreshAccount(),
    onSettled: () => setIsConfirming(false),
  })
  return (
    <>
      <Button onClick={() => setIsConfirming(true)}>{t('cancelOrder')}</Button>
      <Confirm
        isOpen={isConfirming}
        title={t('cancelTitle')}
        text={t('cancelText', {
          side: order.side,
          lots: asName(lotsText(figures, order.lots)),
          code: asName(order.instrument.showCode),
          price: asName(priceText(figures, entryPrice(order), order)),
          margin: asName(figures.money(order.originalMargin)),
          fee: asName(figures.cost(order.fee)),
        })}
        confirmLabel={t('cancelOrder')}
        cancelLabel={t('keepWaiting')}
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}

/** Moves the stop loss to the opening price in one press, while the position is in profit and its stop is not there yet. */
function BreakEvenAction({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const app = useTranslations('app')
  const { figures } = useLocale()
  const { profit } = useMarkToMarket(order)
  const { id: orderId, openPrice } = order
  const move = useMutation({
    mutationFn: () => changeStops({ orderId, stopLoss: openPrice }),
    onError: (error) => {
      refreshAfterFailure()
      const text = error instanceof CallError ? failureText(error.failure, app) : null
      if (text !== null) showToast({ text, tone: 'problem' })
    },
  })
  if (openPrice === null || profit <= 0n || order.stopLoss === openPrice) return null
  return (
    <Button
      tone="outline"
      size="small"
      isBusy={move.isPending}
      title={t('breakEvenHint', { price: priceText(figures, openPrice, order) })}
      onClick={() => move.mutate()}
    >
      {t('breakEven')}
    </Button>
  )
}

type ReverseActionProps = {
  order: OrderView
  listing: InstrumentListing
  isDisabled: boolean
  onDone: () => void
}

/** Closes a position and opens the opposite one, after a confirmation with profit, margin and fee. */
function ReverseAction({ order, listing, isDisabled, onDone }: ReverseActionProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const [isConfirming, setIsConfirming] = useState(false)
  const reverse = useMutation({
    mutationFn: () => reversePosition(order.id),
    onSuccess: (opened) => {
      const price = asName(priceText(figures, opened.openPrice, opened))
      const lots = asName(lotsText(figures, opened.lots))
      showToast({ text: t('reversed', { side: opened.side, lots, price }), to: orderPath(opened) })
      onDone()
    },
    onError: refreshAfterFailure,
    onSettled: () => setIsConfirming(false),
  })
  const text = useReverseText(order, listing)
  return (
    <>
      <Button tone="outline" size="small" disabled={isDisabled} onClick={() => setIsConfirming(true)}>
        {t('reverse')}
      </Button>
      <Confirm
        isOpen={isConfirming}
        title={t('reverseTitle', { code: asName(order.instrument.showCode) })}
        text={text}
        confirmLabel={t('reverse')}
        cancelLabel={t('keepAsIs')}
        isBusy={reverse.isPending}
        onConfirm={() => reverse.mutate()}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}

/** Effect of a reversal at current prices. The position closes and the opposite one opens at the same price. */
function useReverseText(order: OrderView, listing: InstrumentListing): string {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { instrument, quote, rate } = useTradeMarket(listing)
  const feeType = useBasicInfo()?.feeType ?? 'rate'
  const current = useMarkToMarket(order)
  const price = quote && (order.side === 'buy' ? quote.bid : quote.ask)
  const { lots, leverage } = order
  const margin = price !== null && rate ? marginOf(instrument, { lots, leverage, price, rate }) : null
  return t('reverseText', {
    side: order.side,
    lots: lotsText(figures, lots),
    price: asName(priceText(figures, current.currentPrice, order)),
    profit: asName(figures.money(current.profit, { sign: 'always' })),
    margin: margin === null ? '–' : asName(figures.money(margin)),
    fee: margin === null ? '–' : asName(figures.cost(feeOf(instrument, feeType, { lots, margin }))),
  })
}
