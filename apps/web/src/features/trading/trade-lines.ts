import type { AlertView, Decimal, InstrumentListing, OrderView } from '@fairlot/contract'
import {
  closingPrice,
  fromTicks,
  price,
  profitOf,
  toTicks,
  type Instrument,
  type Money,
  type Price,
} from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useAccountFigures } from '../../live/account/account.ts'
import { useAlerts } from '../../live/account/alerts.ts'
import { useOrders } from '../../live/account/orders.ts'
import { hasPips, lotText, priceStep, stopSide, type StopName } from './lots-and-prices.ts'
import { useTradeMarket, type TradeMarket } from './trade-market.ts'

/** What a line of the chart stands for. */
export type LineOf =
  | { readonly kind: 'entry'; readonly order: OrderView }
  | { readonly kind: StopName; readonly order: OrderView }
  | { readonly kind: 'alert'; readonly alert: AlertView }

type Tone = 'up' | 'down' | 'brass' | 'ink' | 'quiet'

/** A horizontal line of the chart: an order of the user, one of its stops, or an alert. The price is in ticks. */
export type TradeLine = {
  readonly id: string
  readonly price: number
  readonly tone: Tone
  readonly stroke: 'solid' | 'dashed'
  readonly label: string
  readonly of: LineOf
  /** How it is moved by hand, as the chart wants it; left out while a price is missing. */
  readonly handle?: {
    readonly name: string
    readonly isLineMoved: boolean
    readonly step: number
    readonly snap: (price: number) => number
    readonly at: (price: number) => { readonly label: string; readonly tone: Tone; readonly note: string }
  }
}

/** What a move of a stop means, for its note. */
export type StopMove = {
  /** The stop as it is; null while there is none. */
  readonly was: Decimal | null
  /** Distance from the entry, in ticks. */
  readonly distance: number
  readonly profit: Money | null
}

/** Writes the texts of the lines. */
export type LineLabels = {
  readonly open: (order: OrderView, profit: Money | null) => string
  readonly pending: (order: OrderView) => string
  readonly stopLoss: (profit: Money | null) => string
  readonly takeProfit: (profit: Money | null) => string
  readonly alert: (price: Decimal) => string
  /** The accessible name of a line's handle. */
  readonly handle: (line: LineOf) => string
  readonly stopNote: (move: StopMove) => string
  readonly alertNote: (was: Decimal) => string
}

/** Lines of the user's open and pending orders on one instrument, with their profit at current prices, and alerts. */
export function useTradeLines(listing: InstrumentListing): readonly TradeLine[] {
  const holding = useOrders('holding').orders
  const pending = useOrders('pending').orders
  const { alerts } = useAlerts()
  const market = useTradeMarket(listing)
  const labels = useLineLabels(listing)
  const orders = [...(holding ?? []), ...(pending ?? [])].filter(
    (order) => order.instrument.id === listing.id,
  )
  return [
    ...orders.flatMap((order) => linesOf(order, market, labels)),
    ...alertLines(alerts ?? [], market, labels),
  ]
}

/** The prices that the waiting alerts of an instrument wait for. An alert on a move of the day follows the day: it cannot be moved. */
export function alertLines(
  alerts: readonly AlertView[],
  { instrument, quote }: Pick<TradeMarket, 'instrument' | 'quote'>,
  labels: Pick<LineLabels, 'alert' | 'alertNote' | 'handle'>,
): TradeLine[] {
  const { id, priceDecimals } = instrument
  return alerts.flatMap((alert): TradeLine[] => {
    const { condition, target, state } = alert
    if (state !== 'waiting' || condition.kind === 'marginLevel' || condition.instrumentId !== id) return []
    const at = condition.kind === 'price' ? condition.price : target
    if (at === null) return []
    const ticks = Number(at) * 10 ** priceDecimals
    const line: LineOf = { kind: 'alert', alert }
    const handle = condition.kind === 'price' && {
      name: labels.handle(line),
      isLineMoved: true,
      ...movesOf(instrument, quote?.bid ?? price(Math.round(ticks))),
      at: (to: number) => ({
        label: labels.alert(fromTicks(price(to), priceDecimals)),
        tone: 'quiet' as const,
        note: labels.alertNote(at),
      }),
    }
    return [
      {
        id: `alert-${alert.id}`,
        price: ticks,
        tone: 'quiet',
        stroke: 'solid',
        label: labels.alert(at),
        of: line,
        ...(handle && { handle }),
      },
    ]
  })
}

/** The steps of a line that is moved: whole ticks, not below zero unless the instrument has negative prices. */
const movesOf = ({ allowsNegativePrice }: Instrument, reference: Price) => ({
  step: priceStep(reference),
  snap: (to: number): number => Math.max(allowsNegativePrice ? -Infinity : 1, Math.round(to)),
})

/** The price from which stops of an order are measured: what a position would close at, or the price that a pending order waits for. */
function stopReference(order: OrderView, { instrument, quote }: TradeMarket): Price | null {
  if (order.status === 'pending') return toTicks(order.acceptedPrice, instrument.priceDecimals)
  return quote && closingPrice(order.side, quote)
}

/** Which stop of an order a price would be: its stop loss on the losing side of the market, its take profit on the other. */
export function stopAt(order: OrderView, ticks: number, market: TradeMarket): StopName {
  const reference = stopReference(order, market) ?? 0
  return stopSide('stopLoss', order.side) === (ticks < reference ? 'below' : 'above')
    ? 'stopLoss'
    : 'takeProfit'
}

/** Profit of an order if it closes at a price in ticks; null while that is unknown. */
export function profitAt(
  order: OrderView,
  close: Price | null,
  { instrument, rate }: TradeMarket,
): Money | null {
  const opened = entryOf(order)
  const entry = opened === null ? null : toTicks(opened, instrument.priceDecimals)
  return entry === null || close === null || !rate
    ? null
    : profitOf(instrument, { ...order, openPrice: entry }, close, rate)
}

const entryOf = ({ status, acceptedPrice, openPrice }: OrderView): Decimal | null =>
  status === 'pending' ? acceptedPrice : openPrice

/** The lines of one order: its opening or target price, its stop loss and its take profit. */
export function linesOf(order: OrderView, market: TradeMarket, labels: LineLabels): TradeLine[] {
  const ticks = (value: Decimal | null): Price | null =>
    value === null ? null : toTicks(value, market.instrument.priceDecimals)
  const entry = ticks(entryOf(order))
  if (entry === null) return []
  const now = order.status === 'holding' && market.quote ? closingPrice(order.side, market.quote) : null
  const isPending = order.status === 'pending'
  const reference = stopReference(order, market)
  const moves = reference !== null && movesOf(market.instrument, reference)
  const stop = (name: StopName, at: Price): Pick<TradeLine, 'label' | 'tone'> => ({
    label: labels[name](profitAt(order, at, market)),
    tone: 'brass',
  })
  const handleOf = (line: LineOf): TradeLine['handle'] | false =>
    moves && {
      name: labels.handle(line),
      isLineMoved: line.kind !== 'entry',
      ...moves,
      at: (to) => {
        const name =
          line.kind === 'stopLoss' || line.kind === 'takeProfit' ? line.kind : stopAt(order, to, market)
        const move: StopMove = {
          was: order[name],
          distance: Math.abs(to - entry),
          profit: profitAt(order, price(to), market),
        }
        return { label: labels[name](move.profit), tone: 'brass', note: labels.stopNote(move) }
      },
    }
  const stopLine = (name: StopName): TradeLine[] => {
    const at = ticks(order[name])
    if (at === null) return []
    const of: LineOf = { kind: name, order }
    const handle = handleOf(of)
    const id = `${order.id}-${name === 'stopLoss' ? 'loss' : 'profit'}`
    return [{ id, price: at, stroke: 'dashed', ...stop(name, at), of, ...(handle && { handle }) }]
  }
  const of: LineOf = { kind: 'entry', order }
  // With both stops set there is nothing left to draw from the entry.
  const handle = (order.stopLoss === null || order.takeProfit === null) && handleOf(of)
  return [
    {
      id: `${order.id}`,
      price: entry,
      tone: isPending ? 'ink' : order.side === 'buy' ? 'up' : 'down',
      stroke: isPending ? 'dashed' : 'solid',
      label: isPending ? labels.pending(order) : labels.open(order, profitAt(order, now, market)),
      of,
      ...(handle && { handle }),
    },
    ...stopLine('stopLoss'),
    ...stopLine('takeProfit'),
  ]
}

function useLineLabels({ priceDecimals }: Pick<InstrumentListing, 'priceDecimals'>): LineLabels {
  const t = useTranslations('chart')
  const ticket = useTranslations('ticket')
  const { figures } = useLocale()
  const equity = useAccountFigures()?.equity
  const signed = (profit: Money | null): string =>
    profit === null ? '' : figures.money(profit, { sign: 'always' })
  const lots = (order: OrderView): string => figures.decimal(lotText(order.lots, order.instrument.lotStep))
  const shown = (value: Decimal): string => figures.decimal(value, { shown: priceDecimals })
  return {
    open: (order, profit) =>
      t(order.side === 'buy' ? 'buyLine' : 'sellLine', { lots: lots(order), profit: signed(profit) || '–' }),
    pending: (order) => t('pendingLine', { side: order.side, kind: order.kind, lots: lots(order) }),
    stopLoss: (profit) => t('stopLine', { profit: signed(profit) }),
    takeProfit: (profit) => t('profitLine', { profit: signed(profit) }),
    alert: (price) => t('alertLine', { price: shown(price) }),
    handle: (line) =>
      line.kind === 'alert'
        ? t('alertHandle')
        : t('stopHandle', { kind: line.kind, side: line.order.side, lots: lots(line.order) }),
    stopNote: ({ was, distance, profit }) => {
      const share = equity && profit !== null && equity > 0n ? (Number(profit) / Number(equity)) * 100 : null
      return [
        was !== null && t('was', { price: shown(was) }),
        hasPips(priceDecimals)
          ? ticket('pips', { count: figures.figure(distance, 1) })
          : figures.figure(distance, priceDecimals),
        share !== null && t('ofEquity', { share: figures.percent(share.toFixed(2), { shown: 2 }) }),
      ]
        .filter((part) => part !== false)
        .join(' · ')
    },
    alertNote: (was) => t('was', { price: shown(was) }),
  }
}
