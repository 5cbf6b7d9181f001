/** What a provider's order causes in one copy: a position opens, shrinks or closes, or the order is skipped. */
import { figuresOf, isPriced, notionalOf } from '../margin/account-figures.ts'
import { instrumentsBehind } from '../margin/stop-out-price-band.ts'
import type { CopyAuthor } from '../model/author.ts'
import { copyingOf, type Copy, type CopyReason, type CopySource } from '../model/copying.ts'
import type { CopySkipped, Event, OrderTerms, PositionClosed, PositionOpened } from '../model/event.ts'
import type { Instrument } from '../model/instrument.ts'
import { lots as lotsOf, type Lots, type Money } from '../model/number.ts'
import { isPosition, type EndReason, type Order, type Position } from '../model/order.ts'
import { closingPrice, midPrice, openingPrice } from '../model/quote.ts'
import { receiptTick, type ReceiptTick } from '../model/receipt.ts'
import { isRejection } from '../model/rejection.ts'
import { hasDetailedCopying } from '../model/rules.ts'
import { isBookable } from '../money/booking-range.ts'
import { closingMarket } from '../orders/decide-close.ts'
import { closedEvent, costOf, openedEvent, reducedEvent } from '../orders/fill.ts'
import { tradableMarket, type Market } from '../orders/tradable-market.ts'
import type { DecisionContext } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import type { CopyAccount } from '../state/copy-account.ts'
import { copiedVolume, lotsLeft, type CopiedVolume } from './copied-volume.ts'

/** An order of a provider that is open now, and the equity by which copies size theirs. */
export type ProviderOrder = Pick<OrderTerms, 'orderId' | 'instrumentId' | 'side' | 'lots' | 'leverage'> & {
  readonly accountId: number
  readonly equity: Money
  /** Of a copy that starts with the open orders: its equity before the first of them, by which all are sized. */
  readonly copyEquity?: Money
}

/** The event of one copy when an order of its provider opens: a position, or why there is none. */
export function decideCopiedOpening(
  context: DecisionContext,
  order: ProviderOrder,
  account: CopyAccount,
  at: number,
): PositionOpened | CopySkipped {
  const source = { accountId: order.accountId, orderId: order.orderId }
  const sizing = sizingOf(context, order, account, at)
  const { state } = context
  const barriers = hasDetailedCopying(state) ? BARRIERS : EARLIER_BARRIERS
  const reason = barriers.find((each) => STANDS_AGAINST[each](sizing))
  if (reason !== undefined || !isSized(sizing)) {
    const { equity } = sizing
    const skipped = skippedEvent(account, source, reason ?? 'noPrice', equity)
    return equity === null ? skipped : { ...skipped, ...multiplierIn(state, account) }
  }
  const { market, leverage, volume, cost } = sizing
  const terms = termsOf(state, order, account, { lots: volume.lots, leverage, at, market, ...cost })
  const requestedPrice = openingPrice(order.side, market.quote)
  const opened = openedEvent(account, terms, { market, trigger: 'copy', requestedPrice, at })
  return {
    ...opened,
    receipt: { ...opened.receipt, copied: source },
    copied: {
      providerLots: order.lots,
      equity: order.copyEquity ?? sizing.equity,
      ...multiplierIn(state, account),
      ...(volume.isLowered && { reason: 'maximumLot' as const }),
    },
  }
}

/** The multiplier by which a size was asked for; by earlier rules it never changed, and events did not name it. */
const multiplierIn = (state: State, { copy }: CopyAccount) =>
  hasDetailedCopying(state) ? { multiplier: copy.multiplier } : {}

/** Nothing came of an order of the provider in this copy. The equity is the copy's, where it is known and counted. */
export const skippedEvent = (
  account: CopyAccount,
  source: CopySource,
  reason: CopyReason,
  equity: Money | null = null,
): CopySkipped => ({ type: 'copySkipped', accountId: account.id, source, reason, equity })

/** A copied opening as far as it can be worked out: what is missing is the reason against it. */
type Sizing = {
  readonly state: State
  readonly order: ProviderOrder
  readonly account: CopyAccount
  readonly instrument: Instrument | undefined
  readonly leverage: number | undefined
  /** Null while a price is missing. */
  readonly equity: Money | null
  /** Null where nothing can be opened now. */
  readonly market: Market | null
  /** Null below the minimum. */
  readonly volume: CopiedVolume | null
  readonly cost: { readonly margin: Money; readonly fee: Money } | null
}

/** A size, and what it costs. */
type Sized = Sizing & {
  readonly leverage: number
  readonly equity: Money
  readonly market: Market
  readonly volume: CopiedVolume
  readonly cost: { readonly margin: Money; readonly fee: Money }
}

const isSized = (sizing: Sizing): sizing is Sized => sizing.cost !== null

function sizingOf(context: DecisionContext, order: ProviderOrder, account: CopyAccount, at: number): Sizing {
  const { state } = context
  const equity = isPriced(state, account) ? figuresOf(state, account).equity : null
  const instrument = state.instruments.get(order.instrumentId)
  const leverage = instrument && copiedLeverage(instrument, order.leverage)
  const none = { market: null, volume: null, cost: null }
  const common = { state, order, account, instrument, leverage, equity }
  if (!instrument || !leverage || equity === null) return { ...common, ...none }
  const market = tradableMarket(context, instrument, at, 'opening')
  if (isRejection(market) || openingPrice(order.side, market.quote) <= 0) return { ...common, ...none }
  const volume = copiedVolume(instrument, proportionOf(order, account.copy, equity), state)
  if (!volume) return { ...common, market, volume, cost: null }
  const cost = costOf(state.settings, market, {
    lots: volume.lots,
    leverage,
    price: openingPrice(order.side, market.quote),
  })
  return { ...common, market, volume, cost }
}

/** What the size of a copied order follows from, at this equity of the copy. */
const proportionOf = (order: ProviderOrder, { multiplier }: Copy, equity: Money) => ({
  multiplier,
  lots: order.lots,
  equity: order.copyEquity ?? equity,
  providerEquity: order.equity,
})

type Barrier = Exclude<CopyReason, 'maximumLot' | 'belowStep' | 'notHeld'>

/** The order of the checks: the first that fails is the reason. */
const BARRIERS: readonly Barrier[] = [
  'accountRestricted',
  'copyPaused',
  'instrumentExcluded',
  'noPrice',
  'providerEquity',
  'belowMinimumLot',
  'exposureLimit',
  'notEnoughMargin',
  'tooManyOrders',
]

/** The order by the rules before version 4. */
const EARLIER_BARRIERS: readonly Barrier[] = [
  'copyPaused',
  'accountRestricted',
  'providerEquity',
  'tooManyOrders',
  'instrumentExcluded',
  'noPrice',
  'belowMinimumLot',
  'exposureLimit',
  'notEnoughMargin',
]

const STANDS_AGAINST: Readonly<Record<Barrier, (sizing: Sizing) => boolean>> = {
  accountRestricted: ({ state, account }) => state.accounts.get(account.ownerId)?.status !== 'active',
  copyPaused: ({ account }) => account.copy.status !== 'running',
  instrumentExcluded: ({ account, instrument, leverage }) =>
    !instrument?.isEnabled || !leverage || account.copy.excluded.includes(instrument.id),
  noPrice: ({ equity, market }) => equity === null || !market,
  providerEquity: ({ state, order }) => order.equity < copyingOf(state.settings).providerMinEquity,
  belowMinimumLot: ({ volume }) => !volume,
  exposureLimit: (sizing) => isSized(sizing) && isBeyondExposure(sizing),
  notEnoughMargin: ({ state, account, cost }) =>
    cost !== null && (cost.margin + cost.fee > figuresOf(state, account).free || !isBookable(cost.margin)),
  tooManyOrders: ({ state, account }) => account.orders.size >= state.settings.maxLivingOrders,
}

/**
 * What is open after the fill, at the mids of the deciding tick, against the equity before it. By earlier rules positions
 * counted as what they were worth when they opened.
 */
function isBeyondExposure({ state, order, account, leverage, equity, volume, cost }: Sized): boolean {
  const opened = {
    instrumentId: order.instrumentId,
    lots: volume.lots,
    margin: cost.margin,
    leverage,
  }
  const worth = (position: Omit<typeof opened, 'lots'> & { readonly lots: Lots }): bigint =>
    (hasDetailedCopying(state) ? notionalOf(state, position) : null) ??
    position.margin * BigInt(position.leverage)
  let total = worth(opened)
  for (const position of account.orders.values()) total += worth(position)
  return total > equity * BigInt(account.copy.exposureLimit)
}

/** The largest leverage offered that is not above the provider's; undefined where there is none. */
const copiedLeverage = ({ leverages }: Instrument, provider: number): number | undefined =>
  leverages.filter((leverage) => leverage <= provider).toSorted((a, b) => b - a)[0]

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

/**
 * The event of a copy when the provider's position was reduced. Where the nearest lot step is the present size nothing
 * changes: that is a skipped order with its reason, by earlier rules nothing at all. Null without a fresh price.
 */
export function decideCopiedReduction(
  context: DecisionContext,
  account: CopyAccount,
  order: Position,
  { providerLotsLeft, at }: { providerLotsLeft: Lots; at: number },
): Event | null {
  const instrument = context.state.instruments.get(order.instrumentId)
  if (!instrument || !order.copied) return null
  const left = lotsLeft(instrument, order.copied, providerLotsLeft)
  if (left >= order.lots)
    return hasDetailedCopying(context.state)
      ? skippedEvent(
          account,
          { accountId: account.copy.providerId, orderId: order.copied.orderId },
          'belowStep',
        )
      : null
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
export const openOrdersOf = (
  provider: Account,
  { equity, copyEquity }: { readonly equity: Money; readonly copyEquity?: Money },
): ProviderOrder[] =>
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
      ...(copyEquity !== undefined && { copyEquity }),
    }))
