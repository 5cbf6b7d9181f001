import type { InstrumentListing } from '@fairlot/contract'
import { memo, type RefObject, useRef } from 'react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { instrumentName, markOf } from '../../i18n/currency.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { selectInstrument } from '../../live/market/selected-instrument.ts'
import { tradePath } from '../../live/trade-path.ts'
import { classNames } from '@fairlot/ui/class-names.ts'
import { Mark } from '@fairlot/ui/mark.tsx'
import { RowPrice } from './row-price.tsx'
import { type LiveQuote, quoteOf } from '../../live/market/quotes.ts'
import { Sparkline, writeSparklineTone } from '@fairlot/ui/sparkline.tsx'
import { useIsSeen } from '@fairlot/ui/sight.ts'
import { useRecentCloses } from './queries.ts'
import { useQuotePainting } from './quote-painting.ts'

type InstrumentRowProps = {
  instrument: InstrumentListing
  isSelected: boolean
  /** `narrow` leaves out the name: the market list of the desktop workspace. */
  width: 'full' | 'narrow'
}

const shapes = {
  full: 'min-h-16 grid-cols-[auto_minmax(0,1fr)_60px_minmax(84px,auto)] py-2.5 @max-[20.5rem]:grid-cols-[auto_minmax(0,1fr)_auto]',
  narrow:
    'min-h-13 grid-cols-[auto_minmax(0,1fr)_44px_minmax(76px,auto)] ps-4 pe-1 py-1.5 @max-[17rem]:grid-cols-[auto_minmax(0,1fr)_auto]',
}

/** Where the shape has no room for it the chart goes first: a code is never cut. */
const CHARTS = { full: 'block h-8 @max-[20.5rem]:hidden', narrow: 'block h-8 @max-[17rem]:hidden' }

/** One instrument; tapping it selects it and leads to the trade screen. */
export const InstrumentRow = memo(function InstrumentRow({
  instrument,
  isSelected,
  width,
}: InstrumentRowProps) {
  const { tag } = useLocale()
  const name = instrumentName(instrument, tag)
  const row = useRef<HTMLAnchorElement>(null)
  return (
    <Link
      ref={row}
      to={tradePath(instrument.code)}
      aria-current={isSelected ? 'true' : undefined}
      onClick={() => selectInstrument(instrument.code)}
      className={classNames(
        // A list may cut off what stands out of a row.
        'grid items-center gap-x-2.5 -outline-offset-2! transition-colors active:bg-raised',
        shapes[width],
        isSelected && 'shadow-[inset_3px_0_0_var(--brass)] rtl:shadow-[inset_-3px_0_0_var(--brass)]',
      )}
    >
      <Mark {...markOf(instrument)} />
      <span className="min-w-0">
        <bdi className="block truncate text-body font-bold">{instrument.showCode}</bdi>
        {width === 'full' && <span className="block truncate text-tiny text-third">{name}</span>}
      </span>
      <RowChart instrument={instrument} row={row} width={width} />
      <RowPrice instrument={instrument} row={row} />
      {instrument.haltReason !== null && <HaltedLine reason={instrument.haltReason} />}
    </Link>
  )
})

/** Why it does not trade, in the operator's words, under the whole row. */
function HaltedLine({ reason }: { reason: string }) {
  const t = useTranslations('halt')
  return (
    <span className="col-start-2 -col-end-1 line-clamp-2 pt-0.5 text-tiny text-danger">
      {t('inLists', { reason })}
    </span>
  )
}

type RowChartProps = Pick<InstrumentRowProps, 'instrument' | 'width'> & { row: RefObject<HTMLElement | null> }

/** Which way the day goes. */
const toneOf = (quote: LiveQuote | null) => (Number(quote?.changePercent) < 0 ? 'down' : 'up')

/** The last 60 bars as a small area chart, fetched when the row comes into sight. Its colour follows the day without rendering. */
function RowChart({ instrument, row, width }: RowChartProps) {
  const t = useTranslations('market')
  const closes = useRecentCloses(instrument.id, useIsSeen(row))
  const box = useRef<HTMLSpanElement>(null)
  useQuotePainting(row, instrument.id, (quote) => writeSparklineTone(box.current, toneOf(quote)))
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
