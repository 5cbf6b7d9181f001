import {
  countOpening,
  evolveCopying,
  keepMonthEnd,
  noteEmptied,
  noteFreeze,
  noteSwitchedOff,
} from '../copying/evolve-copying.ts'
import { noteFlows } from '../copying/equity-range.ts'
import { evolveAlert, keepDayPrices, rewatchEnds } from '../alerts/fire-alerts.ts'
import { evolveOperators } from '../operators/evolve-operators.ts'
import { followPrice, type TrailedStop } from '../orders/trailing-stop.ts'
import { evolveCase, noteProtection } from '../payments/evolve-case.ts'
import { bringTermsIntoEffect, setTerms } from '../terms/change-terms.ts'
import type {
  AccountClosed,
  AccountOpened,
  AccountStatusSet,
  CaseEvent,
  DemoReset,
  Entry,
  Event,
  InstrumentHalted,
  OrderCancelled,
  OrderTerms,
  PositionClosed,
  PositionOpened,
  PositionReduced,
  PricesMarked,
  ReferenceAdmitted,
  ReferenceSettled,
  RolledOver,
  RulesSet,
  StopsSet,
  SwapBooked,
  TermsSet,
  TermsTookEffect,
  TermsWithdrawn,
  TradingModeSet,
} from '../model/event.ts'
import type { CopiedOrder } from '../model/copying.ts'
import { post, type Posting, type Transfer } from '../model/ledger.ts'
import { rolloverBefore } from '../money/overnight-swap.ts'
import { hourOf } from '../money/price-snapshots.ts'
import { lots, money, type Price } from '../model/number.ts'
import type { Order } from '../model/order.ts'
import { type Core, indexOrder, needSweep, unindexOrder } from '../state/running-core.ts'
import type { Quote } from '../model/quote.ts'
import { recordRequest } from '../state/accepted-requests.ts'
import { addAccount, type Account, type State } from '../state/state.ts'
import { applyHalt, applyMode, applyRules } from '../market/halts.ts'

/** The effects of events besides the state. */
export type Effects = { readonly postings: readonly Posting[]; readonly trailed: readonly TrailedStop[] }

const NO_EFFECTS: Effects = { postings: [], trailed: [] }

/** Applies one journal entry and returns its effects. Never rejects: what is in the journal has happened. */
export function evolve(core: Core, entry: Entry): Effects {
  const effects = entry.events.map((event) => evolveEvent(core, event, entry.at))
  recordRequest(core, entry)
  return {
    postings: effects.flatMap(({ postings }) => postings),
    trailed: effects.flatMap(({ trailed }) => trailed),
  }
}

/** Updates the published price of an instrument; no event reports it, because quotes are the market's memory. */
export const applyQuote = ({ quotes }: Pick<State, 'quotes'>, quote: Quote): void =>
  void quotes.set(quote.instrumentId, quote)

/** Applies one event to the state and every index, and returns its effects. */
export function evolveEvent(core: Core, event: Event, at: number): Effects {
  const effects = applyEvent(core, event, at)
  noteFlows(core, effects.postings)
  return effects
}

function applyEvent(core: Core, event: Event, at: number): Effects {
  switch (event.type) {
    case 'accountOpened':
      return openAccount(core.state, event, at)
    case 'orderPlaced': {
      const account = accountOf(core.state, event.accountId)
      indexOrder(core, account, orderFrom(event, null))
      countOpening(account, at)
      return NO_EFFECTS
    }
    case 'orderCancelled':
      endOrder(core, event)
      return NO_EFFECTS
    case 'stopsSet':
      setStops(core, event)
      return NO_EFFECTS
    case 'trailingMoved':
      return { postings: [], trailed: followPrice(core, event.tick) }
    case 'accountStatusSet':
      setStatus(core, event, at)
      return NO_EFFECTS
    case 'accountClosed':
      closeAccount(core.state, event)
      return NO_EFFECTS
    case 'payoutMethodBound':
    case 'payoutMethodRemoved':
      // The methods are in the tables: no decision depends on them.
      return NO_EFFECTS
    case 'equityRangeNoted':
      // Only the ranking reads it; the range ends with the prices of the hour.
      return NO_EFFECTS
    case 'alertSet':
    case 'alertRemoved':
    case 'alertFired':
    case 'alertRearmed':
    case 'alertEnded':
      evolveAlert(core, event)
      return NO_EFFECTS
    case 'operatorsAdopted':
    case 'operatorSet':
    case 'operatorJoined':
    case 'singleOperatorEnded':
    case 'recoveryAnnounced':
    case 'recoveryCalledOff':
    case 'recoveryUsed':
      evolveOperators(core.state, event)
      return NO_EFFECTS
    case 'pricesMarked':
    case 'rolledOver':
    case 'instrumentHalted':
    case 'tradingModeSet':
    case 'rulesSet':
    case 'referenceAdmitted':
    case 'referenceSettled':
    case 'termsSet':
    case 'termsTookEffect':
    case 'termsWithdrawn':
      evolveMarket(core, event, at)
      return NO_EFFECTS
    case 'strategyPublished':
    case 'strategyFeeSet':
    case 'strategyEnded':
    case 'copyStarted':
    case 'copyPaused':
    case 'copyResumed':
    case 'copyStopLossSet':
    case 'copyTermsSet':
    case 'copyFunded':
    case 'copyReduced':
    case 'copySkipped':
    case 'copyStopped':
    case 'copyEnded':
    case 'performanceFeeCharged':
    case 'monthFeesCharged':
      return { postings: evolveCopying(core, event, at), trailed: [] }
    default:
      // These change the equity or the positions of an account: its stop-out price band must be computed again.
      core.dirtyAccounts.add(event.accountId)
      return { postings: evolveMoney(core, event, at), trailed: [] }
  }
}

type MarketEvent =
  | PricesMarked
  | RolledOver
  | InstrumentHalted
  | TradingModeSet
  | RulesSet
  | ReferenceAdmitted
  | ReferenceSettled
  | TermsSet
  | TermsTookEffect
  | TermsWithdrawn

/** Events that concern all accounts. */
function evolveMarket(core: Core, event: MarketEvent, at: number): void {
  const { state } = core
  switch (event.type) {
    case 'pricesMarked':
      keepDayPrices(core, event)
      keepPriceSnapshot(core, event)
      return keepMonthEnd(core, event)
    case 'rolledOver':
      state.rollovers.delete(event.rollover)
      state.lastRollover = Math.max(state.lastRollover, event.rollover)
      return
    case 'instrumentHalted':
      return applyHalt(state, event)
    case 'tradingModeSet':
      return applyMode(state, event)
    case 'rulesSet':
      applyRules(state, event)
      return rewatchEnds(core)
    case 'referenceAdmitted':
      state.admitted.set(event.instrumentId, event)
      return
    case 'referenceSettled':
      state.admitted.delete(event.instrumentId)
      return
    case 'termsSet':
      setTerms(core, event, at)
      return noteSwitchedOff(core)
    case 'termsTookEffect':
      bringTermsIntoEffect(core, event.changeId)
      return noteSwitchedOff(core)
    case 'termsWithdrawn':
      state.announced.delete(event.changeId)
  }
}

type AccountMoneyEvent =
  | PositionOpened
  | PositionClosed
  | PositionReduced
  | SwapBooked
  | DemoReset
  | CaseEvent

function evolveMoney(core: Core, event: AccountMoneyEvent, at: number): readonly Posting[] {
  const { state } = core
  switch (event.type) {
    case 'positionOpened':
      openPosition(core, event, at)
      return postAll(state, event.transfers, at)
    case 'positionClosed':
      endOrder(core, event)
      noteProtection(state, event.accountId, event.transfers)
      return postAll(state, event.transfers, at)
    case 'positionReduced':
      reducePosition(core, event)
      return postAll(state, event.transfers, at)
    case 'swapBooked':
      activeOrder(state, event.orderId).financedAt = event.rollover
      // By the first rules a swap was dated by its booking.
      return postAll(state, event.transfers, event.receipt.ruleVersion === 1 ? at : event.rollover)
    case 'demoReset':
      return postAll(state, event.transfers, at)
    default:
      evolveCase(state, event, at)
      return 'transfers' in event ? postAll(state, event.transfers, at) : []
  }
}

/** The first account starts the count of hours and rollovers. */
function openAccount(state: State, event: AccountOpened, at: number): Effects {
  addAccount(state, event.accountId, event.ledger)
  if (state.lastRollover === 0) state.lastRollover = rolloverBefore(at)
  if (state.lastPriceSnapshot === 0) state.lastPriceSnapshot = hourOf(at)
  return { postings: postAll(state, event.transfers, at), trailed: [] }
}

/** A rollover with rates is booked from these prices; one without rates has nothing to book. */
function keepPriceSnapshot(
  { state, sweep, providerEquities }: Core,
  { moment, prices, night: swapRates }: PricesMarked,
): void {
  // What is noted before the prices of an hour is over with them; late prices of a rollover end no hour.
  if (moment > state.lastPriceSnapshot) providerEquities.ranges.clear()
  state.lastPriceSnapshot = Math.max(state.lastPriceSnapshot, moment)
  const known = state.rollovers.get(moment)
  if (known) {
    for (const tick of prices) known.prices.set(tick.instrumentId, tick)
    needSweep(sweep)
  } else if (swapRates !== null) {
    state.lastRollover = moment
    if (swapRates.length === 0) return
    state.rollovers.set(moment, {
      rollover: moment,
      rates: new Map(swapRates.map((rate) => [rate.instrumentId, rate])),
      prices: new Map(prices.map((tick) => [tick.instrumentId, tick])),
      terms: state.termsVersion,
    })
    needSweep(sweep)
  }
}

function setStatus(
  { state, sweep }: Core,
  { accountId, status, reason, alone, recentFreeze }: AccountStatusSet,
  at: number,
): void {
  const account = accountOf(state, accountId)
  Object.assign(account, { status, statusReason: reason })
  noteFreeze(state, account, recentFreeze?.since ?? at)
  if (recentFreeze) state.recentFreezes.set(accountId, recentFreeze)
  else state.recentFreezes.delete(accountId)
  if (alone) state.freezes.set(accountId, alone)
  else state.freezes.delete(accountId)
  if (status !== 'active') needSweep(sweep)
}

function closeAccount(state: State, { accountId }: AccountClosed): void {
  Object.assign(accountOf(state, accountId), { status: 'closed', statusReason: '' })
  state.freezes.delete(accountId)
  state.recentFreezes.delete(accountId)
}

function openPosition(core: Core, event: PositionOpened, at: number): void {
  const account = accountOf(core.state, event.accountId)
  const pending = account.orders.get(event.orderId)
  if (pending) unindexOrder(core, account, pending)
  const openedSeq = event.receipt.tick?.seq ?? 0
  const order = orderFrom(event, { openPrice: event.openPrice, openedAt: at, openedSeq }, copiedOrder(event))
  indexOrder(core, account, order)
  if (!pending) countOpening(account, at)
}

function copiedOrder({ copied, lots, receipt }: PositionOpened): CopiedOrder | null {
  if (!copied || !receipt.copied) return null
  return { orderId: receipt.copied.orderId, providerLots: copied.providerLots, lots }
}

/** The remainder keeps everything but the part's lots and margin. */
function reducePosition(core: Core, event: PositionReduced): void {
  const { state } = core
  const account = accountOf(state, event.accountId)
  const order = activeOrder(state, event.orderId)
  unindexOrder(core, account, order)
  order.lots = lots(order.lots - event.lots)
  order.margin = money(order.margin - event.margin)
  indexOrder(core, account, order)
  state.lastOrderId = Math.max(state.lastOrderId, event.partId)
}

function orderFrom(
  terms: OrderTerms,
  fill: { openPrice: Price; openedAt: number; openedSeq: number } | null,
  copied: CopiedOrder | null = null,
): Order {
  return {
    id: terms.orderId,
    accountId: terms.accountId,
    instrumentId: terms.instrumentId,
    side: terms.side,
    kind: terms.kind,
    lots: terms.lots,
    leverage: terms.leverage,
    status: fill ? 'holding' : 'pending',
    targetPrice: terms.targetPrice,
    acceptedPrice: terms.acceptedPrice,
    openPrice: fill?.openPrice ?? null,
    takeProfit: terms.takeProfit,
    stopLoss: terms.stopLoss,
    margin: terms.margin,
    fee: terms.fee,
    expiresAt: terms.expiresAt,
    createdAt: terms.createdAt,
    openedAt: fill?.openedAt ?? null,
    openedSeq: fill?.openedSeq ?? 0,
    trailingDistance: null,
    financedAt: 0,
    copied,
  }
}

function endOrder(core: Core, event: OrderCancelled | PositionClosed): void {
  const { state } = core
  const account = accountOf(state, event.accountId)
  unindexOrder(core, account, activeOrder(state, event.orderId))
  noteEmptied(core, account)
}

function activeOrder(state: State, orderId: number): Order {
  const order = state.orders.get(orderId)
  if (!order) throw new Error(`an event names order ${orderId}, which is not active`)
  return order
}

function setStops({ state, triggers }: Core, event: StopsSet): void {
  const order = activeOrder(state, event.orderId)
  order.takeProfit = event.takeProfit
  order.stopLoss = event.stopLoss
  order.trailingDistance = event.trailingDistance
  triggers.watch(order)
}

const postAll = (state: State, transfers: readonly Transfer[], at: number): Posting[] =>
  transfers.map((transfer) => post(state.ledger, transfer, at))

function accountOf(state: State, accountId: number): Account {
  const account = state.accounts.get(accountId)
  if (!account) throw new Error(`an event names account ${accountId}, which was never opened`)
  return account
}
