import type { InstrumentListing } from '@fairlot/contract'
import { ChevronDown, CloudOff, Menu } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { useTranslations } from 'use-intl'
import { useInstruments, useSelectedInstrument } from '../../live/instruments.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TicketSheet } from './ticket/ticket-sheet.tsx'
import { TradeDrawer } from './trade-drawer.tsx'
import { InstrumentTitle, PriceRow, SourceChip } from './trade-header.tsx'
import { useTradeLines, type TradeLine } from './trade-lines.ts'
import { TradeSkeleton } from './trade-skeleton.tsx'

export type TradeChartProps = {
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

/** Below this height the open ticket would leave the chart no room. */
const isShort = (): boolean => window.innerHeight < 720

function Trading({ listing, chart, list, trailing }: TradeScreenProps & { listing: InstrumentListing }) {
  const t = useTranslations('screens')
  const [isTall, setIsTall] = useState(false)
  const [isFolded, setIsFolded] = useState(isShort)
  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">{t('trade')}</h1>
      <Head listing={listing} list={list} trailing={trailing} />
      {!isTall && (
        <div className="px-4 pb-1">
          <PriceRow listing={listing} />
        </div>
      )}
      <div className="min-h-56 flex-1 ps-2">
        <Chart listing={listing} draw={chart} isTall={isTall} onTall={setIsTall} />
      </div>
      <TicketSheet
        listing={listing}
        isFolded={isFolded || isTall}
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
  return (
    <header className="flex flex-wrap items-center justify-end gap-1 ps-1 pe-2 pt-[max(0.5rem,env(safe-area-inset-top))] pb-1">
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpenAt(key)}
        className="flex min-h-11 min-w-0 grow basis-48 items-center gap-1 ps-2.5 transition-[scale] active:scale-[0.98]"
      >
        <Icon of={Menu} />
        <span className="sr-only">{t('openList')}</span>
        <span className="min-w-0 ps-2">
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
  return (
    <EmptyState
      icon={CloudOff}
      title={t('trade.failed')}
      text={t('trade.failedText')}
      action={
        <Button tone="outline" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  )
}

function Nothing() {
  const t = useTranslations('trade')
  return <EmptyState icon={CloudOff} title={t('noneTitle')} text={t('noneText')} />
}
