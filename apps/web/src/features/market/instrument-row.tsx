import { type Decimal, type InstrumentListing, instrumentName } from '@fairlot/contract'
import { memo, type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { useTranslations } from 'use-intl'
import { logoOf } from '../../i18n/currency.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { selectInstrument, tradePath } from '../../live/market/selected-instrument.ts'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { Logo } from '@fairlot/ui/graphics/logo.tsx'
import { type LiveQuote, onQuote, quoteOf, useHasQuote, useStaleSeconds } from '../../live/market/quotes.ts'
import { Sparkline, writeSparklineTone } from '@fairlot/ui/figures/sparkline.tsx'
import { useHasBeenVisible, watchVisibility } from '@fairlot/ui/hooks/visibility.ts'
import { useRecentCloses } from './queries.ts'
import { directionOfFigure } from '../../i18n/number-format.ts'
import { BigFigure, writeBigFigure } from '@fairlot/ui/figures/big-figure.tsx'
import { ChangeFigure, writeChangeFigure } from '@fairlot/ui/figures/change-figure.tsx'
import { flashPrice, PriceFlash } from '@fairlot/ui/figures/price-flash.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'
import { marketNow } from '../../live/market/market-clock.ts'

type InstrumentRowProps = {
  instrument: InstrumentListing
  isSelected: boolean
  /** Whether this row is the list's tab stop; arrow keys lead to the others. */
  isTabStop: boolean
  /** `narrow` leaves out the name: the market list of the desktop workspace. */
  width: 'full' | 'narrow'
}

const shapes = {
  full: 'min-h-16 grid-cols-[auto_minmax(0,1fr)_60px_minmax(84px,auto)] py-2.5 @max-[20.5rem]:grid-cols-[auto_minmax(0,1fr)_auto]',
  narrow:
    'min-h-13 grid-cols-[auto_minmax(0,1fr)_44px_minmax(76px,auto)] ps-4 pe-1 py-1.5 @max-[17rem]:grid-cols-[auto_minmax(0,1fr)_auto]',
}

/** The chart is left out first where there is not enough space: a code is never cut. */
const CHARTS = { full: 'block h-8 @max-[20.5rem]:hidden', narrow: 'block h-8 @max-[17rem]:hidden' }

/** One instrument; a tap selects it and opens the trade screen. */
export const InstrumentRow = memo(function InstrumentRow({
  instrument,
  isSelected,
  isTabStop,
  width,
}: InstrumentRowProps) {
  const { tag } = useLocale()
  const name = instrumentName(instrument, tag)
  const row = useRef<HTMLAnchorElement>(null)
  return (
    <Link
      ref={row}
      tabIndex={isTabStop ? 0 : -1}
      to={tradePath(instrument.code)}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => selectInstrument(instrument.code)}
      className={classNames(
        // An outline outside the row would be clipped.
        'grid items-center gap-x-2.5 -outline-offset-2! transition-colors active:bg-raised',
        shapes[width],
        isSelected && 'shadow-[inset_3px_0_0_var(--brass)] rtl:shadow-[inset_-3px_0_0_var(--brass)]',
      )}
    >
      <Logo {...logoOf(instrument)} />
      <span className="min-w-0">
        <bdi translate="no" className="block truncate text-body font-bold">
          {instrument.showCode}
        </bdi>
        {width === 'full' && <Name className="block truncate text-tiny text-third">{name}</Name>}
      </span>
      <RowChart instrument={instrument} row={row} width={width} />
      <RowPrice instrument={instrument} row={row} />
      {instrument.haltReason !== null ? (
        <HaltedLine reason={instrument.haltReason} />
      ) : (
        !instrument.isOpen && <ClosedLine instrument={instrument} />
      )}
    </Link>
  )
})

/** The operators' reason for a halt, below the row. */
function HaltedLine({ reason }: { reason: string }) {
  const t = useTranslations('halt')
  return (
    <span className="col-start-2 -col-end-1 line-clamp-2 pt-0.5 text-tiny text-danger">
      {t('inLists', { reason })}
    </span>
  )
}

/** That the market is closed, and when it opens, below the row. */
function ClosedLine({ instrument: { nextOpenAt } }: { instrument: Pick<InstrumentListing, 'nextOpenAt'> }) {
  const t = useTranslations('market')
  const { moments } = useLocale()
  return (
    <span className="col-start-2 -col-end-1 text-tiny text-second">
      {nextOpenAt === null
        ? t('closed')
        : withNames(t('closedOpens', { time: asName(moments.soon(nextOpenAt, marketNow())) }))}
    </span>
  )
}

type RowChartProps = Pick<InstrumentRowProps, 'instrument' | 'width'> & { row: RefObject<HTMLElement | null> }

/** Colour of the day's change. */
const toneOf = (quote: LiveQuote | null) => (Number(quote?.changePercent) < 0 ? 'down' : 'up')

/** The last 60 bars as a small chart, fetched when the row becomes visible. Its colour updates without rendering. */
function RowChart({ instrument, row, width }: RowChartProps) {
  const t = useTranslations('market')
  const closes = useRecentCloses(instrument.id, useHasBeenVisible(row))
  const box = useRef<HTMLSpanElement>(null)
  usePaintQuote(row, instrument.id, (quote) => writeSparklineTone(box.current, toneOf(quote)))
  return (
    <span ref={box} className={CHARTS[width]}>
      {closes && closes.length > 1 && (
        <Sparkline
          values={closes}
          tone={toneOf(quoteOf(instrument.id))}
          label={t('chartOf', { code: instrument.showCode })}
        />
      )}
    </span>
  )
}

type RowPriceProps = { instrument: InstrumentListing; row: RefObject<HTMLElement | null> }

/** Current price and the day's change; grey with its age when stale. */
function RowPrice({ instrument, row }: RowPriceProps) {
  const t = useTranslations('market')
  const hasQuote = useHasQuote(instrument.id)
  const staleSeconds = useStaleSeconds(instrument)
  if (!hasQuote) return <span className="text-end text-note text-second">{t('noPrice')}</span>
  return (
    <span className="flex flex-col items-end">
      <MovingPrice instrument={instrument} row={row} isGrey={staleSeconds !== null} />
      {instrument.haltReason !== null ? (
        <span className="text-tiny text-danger">{t('haltedLabel')}</span>
      ) : staleSeconds !== null ? (
        <Age seconds={staleSeconds} />
      ) : (
        <MovingChange instrumentId={instrument.id} row={row} />
      )}
    </span>
  )
}

/** The price, whose text updates without rendering. */
function MovingPrice({ instrument, row, isGrey }: RowPriceProps & { isGrey: boolean }) {
  const { id, priceDecimals } = instrument
  const { figures } = useLocale()
  const box = useRef<HTMLSpanElement>(null)
  const tint = useRef<HTMLSpanElement>(null)
  const shown = useRef<Decimal>(null)
  usePaintQuote(row, id, ({ mid }) => {
    const before = shown.current
    shown.current = mid
    writeBigFigure(box.current, figures.parts(mid, priceDecimals))
    if (before !== null && mid !== before && tint.current)
      flashPrice(tint.current, Number(mid) > Number(before))
  })
  // A price that moved while the row was hidden must not be tinted now.
  useEffect(() => () => void (shown.current = null), [])
  return (
    <span
      ref={box}
      // `page/after-paint.js` updates the price by these attributes until the app has loaded.
      data-price-of={instrument.code}
      data-decimals={priceDecimals}
      className={classNames('relative -mx-1 rounded-[6px] px-1', isGrey && 'text-third')}
    >
      <BigFigure parts={figures.parts(quoteOf(id)?.mid ?? '0', priceDecimals)} />
      <PriceFlash layer={tint} />
    </span>
  )
}

function MovingChange({ instrumentId, row }: { instrumentId: number; row: RowPriceProps['row'] }) {
  const { figures } = useLocale()
  const box = useRef<HTMLSpanElement>(null)
  const textOf = (quote: LiveQuote | null) =>
    quote?.changePercent ? figures.percent(quote.changePercent, { sign: 'always' }) : ''
  usePaintQuote(row, instrumentId, (quote) => {
    const text = textOf(quote)
    writeChangeFigure(box.current, directionOfFigure(text), text)
  })
  const text = textOf(quoteOf(instrumentId))
  return (
    <span ref={box} className="text-note">
      <ChangeFigure direction={directionOfFigure(text)} text={text} />
    </span>
  )
}

function Age({ seconds }: { seconds: number }) {
  const t = useTranslations('market')
  const text =
    seconds < 60 ? t('stale', { seconds }) : t('staleMinutes', { minutes: Math.floor(seconds / 60) })
  return <span className="text-tiny text-second">{text}</span>
}

/**
 * Paints the newest price after every render, and later ones without rendering while `row` is visible. A row that becomes visible is
 * updated first.
 */
function usePaintQuote(
  row: RefObject<Element | null>,
  instrumentId: number,
  paint: (quote: LiveQuote) => void,
): void {
  const paintEvent = useEffectEvent(paint)
  // React writes the price of the render, and does not write it again when it believes the text unchanged.
  useLayoutEffect(() => {
    const quote = quoteOf(instrumentId)
    if (quote) paintEvent(quote)
  })
  useEffect(() => {
    if (!row.current) return
    let stop: (() => void) | undefined
    const unwatch = watchVisibility(row.current, (isVisible) => {
      stop?.()
      stop = undefined
      if (!isVisible) return
      const quote = quoteOf(instrumentId)
      if (quote) paintEvent(quote)
      stop = onQuote(instrumentId, (next) => paintEvent(next))
    })
    return () => {
      unwatch()
      stop?.()
    }
  }, [row, instrumentId])
}
