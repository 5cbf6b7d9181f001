/** Recognises rare states in what the twin was asked and what it answered. */
import type { Command, RejectionCode } from '../src/index.ts'
import type { Counts } from './counts.ts'
import { observeCases } from './observe-cases.ts'
import { observeEvent, observeTrailed } from './observe-event.ts'
import { observeNights } from './observe-nights.ts'
import { observeStopOuts } from './observe-stop-out.ts'
import type { PlainEvent, PlainQuote } from './plain.ts'
import { barOf, isFreshAt, isHalted, twinMarket } from './twin-market.ts'
import { closingAt, openingAt, positionsOf, type Twin, type TwinOrder } from './twin-state.ts'
import { hasReachedTarget, reachedStop } from './twin-tick.ts'
import { isSameRequest, type TwinDone } from './twin.ts'

export type Sight = {
  readonly counts: Counts
  readonly twin: Twin
  readonly command: Command
  /** The price of a tick's instrument before the tick. */
  readonly previous: PlainQuote | undefined
  /** When the engine was last started again, epoch ms. */
  readonly restartedAt: number | null
  /** Money of the command's account that was free before it. */
  readonly freeBefore: bigint
  /** In how many transactions the core has done it, and whether it died in between. */
  readonly slices: number
  readonly isCrashed: boolean
}

export function observe(sight: Sight, done: TwinDone): void {
  const { counts, restartedAt, twin } = sight
  for (const note of twin.notes.splice(0)) counts.hit(note)
  for (const event of done.events) observeEvent(sight, event)
  observeTrailed(sight, done.trailed)
  observeNights(sight, done)
  observeSlices(sight, done)
  observeCases(sight, done)
  if (done.refused) return observeRefusal(sight, done.refused)
  if (done.repeated) {
    counts.hit('request repeated')
    counts.hit('request repeated after a restart', restartedAt !== null && done.repeated.at < restartedAt)
    return
  }
  observeCommand(sight, done.events)
}

function observeCommand(sight: Sight, events: readonly PlainEvent[]): void {
  const { command } = sight
  switch (command.type) {
    case 'tick':
      observeTick(sight, command.quote, events)
      observeStopOuts(sight, command.quote, events)
      return
    case 'clock':
      return
    case 'closeAll':
      return observeCloseAll(sight, events, command.accountId)
    default:
      observeRequest(sight)
  }
}

function observeCloseAll(sight: Sight, events: readonly PlainEvent[], accountId: number): void {
  const { counts, twin } = sight
  const closed = events.filter(({ type }) => type === 'positionClosed')
  observeRequest(sight)
  if (closed.length === 0) return
  counts.hit('close all')
  counts.hit('close all of several', closed.length > 1)
  counts.hit('close all of some', positionsOf(twin, accountId).length > 0)
  const isProtected = ({ kind }: { kind: string }) => kind === 'protection'
  counts.hit(
    'close all protects the balance',
    closed.some((event) => 'transfers' in event && event.transfers.some(isProtected)),
  )
}

function observeSlices(sight: Sight, { at, events, due }: TwinDone): void {
  const { counts, command, slices, isCrashed, twin } = sight
  const isTick = command.type === 'tick' && due === 0
  const isStopOut = (event: PlainEvent | undefined) =>
    event !== undefined && 'reason' in event && event.reason === 'stopOut'
  const isExpiry = (event: PlainEvent) => 'reason' in event && event.reason === 'expired'
  const isOver = ({ status, expiresAt }: TwinOrder) => status === 'pending' && (expiresAt ?? Infinity) <= at
  counts.hit('tick in slices', isTick && slices > 1)
  counts.hit('tick in more than three slices', isTick && slices > 3)
  counts.hit(
    'expiry in slices',
    command.type === 'clock' && events.some(isExpiry) && twin.living.some(isOver),
  )
  counts.hit('stop-out in slices', slices > 1 && events.some(isStopOut))
  if (!isCrashed) return
  const last = events.at(-1)
  const isUsers = command.type !== 'tick' && command.type !== 'clock'
  counts.hit('crash within a tick', isTick)
  counts.hit('crash within a stop-out', isTick && isStopOut(last))
  counts.hit('crash between a night and its command', isUsers && last?.type === 'swapBooked')
}

function observeRefusal({ counts, twin, command }: Sight, code: RejectionCode): void {
  if (code === 'alreadyClosed') return counts.hit('finished order')
  counts.hit(`refused: ${code}`)
  const { at } = command
  if (code === 'orderNotFound' && 'orderId' in command) {
    counts.hit(
      'foreign order',
      twin.living.some(({ orderId }) => orderId === command.orderId),
    )
  }
  counts.hit(
    'reverse refused for money',
    command.type === 'reversePosition' && code === 'notEnoughPrepayment',
  )
  if (command.type !== 'placeOrder') return
  const { instrumentId, accountId } = command
  const account = twin.accounts.find(({ id }) => id === accountId)
  const instrument = twin.instruments.find(({ id }) => id === instrumentId)
  const isStale = code === 'stalePrice' && isFreshAt(twin, twin.quotes.get(instrumentId), at)
  const hasMarket = instrument !== undefined && twinMarket(twin, instrument, at) !== null
  counts.hit('opening refused for a stale conversion', isStale && !hasMarket)
  counts.hit('opening refused for the price of another position', isStale && hasMarket)
  counts.hit(
    'order of a real account refused for money',
    code === 'notEnoughPrepayment' && account?.ledger === 'real',
  )
}

function observeRequest({ counts, twin, command }: Sight): void {
  const request = 'request' in command ? command.request : undefined
  if (!request) return
  const sameName = twin.requests.filter((entry) => isSameRequest(entry, request))
  counts.hit('request id forgotten after 48 hours', sameName.length > 1)
}

type Fired = Extract<PlainEvent, { type: 'positionOpened' | 'positionClosed' | 'orderCancelled' }>

function observeTick(sight: Sight, quote: PlainQuote, events: readonly PlainEvent[]): void {
  const fired = events.filter(
    (event): event is Fired =>
      event.type === 'positionOpened' ||
      (event.type === 'positionClosed' && event.reason !== 'stopOut') ||
      (event.type === 'orderCancelled' && event.reason === 'notEnoughAtTrigger'),
  )
  if (fired.length > 0) observeFired(sight, quote, fired)
  observeWaiting(sight, quote)
}

function observeFired(
  { counts, twin, command, previous, restartedAt }: Sight,
  quote: PlainQuote,
  fired: readonly Fired[],
): void {
  const instrument = twin.instruments.find(({ id }) => id === quote.instrumentId)
  const accounts = fired.map((event) => event.accountId)
  const types = new Set(fired.map((event) => event.type))
  counts.hit('several triggers on one tick', fired.length > 1)
  counts.hit('several triggers of one account on one tick', new Set(accounts).size < accounts.length)
  counts.hit('stop and pending on one tick', types.has('positionOpened') && types.has('positionClosed'))
  counts.hit('first tick after a restart fires', !previous && restartedAt !== null)
  if (!previous || !instrument) return
  const since = previous.receivedAt
  const wasHalted = twin.halts.some(
    (halt) => halt.instrumentId === instrument.id && halt.until > since && halt.until <= command.at,
  )
  counts.hit('first tick after a halt fires', wasHalted)
  counts.hit('first tick after a closing fires', twin.hours.hasClosed(instrument, since, command.at))
}

/** Orders whose price is reached and that live on all the same. */
function observeWaiting({ counts, twin, command }: Sight, quote: PlainQuote): void {
  const isReached = (order: TwinOrder) =>
    order.instrumentId === quote.instrumentId &&
    (order.status === 'pending'
      ? hasReachedTarget(order, openingAt(order.side, quote))
      : reachedStop(order, closingAt(order.side, quote)) !== null)
  const waiting = twin.living.filter(isReached)
  const instrument = twin.instruments.find(({ id }) => id === quote.instrumentId)
  if (waiting.length === 0 || !instrument) return
  const bar = barOf(twin, instrument, command.at)
  const isFresh = isFreshAt(twin, quote, command.at)
  counts.hit('trigger reached in a closed market', bar === 'marketClosed')
  counts.hit('trigger reached while halted', isHalted(twin, instrument.id))
  counts.hit('trigger reached in cancel-only mode', bar === 'cancelOnly')
  counts.hit('trigger reached by a late tick', bar === null && !isFresh)
  const isPending = waiting.some(({ status }) => status === 'pending')
  const isWaiting = bar === null && isFresh && isPending && !twinMarket(twin, instrument, command.at)
  counts.hit('trigger waits for a stale conversion', isWaiting)
}
