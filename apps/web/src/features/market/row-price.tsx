import type { InstrumentListing } from '@fairlot/contract'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { directionOfFigure } from '../../i18n/figure.ts'
import { useSpeech } from '../../i18n/provider.tsx'
import { useQuote, useStaleSeconds } from '../../live/quotes.ts'
import type { LiveQuote } from '../../live/quotes.ts'
import { BigFigure } from '../../ui/big-figure.tsx'
import { ChangeFigure } from '../../ui/change-figure.tsx'
import { classNames } from '../../ui/class-names.ts'
import { useTint } from '../../ui/use-tint.ts'
import { OpensLabel } from './opens-label.tsx'

/** The price of now and how the day went; grey with its age when it is stale, with the opening time when closed. */
export function RowPrice({ instrument }: { instrument: InstrumentListing }) {
  const t = useTranslations('market')
  const quote = useQuote(instrument.id)
  const staleSeconds = useStaleSeconds(instrument)
  if (!quote) return <span className="text-end text-note text-second">{t('noPrice')}</span>
  return (
    <span className="flex flex-col items-end">
      <Price quote={quote} decimals={instrument.priceDecimals} isGrey={staleSeconds !== null} />
      {instrument.haltReason !== null ? (
        <span className="text-tiny text-danger">{t('halted')}</span>
      ) : !instrument.isOpen ? (
        <OpensLabel instrument={instrument} />
      ) : staleSeconds !== null ? (
        <Age seconds={staleSeconds} />
      ) : (
        <DayChange changePercent={quote.changePercent} />
      )}
    </span>
  )
}

function Price({ quote, decimals, isGrey }: { quote: LiveQuote; decimals: number; isGrey: boolean }) {
  const { figures } = useSpeech()
  const box = useRef<HTMLSpanElement>(null)
  useTint(box, Number(quote.mid))
  return (
    <span ref={box} className={classNames('-mx-1 rounded-[6px] px-1', isGrey && 'text-third')}>
      <BigFigure parts={figures.parts(quote.mid, decimals)} />
    </span>
  )
}

function DayChange({ changePercent }: { changePercent: string | null }) {
  const { figures } = useSpeech()
  if (changePercent === null) return null
  const text = figures.percent(changePercent, { sign: 'always' })
  return (
    <span className="text-note">
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
