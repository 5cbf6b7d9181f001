import type { InstrumentListing } from '@fairlot/contract'
import { ChevronDown, CloudOff, Menu } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useLocation } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { useInstruments, useSelectedInstrument } from '../../live/market/instruments.ts'
import { classNames } from '@fairlot/ui/class-names.ts'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Icon } from '@fairlot/ui/icon.tsx'
import { useMediaQuery } from '@fairlot/ui/use-media-query.ts'
import { TicketSheet } from './ticket/ticket-sheet.tsx'
import { InstrumentTitle, PriceRow, SourceChip } from './trade-header.tsx'
import { type TradeLine, useTradeLines } from './trade-lines.ts'
import { TradeSkeleton } from './trade-skeleton.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { FailedState } from '../../ui/failed-state.tsx'

type TradeChartProps = {
  readonly listing: InstrumentListing
  readonly lines: readonly TradeLine[]
  readonly tall: { readonly isTall: boolean; readonly onChange: (isTall: boolean) => void }
}

type TradeScreenProps = {
  /** Draws the chart; it comes from the market's side of the house. */
  chart: (props: TradeChartProps) => ReactNode
  /** The list of instruments, for the drawer. */
  list: ReactNode
  /** Stands at the end of the head: the avatar. */
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

/** Upright and below this height the open ticket leaves the chart no room: there is one or the other. */
const SHORT = '(orientation: portrait) and (height < 45rem)'

function Trading({ listing, chart, list, trailing }: TradeScreenProps & { listing: InstrumentListing }) {
  const t = useTranslations('screens')
  const [isTall, setIsTall] = useState(false)
  const isShort = useMediaQuery(SHORT)
  const [isFoldedByHand, setIsFolded] = useState(isShort)
  const isFolded = isFoldedByHand || isTall
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
            'min-h-56 flex-1 ps-2 landscape-phone:min-h-0',
            isShort && !isFolded && 'hidden',
          )}
        >
          <Chart listing={listing} draw={chart} isTall={isTall} onTall={setIsTall} />
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
  draw: TradeScreenProps['chart']
  isTall: boolean
  onTall: (isTall: boolean) => void
}

/** Moves with every price; what stands around it does not. */
function Chart({ listing, draw, isTall, onTall }: ChartProps) {
  return draw({ listing, lines: useTradeLines(listing), tall: { isTall, onChange: onTall } })
}

type HeadProps = { listing: InstrumentListing; list: ReactNode; trailing: ReactNode }

function Head({ listing, list, trailing }: HeadProps) {
  const t = useTranslations('trade')
  // Open at one place of the history only: picking an instrument leads to the next, also the one already shown.
  const { key } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Back leads to this place again, but not into the list.
  if (openAt !== null && openAt !== key) setOpenAt(null)
  return (
    <header className="flex flex-wrap items-center justify-end gap-1 ps-1 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-1">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpenAt(key)}
        className="flex min-h-11 min-w-0 grow basis-48 items-center gap-1 ps-2.5 max-[22.5rem]:basis-32 transition-[scale] active:scale-[0.98]"
      >
        <Icon of={Menu} />
        <span className="sr-only">{t('openList')}</span>
        <span data-of="instrument" className="min-w-0 ps-2">
          <InstrumentTitle listing={listing}>
            <Icon of={ChevronDown} size={14} />
          </InstrumentTitle>
        </span>
      </button>
      <SourceChip listing={listing} />
      {trailing}
      <TradeDrawer isOpen={openAt === key} onClose={() => setOpenAt(null)} list={list} />
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

/** The list of instruments at the leading edge. */
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
