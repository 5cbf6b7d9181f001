import type { InstrumentListing } from '@fairlot/contract'
import { marginOf, type Price, type Side } from '@fairlot/core'
import { useMemo, useReducer, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useAccountFigures, useBasicInfo, useIsCancelOnly } from '../../../live/account.ts'
import { marketNow } from '../../../live/clock.ts'
import { failureText } from '../../../live/failure-text.ts'
import { useIsLoggedIn } from '../../../live/token.ts'
import { showToast } from '../../../ui/toast.ts'
import { useTradeMarket, type TradeMarket } from '../trade-market.ts'
import { useStanding } from '../use-standing.ts'
import { orderTicketOf } from './order-ticket.ts'
import { createPlacer, sendOrder, type Placed } from './place-order.ts'
import { usePlacedText } from './placed-text.ts'
import { isReady, problems } from './problems.ts'
import { fieldOf } from './refusal-field.ts'
import { summarise } from './summarise.ts'
import type { TicketView } from './ticket-form.tsx'
import { rememberSize, startTicket } from './ticket-memory.ts'
import { readLots, valueOf } from './ticket-reading.ts'
import { reduce, type TicketState } from './ticket-state.ts'
import type { TicketTerms } from './ticket-terms.ts'

export type Ticket = {
  readonly view: TicketView
  readonly market: TradeMarket
  /** The side on its way to the server. */
  readonly sending: Side | null
  readonly press: (side: Side) => void
}

/** A ticket of one instrument: what is entered, what it would do now, and the way to send it. */
export function useTicket(listing: InstrumentListing): Ticket {
  const market = useTradeMarket(listing)
  const [state, dispatch] = useReducer(reduce, market.instrument, startTicket)
  const terms = useTerms(listing, market)
  const view: TicketView = {
    state,
    dispatch,
    terms,
    summary: summarise(state, terms),
    problems: problems(state, terms),
    leverageOptions: useLeverageOptions(state, terms),
  }
  return { view, market, ...usePress(view, listing) }
}

function useTerms(listing: InstrumentListing, market: TradeMarket): TicketTerms {
  const free = useAccountFigures()?.free
  const feeType = useBasicInfo()?.feeType
  const standing = useStanding(market.instrument)
  return {
    instrument: market.instrument,
    isOpen: listing.isOpen,
    haltReason: listing.haltReason,
    isCancelOnly: useIsCancelOnly(),
    quote: market.quote,
    isStale: market.staleSeconds !== null,
    rate: market.rate,
    feeType: feeType ?? 'rate',
    available: free ?? null,
    standing,
    now: marketNow(),
  }
}

/** The margin that each leverage would hold back for the lots entered. */
function useLeverageOptions({ lots: text }: TicketState, { instrument, quote, rate }: TicketTerms) {
  const { figures } = useSpeech()
  const lots = valueOf(readLots(text))
  return instrument.leverages.map((leverage) => ({
    leverage,
    margin:
      lots &&
      quote &&
      rate &&
      figures.money(marginOf(instrument, { lots, leverage, price: quote.ask, rate })),
  }))
}

function usePress(view: TicketView, listing: InstrumentListing): Pick<Ticket, 'press' | 'sending'> {
  const [sending, setSending] = useState<Side | null>(null)
  const place = useMemo(() => createPlacer(sendOrder), [])
  const isLoggedIn = useIsLoggedIn()
  const navigate = useNavigate()
  const finish = useFinish(view, listing)
  const { state, dispatch, terms } = view
  const press = async (side: Side) => {
    if (!isLoggedIn) return navigate(`/login?from=${encodeURIComponent('/trade')}`)
    dispatch({ type: 'attempt', side })
    const order = isReady(view.problems, side) && orderTicketOf(state, side, terms.instrument)
    if (!order) return
    setSending(side)
    const placed = await place(order)
    if (placed) {
      setSending(null)
      finish(placed, view.summary[side].price)
    }
  }
  return { sending, press: (side) => void press(side) }
}

/** Says what became of an order: a quiet line when it was taken, the server's sentence where it belongs when not. */
function useFinish(
  { state, dispatch, terms }: TicketView,
  listing: InstrumentListing,
): (placed: Placed, shown: Price | null) => void {
  const app = useTranslations('app')
  const text = usePlacedText(listing)
  return (placed, shown) => {
    if (placed.ok) {
      rememberSize(terms.instrument, state)
      dispatch({ type: 'placed' })
      const said = text(placed.order, shown)
      const { warning } = placed.order
      showToast(
        warning ? { text: `${said} ${warning.message}`, tone: 'problem', stays: true } : { text: said },
      )
      return
    }
    const { failure } = placed
    const why = failureText(failure, app)
    if (why !== null) dispatch({ type: 'refused', refusal: { field: fieldOf(failure), text: why } })
  }
}
