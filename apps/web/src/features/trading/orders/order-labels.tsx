import type { Decimal, InstrumentListing, OrderView } from '@fairlot/contract'
import { LOTS_DECIMALS } from '@fairlot/core/number'
import type { FigureFormat } from '../../../i18n/number-format.ts'
import { logoOf } from '../../../i18n/currency.ts'
import { useInstrument } from '../../../live/market/instruments.ts'
import { Logo } from '@fairlot/ui/graphics/logo.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { FailedState } from '../../../ui/failed-state.tsx'
import { useMarketHalt } from '../../../live/basic-info.ts'
import { marketNow } from '../../../live/market/market-clock.ts'
import { useStaleSeconds } from '../../../live/market/quotes.ts'

const USUAL_DECIMALS = 2

/** Lots with two decimals, with four only where needed. */
export const lotsText = (figures: FigureFormat, lots: number): string =>
  figures.figure(lots, LOTS_DECIMALS, { shown: lots % 100 === 0 ? USUAL_DECIMALS : LOTS_DECIMALS })

/** A price of the order's instrument with all its decimals, or a dash. */
export const priceText = (
  figures: FigureFormat,
  price: Decimal | null,
  { instrument }: { instrument: Pick<OrderView['instrument'], 'priceDecimals'> },
): string => (price === null ? '–' : figures.decimal(price, { shown: instrument.priceDecimals }))

/** Entry price of an order: its fill, or the price that a pending order waits for. */
export const entryPrice = (order: Pick<OrderView, 'openPrice' | 'acceptedPrice'>): Decimal =>
  order.openPrice ?? order.acceptedPrice

export const isActive = ({ status }: Pick<OrderView, 'status'>): boolean =>
  status === 'holding' || status === 'pending'

/** Logo of an order's instrument: by its currencies when it is listed, else by its code. */
export function OrderLogo({ instrument }: { instrument: Pick<OrderView['instrument'], 'id' | 'code'> }) {
  const listed = useInstrument(instrument.id)
  return listed ? <Logo {...logoOf(listed)} /> : <Logo symbols={[instrument.code.slice(0, 1)]} />
}

/** "Buy 0.10" in the colour of its side. */
export function SideLots({ order }: { order: Pick<OrderView, 'side' | 'lots'> }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  return (
    <span
      className={`text-note font-bold whitespace-nowrap ${order.side === 'buy' ? 'text-up' : 'text-down'}`}
    >
      {withNames(t('sideLots', { side: order.side, lots: asName(lotsText(figures, order.lots)) }))}
    </span>
  )
}

/** Why a position cannot be closed now; else its trailing stop and swap. */
export function PositionNote({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const blockText = useCloseBlock(order)
  const notes = [
    order.trailingDistance === null
      ? null
      : t('stopFollows', { stop: asName(priceText(figures, order.stopLoss, order)) }),
    order.swap === 0n ? null : t('overnight', { swap: asName(figures.cost(order.swap, { sign: 'always' })) }),
  ]
  return (
    <span className="block text-tiny text-second">
      {blockText ?? withNames(notes.filter((note) => note !== null).join(' · '))}
    </span>
  )
}

/** Why an order ended, and the position that it was a part of. */
export function EndNote({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  return (
    <span className="block text-tiny text-second">
      {t(`reason.${order.endReason}`)}
      {order.parentId !== null && withNames(` · ${t('partOf', { id: asName(order.parentId) })}`)}
    </span>
  )
}

export function OrdersFailed({ onRetry }: { onRetry: () => unknown }) {
  const t = useTranslations()
  return <FailedState title={t('order.failed')} text={t('order.failedText')} onRetry={onRetry} />
}

type CloseBlock = 'halted' | 'closed' | 'stalePrice'

/** `marketHalt`: reason why the whole market is halted; null while it is not. */
type MarketConditions = { marketHalt: string | null; isStale: boolean }

/** Why positions of an instrument cannot be closed now; null when they can. The order of the reasons is the server's. */
export function closeBlockOf(
  { haltReason, isOpen }: Pick<InstrumentListing, 'haltReason' | 'isOpen'>,
  { marketHalt, isStale }: MarketConditions,
): CloseBlock | null {
  if (haltReason !== null || marketHalt !== null) return 'halted'
  if (!isOpen) return 'closed'
  return isStale ? 'stalePrice' : null
}

/** Why a position cannot be closed now, as text; null when it can. */
export function useCloseBlock({
  instrument,
  status,
}: Pick<OrderView, 'instrument' | 'status'>): string | null {
  const t = useTranslations('order')
  const halt = useTranslations('halt')
  const { moments } = useLocale()
  const marketHalt = useMarketHalt()
  const listing = useInstrument(instrument.id)
  const staleSeconds = useStaleSeconds({
    id: instrument.id,
    isOpen: listing?.isOpen ?? false,
    freshnessMs: listing?.freshnessMs ?? 0,
  })
  if (status !== 'holding' || !listing) return null
  const block = closeBlockOf(listing, { marketHalt, isStale: staleSeconds !== null })
  if (block === null) return null
  if (block === 'halted') return halt('notice', { reason: listing.haltReason ?? marketHalt ?? '' })
  if (block !== 'closed') return t(block)
  return listing.nextOpenAt === null
    ? t('marketClosedNow')
    : t('marketClosed', { time: moments.soon(listing.nextOpenAt, marketNow()) })
}
