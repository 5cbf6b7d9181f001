import type { InstrumentListing } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { lotText } from './lot-text.ts'
import { MarketNotice } from './market-notice.tsx'
import { mostLots } from './ticket-summary.ts'
import type { TicketView } from './ticket-form.tsx'
import type { Ticket } from './use-ticket.ts'

type TicketNoticesProps = {
  ticket: Ticket
  listing: InstrumentListing
  /** Whether the fields are in sight; if not, what is about one of them is said here. */
  hasFields: boolean
}

/** What keeps the whole order from being placed: the market, the money, or a refusal of the server. One at a time. */
export function TicketNotices({ ticket, listing, hasFields }: TicketNoticesProps) {
  const { state, problems, summary } = ticket.view
  const { staleSeconds, quote } = ticket.market
  const isRateComing = useBasicInfo() === undefined && quote !== null
  // The account currency is on its way: there is a price, and nothing to say that would not be wrong in a moment.
  if (problems.market === 'noPrice' && isRateComing) return null
  if (problems.market !== null) {
    return (
      <MarketNotice
        problem={problems.market}
        nextOpenAt={listing.nextOpenAt}
        haltReason={listing.haltReason}
        staleSeconds={staleSeconds}
      />
    )
  }
  if (state.refusal && !(hasFields && state.refusal.field)) return <Problem text={state.refusal.text} />
  return summary.isAffordable ? null : <TooDear view={ticket.view} />
}

const Problem = ({ text }: { text: string }) => (
  <p role="alert" className="rounded-field bg-danger-tint px-3 py-2 text-note">
    {text}
  </p>
)

function TooDear({ view: { state, summary, terms } }: { view: TicketView }) {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const most = mostLots(summary, state, terms)
  const { lotStep, lotMin } = terms.instrument
  const money = {
    total: figures.fineText(summary.cost?.total ?? 0n),
    available: figures.money(terms.available ?? 0n),
  }
  const fits = most !== null && most >= lotMin
  return (
    <Problem
      text={
        fits
          ? t('tooDear', { ...money, lots: figures.decimal(lotText(most, lotStep)) })
          : t('tooDearAtAll', money)
      }
    />
  )
}
