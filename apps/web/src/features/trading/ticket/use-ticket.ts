import {
  CallError,
  type Decimal,
  type Failure,
  type InstrumentListing,
  type OrderTicket,
  type OrderView,
  submitOrder,
  type TakenOrder,
} from '@fairlot/contract'
import { direction, formatDecimal, marginOf, type Price, type Side, toTicks } from '@fairlot/core'
import { type Dispatch, useMemo, useReducer, useState } from 'react'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount, useAccountFigures } from '../../../live/account/account.ts'
import { useBasicInfo, useTrading } from '../../../live/basic-info.ts'
import { marketNow } from '../../../live/market/market-clock.ts'
import { failureText } from '../../../live/requests/request.ts'
import { useIsLoggedIn } from '../../../live/device/token.ts'
import { tradePath } from '../../../live/market/selected-instrument.ts'
import { showToast } from '@fairlot/ui/feedback/toast.ts'
import { asName } from '@fairlot/ui/figures/names.tsx'
import { type TradeMarket, useTradeMarket } from '../trade-market.ts'
import { useAccountSnapshot } from '../account-snapshot.ts'
import { orderPath } from '../../../live/account/orders.ts'
import {
  orderTicketOf,
  reduce,
  rememberSize,
  startTicket,
  type TicketAction,
  type TicketState,
  type TicketContext,
} from './ticket-model.ts'
import {
  evaluateTicket,
  fieldOfRejection,
  isReady,
  type TicketProblems,
  type TicketSummary,
} from './evaluate-ticket.ts'
import { lotText, parseLots, valueOf } from '../lots-and-prices.ts'
import { change } from '../../../live/requests/change.ts'
import { useProposedOrder } from './proposed-order.ts'

export type LeverageOption = {
  readonly leverage: number
  /** The margin it would require, as text; null while unknown. */
  readonly margin: string | null
}

export type TicketView = {
  /** The instrument as users know it. */
  readonly code: string
  readonly state: TicketState
  readonly dispatch: Dispatch<TicketAction>
  readonly context: TicketContext
  readonly summary: TicketSummary
  readonly problems: TicketProblems
  readonly leverageOptions: readonly LeverageOption[]
}

export type Ticket = {
  readonly view: TicketView
  readonly market: TradeMarket
  /** The side whose order is being sent; null for none. */
  readonly sending: Side | null
  readonly press: (side: Side) => void
}

/**
 * A ticket of one instrument: its state, its evaluation, and the function that sends it. `onProposed` is called when a
 * pending order that was begun on the chart fills it.
 */
export function useTicket(listing: InstrumentListing, onProposed?: () => void): Ticket {
  const market = useTradeMarket(listing)
  const [state, dispatch] = useReducer(reduce, market.instrument, startTicket)
  const { priceDecimals } = listing
  useProposedOrder(listing.id, (ticks) => {
    dispatch({ type: 'mode', mode: 'pending' })
    dispatch({ type: 'price', field: 'target', text: formatDecimal(ticks, priceDecimals) })
    onProposed?.()
  })
  const context = useTicketContext(listing, market)
  const evaluation = useMemo(() => evaluateTicket(state, context), [state, context])
  const view: TicketView = {
    code: listing.showCode,
    state,
    dispatch,
    context,
    ...evaluation,
    leverageOptions: useLeverageOptions(state, context),
  }
  return { view, market, ...usePress(view, listing) }
}

/** What an order would cost and do, without a ticket to send. */
export type TicketPreview = Pick<TicketView, 'state' | 'context' | 'summary' | 'code'>

/** A new ticket of an instrument, of the size that was last used. */
export function useTicketPreview(listing: InstrumentListing): TicketPreview {
  const market = useTradeMarket(listing)
  const state = useMemo(() => startTicket(market.instrument), [market.instrument])
  const context = useTicketContext(listing, market)
  const { summary } = useMemo(() => evaluateTicket(state, context), [state, context])
  return { state, context, summary, code: listing.showCode }
}

/** The same object until one of its parts changes. */
function useTicketContext(
  { isOpen, haltReason: ownHalt }: InstrumentListing,
  { instrument, quote, rate, staleSeconds }: TradeMarket,
): TicketContext {
  const freeMargin = useAccountFigures()?.free ?? null
  const feeType = useBasicInfo()?.feeType ?? 'rate'
  const snapshot = useAccountSnapshot(instrument)
  const { mode, reason } = useTrading()
  const haltReason = ownHalt ?? (mode === 'halted' ? reason : null)
  const reduceReason = mode === 'reduceOnly' ? reason : null
  const isStale = staleSeconds !== null
  return useMemo(
    () => ({
      instrument,
      isOpen,
      haltReason,
      reduceReason,
      quote,
      isStale,
      rate,
      feeType,
      freeMargin,
      snapshot,
      now: marketNow(),
    }),
    [instrument, isOpen, haltReason, reduceReason, quote, isStale, rate, feeType, freeMargin, snapshot],
  )
}

/** The margin that each leverage would require for the lots entered. */
function useLeverageOptions({ lots: text }: TicketState, { instrument, quote, rate }: TicketContext) {
  const { figures } = useLocale()
  return useMemo(() => {
    const lots = valueOf(parseLots(text))
    return instrument.leverages.map((leverage) => ({
      leverage,
      margin:
        lots &&
        quote &&
        rate &&
        figures.exactText(marginOf(instrument, { lots, leverage, price: quote.ask, rate })),
    }))
  }, [text, instrument, quote, rate, figures])
}

function usePress(view: TicketView, listing: InstrumentListing): Pick<Ticket, 'press' | 'sending'> {
  const [sending, setSending] = useState<Side | null>(null)
  const place = useMemo(() => createOrderSender(sendOrder), [])
  const isLoggedIn = useIsLoggedIn()
  const finish = useFinish(view, listing)
  const { state, dispatch, context } = view
  const press = async (side: Side) => {
    if (!isLoggedIn) return navigate(`/login?from=${encodeURIComponent(tradePath(listing.code))}`)
    dispatch({ type: 'attempt', side })
    // Time has passed since the last change: the expiry may be in the past by now.
    const { problems } = evaluateTicket(state, { ...context, now: marketNow() })
    // The kind that the button names: the price may cross the target while the order is under way.
    const { kind } = view.summary[side]
    const order = isReady(problems, side) && orderTicketOf(state, side, context.instrument, kind)
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

/** Shows the result of an order: a toast when it was placed, else the server's message at its field. */
function useFinish(
  { state, dispatch, context }: TicketView,
  listing: InstrumentListing,
): (placed: SendResult, shown: Price | null) => void {
  const app = useTranslations('app')
  const text = usePlacedText(listing)
  return (placed, shown) => {
    if (placed.ok) {
      const { side } = placed.order
      rememberSize(context.instrument, state, side)
      dispatch({ type: 'placed', side })
      const message = text(placed.order, shown)
      const { warning } = placed.order
      const to = orderPath(placed.order)
      showToast(
        warning
          ? { text: `${message} ${warning.message}`, tone: 'problem', isPersistent: true, to }
          : { text: message, to },
      )
      return
    }
    const { failure } = placed
    const why = failureText(failure, app)
    if (why !== null)
      dispatch({ type: 'rejected', rejection: { field: fieldOfRejection(failure), text: why } })
  }
}

/** The result of sending an order. */
export type SendResult =
  | { readonly ok: true; readonly order: TakenOrder }
  | { readonly ok: false; readonly failure: Failure }

export type Send = (ticket: OrderTicket) => Promise<SendResult>

/** Sends an order. A retry after a missing response does not place it twice. */
const sendOrder: Send = async (ticket) => {
  try {
    const order = await change(submitOrder, ticket, { isSilent: true })
    void refreshAccount()
    return { ok: true, order }
  } catch (error) {
    if (error instanceof CallError) return { ok: false, failure: error.failure }
    throw error
  }
}

/** Places orders one at a time; a second tap meanwhile is ignored (null). */
export function createOrderSender(send: Send) {
  let isInProgress = false
  return async (ticket: OrderTicket): Promise<SendResult | null> => {
    if (isInProgress) return null
    isInProgress = true
    try {
      return await send(ticket)
    } finally {
      isInProgress = false
    }
  }
}

/**
 * One line about a placed order: its fill price compared with the price on the button, or the price it waits for. `shown` is the
 * price on the button when it was pressed, in ticks.
 */
function usePlacedText(listing: InstrumentListing): (order: OrderView, shown: Price | null) => string {
  const t = useTranslations('ticket')
  const { figures } = useLocale()
  const { priceDecimals, showCode } = listing
  const price = (value: Decimal) => asName(figures.decimal(value, { shown: priceDecimals }))
  return (order, shown) => {
    const common = {
      side: order.side,
      code: asName(showCode),
      lots: asName(figures.decimal(lotText(order.lots, order.instrument.lotStep))),
    }
    if (order.openPrice === null)
      return t('placed', { ...common, kind: order.kind, price: price(order.acceptedPrice) })
    const better = shown === null ? 0 : improvement(order, shown, toTicks(order.openPrice, priceDecimals))
    return t('filled', {
      ...common,
      price: price(order.openPrice),
      slip: better === 0 ? 'none' : better > 0 ? 'better' : 'worse',
      distance: asName(figures.figure(Math.abs(better), priceDecimals)),
    })
  }
}

/** How much better than the shown price an order was filled, in ticks; below zero: worse. */
export const improvement = ({ side }: Pick<OrderView, 'side'>, shown: Price, filled: Price | null): number =>
  filled === null ? 0 : direction(side) * (shown - filled)
