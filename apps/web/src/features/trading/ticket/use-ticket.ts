import type { InstrumentListing } from '@fairlot/contract'
import { marginOf, type Price, type Side } from '@fairlot/core'
import { useMemo, useReducer, useState } from 'react'
import { navigate } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../../live/account/account.ts'
import { useBasicInfo, useIsCancelOnly } from '../../../live/basic-info.ts'
import { marketNow } from '../../../live/market/market-clock.ts'
import { failureText } from '../../../live/requests/failure-text.ts'
import { useIsLoggedIn } from '../../../live/auth/token.ts'
import { tradePath } from '../../../live/trade-path.ts'
import { showToast } from '@fairlot/ui/toast.ts'
import { useTradeMarket, type TradeMarket } from '../trade-market.ts'
import { useAccountSnapshot } from '../use-account-snapshot.ts'
import { orderTicketOf } from './order-ticket.ts'
import { createPlacer, sendOrder, type Placed } from './place-order.ts'
import { usePlacedText } from './placed-text.ts'
import { isReady } from './problems.ts'
import { fieldOf } from './refusal-field.ts'
import type { TicketView } from './ticket-form.tsx'
import { rememberSize, startTicket } from './last-order-size.ts'
import { readLots, valueOf } from './ticket-parser.ts'
import { reduce, type TicketState } from './ticket-state.ts'
import type { TicketTerms } from './ticket-terms.ts'
import { workOutTicket } from './work-out-ticket.ts'

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
  const worked = useMemo(() => workOutTicket(state, terms), [state, terms])
  const view: TicketView = {
    ...{ state, dispatch, terms, ...worked },
    leverageOptions: useLeverageOptions(state, terms),
  }
  return { view, market, ...usePress(view, listing) }
}

/** The same object until one of its parts is another. */
function useTerms(
  { isOpen, haltReason }: InstrumentListing,
  { instrument, quote, rate, staleSeconds }: TradeMarket,
): TicketTerms {
  const available = useAccountFigures()?.free ?? null
  const feeType = useBasicInfo()?.feeType ?? 'rate'
  const snapshot = useAccountSnapshot(instrument)
  const isCancelOnly = useIsCancelOnly()
  const isStale = staleSeconds !== null
  return useMemo(
    () => ({
      ...{ instrument, isOpen, haltReason, isCancelOnly, quote, isStale, rate },
      ...{ feeType, available, snapshot },
      now: marketNow(),
    }),
    [instrument, isOpen, haltReason, isCancelOnly, quote, isStale, rate, feeType, available, snapshot],
  )
}

/** The margin that each leverage would hold back for the lots entered. */
function useLeverageOptions({ lots: text }: TicketState, { instrument, quote, rate }: TicketTerms) {
  const { figures } = useLocale()
  return useMemo(() => {
    const lots = valueOf(readLots(text))
    return instrument.leverages.map((leverage) => ({
      leverage,
      margin:
        lots &&
        quote &&
        rate &&
        figures.fineText(marginOf(instrument, { lots, leverage, price: quote.ask, rate })),
    }))
  }, [text, instrument, quote, rate, figures])
}

function usePress(view: TicketView, listing: InstrumentListing): Pick<Ticket, 'press' | 'sending'> {
  const [sending, setSending] = useState<Side | null>(null)
  const place = useMemo(() => createPlacer(sendOrder), [])
  const isLoggedIn = useIsLoggedIn()
  const finish = useFinish(view, listing)
  const { state, dispatch, terms } = view
  const press = async (side: Side) => {
    if (!isLoggedIn) return navigate(`/login?from=${encodeURIComponent(tradePath(listing.code))}`)
    dispatch({ type: 'attempt', side })
    // Time has passed since the last change: an expiry may be over by now.
    const { problems } = workOutTicket(state, { ...terms, now: marketNow() })
    const order = isReady(problems, side) && orderTicketOf(state, side, terms.instrument)
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
