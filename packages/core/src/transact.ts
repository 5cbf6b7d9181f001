import { conversionOf, openProfit } from './account.ts'
import type { ClockCommand, CloseAll, Command, ReversePosition, TickCommand } from './command.ts'
import { decide, decideClose, decidePlace, type Decision } from './decide.ts'
import { decideStopOut } from './decide-stop-out.ts'
import { decideTrigger } from './decide-trigger.ts'
import type { Entry, Event, Request } from './event.ts'
import { evolveEvent, rememberedRequest, rememberRequest } from './evolve.ts'
import { profitOf } from './formula.ts'
import type { Posting } from './ledger.ts'
import { money, type Money } from './number.ts'
import { isHolding, type Order, type Position } from './order.ts'
import { closingPrice } from './quote.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import { decideSwap, dueRollover } from './rollover.ts'
import { safeRanges } from './safe-range.ts'
import type { Account, RememberedRequest, State } from './state.ts'
import type { Trigger } from './trigger-book.ts'

/** A command that took effect. An entry without events changed nothing and need not be kept. */
export type Outcome = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  /** True when the request had taken effect before; the entry is the one of that time. */
  readonly isRepeat: boolean
  /** True when a tick or the clock has more to do: the same command is to be given again before any other. */
  readonly hasMore: boolean
}

/** How much one transaction of a tick or the clock does, more or less: one that fires thousands is taken in several. */
export type Limits = {
  readonly events: number
  /** Orders looked at for financing. */
  readonly orders: number
}

const LIMITS: Limits = { events: 500, orders: 20_000 }

/**
 * Takes one command through decide and evolve. Deterministic: the same commands on the same state give the same
 * outcome. A refused command leaves the state as it was.
 */
export function transact(state: State, command: Command, limits = LIMITS): Outcome | Rejection {
  switch (command.type) {
    case 'tick':
      return transactTick(state, command, limits)
    case 'clock':
      return transactClock(state, command, limits)
    default:
      return transactAsked(state, command)
  }
}

type AskedCommand = Exclude<Command, TickCommand | ClockCommand>

function transactAsked(state: State, command: AskedCommand): Outcome | Rejection {
  const request = 'request' in command && command.request ? command.request : null
  const earlier = request && rememberedRequest(state, request, command.at)
  if (request && earlier) return repeat(request, earlier)
  const progress = begin(state, command.at, LIMITS)
  const refused = carryOut(progress, command)
  if (refused) return refused
  const outcome = finish(progress, request)
  rememberRequest(state, outcome.entry)
  return outcome
}

function repeat(request: Request, earlier: RememberedRequest): Outcome | Rejection {
  if (earlier.request.digest !== request.digest) return reject('requestIdReused', { requestId: request.id })
  return { entry: earlier, postings: [], isRepeat: true, hasMore: false }
}

/** A transaction under way: every decision is made on what the ones before it left behind. */
type Progress = {
  readonly state: State
  readonly at: number
  readonly limits: Limits
  readonly events: Event[]
  readonly postings: Posting[]
}

const begin = (state: State, at: number, limits: Limits): Progress => ({
  state,
  at,
  limits,
  events: [],
  postings: [],
})

const isFull = ({ events, limits }: Progress): boolean => events.length >= limits.events

function apply(progress: Progress, events: readonly Event[]): void {
  for (const event of events) {
    progress.postings.push(...evolveEvent(progress.state, event, progress.at))
    progress.events.push(event)
  }
}

function finish(
  { state, at, events, postings }: Progress,
  request: Request | null,
  hasMore = false,
): Outcome {
  if (!hasMore) watchTouched(state)
  return { entry: { at, request, events }, postings, isRepeat: false, hasMore }
}

/** Works out anew the safe prices of the accounts that have changed, or of some of them. */
export function watchTouched(state: State, most = Infinity): void {
  let count = 0
  for (const id of state.touched) {
    if ((count += 1) > most) return
    const account = state.accounts.get(id)
    if (account) state.marginWatch.watch(id, safeRanges(state, account))
    state.touched.delete(id)
  }
}

/** Applies what a command leads to; answers why it is refused, and has then applied nothing. */
function carryOut(progress: Progress, command: AskedCommand): Rejection | null {
  switch (command.type) {
    case 'closeAll':
      return closeAll(progress, command)
    case 'reversePosition':
      return reverse(progress, command)
    default:
      return applyDecision(progress, decide(progress.state, command))
  }
}

function applyDecision(progress: Progress, decision: Decision): Rejection | null {
  if (isRejection(decision)) return decision
  apply(progress, decision)
  return null
}

/** What cannot be closed now stays; refused only when nothing could, for the reason of the first. */
function closeAll(progress: Progress, command: CloseAll): Rejection | null {
  const { state } = progress
  const account = state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  const positions = [...account.orders.values()].filter(isHolding).toSorted((a, b) => a.id - b.id)
  const refusals = positions.flatMap(
    (order) => applyDecision(progress, decideClose(state, command, account, order)) ?? [],
  )
  return progress.events.length > 0 ? null : (refusals[0] ?? reject('nothingToClose'))
}

/** Both halves are checked before the first is applied. */
function reverse(progress: Progress, command: ReversePosition): Rejection | null {
  const { state, at } = progress
  const account = state.accounts.get(command.accountId)
  const order = account?.orders.get(command.orderId)
  if (!account) return reject('accountNotFound')
  if (!order) return reject('orderNotFound', { orderId: command.orderId })
  const closed = decideClose(state, { at }, account, order)
  if (isRejection(closed) || !isHolding(order))
    return isRejection(closed) ? closed : reject('orderNotHolding')
  const opened = decidePlace(state, opposite(command, order), account, {
    free: freeAfter(state, account, order),
  })
  if (isRejection(opened)) return opened
  apply(progress, closed)
  apply(progress, opened)
  return null
}

const opposite = ({ accountId, at }: ReversePosition, order: Order) => ({
  type: 'placeOrder' as const,
  accountId,
  at,
  instrumentId: order.instrumentId,
  side: order.side === 'buy' ? ('sell' as const) : ('buy' as const),
  lots: order.lots,
  leverage: order.leverage,
  targetPrice: null,
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
})

/** What will be free once a position has closed at the prices of now. */
function freeAfter(state: State, account: Account, order: Position): Money {
  const instrument = state.instruments.get(order.instrumentId)
  const quote = state.quotes.get(order.instrumentId)
  const conversion = instrument && conversionOf(state, instrument)
  if (!quote || !conversion) return money(0n)
  const profit = profitOf(instrument, order, closingPrice(order.side, quote), conversion.rate)
  const equity = account.available.balance + profit + openProfit(state, account, { without: order })
  return money(equity - (account.margin - order.margin) - account.reserved)
}

/**
 * The price moves first. Then orders end whose time is over, so that none of them fills any more; then what the price
 * reaches fires, stops before pending orders; then the accounts it concerns are checked for stop-out. On most ticks all
 * that is nothing, and costs a handful of comparisons.
 */
function transactTick(state: State, { quote, at }: TickCommand, limits: Limits): Outcome {
  const { quotes, triggers, marginWatch } = state
  quotes.set(quote.instrumentId, quote)
  const progress = begin(state, at, limits)
  const expired = triggers.expired(at)
  if (expired.length > 0 && fire(progress, expired)) return finish(progress, null, true)
  if (triggers.isReachedBy(quote) && fire(progress, triggers.due(quote))) return finish(progress, null, true)
  if (marginWatch.isReachedBy(quote)) for (const id of marginWatch.due(quote)) state.touched.add(id)
  if (state.touched.size > 0 && stopOutTouched(progress)) return finish(progress, null, true)
  return finish(progress, null)
}

/** Fires triggers in turn; answers true when there is too much for one transaction. */
function fire(progress: Progress, due: readonly Trigger[]): boolean {
  for (const trigger of due) {
    if (isFull(progress)) return true
    apply(progress, decideTrigger(progress.state, trigger, progress.at))
  }
  return false
}

/** Checks the accounts that the tick concerns, by id; answers true when there is too much for one transaction. */
function stopOutTouched(progress: Progress): boolean {
  const { state, at } = progress
  for (const id of [...state.touched].toSorted((a, b) => a - b)) {
    const account = state.accounts.get(id)
    for (let event = account && decideStopOut(state, account, at); event;) {
      apply(progress, [event])
      event = account && decideStopOut(state, account, at)
    }
    if (isFull(progress)) return true
  }
  return false
}

function transactClock(state: State, { at }: ClockCommand, limits: Limits): Outcome {
  const progress = begin(state, at, limits)
  const isUnfinished = fire(progress, state.triggers.expired(at)) || rollOver(progress)
  return finish(progress, null, isUnfinished)
}

/** Finances every position that was open at the last due 17:00 New York; answers true when there is more to do. */
function rollOver(progress: Progress): boolean {
  const { state, at } = progress
  const rollover = dueRollover(state, at)
  if (rollover === null) return false
  let lookedAt = 0
  for (let id = state.rolloverCursor + 1; id <= state.lastAccountId; id += 1) {
    if (isFull(progress) || lookedAt >= progress.limits.orders) return true
    const account = state.accounts.get(id)
    for (const order of account?.orders.values() ?? []) {
      const booked = account && decideSwap(state, account, order, { rollover, at })
      if (booked) apply(progress, [booked])
    }
    lookedAt += account?.orders.size ?? 0
    state.rolloverCursor = id
  }
  state.rolloverCursor = 0
  apply(progress, [{ type: 'rolledOver', rollover }])
  return dueRollover(state, at) !== null
}
