import type { AlertView, Decimal, InstrumentListing } from '@fairlot/contract'
import type { AlertSide } from '@fairlot/core'
import { fractionDigits } from '@fairlot/core/decimal'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useInstruments } from '../../../live/market/instruments.ts'
import { marketNow } from '../../../live/market/market-clock.ts'

/** Prices in two halves of a tick, so that the mid is an integer as well. */
const doubledSide = (side: AlertSide, { bid, ask }: { bid: number; ask: number }): number =>
  side === 'mid' ? bid + ask : 2 * (side === 'bid' ? bid : ask)

/** Whether a price is above or below a side of the market now; null where it is reached already. */
export function directionTo(
  ticks: number,
  side: AlertSide,
  quote: { bid: number; ask: number },
): 'above' | 'below' | null {
  const away = 2 * ticks - doubledSide(side, quote)
  if (away === 0) return null
  return away > 0 ? 'above' : 'below'
}

/** The sentences about alerts: what each waits for, and what fired it. */
export function useAlertTexts() {
  const t = useTranslations('alert')
  const { figures, moments } = useLocale()
  const { instruments = [] } = useInstruments()
  const listingOf = (id: number): InstrumentListing | undefined =>
    instruments.find((listing) => listing.id === id)
  /** A mid between two ticks has one more decimal. */
  const price = (value: Decimal, listing: InstrumentListing | undefined): string => {
    const least = listing?.priceDecimals ?? 0
    return figures.decimal(value, { shown: Math.max(least, fractionDigits(String(value))) })
  }
  return {
    /** "EUR/USD", or the name of the margin level. */
    subject: ({ condition }: AlertView): string =>
      condition.kind === 'marginLevel'
        ? t('margin')
        : asName(listingOf(condition.instrumentId)?.showCode ?? ''),
    /** "Mid at or above 1.08900". */
    condition: ({ condition, target }: AlertView): string => {
      if (condition.kind === 'marginLevel')
        return t('atLevel', { level: asName(figures.percent(String(condition.level), { shown: 0 })) })
      const { direction } = condition
      const listing = listingOf(condition.instrumentId)
      if (condition.kind === 'price')
        return t('atPrice', {
          side: condition.side,
          direction,
          price: asName(price(condition.price, listing)),
        })
      const percent = asName(
        figures.percent(condition.percent, { shown: fractionDigits(String(condition.percent)) }),
      )
      return target === null
        ? t('moves', { direction, percent })
        : t('movesTo', { direction, percent, price: asName(price(target, listing)) })
    },
    /**
     * How often it fires, and since when it waits; in its pause, until when, and before the price has come back, for that;
     * and when it expires.
     */
    state: (alert: AlertView): string => {
      const now = marketNow()
      const text = waitingText(alert, now)
      const { expiresAt } = alert
      return expiresAt === null ? text : t('until', { text, time: asName(moments.soon(expiresAt, now)) })
    },
    /** Why it ended by itself, and when; null for one that waits or has fired for good. */
    ended: ({ state, endedAt }: AlertView): string | null =>
      endedAt === null ? null : t('endedAt', { reason: state, time: asName(moments.dateTime(endedAt)) }),
    /** "1.08902 on 24 Nov, 12:31:05, tick 48,213". */
    fired: ({ condition, fired }: AlertView): string | null => {
      if (!fired) return null
      const { level, time, seq } = fired
      const shown =
        condition.kind === 'marginLevel'
          ? figures.percent(level ?? String(condition.level))
          : price(fired.price ?? fired.bid, listingOf(condition.instrumentId))
      return t('firedAt', {
        value: asName(shown),
        time: asName(moments.dateTime(time)),
        seq: asName(figures.count(seq)),
      })
    },
    price,
  }

  function waitingText({ pauseMs, wakesAt, awaitsReturn, setAt }: AlertView, now: number): string {
    if (wakesAt !== null && wakesAt > now)
      return t('pausedUntil', { time: asName(moments.soon(wakesAt, now)) })
    if (awaitsReturn) return t('awaitsReturn')
    const how = pauseMs === null ? t('once') : t('again', { pause: pauseText(pauseMs) })
    return t('setAt', { how, time: asName(moments.soon(setAt, now)) })
  }

  function pauseText(pauseMs: number): string {
    const minutes = Math.round(pauseMs / 60_000)
    if (minutes % 1_440 === 0) return t('days', { count: minutes / 1_440 })
    return minutes % 60 === 0 ? t('hours', { count: minutes / 60 }) : t('minutes', { count: minutes })
  }
}
