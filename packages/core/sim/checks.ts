/** Invariants of the core alone, checked after every step without the reference model. */
import {
  figuresOf,
  freshnessOf,
  type Account,
  type Entry,
  type Event,
  type LedgerAccountId,
  type Money,
  type PlaceOrder,
  type PositionOpened,
  type Posting,
  type Quote,
  type Receipt,
  type State,
  type TradingMode,
} from '../src/index.ts'
import { checkTerms, createTermsWatch, frozenOfCases, type TermsWatch } from './checks-terms.ts'
import type { Done } from './host.ts'
import type { ReferenceHours } from './reference/trading-hours.ts'

type Status = 'pending' | 'holding' | 'closed' | 'cancelled'

export type Watch = {
  readonly hours: ReferenceHours
  /** The status of every order, derived from events alone. */
  readonly statuses: Map<number, Status>
  /** The last row of every ledger account. */
  readonly rows: Map<LedgerAccountId, { readonly balance: bigint; readonly entry: number }>
  /** What has been booked and may not be booked again. */
  readonly booked: Set<string>
  readonly halted: Set<number>
  readonly terms: TermsWatch
  mode: TradingMode
}

export const createWatch = (hours: ReferenceHours, seed: Entry): Watch => ({
  hours,
  statuses: new Map(),
  rows: new Map(),
  booked: new Set(),
  halted: new Set(),
  terms: createTermsWatch(seed),
  mode: 'normal',
})

export function checkDone(watch: Watch, state: State, done: Done): string[] {
  const { at } = done
  return [
    ...done.entries.flatMap((entry) =>
      entry.events.flatMap((event) => [
        ...checkMove(watch, event),
        ...checkFill(watch, state, event, at),
        ...checkFee(event),
        ...checkTerms(watch.terms, entry, event),
      ]),
    ),
    ...done.postings.flatMap((posting) => checkPosting(watch, posting)),
  ]
}

/** I17, I19: only legal transitions, one opening and at most one end per order; a closed part is created closed. */
function checkMove(watch: Watch, event: Event): string[] {
  switch (event.type) {
    case 'instrumentHalted':
      if (event.reason === null) watch.halted.delete(event.instrumentId)
      else watch.halted.add(event.instrumentId)
      return []
    case 'tradingModeSet':
      watch.mode = event.mode
      return []
    case 'positionReduced':
      return [...moveOrder(watch, event), ...moveOrder(watch, { type: 'part', orderId: event.partId })]
    case 'swapBooked':
      return [...moveOrder(watch, event), ...bookOnce(watch, `${event.orderId} rollover ${event.rollover}`)]
    case 'orderPlaced':
    case 'positionOpened':
    case 'orderCancelled':
    case 'positionClosed':
    case 'stopsSet':
      return moveOrder(watch, event)
    default:
      return []
  }
}

function moveOrder({ statuses }: Watch, move: { type: OrderMove; orderId: number }): string[] {
  const from = statuses.get(move.orderId)
  const [allowed, to] = LEGAL[move.type]
  if (to) statuses.set(move.orderId, to)
  return allowed.includes(from) ? [] : [`I17 order ${move.orderId}: ${move.type} when ${from ?? 'new'}`]
}

function bookOnce({ booked }: Watch, name: string): string[] {
  if (booked.has(name)) return [`I8 ${name} booked twice`]
  booked.add(name)
  return []
}

type OrderMove = Extract<Event, { orderId: number }>['type'] | 'part'
const LEGAL: Record<OrderMove, readonly [readonly (Status | undefined)[], Status | null]> = {
  orderPlaced: [[undefined], 'pending'],
  positionOpened: [[undefined, 'pending'], 'holding'],
  orderCancelled: [['pending'], 'cancelled'],
  positionClosed: [['holding'], 'closed'],
  positionReduced: [['holding'], null],
  part: [[undefined], 'closed'],
  swapBooked: [['holding'], null],
  stopsSet: [['pending', 'holding'], null],
}

/** I20, I21: a fill names the accepted tick in force, fresh enough, on the right side, while the market trades. */
function checkFill(watch: Watch, state: State, event: Event, at: number): string[] {
  const filled = filledPrice(event)
  if (filled === null || !('receipt' in event)) return []
  const { tick, quoteSide, filledPrice: named } = event.receipt
  const quote = tick && state.quotes.get(tick.instrumentId)
  const instrument = tick && state.instruments.get(tick.instrumentId)
  if (!tick || !quote || !instrument || !quoteSide)
    return [`I20 order ${event.orderId}: a fill without a tick`]
  const limit = freshnessOf(state, instrument)
  const isOpening = event.type === 'positionOpened'
  const allows = watch.mode === 'normal' || (watch.mode === 'reduceOnly' && !isOpening)
  const trades = !watch.halted.has(instrument.id) && allows
  const faults = [
    isTickOf(event.receipt, quote) ? '' : 'I20 not the accepted tick',
    at >= tick.receivedAt && at - tick.receivedAt <= limit ? '' : 'I20 stale tick',
    filled === tick[quoteSide] && filled === named ? '' : 'I20 price is not of the tick',
    watch.hours.isOpen(instrument, at) && trades ? '' : 'I21 filled where nothing trades',
  ]
  return faults.filter(Boolean).map((fault) => `order ${event.orderId}: ${fault}`)
}

function filledPrice(event: Event): number | null {
  switch (event.type) {
    case 'positionOpened':
      return event.openPrice
    case 'positionClosed':
    case 'positionReduced':
      return event.closePrice
    default:
      return null
  }
}

const isTickOf = ({ tick }: Receipt, quote: Quote): boolean =>
  tick?.seq === quote.seq && tick.bid === quote.bid && tick.ask === quote.ask && tick.time === quote.time

/** I8: the fee of an order is charged in one row, at its opening. */
function checkFee(event: Event): string[] {
  if (event.type !== 'positionOpened') return []
  const fees = event.transfers.filter(({ kind }) => kind === 'fee')
  const isRight = event.fee === 0n ? fees.length === 0 : fees.length === 1 && fees[0]?.amount === event.fee
  return isRight ? [] : [`I8 order ${event.orderId}: fee ${event.fee} is not charged once`]
}

/** I1, I2, I8, I12: positive amounts, unbroken chains, one ledger kind, each result and fee booked once. */
function checkPosting(watch: Watch, posting: Posting): string[] {
  const faults: string[] = []
  if (posting.amount <= 0n) faults.push('I1 moves nothing')
  if (posting.debit === posting.credit) faults.push('I1 moves in a circle')
  const { debitBalance, debitEntry, creditBalance, creditEntry } = posting
  const isChained = (id: LedgerAccountId, change: bigint, balance: Money, entry: number) => {
    const last = watch.rows.get(id) ?? { balance: 0n, entry: 0 }
    watch.rows.set(id, { balance, entry })
    return balance === last.balance + change && entry === last.entry + 1
  }
  const isDebitChained = isChained(posting.debit, -posting.amount, debitBalance, debitEntry)
  const isCreditChained = isChained(posting.credit, posting.amount, creditBalance, creditEntry)
  if (!isDebitChained || !isCreditChained) faults.push('I2 breaks the chain')
  // A position is charged swap at every rollover; those are checked by rollover.
  if (posting.orderId !== null && posting.kind !== 'swap') {
    faults.push(...bookOnce(watch, `${posting.orderId} ${posting.kind}`))
  }
  return faults.map((fault) => `row ${posting.debit} > ${posting.credit} ${posting.kind}: ${fault}`)
}

/** I4, I5, I6, I7: an account after a step that changed it. */
export function checkAccount({ terms }: Watch, state: State, account: Account): string[] {
  const orders = [...account.orders.values()]
  const held = orders.filter(({ status }) => status === 'holding')
  const waiting = orders.filter(({ status }) => status === 'pending')
  const margin = held.reduce((sum, order) => sum + order.margin, 0n)
  const reserved = waiting.reduce((sum, order) => sum + order.margin + order.fee, 0n)
  const figures = figuresOf(state, account)
  const faults = [
    account.frozen.balance === frozenOfCases(terms, account.id) ? '' : 'I4 frozen is not what waits',
    held.length > 0 || account.available.balance >= 0n ? '' : 'I5 below zero without a position',
    account.margin === margin ? '' : `I6 margin ${account.margin} is not ${margin}`,
    account.reserved === reserved ? '' : `I6 reserve ${account.reserved} is not ${reserved}`,
    (figures.level === null) === (margin === 0n) ? '' : 'I7 level without margin, or none with it',
  ]
  return faults.filter(Boolean).map((fault) => `account ${account.id}: ${fault}`)
}

/** I10, I25: limits of an opening at the market, measured by the free margin before it. */
export function checkOpening(
  state: State,
  command: PlaceOrder,
  opened: PositionOpened,
  freeBefore: bigint,
): string[] {
  const instrument = state.instruments.get(command.instrumentId)
  const account = state.accounts.get(command.accountId)
  if (!instrument || !account) return ['I25 opened on nothing']
  const { lots, leverage, margin, fee, openPrice } = opened
  const faults = [
    lots % instrument.lotStep === 0 && lots >= instrument.lotMin && lots <= instrument.lotMax
      ? ''
      : 'I25 lots',
    instrument.leverages.includes(leverage) ? '' : 'I25 leverage',
    margin + fee <= freeBefore ? '' : 'I25 more than was free',
    openPrice > 0 ? '' : 'I25 opened at zero or below',
    figuresOf(state, account).free <= freeBefore ? '' : 'I10 an opening raised the free margin',
  ]
  return faults.filter(Boolean).map((fault) => `order ${opened.orderId}: ${fault}`)
}
