import type { Decimal, InstrumentListing, OrderView } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useInstrument } from '../../../live/market/instruments.ts'
import { useKeptState } from '../../../live/session/kept-input.ts'
import { useOnClosed, useOrder } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { PartialCloseForm, useLotRule } from './close-position.tsx'
import { isActive, OrderLogo, OrdersFailed, priceText, SideLots } from './order-labels.tsx'
import { OrderActions, PositionActions, type SheetView } from './order-actions.tsx'
import { StopsForm, TrailingForm } from './set-stops.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { type Definition, DefinitionList } from '@fairlot/ui/figures/definition-list.tsx'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'
import { ProfitFigure } from '../account/account-figures.tsx'
import { AlertForm } from '../alerts/alert-form.tsx'
import { ReceiptCard } from './receipt.tsx'
import { fixedMargin, partRange } from '@fairlot/core'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { useStopOuts } from '../account-snapshot.ts'

type OrderSheetProps = { order: OrderView | undefined; isOpen: boolean; onClose: () => void }

/** All details and actions of an order. Closes by itself when the position is closed. */
export function OrderSheet({ order, isOpen, onClose }: OrderSheetProps) {
  const t = useTranslations('app')
  // While the sheet slides away it keeps its content, even when the order has left the list.
  const [shown, setShown] = useState(order)
  if (order !== undefined && order !== shown) setShown(order)
  useOnClosed(shown?.status === 'holding' ? shown.id : null, onClose)
  if (!shown) return null
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={asName(shown.instrument.showCode)}
      isTitleHidden
      closeLabel={t('close')}
    >
      <SheetContent key={shown.id} order={shown} onDone={onClose} />
    </Sheet>
  )
}

type SheetContentProps = { order: OrderView; onDone: () => void }

function SheetContent({ order, onDone }: SheetContentProps) {
  const [view, setView] = useKeptState<SheetView>(`sheet ${order.id}`, 'detail')
  const listing = useInstrument(order.instrument.id)
  const range = partRange(useLotRule(order), order.lots)
  const back = () => setView('detail')
  if (view === 'stops') return <StopsForm order={order} listing={listing} onDone={back} />
  if (view === 'part' && range) return <PartialCloseForm order={order} range={range} onDone={back} />
  if (view === 'trailing' && listing) return <TrailingForm order={order} listing={listing} onDone={back} />
  if (view === 'alert' && listing) return <AlertOf order={order} listing={listing} onDone={back} />
  if (view === 'parent' && order.parentId !== null)
    return <Parent parentId={order.parentId} onBack={back} onDone={onDone} />
  return <OrderDetail order={order} onGo={setView} onDone={onDone} />
}

type AlertOfProps = { order: OrderView; listing: InstrumentListing; onDone: () => void }

/** An alert on the price at which the position closes. */
function AlertOf({ order, listing, onDone }: AlertOfProps) {
  const t = useTranslations()
  return (
    <div className="flex flex-col gap-1 pt-3">
      <h3 className="text-title font-bold">
        {withNames(t('alert.newOn', { code: asName(listing.showCode) }))}
      </h3>
      <AlertForm
        listing={listing}
        start={{ side: order.side === 'buy' ? 'bid' : 'ask', ticks: null }}
        onDone={onDone}
      />
      <Button tone="quiet" onClick={onDone}>
        {t('order.back')}
      </Button>
    </div>
  )
}

type ParentProps = { parentId: number; onBack: () => void; onDone: () => void }

/** The position from which a closed part was taken, with a button back to the part. */
function Parent({ parentId, onBack, onDone }: ParentProps) {
  const t = useTranslations('order')
  const { order, isFailed, refetch } = useOrder(parentId)
  return (
    <div className="flex flex-col">
      <div className="pt-3">
        <Button tone="outline" size="small" onClick={onBack}>
          {t('backToPart')}
        </Button>
      </div>
      {order && <SheetContent order={order} onDone={onDone} />}
      {!order && (isFailed ? <OrdersFailed onRetry={refetch} /> : <ParentLoading />)}
    </div>
  )
}

const ParentLoading = () => (
  <div className="flex flex-col gap-3 py-4">
    <Skeleton shape="h-5 w-48" />
    <Skeleton shape="h-64 w-full" />
  </div>
)

type OrderSheetByIdProps = { orderId: number; onClose: () => void }

/** The sheet of an order that another screen refers to by its number. */
export function OrderSheetById({ orderId, onClose }: OrderSheetByIdProps) {
  const t = useTranslations()
  const { order, isFailed, refetch } = useOrder(orderId)
  if (!isFailed) return <OrderSheet order={order} isOpen={order !== undefined} onClose={onClose} />
  return (
    <Sheet
      isOpen
      title={t('order.number', { id: asName(orderId) })}
      closeLabel={t('app.close')}
      onClose={onClose}
    >
      <OrdersFailed onRetry={refetch} />
    </Sheet>
  )
}

type OrderDetailProps = { order: OrderView; onGo: (view: SheetView) => void; onDone: () => void }

/** Result, terms, receipts and actions of an order. */
export function OrderDetail({ order, onGo, onDone }: OrderDetailProps) {
  const terms = useOrderTerms(order)
  return (
    <div className="flex flex-col gap-3 pt-3">
      <Heading order={order} />
      {order.parentId !== null && <ParentLink parentId={order.parentId} onGo={() => onGo('parent')} />}
      {order.status === 'holding' && <PositionActions order={order} onGo={onGo} onDone={onDone} />}
      <div className="rounded-card px-3.5 py-1.5 ring-1 ring-line ring-inset">
        <DefinitionList rows={terms} />
      </div>
      {order.receipts.map((receipt) => (
        <ReceiptCard key={receipt.hash ?? `${receipt.action}${receipt.at}`} receipt={receipt} order={order} />
      ))}
      {isActive(order) && (
        <div className="sticky -bottom-2 bg-surface pt-1 pb-3">
          <OrderActions order={order} onGo={onGo} onDone={onDone} />
        </div>
      )}
    </div>
  )
}

/** A closed part is a separate order; this links to its position. */
function ParentLink({ parentId, onGo }: { parentId: number; onGo: () => void }) {
  const t = useTranslations('order')
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 text-note text-second">
      <span>{withNames(t('partOf', { id: asName(parentId) }))}</span>
      <TextButton onClick={onGo}>{t('toParent')}</TextButton>
    </p>
  )
}

/** Instrument, side, number and result of an order. */
export function Heading({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { moments } = useLocale()
  const { profit } = useMarkToMarket(order)
  const hasProfit = order.status === 'holding' || order.status === 'closed'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <OrderLogo instrument={order.instrument} />
      <div className="min-w-fit flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi translate="no" className="font-bold">
            {order.instrument.showCode}
          </bdi>
          <SideLots order={order} />
        </p>
        <p className="text-note text-second">
          {withNames(t('number', { id: asName(order.id) }))} ·{' '}
          <Name>{moments.time(order.openedAt ?? order.createdAt)}</Name>
        </p>
      </div>
      <p className="ms-auto text-figure">{hasProfit && <ProfitFigure units={profit} />}</p>
    </div>
  )
}

/** Whether the order's margin was fixed: the instrument may have had another margin mode when the order was placed. */
const isMarginFixed = ({
  instrument: { marginMode, contractSize },
  lots,
  originalMargin,
}: OrderView): boolean => marginMode === 'fixed' && originalMargin === fixedMargin(contractSize, lots)

type Row = [term: string, value: string | null]

/** Terms and state of an order as rows; rows that do not apply are left out. */
export function useOrderTerms(order: OrderView): readonly Definition[] {
  const t = useTranslations('order')
  const tAccount = useTranslations('account')
  const { figures, moments } = useLocale()
  const currentPrice = useMarkToMarket(order).currentPrice
  const price = (value: Decimal | null) => (value === null ? null : priceText(figures, value, order))
  const moment = (at: number | null) => (at === null ? null : moments.dateTime(at))
  const stop = (value: Decimal | null) => price(value) ?? t('notSet')
  const hasEnded = order.endedAt !== null
  const stopOut = useStopOuts().get(order.id) ?? null
  const rows: Row[] = [
    [t('endReason'), hasEnded ? t(`reason.${order.endReason}`) : null],
    [t('closedBy'), order.endedBy && tAccount(`role.${order.endedBy.role}`)],
    [t('closedWhy'), order.endedBy?.reason ?? null],
    [t('ended'), moment(order.endedAt)],
    [t('opened'), moment(order.openedAt)],
    [t('placed'), order.kind === 'market' ? null : moment(order.createdAt)],
    [t(order.kind === 'market' ? 'priceAtAcceptance' : 'targetPrice'), price(order.acceptedPrice)],
    [t('filledAt'), price(order.openPrice)],
    [t(hasEnded ? 'closedAt' : 'nowAt'), order.openPrice === null ? null : price(currentPrice)],
    [t('stopLoss'), stop(order.stopLoss)],
    [t('followsAt'), price(order.trailingDistance)],
    [t('takeProfit'), stop(order.takeProfit)],
    [t('stopOutAt'), price(stopOut)],
    [t('leverage'), t('times', { leverage: figures.count(order.leverage) })],
    [t('margin'), figures.exactText(order.originalMargin)],
    [
      t('marginFixed'),
      isMarginFixed(order) ? figures.exactText(fixedMargin(order.instrument.contractSize)) : null,
    ],
    // The opening fee stays with the position of a closed part.
    [t('fee'), order.parentId === null ? figures.exactText(order.fee) : null],
    [t('swap'), order.swap === 0n ? null : figures.exactText(order.swap, { sign: 'always' })],
    [t('expires'), moment(order.expiresAt)],
  ]
  return rows.flatMap(([term, value]) => (value === null ? [] : [{ term, value }]))
}
