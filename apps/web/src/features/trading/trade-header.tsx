import type { Decimal, InstrumentListing } from '@fairlot/contract'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { markOf } from '../../i18n/currency.ts'
import { directionOfFigure } from '../../i18n/number-format.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { useUser } from '../../live/auth/user.ts'
import { sourceKey } from '../../live/market/source-key.ts'
import { useQuote, useStaleSeconds, type LiveQuote } from '../../live/market/quotes.ts'
import { Badge } from '@fairlot/ui/badge.tsx'
import { BigFigure } from '@fairlot/ui/big-figure.tsx'
import { ChangeFigure } from '@fairlot/ui/change-figure.tsx'
import { classNames } from '@fairlot/ui/class-names.ts'
import { Mark } from '@fairlot/ui/mark.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { TintLayer, useTint } from '@fairlot/ui/tint.tsx'

/** Logo, code, and when the market opens or closes. */
export const InstrumentTitle = ({
  listing,
  children,
}: {
  listing: InstrumentListing
  children?: ReactNode
}) => (
  <span className="flex min-w-0 items-center gap-2.5">
    <span className="max-[22.5rem]:hidden desktop:contents">
      <Mark {...markOf(listing)} />
    </span>
    <span className="min-w-0 text-start">
      <span className="flex items-center gap-1">
        <bdi className="truncate text-body font-bold">{listing.showCode}</bdi>
        {children}
      </span>
      <SessionText listing={listing} />
    </span>
  </span>
)

/** "closes 22:55", "opens Mon 06:00", or why an operator has halted it. */
function SessionText({ listing }: { listing: InstrumentListing }) {
  const text = useSessionText(listing)
  const isHalted = listing.haltReason !== null
  return (
    <span
      title={isHalted ? text : undefined}
      className={classNames('block truncate text-tiny', isHalted ? 'text-danger' : 'text-second')}
    >
      {text}
    </span>
  )
}

function useSessionText(listing: InstrumentListing): string {
  const { isTradable, isOpen, haltReason, nextOpenAt, nextCloseAt } = listing
  const t = useTranslations('trade')
  const halt = useTranslations('halt')
  const { moments } = useLocale()
  if (!isTradable) return t('halted')
  if (haltReason !== null) return halt('inLists', { reason: haltReason })
  if (isOpen) {
    return nextCloseAt === null
      ? t('aroundTheClock')
      : t('closesAt', { time: moments.soon(nextCloseAt, marketNow()) })
  }
  return nextOpenAt === null ? t('closed') : t('opensAt', { time: moments.soon(nextOpenAt, marketNow()) })
}

/** Where the price comes from: always said, and to a demo account that it is one. */
export function SourceChip({ listing }: { listing: InstrumentListing }) {
  const t = useTranslations('source')
  const source = useQuote(listing.id)?.source ?? listing.source
  const isDemo = useUser()?.isDemo ?? false
  return (
    source && (
      <span data-of="visitor" className="shrink-0 whitespace-nowrap">
        <Badge tone="brass">{t(sourceKey(source, isDemo))}</Badge>
      </span>
    )
  )
}

/** The price of now, large, and how the day went. */
export function PriceRow({ listing }: { listing: InstrumentListing }) {
  const quote = useQuote(listing.id)
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
      {quote ? <LivePrice quote={quote} listing={listing} size="price" /> : <NoPrice listing={listing} />}
      {quote && (
        <div className="ms-auto flex min-w-0 flex-col items-end text-note">
          <DayChange listing={listing} />
          <DayRange quote={quote} listing={listing} />
        </div>
      )}
    </div>
  )
}

function NoPrice({ listing }: { listing: InstrumentListing }) {
  const t = useTranslations('trade')
  // A price that is about to come has a place kept for it; one that no feed gives has a word.
  return listing.quoteTime === null ? (
    <span className="text-figure text-second">{t('noPrice')}</span>
  ) : (
    <Skeleton shape="h-9 w-36" />
  )
}

type LivePriceProps = { quote: LiveQuote; listing: InstrumentListing; size: 'price' | 'title' }

/** The mid; it tints when it changes and greys when it is too old to trade on. */
function LivePrice({ quote, listing, size }: LivePriceProps) {
  const t = useTranslations('trade')
  const { figures } = useLocale()
  const tint = useRef<HTMLSpanElement>(null)
  useTint(tint, Number(quote.mid))
  const isStale = useStaleSeconds(listing) !== null
  const price = figures.decimal(quote.mid, { shown: listing.priceDecimals })
  return (
    <span
      // By these `first-prices.js` finds it until the app has come.
      data-price-of={listing.code}
      data-decimals={listing.priceDecimals}
      title={t('lastPrice', { price })}
      className={classNames('relative -mx-1.5 rounded-[8px] px-1.5', isStale && 'text-third')}
    >
      <BigFigure parts={figures.parts(quote.mid, listing.priceDecimals)} size={size} />
      <TintLayer layer={tint} />
    </span>
  )
}

/** Change since the day's open with arrow and sign; the age instead while the price is stale. */
function DayChange({ listing }: { listing: InstrumentListing }) {
  const t = useTranslations('trade')
  const { figures } = useLocale()
  const changePercent = useQuote(listing.id)?.changePercent ?? null
  const seconds = useStaleSeconds(listing)
  if (seconds !== null) {
    const text = seconds < 60 ? t('age', { seconds }) : t('ageMinutes', { minutes: Math.floor(seconds / 60) })
    return <span className="text-note text-second">{text}</span>
  }
  if (changePercent === null) return null
  const text = figures.percent(changePercent, { sign: 'always' })
  return (
    <span title={t('change')} className="text-note">
      <ChangeFigure direction={directionOfFigure(text)} text={text} />
    </span>
  )
}

/** The day's high and low. */
function DayRange({ quote, listing }: { quote: LiveQuote; listing: InstrumentListing }) {
  const t = useTranslations('trade')
  const { figures } = useLocale()
  const price = (value: Decimal) => figures.decimal(value, { shown: listing.priceDecimals })
  return (
    <span className="truncate text-note text-second">
      <bdi>{t('high', { price: price(quote.high) })}</bdi> ·{' '}
      <bdi>{t('low', { price: price(quote.low) })}</bdi>
    </span>
  )
}

/** The head of a chart on one line, for wide screens. */
export function InstrumentHeader({ listing }: { listing: InstrumentListing }) {
  const quote = useQuote(listing.id)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
      <h1>
        <InstrumentTitle listing={listing} />
      </h1>
      {quote && <LivePrice quote={quote} listing={listing} size="title" />}
      <DayChange listing={listing} />
      {quote && <DayRange quote={quote} listing={listing} />}
    </div>
  )
}
