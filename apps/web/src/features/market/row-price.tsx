import type { Decimal, InstrumentListing } from '@fairlot/contract'
import { type RefObject, useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { directionOfFigure } from '../../i18n/number-format.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { type LiveQuote, quoteOf, useHasQuote, useStaleSeconds } from '../../live/market/quotes.ts'
import { BigFigure, writeBigFigure } from '@fairlot/ui/big-figure.tsx'
import { ChangeFigure, writeChangeFigure } from '@fairlot/ui/change-figure.tsx'
import { classNames } from '@fairlot/ui/class-names.ts'
import { lightTint, TintLayer } from '@fairlot/ui/tint.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { useQuotePainting } from './quote-painting.ts'

type RowPriceProps = { instrument: InstrumentListing; row: RefObject<HTMLElement | null> }

/** The price of now and how the day went; grey with its age when it is stale, with the opening time when closed. */
export function RowPrice({ instrument, row }: RowPriceProps) {
  const t = useTranslations('market')
  const hasQuote = useHasQuote(instrument.id)
  const staleSeconds = useStaleSeconds(instrument)
  if (!hasQuote) return <span className="text-end text-note text-second">{t('noPrice')}</span>
  return (
    <span className="flex flex-col items-end">
      <MovingPrice instrument={instrument} row={row} isGrey={staleSeconds !== null} />
      {instrument.haltReason !== null ? (
        <span className="text-tiny text-danger">{t('halted')}</span>
      ) : !instrument.isOpen ? (
        <OpensLabel instrument={instrument} />
      ) : staleSeconds !== null ? (
        <Age seconds={staleSeconds} />
      ) : (
        <MovingChange instrumentId={instrument.id} row={row} />
      )}
    </span>
  )
}

/** Its text follows the price without rendering. */
function MovingPrice({ instrument, row, isGrey }: RowPriceProps & { isGrey: boolean }) {
  const { id, priceDecimals } = instrument
  const { figures } = useLocale()
  const box = useRef<HTMLSpanElement>(null)
  const tint = useRef<HTMLSpanElement>(null)
  const shown = useRef<Decimal>(null)
  useQuotePainting(row, id, ({ mid }) => {
    const before = shown.current
    shown.current = mid
    writeBigFigure(box.current, figures.parts(mid, priceDecimals))
    if (before !== null && mid !== before && tint.current)
      lightTint(tint.current, Number(mid) > Number(before))
  })
  // What moved while the row was left out did not move just now.
  useEffect(() => () => void (shown.current = null), [])
  return (
    <span
      ref={box}
      // By these `first-prices.js` finds it until the app has come.
      data-price-of={instrument.code}
      data-decimals={priceDecimals}
      className={classNames('relative -mx-1 rounded-[6px] px-1', isGrey && 'text-third')}
    >
      <BigFigure parts={figures.parts(quoteOf(id)?.mid ?? '0', priceDecimals)} />
      <TintLayer layer={tint} />
    </span>
  )
}

function MovingChange({ instrumentId, row }: { instrumentId: number; row: RowPriceProps['row'] }) {
  const { figures } = useLocale()
  const box = useRef<HTMLSpanElement>(null)
  const textOf = (quote: LiveQuote | null) =>
    quote?.changePercent ? figures.percent(quote.changePercent, { sign: 'always' }) : ''
  useQuotePainting(row, instrumentId, (quote) => {
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

/** Says that a market is closed, and when it opens. */
function OpensLabel({ instrument }: { instrument: Pick<InstrumentListing, 'nextOpenAt'> }) {
  const t = useTranslations('market')
  const { moments } = useLocale()
  const { nextOpenAt } = instrument
  return (
    <span className="text-tiny text-second">
      {nextOpenAt === null ? t('closed') : t('opens', { time: moments.soon(nextOpenAt, marketNow()) })}
    </span>
  )
}
