/**
 * Scenario: prices move, with one tick each. The account is copied with its orders and the copy is processed like on
 * any tick, so stops, pending orders, stop-outs and negative balance protection are the real ones.
 */
import { MARKET } from '../model/author.ts'
import { type Core, type DecisionContext, indexOrder, newSweep } from '../state/running-core.ts'
import type { Event } from '../model/event.ts'
import { figuresOf, isStoppedOut, type AccountFigures, type Pricing } from '../margin/account-figures.ts'
import { decideTick } from './decide-tick.ts'
import type { Quote } from '../model/quote.ts'
import { createLedger, type Posting } from '../model/ledger.ts'
import { absolute, money, NO_MONEY, price, type Money } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import { AlertBook } from '../state/alert-book.ts'
import { TriggerBook } from '../state/trigger-book.ts'
import { begin, takeSteps } from './transaction.ts'
import { addAccount, createState, type Account, type State } from '../state/state.ts'
import { MarginWatch } from '../state/margin-watch.ts'
import { ProviderEquities } from '../state/provider-equities.ts'
import { instrumentsBehind } from '../margin/stop-out-price-band.ts'

/** Prices that jump together. */
export type PriceMove = {
  /** All prices before and after the move. */
  readonly before: ReadonlyMap<number, Quote>
  /** Shared by all accounts: a tick sets prices that are already there. */
  readonly after: Map<number, Quote>
  /** The moved instruments. They count as open at any hour, unless they are halted. */
  readonly moved: ReadonlySet<number>
  /** Epoch ms. */
  readonly at: number
}

/** The result of a price move for one account. */
export type AfterMove = {
  readonly before: AccountFigures
  readonly after: AccountFigures
  /** The events of its stops, pending orders and stop-out. */
  readonly events: readonly Event[]
  /** Negative balance protection paid. */
  readonly covered: Money
}

const PARTS = 10_000n

/**
 * Moves prices by a fraction of the mid, in 1e-4 (100 is one percent); the spread stays the same. Prices that cannot
 * be negative do not fall below one tick.
 */
export function movePrices(
  { instruments, quotes }: Pick<State, 'instruments' | 'quotes'>,
  ids: Iterable<number>,
  part: number,
  at: number,
): PriceMove {
  const before = new Map(quotes)
  const after = new Map(quotes)
  const moved = new Set<number>()
  for (const id of ids) {
    const quote = quotes.get(id)
    const instrument = instruments.get(id)
    if (!quote || !instrument) continue
    const twiceMid = absolute(BigInt(quote.bid) + BigInt(quote.ask))
    const requestedShift = Number(divideRounded(twiceMid * BigInt(part), 2n * PARTS))
    const shift = instrument.allowsNegativePrice ? requestedShift : Math.max(requestedShift, 1 - quote.bid)
    const prices = { bid: price(quote.bid + shift), ask: price(quote.ask + shift) }
    after.set(id, { ...quote, ...prices, seq: quote.seq + 1, time: at, receivedAt: at })
    moved.add(id)
  }
  return { before, after, moved, at }
}

/** The result of the move for an account; the account itself is not changed. */
export function afterMove(context: DecisionContext, account: Account, move: PriceMove): AfterMove {
  const { state } = context
  const before = figuresOf(pricingWith(state, move.before), account)
  const after = figuresOf(pricingWith(state, move.after), account)
  if (!isStoppedOut(state, after.equity, after.margin) && !waitsForPrice(account, move))
    return { before, after, events: [], covered: NO_MONEY }
  const core = coreWithCopy(context, account, move)
  const { events, postings } = tickAll(core, move)
  const copy = core.state.accounts.get(account.id)
  const covered = postings.reduce((sum, posting) => sum + protectionOf(posting), 0n)
  return { before, after: copy ? figuresOf(core.state, copy) : after, events, covered: money(covered) }
}

const pricingWith = ({ instruments, conversionPaths }: State, quotes: Pricing['quotes']): Pricing => ({
  instruments,
  conversionPaths,
  quotes,
})

const protectionOf = ({ kind, amount }: Posting): bigint => (kind === 'protection' ? amount : 0n)

/** True when an order of the account may be triggered at the new prices. */
function waitsForPrice({ orders }: Account, { moved }: PriceMove): boolean {
  for (const { instrumentId, status, takeProfit, stopLoss } of orders.values())
    if (moved.has(instrumentId) && (status === 'pending' || takeProfit !== null || stopLoss !== null))
      return true
  return false
}

/**
 * A separate core with a copy of one account: the real terms and halts, the new prices, and no rollover in progress.
 */
function coreWithCopy(
  { state, isOpen }: DecisionContext,
  account: Account,
  { after, moved }: PriceMove,
): Core {
  const core: Core = {
    state: {
      ...createState(state.freshSince),
      settings: state.settings,
      instruments: state.instruments,
      sources: state.sources,
      calendar: state.calendar,
      conversionPaths: state.conversionPaths,
      halts: state.halts,
      mode: state.mode,
      rulesVersion: state.rulesVersion,
      termsVersion: state.termsVersion,
      lastOrderId: state.lastOrderId,
      quotes: after,
      ledger: createLedger(),
    },
    isOpen: (instrument, at) => moved.has(instrument.id) || isOpen(instrument, at),
    triggers: new TriggerBook(),
    marginWatch: new MarginWatch(),
    providerEquities: new ProviderEquities(),
    alerts: new AlertBook(),
    dirtyAccounts: new Set(),
    deferredOrders: new Set(),
    sweep: newSweep(),
    unfinished: null,
    copyWork: { strategies: new Set(), copies: new Set(), ending: new Set() },
    journalRow: 0,
  }
  const copy = addAccount(core.state, account.id, account.ledger)
  copy.available.balance = account.available.balance
  copy.frozen.balance = account.frozen.balance
  copy.status = account.status
  for (const order of account.orders.values()) indexOrder(core, copy, { ...order })
  // It is checked on every price it depends on.
  const behind = instrumentsBehind(state, account).filter((id) => moved.has(id))
  core.marginWatch.watch(account.id, new Map(behind.map((id) => [id, null])))
  return core
}

/** Processes the new prices one by one, as ticks. */
function tickAll(core: Core, { moved, after, at }: PriceMove) {
  const progress = begin(core, at, MARKET)
  const unlimited = { events: Infinity, checks: Infinity }
  for (const id of moved) {
    const quote = after.get(id)
    if (quote) takeSteps(progress, decideTick(core, { type: 'tick', quote, at }), unlimited)
  }
  return progress
}
