/** What a provider's order causes in one copy: a position opens, shrinks or closes, or the order is skipped. */
import { figuresOf, isPriced } from '../margin/account-figures.ts'
import { instrumentsBehind } from '../margin/stop-out-price-band.ts'
import type { CopyAuthor } from '../model/author.ts'
import { copyingOf, type CopyReason } from '../model/copying.ts'
import type { CopySkipped, Event, OrderTerms, PositionClosed, PositionOpened } from '../model/event.ts'
import type { Instrument } from '../model/instrument.ts'
import { lots as lotsOf, type Lots, type Money } from '../model/number.ts'
import { isPosition, type EndReason, type Order, type Position } from '../model/order.ts'
import { closingPrice, midPrice, openingPrice } from '../model/quote.ts'
import { receiptTick, type ReceiptTick } from '../model/receipt.ts'
import { isRejection } from '../model/rejection.ts'
import { isBookable } from '../money/booking-range.ts'
import { closingMarket } from '../orders/decide-close.ts'
import { closedEvent, costOf, openedEvent, reducedEvent } from '../orders/fill.ts'
import { tradableMarket, type Market } from '../orders/tradable-market.ts'
import type { DecisionContext } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import type { CopyAccount } from '../state/copy-account.ts'
import { copiedVolume, lotsLeft } from './copied-volume.ts'

/** An order of a provider that is open now, and the equity by which copies size theirs. */
export type ProviderOrder = Pick<OrderTerms, 'orderId' | 'instrumentId' | 'side' | 'lots' | 'leverage'> & {
  readonly accountId: number
  readonly equity: Money
}

/** A fill, or the first reason against it, with the copy's equity where it is known. */
type Copied =
  | {
      readonly market: Market
      readonly terms: OrderTerms
      readonly equity: Money
      readonly isLowered: boolean
    }
  | { readonly reason: CopyReason; readonly equity: Money | null }

/** The event of one copy when an order of its provider opens: a position, or why there is none. */
export function decideCopiedOpening(
  context: DecisionContext,
  order: ProviderOrder,
  account: CopyAccount,
  at: number,
): PositionOpened | CopySkipped {
  const source = { accountId: order.accountId, orderId: order.orderId }
  const copied = sizeCopied(context, order, account, at)
  if ('reason' in copied) {
    const { reason, equity } = copied
    return { type: 'copySkipped', accountId: account.id, source, reason, equity }
  }
  const { market, terms, equity, isLowered } = copied
  const requestedPrice = openingPrice(order.side, market.quote)
  const opened = openedEvent(account, terms, { market, trigger: 'copy', requestedPrice, at })
  return {
    ...opened,
    receipt: { ...opened.receipt, copied: source },
    copied: {
      providerLots: order.lots,
      equity,
      ...(isLowered && { reason: 'maximumLot' as const }),
    },
  }
}

function sizeCopied(
  context: DecisionContext,
  order: ProviderOrder,
  account: CopyAccount,
  at: number,
): Copied {
  const { state } = context
  const equity = isPriced(state, account) ? figuresOf(state, account).equity : null
  const skipped = (reason: CopyReason) => ({ reason, equity })
  const { copy } = account
  if (copy.status !== 'running') return skipped('copyPaused')
  if (state.accounts.get(account.ownerId)?.status !== 'active') return skipped('accountRestricted')
  if (order.equity < copyingOf(state.settings).providerMinEquity) return skipped('providerEquity')
  if (account.orders.size >= state.settings.maxLivingOrders) return skipped('tooManyOrders')
  const instrument = state.instruments.get(order.instrumentId)
  const leverage = instrument && copiedLeverage(instrument, order.leverage)
  if (!instrument?.isEnabled || !leverage) return skipped('instrumentExcluded')
  const market = tradableMarket(context, instrument, at, 'opening')
  const isFillable = !isRejection(market) && openingPrice(order.side, market.quote) > 0
  if (equity === null || !isFillable) return skipped('noPrice')
  const volume = copiedVolume(instrument, {
    multiplier: copy.multiplier,
    lots: order.lots,
    equity,
    providerEquity: order.equity,
  })
  if (!volume) return skipped('belowMinimumLot')
  const { lots, isLowered } = volume
  const cost = costOf(state.settings, market, {
    lots,
    leverage,
    price: openingPrice(order.side, market.quote),
  })
  const worth = notionalOf(account) + cost.margin * BigInt(leverage)
  if (worth > equity * BigInt(copy.exposureLimit)) return skipped('exposureLimit')
  if (cost.margin + cost.fee > figuresOf(state, account).free || !isBookable(cost.margin))
    return skipped('notEnoughMargin')
  const terms = termsOf(state, order, account, { lots, leverage, at, market, ...cost })
  return { market, terms, equity, isLowered }
}

/** The largest leverage offered that is not above the provider's; undefined where there is none. */
const copiedLeverage = ({ leverages }: Instrument, provider: number): number | undefined =>
  leverages.filter((leverage) => leverage <= provider).toSorted((a, b) => b - a)[0]

/** What a copy's positions were worth when they opened: margin x leverage. */
const notionalOf = ({ orders }: Account): bigint => {
  let worth = 0n
  for (const order of orders.values()) worth += order.margin * BigInt(order.leverage)
  return worth
}

const termsOf = (
  { lastOrderId }: Pick<State, 'lastOrderId'>,
  { instrumentId, side }: ProviderOrder,
  { id }: Account,
  fill: { lots: Lots; leverage: number; at: number; market: Market; margin: Money; fee: Money },
): OrderTerms => ({
  orderId: lastOrderId + 1,
  accountId: id,
  instrumentId,
  side,
  kind: 'market',
  lots: fill.lots,
  leverage: fill.leverage,
  targetPrice: null,
  acceptedPrice: midPrice(fill.market.quote),
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
  createdAt: fill.at,
  margin: fill.margin,
  fee: fill.fee,
})

/** A copy's position that copies an order; undefined where it has none. */
export function copiedPosition(account: CopyAccount, providerOrderId: number): Position | undefined {
  const orderId = account.copy.orders.get(providerOrderId)
  const order = orderId === undefined ? undefined : account.orders.get(orderId)
  return order && isPosition(order) ? order : undefined
}

/** Closes a copy's position; null while its market is closed or has no fresh price. */
export function decideCopyClose(
  context: DecisionContext,
  account: CopyAccount,
  order: Position,
  { reason, at }: { reason: Extract<EndReason, 'providerClosed' | 'copyEnded'>; at: number },
): PositionClosed | null {
  const fill = closingFill(context, order, at)
  return fill && closedEvent(account, order, { ...fill, reason })
}

/** The event of a copy when the provider's position was reduced; null where the nearest lot step is the present size. */
export function decideCopiedReduction(
  context: DecisionContext,
  account: CopyAccount,
  order: Position,
  { providerLotsLeft, at }: { providerLotsLeft: Lots; at: number },
): Event | null {
  const instrument = context.state.instruments.get(order.instrumentId)
  if (!instrument || !order.copied) return null
  const left = lotsLeft(instrument, order.copied, providerLotsLeft)
  if (left >= order.lots) return null
  const fill = closingFill(context, order, at)
  if (!fill) return null
  const reason = 'providerClosed'
  if (left === 0) return closedEvent(account, order, { ...fill, reason })
  const part = lotsOf(order.lots - left)
  return reducedEvent(context.state, account, order, { ...fill, reason, lots: part })
}

function closingFill(context: DecisionContext, order: Position, at: number) {
  const instrument = context.state.instruments.get(order.instrumentId)
  const market = instrument && closingMarket(context, instrument, at)
  if (!market || isRejection(market)) return null
  return {
    ...market,
    trigger: 'copy' as const,
    requestedPrice: closingPrice(order.side, market.quote),
    at,
  }
}

/** The author of what an order of a provider causes. */
export const copyAuthor = (accountId: number, orderId: number): CopyAuthor => ({
  type: 'copy',
  accountId,
  orderId,
})

/**
 * An opening of an account with a published strategy, with its equity and the prices behind all equities: its own and
 * those of its copies. Other events are returned unchanged. Called on the state just before the event.
 */
export function withStrategyEquity(state: State, event: Event): Event {
  if (event.type !== 'positionOpened') return event
  const account = state.accounts.get(event.accountId)
  if (!account?.strategy || !isPriced(state, account)) return event
  return {
    ...event,
    strategyEquity: figuresOf(state, account).equity,
    receipt: { ...event.receipt, prices: pricesBehindAll(state, account, [event.instrumentId]) },
  }
}

/** Every price behind the equity of a provider and of all its copies, by instrument. */
export function pricesBehindAll(
  state: State,
  provider: Account,
  others: readonly number[] = [],
): ReceiptTick[] {
  const ids = new Set(others)
  for (const id of [provider.id, ...provider.copiers]) {
    const account = state.accounts.get(id)
    if (account) for (const instrumentId of instrumentsBehind(state, account)) ids.add(instrumentId)
  }
  return [...ids]
    .toSorted((a, b) => a - b)
    .flatMap((id) => state.quotes.get(id) ?? [])
    .map(receiptTick)
}

/** The same for one account. */
export const pricesBehind = (state: State, account: Account): ReceiptTick[] =>
  instrumentsBehind(state, account)
    .toSorted((a, b) => a - b)
    .flatMap((id) => state.quotes.get(id) ?? [])
    .map(receiptTick)

/** The provider's open positions now, by id: what a copy that starts with them copies. */
export const openOrdersOf = (provider: Account, equity: Money): ProviderOrder[] =>
  [...provider.orders.values()]
    .filter((order: Order) => order.status === 'holding')
    .toSorted((a, b) => a.id - b.id)
    .map(({ id, accountId, instrumentId, side, lots, leverage }) => ({
      orderId: id,
      accountId,
      instrumentId,
      side,
      lots,
      leverage,
      equity,
    }))
