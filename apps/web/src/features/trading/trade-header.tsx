import type { Decimal, InstrumentListing } from '@fairlot/contract'
import { Star } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { logoOf } from '../../i18n/currency.ts'
import { directionOfFigure } from '../../i18n/number-format.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { marketNow } from '../../live/market/market-clock.ts'
import { useWatched, watch } from '../../live/market/watchlist.ts'
import { useUser } from '../../live/session/user.ts'
import { IconButton } from '@fairlot/ui/controls/icon-button.tsx'
import { type LiveQuote, quoteOf, sourceKey, useQuote, useStaleSeconds } from '../../live/market/quotes.ts'
import { Badge } from '@fairlot/ui/feedback/badge.tsx'
import { BigFigure } from '@fairlot/ui/figures/big-figure.tsx'
import { ChangeFigure } from '@fairlot/ui/figures/change-figure.tsx'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { Logo } from '@fairlot/ui/graphics/logo.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { PriceFlash, usePriceFlash } from '@fairlot/ui/figures/price-flash.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'

/** Logo, code, and the next opening or closing time. */
export const InstrumentTitle = ({
  listing,
  children,
}: {
  listing: InstrumentListing
  children?: ReactNode
}) => (
  <span className="flex min-w-0 items-center gap-2.5">
    <span className="max-[22.5rem]:hidden desktop:contents">
      <Logo {...logoOf(listing)} />
    </span>
    <span className="min-w-0 text-start">
      <span className="flex items-center gap-1">
        <bdi translate="no" className="truncate text-body font-bold">
          {listing.showCode}
        </bdi>
        {children}
      </span>
      <SessionText listing={listing} />
    </span>
  </span>
)

/** "closes 22:55", "opens Mon 06:00", or the reason of a halt. */
function SessionText({ listing }: { listing: InstrumentListing }) {
  const text = useSessionText(listing)
  const isHalted = listing.haltReason !== null
  return (
    <span
      title={isHalted ? text : undefined}
      className={classNames('block truncate text-tiny', isHalted ? 'text-danger' : 'text-second')}
    >
      {withNames(text)}
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
      : t('closesAt', { time: asName(moments.soon(nextCloseAt, marketNow())) })
  }
  return nextOpenAt === null
    ? t('closed')
    : t('opensAt', { time: asName(moments.soon(nextOpenAt, marketNow())) })
}

/** Source of the price, always shown; also marks a demo account. */
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

const SPOKEN_EVERY_MS = 30_000

/** Has screen readers speak the price, politely and twice a minute: at every tick they would say nothing else. */
function SpokenPrice({ listing: { id, priceDecimals } }: { listing: InstrumentListing }) {
  const t = useTranslations('trade')
  const { figures } = useLocale()
  const [mid, setMid] = useState<Decimal | null>(null)
  useEffect(() => {
    const timer = setInterval(() => setMid(quoteOf(id)?.mid ?? null), SPOKEN_EVERY_MS)
    return () => {
      clearInterval(timer)
      setMid(null)
    }
  }, [id])
  return (
    <p role="status" className="sr-only">
      {mid !== null && t('lastPrice', { price: figures.decimal(mid, { shown: priceDecimals }) })}
    </p>
  )
}

/** The current price, large, and the day's change and range. */
export function PriceRow({ listing }: { listing: InstrumentListing }) {
  const quote = useQuote(listing.id)
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3 max-[22.5rem]:gap-x-1">
      <div className="flex items-center gap-1">
        {quote ? <LivePrice quote={quote} listing={listing} size="price" /> : <NoPrice listing={listing} />}
        <WatchButton listing={listing} />
      </div>
      <SpokenPrice listing={listing} />
      {quote && (
        <div className="ms-auto flex min-w-0 flex-col items-end text-note">
          <DayChange listing={listing} />
          <DayRange quote={quote} listing={listing} />
        </div>
      )}
    </div>
  )
}

/** Adds the instrument to the watchlist or removes it. */
function WatchButton({ listing }: { listing: InstrumentListing }) {
  const t = useTranslations('market')
  const isWatched = useWatched().has(listing.id)
  return (
    <span
      // The narrowest phones need the row for the price.
      className={classNames('max-[22.5rem]:hidden', isWatched && '*:text-brass *:*:fill-current')}
    >
      <IconButton
        icon={Star}
        label={t('watch', { code: listing.showCode })}
        aria-pressed={isWatched}
        onClick={() => void watch(listing.id, !isWatched)}
      />
    </span>
  )
}

function NoPrice({ listing }: { listing: InstrumentListing }) {
  const t = useTranslations('trade')
  // A price that has not arrived yet gets a placeholder; an instrument without any price gets a text.
  return listing.quoteTime === null ? (
    <span className="text-figure text-second">{t('noPrice')}</span>
  ) : (
    <Skeleton shape="h-9 w-36" />
  )
}

type LivePriceProps = { quote: LiveQuote; listing: InstrumentListing; size: 'price' | 'title' }

/** The mid price; tinted on each change, grey when it is too old to trade on. */
function LivePrice({ quote, listing, size }: LivePriceProps) {
  const t = useTranslations('trade')
  const { figures } = useLocale()
  const tint = useRef<HTMLSpanElement>(null)
  usePriceFlash(tint, Number(quote.mid))
  const isStale = useStaleSeconds(listing) !== null
  const price = figures.decimal(quote.mid, { shown: listing.priceDecimals })
  return (
    <span
      // `page/after-paint.js` updates the price by these attributes until the app has loaded.
      data-price-of={listing.code}
      data-decimals={listing.priceDecimals}
      title={t('lastPrice', { price })}
      className={classNames('relative -mx-1.5 rounded-[8px] px-1.5', isStale && 'text-third')}
    >
      <BigFigure parts={figures.parts(quote.mid, listing.priceDecimals)} size={size} />
      <PriceFlash layer={tint} />
    </span>
  )
}

/** Change since the day's open with arrow and sign; while the price is stale, its age. */
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
    // Smaller on the narrowest phones, to stay beside the price.
    <span className="truncate text-note text-second max-[22.5rem]:text-tiny">
      <bdi translate="no">{t('high', { price: price(quote.high) })}</bdi> ·{' '}
      <bdi translate="no">{t('low', { price: price(quote.low) })}</bdi>
    </span>
  )
}

/** Instrument, price and the day's figures in one line, for wide screens. */
export function InstrumentHeader({ listing }: { listing: InstrumentListing }) {
  const quote = useQuote(listing.id)
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1">
      <h1>
        <InstrumentTitle listing={listing} />
      </h1>
      {quote && <LivePrice quote={quote} listing={listing} size="title" />}
      <SpokenPrice listing={listing} />
      <DayChange listing={listing} />
      {quote && <DayRange quote={quote} listing={listing} />}
    </div>
  )
}
