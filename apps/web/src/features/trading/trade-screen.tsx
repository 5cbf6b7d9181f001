import type { InstrumentListing } from '@fairlot/contract'
import { ChevronDown, CloudOff, Menu } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Location, useLocation } from '@fairlot/ui/navigation/router.tsx'
import { useTranslations } from 'use-intl'
import { useInstruments, useSelectedInstrument } from '../../live/market/instruments.ts'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { useMediaQuery } from '@fairlot/ui/hooks/use-media-query.ts'
import { TicketSheet } from './ticket/ticket.tsx'
import { InstrumentTitle, PriceRow, SourceChip } from './trade-header.tsx'
import { type TradeLine, useTradeLines } from './trade-lines.ts'
import { Sheet } from '@fairlot/ui/overlays/sheet.tsx'
import { FailedState } from '../../ui/failed-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'

type TradeChartProps = {
  readonly listing: InstrumentListing
  readonly lines: readonly TradeLine[]
  readonly tall: { readonly isTall: boolean; readonly onChange: (isTall: boolean) => void }
  /** Candles without the toolbar, where there is no space for both. */
  readonly isBare: boolean
}

type TradeScreenProps = {
  /** Renders the chart, which belongs to another feature. */
  chart: (props: TradeChartProps) => ReactNode
  /** The list of instruments, for the drawer. */
  list: ReactNode
  /** Shown at the end of the header: the avatar. */
  trailing: ReactNode
}

/** Chart and ticket of one instrument, on a phone. */
export function TradeScreen(props: TradeScreenProps) {
  const listing = useSelectedInstrument()
  const { instruments, isFailed, refetch } = useInstruments()
  if (listing) return <Trading {...props} listing={listing} />
  if (isFailed) return <Failed onRetry={refetch} />
  return instruments ? <Nothing /> : <TradeSkeleton />
}

/** Portrait screens below this height have space for the candles beside an open ticket, but not for the toolbar. */
const SHORT = '(orientation: portrait) and (height < 45rem)'

function Trading({ listing, chart, list, trailing }: TradeScreenProps & { listing: InstrumentListing }) {
  const t = useTranslations('screens')
  const [isTall, setIsTall] = useState(false)
  const isShort = useMediaQuery(SHORT)
  const [isFoldedByHand, setIsFolded] = useState(isShort)
  const isFolded = isFoldedByHand || isTall
  const isBare = isShort && !isFolded
  return (
    <div className="flex h-full flex-col landscape-phone:flex-row">
      <div className="flex min-w-0 flex-1 flex-col">
        <h1 className="sr-only">{t('trade')}</h1>
        <Head listing={listing} list={list} trailing={trailing} />
        {!isTall && (
          <div data-of="instrument" className="px-4 pb-1">
            <PriceRow listing={listing} />
          </div>
        )}
        <div
          className={classNames(
            'relative flex-1 landscape-phone:min-h-0',
            isBare ? 'min-h-18' : 'min-h-36 [@media(height<37.5rem)]:min-h-28',
          )}
        >
          {/* Absolute, so that the canvas's old height does not keep the space that an opening ticket needs. */}
          <div className="absolute inset-0 ps-2">
            <Chart listing={listing} render={chart} isBare={isBare} isTall={isTall} onTall={setIsTall} />
          </div>
        </div>
      </div>
      <TicketSheet
        listing={listing}
        isFolded={isFolded}
        onFold={(next) => {
          setIsFolded(next)
          setIsTall(false)
        }}
      />
    </div>
  )
}

type ChartProps = {
  listing: InstrumentListing
  render: TradeScreenProps['chart']
  isBare: boolean
  isTall: boolean
  onTall: (isTall: boolean) => void
}

/** Renders with every price, unlike the parts around it. */
function Chart({ listing, render, isBare, isTall, onTall }: ChartProps) {
  return render({ listing, lines: useTradeLines(listing), tall: { isTall, onChange: onTall }, isBare })
}

type HeadProps = { listing: InstrumentListing; list: ReactNode; trailing: ReactNode }

function Head({ listing, list, trailing }: HeadProps) {
  const t = useTranslations('trade')
  // Open until the next navigation, even one to the same address. Not by the entry of the history: who goes back before
  // the tapped instrument was rendered is at the same entry again.
  const location = useLocation()
  const [openAt, setOpenAt] = useState<Location | null>(null)
  if (openAt !== null && openAt !== location) setOpenAt(null)
  return (
    <header className="flex flex-wrap items-center justify-end gap-1 ps-1 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-1">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpenAt(location)}
        className="flex min-h-11 min-w-0 grow basis-36 items-center gap-1 ps-2.5 max-[22.5rem]:basis-24 transition-[scale] active:scale-[0.98]"
      >
        {/* The narrowest phones need the line for the name, the price's source and the avatar. */}
        <span className="pe-2 max-[22.5rem]:hidden">
          <Icon of={Menu} />
        </span>
        <span className="sr-only">{t('openList')}</span>
        <span data-of="instrument" className="min-w-0">
          <InstrumentTitle listing={listing}>
            <Icon of={ChevronDown} size={14} />
          </InstrumentTitle>
        </span>
      </button>
      <SourceChip listing={listing} />
      {trailing}
      <TradeDrawer isOpen={openAt === location} onClose={() => setOpenAt(null)} list={list} />
    </header>
  )
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations()
  return <FailedState title={t('trade.failed')} text={t('trade.failedText')} onRetry={onRetry} />
}

function Nothing() {
  const t = useTranslations('trade')
  return <EmptyState icon={CloudOff} title={t('noneTitle')} text={t('noneText')} />
}

type TradeDrawerProps = { isOpen: boolean; onClose: () => void; list: ReactNode }

/** The list of instruments in a drawer at the start of the screen. */
function TradeDrawer({ isOpen, onClose, list }: TradeDrawerProps) {
  const t = useTranslations()
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      side="start"
      title={t('trade.instruments')}
      closeLabel={t('app.close')}
    >
      <div className="-mx-4">{list}</div>
    </Sheet>
  )
}

/** Placeholder of the trade screen: header, price, chart, ticket. */
function TradeSkeleton() {
  const t = useTranslations('app')
  return (
    <div role="status" aria-label={t('loading')} className="flex h-full flex-col gap-3 pt-3">
      <div className="flex items-center gap-3 px-4">
        <Skeleton shape="h-7 w-11" />
        <Skeleton shape="h-8 w-28" />
      </div>
      <div className="px-4">
        <Skeleton shape="h-10 w-44" />
      </div>
      <div className="flex-1" />
      <div className="flex flex-col gap-3 rounded-t-sheet bg-surface p-4">
        <Skeleton shape="h-11 w-full" />
        <div className="grid grid-cols-2 gap-2">
          {[0, 1, 2, 3].map((at) => (
            <Skeleton key={at} shape="h-11 w-full" />
          ))}
        </div>
        <div className="grid grid-cols-2 gap-2">
          <Skeleton shape="h-15 w-full" />
          <Skeleton shape="h-15 w-full" />
        </div>
      </div>
    </div>
  )
}
