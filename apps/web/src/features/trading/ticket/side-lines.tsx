import type { InstrumentListing } from '@fairlot/contract'
import { markUpTicks, MONEY_DECIMALS, type Money } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import type { SideSummary } from './ticket-summary.ts'
import type { TicketView } from './ticket-form.tsx'

type SideLinesProps = { view: TicketView; listing: InstrumentListing }

/** What differs between selling and buying, each over its own button: a night's financing, and the stop-out. */
export function SideLines({ view: { summary, terms }, listing }: SideLinesProps) {
  const t = useTranslations('ticket')
  const money = useNightText()
  const stopOut = useStopOutText(listing)
  const markUp = useMarkUpText(terms)
  const { sell, buy } = summary
  return (
    <dl className="flex flex-col gap-0.5 text-note">
      <Line name={useNightName(listing)} sell={money(sell.night)} buy={money(buy.night)} />
      {markUp && <Line name={t('markUp')} sell={markUp.sell} buy={markUp.buy} />}
      {(sell.stopOut || buy.stopOut) && (
        <Line name={t('stopOutAt')} sell={stopOut(sell.stopOut)} buy={stopOut(buy.stopOut)} />
      )}
    </dl>
  )
}

function Line({ name, sell, buy }: { name: string; sell: string; buy: string }) {
  const t = useTranslations('ticket')
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-baseline gap-x-2">
      <dt className="col-start-2 row-start-1 text-center text-second">{name}</dt>
      <dd className="col-start-1 row-start-1 font-bold">
        <span className="sr-only">{t('sell')} </span>
        <bdi dir="ltr">{sell}</bdi>
      </dd>
      <dd className="col-start-3 row-start-1 text-end font-bold">
        <span className="sr-only">{t('buy')} </span>
        <bdi dir="ltr">{buy}</bdi>
      </dd>
    </div>
  )
}

const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

/** "One night", and the day whose night counts three times where there is one and it costs or brings anything. */
function useNightName({ tripleSwapDay, swapBuy, swapSell }: InstrumentListing): string {
  const t = useTranslations('ticket')
  const { moments } = useLocale()
  if (tripleSwapDay === 'daily' || (swapBuy === 0 && swapSell === 0)) return t('night')
  return t('nightTriple', { day: moments.weekday(WEEKDAYS.indexOf(tripleSwapDay)) })
}

/** What is off the bid and on the ask, in the price; null without a price or a mark-up. */
function useMarkUpText({ instrument, quote }: TicketView['terms']): { sell: string; buy: string } | null {
  const { figures } = useLocale()
  const ticks = quote && instrument.markUp ? markUpTicks(instrument, quote) : 0
  if (ticks === 0) return null
  const text = (value: number) => figures.figure(value, instrument.priceDecimals, { sign: 'always' })
  return { sell: text(-ticks), buy: text(ticks) }
}

const SMALL = 1_000_000n

/** An amount with its sign; one of less than a unit keeps more digits, so that it does not read as nothing. */
function useNightText(): (amount: Money | null) => string {
  const { figures } = useLocale()
  return (amount) => {
    if (amount === null) return '–'
    const shown = amount !== 0n && amount < SMALL && amount > -SMALL ? 4 : 2
    return figures.figure(amount, MONEY_DECIMALS, { shown, sign: 'always' })
  }
}

function useStopOutText({ priceDecimals }: InstrumentListing): (preview: SideSummary['stopOut']) => string {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  return (preview) => {
    if (preview === null) return '–'
    return preview.price === null ? t('none') : figures.figure(preview.price, priceDecimals)
  }
}
