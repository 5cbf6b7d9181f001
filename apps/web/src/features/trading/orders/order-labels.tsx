import type { Decimal, OrderView } from '@fairlot/contract'
import { LOTS_DECIMALS } from '@fairlot/core/number'
import type { FigureFormat } from '../../../i18n/number-format.ts'
import { markOf } from '../../../i18n/currency.ts'
import { useInstrument } from '../../../live/market/instruments.ts'
import { Mark } from '@fairlot/ui/mark.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useCloseBlock } from './close-blocked.ts'

const USUAL_DECIMALS = 2

/** Lots as they are usually written: two decimals, four only where they are needed. */
export const lotsText = (figures: FigureFormat, lots: number): string =>
  figures.figure(lots, LOTS_DECIMALS, { shown: lots % 100 === 0 ? USUAL_DECIMALS : LOTS_DECIMALS })

/** A price of the order's instrument with all its decimals, or a dash. */
export const priceText = (
  figures: FigureFormat,
  price: Decimal | null,
  { instrument }: Pick<OrderView, 'instrument'>,
): string => (price === null ? '–' : figures.decimal(price, { shown: instrument.priceDecimals }))

/** The price an order stands at: its fill, or what it waits for. */
export const enteredPrice = (order: Pick<OrderView, 'openPrice' | 'acceptedPrice'>): Decimal =>
  order.openPrice ?? order.acceptedPrice

export const isAlive = ({ status }: Pick<OrderView, 'status'>): boolean =>
  status === 'holding' || status === 'pending'

/** The drawn logo of an order's instrument. The list knows its currencies; an order by itself only its code. */
export function OrderMark({ instrument }: Pick<OrderView, 'instrument'>) {
  const listed = useInstrument(instrument.id)
  return listed ? <Mark {...markOf(listed)} /> : <Mark signs={[instrument.code.slice(0, 1)]} />
}

/** "Buy 0.10" in the colour of its side. */
export function SideLots({ order }: { order: Pick<OrderView, 'side' | 'lots'> }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  return (
    <span
      className={`text-note font-bold whitespace-nowrap ${order.side === 'buy' ? 'text-up' : 'text-down'}`}
    >
      {t('sideLots', { side: order.side, lots: lotsText(figures, order.lots) })}
    </span>
  )
}

/** Why it cannot be closed now; else what a position has beside its price. */
export function PositionNote({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const bar = useCloseBlock(order)
  const notes = [
    order.trailingDistance === null
      ? null
      : t('stopFollows', { stop: priceText(figures, order.stopLoss, order) }),
    order.swap === 0n ? null : t('overnight', { swap: figures.fineText(order.swap, { sign: 'always' }) }),
  ]
  return (
    <span className="block text-tiny text-second">
      {bar ?? notes.filter((note) => note !== null).join(' · ')}
    </span>
  )
}

/** Why an order ended, and which position it was a part of. */
export function EndNote({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  return (
    <span className="block text-tiny text-second">
      {t(`reason.${order.endReason}`)}
      {order.parentId !== null && ` · ${t('partOf', { id: order.parentId })}`}
    </span>
  )
}
