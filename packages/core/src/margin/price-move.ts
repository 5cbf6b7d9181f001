/**
 * "What if": prices jump, and one tick of each says so. An account is copied with its orders and the copy goes through what every tick
 * goes through, so stops, orders that wait, stop-outs and the lift back to zero are those of the real thing.
 */
import { MARKET } from '../author.ts'
import type { Core, DecisionContext } from '../core.ts'
import type { Event } from '../event.ts'
import { newSweep } from '../due-work/sweep-cursor.ts'
import { figuresOf, isStoppedOut, type AccountFigures, type Pricing } from './account-figures.ts'
import { decideTick } from '../market/decide-tick.ts'
import type { Quote } from '../market/quote.ts'
import { createLedger, type Posting } from '../money/ledger.ts'
import { absolute, divideRounded, money, NO_MONEY, price, type Money } from '../money/number.ts'
import { indexOrder } from '../orders/order-index.ts'
import { TriggerBook } from '../orders/trigger-book.ts'
import { begin } from '../outcome.ts'
import { take } from '../slice.ts'
import { addAccount, createState, type Account, type State } from '../state.ts'
import { MarginWatch } from './margin-watch.ts'
import { instrumentsBehind } from './safe-range.ts'

/** Prices that jump together. */
export type PriceMove = {
  /** All prices as they were and as they would be. */
  readonly before: ReadonlyMap<number, Quote>
  /** One for all accounts: a tick sets what is there already. */
  readonly after: Map<number, Quote>
  /** The instruments that move. They count as traded, whatever the hour; halts hold. */
  readonly moved: ReadonlySet<number>
  /** Epoch ms. */
  readonly at: number
}

/** What a move of prices makes of one account. */
export type AfterMove = {
  readonly before: AccountFigures
  readonly after: AccountFigures
  /** What its stops, its waiting orders and its stop-out would do. */
  readonly events: readonly Event[]
  /** Of a balance below zero that is lifted. */
  readonly covered: Money
}

const PARTS = 10_000n

/**
 * Moves prices by a part of the mid, in 1e-4 (100 is one percent), the spread staying as it is. Where prices stay above zero none falls
 * below one tick.
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
    const wished = Number(divideRounded(twiceMid * BigInt(part), 2n * PARTS))
    const shift = instrument.allowsNegativePrice ? wished : Math.max(wished, 1 - quote.bid)
    const prices = { bid: price(quote.bid + shift), ask: price(quote.ask + shift) }
    after.set(id, { ...quote, ...prices, seq: quote.seq + 1, time: at, receivedAt: at })
    moved.add(id)
  }
  return { before, after, moved, at }
}

/** What the move makes of an account. Changes nothing of it. */
export function afterMove(context: DecisionContext, account: Account, move: PriceMove): AfterMove {
  const { state } = context
  const before = figuresOf(pricedBy(state, move.before), account)
  const after = figuresOf(pricedBy(state, move.after), account)
  if (!isStoppedOut(state, after.equity, after.margin) && !waitsForPrice(account, move))
    return { before, after, events: [], covered: NO_MONEY }
  const core = coreOf(context, account, move)
  const { events, postings } = tickAll(core, move)
  const copy = core.state.accounts.get(account.id)
  const covered = postings.reduce((sum, posting) => sum + liftOf(posting), 0n)
  return { before, after: copy ? figuresOf(core.state, copy) : after, events, covered: money(covered) }
}

const pricedBy = ({ instruments, conversionPaths }: State, quotes: Pricing['quotes']): Pricing => ({
  ...{ instruments, conversionPaths, quotes },
})

const liftOf = ({ kind, amount }: Posting): bigint => (kind === 'protection' ? amount : 0n)

/** True when an order of the account may do something at the new prices. */
function waitsForPrice({ orders }: Account, { moved }: PriceMove): boolean {
  for (const { instrumentId, status, takeProfit, stopLoss } of orders.values())
    if (moved.has(instrumentId) && (status === 'pending' || takeProfit !== null || stopLoss !== null))
      return true
  return false
}

/** A core of its own with a copy of one account: the terms and halts of the living one, the new prices, and no night under way. */
function coreOf({ state, isOpen }: DecisionContext, account: Account, { after, moved }: PriceMove): Core {
  const core: Core = {
    state: {
      ...createState(state.freshSince),
      ...{ settings: state.settings, instruments: state.instruments, sources: state.sources },
      ...{
        calendar: state.calendar,
        conversionPaths: state.conversionPaths,
        halts: state.halts,
        mode: state.mode,
      },
      ...{ termsVersion: state.termsVersion, lastOrderId: state.lastOrderId },
      ...{ quotes: after, ledger: createLedger() },
    },
    isOpen: (instrument, at) => moved.has(instrument.id) || isOpen(instrument, at),
    ...{
      triggers: new TriggerBook(),
      marginWatch: new MarginWatch(),
      touched: new Set(),
      withheld: new Set(),
    },
    ...{ sweep: newSweep(), underway: null, journalRow: 0 },
  }
  const copy = addAccount(core.state, account.id, account.ledger)
  copy.available.balance = account.available.balance
  copy.frozen.balance = account.frozen.balance
  copy.status = account.status
  for (const order of account.orders.values()) indexOrder(core, copy, { ...order })
  // It is looked at on every price that it depends on.
  const behind = instrumentsBehind(state, account).filter((id) => moved.has(id))
  core.marginWatch.watch(account.id, new Map(behind.map((id) => [id, null])))
  return core
}

/** Gives the new prices one by one, as ticks. */
function tickAll(core: Core, { moved, after, at }: PriceMove) {
  const progress = begin(core, at, MARKET)
  const everything = { events: Infinity, looks: Infinity }
  for (const id of moved) {
    const quote = after.get(id)
    if (quote) take(progress, decideTick(core, { type: 'tick', quote, at }), everything)
  }
  return progress
}
