/** Recognises rare states in what the reference model was given and what it did. */
import type { RejectionCode } from '../src/index.ts'
import { observeCases, observeOperatorRefusal } from './observe-cases.ts'
import { observeEvent, observeTrailed } from './observe-event.ts'
import { observeSwaps } from './observe-swaps.ts'
import { observeStopOuts } from './observe-stop-out.ts'
import type { PlainEvent, PlainQuote } from './plain-types.ts'
import type { Observation } from './observation.ts'
import { barOf, isFreshAt, isHalted, referenceMarket } from './reference/market.ts'
import { closingAt, openingAt, positionsOf, type ReferenceOrder } from './reference/state.ts'
import { hasReachedTarget, reachedStop } from './reference/tick.ts'
import { isSameRequest, type ReferenceDone } from './reference/reference-model.ts'

export function observe(observation: Observation, done: ReferenceDone): void {
  const { counts, restartedAt, model } = observation
  for (const note of model.notes.splice(0)) counts.hit(note)
  for (const event of done.events) observeEvent(observation, event)
  observeTrailed(observation, done.trailed)
  observeSwaps(observation, done)
  observeSlices(observation, done)
  observeCases(observation, done)
  if (done.refused) return observeRefusal(observation, done.refused)
  if (done.repeated) {
    counts.hit('request repeated')
    counts.hit('request repeated after a restart', restartedAt !== null && done.repeated.at < restartedAt)
    return
  }
  observeCommand(observation, done.events)
}

function observeCommand(observation: Observation, events: readonly PlainEvent[]): void {
  const { command } = observation
  switch (command.type) {
    case 'tick': {
      const quote = observation.model.quotes.get(command.quote.instrumentId) ?? command.quote
      observeTick(observation, quote, events)
      observeStopOuts(observation, quote, events)
      return
    }
    case 'clock':
      return
    case 'closeAll':
      return observeCloseAll(observation, events, command.accountId)
    default:
      observeRequest(observation)
  }
}

function observeCloseAll(observation: Observation, events: readonly PlainEvent[], accountId: number): void {
  const { counts, model } = observation
  const closed = events.filter(({ type }) => type === 'positionClosed')
  observeRequest(observation)
  if (closed.length === 0) return
  counts.hit('close all')
  counts.hit('close all of several', closed.length > 1)
  counts.hit('close all of some', positionsOf(model, accountId).length > 0)
  const isProtected = ({ kind }: { kind: string }) => kind === 'protection'
  counts.hit(
    'close all protects the balance',
    closed.some((event) => 'transfers' in event && event.transfers.some(isProtected)),
  )
}

function observeSlices(observation: Observation, { at, events, due }: ReferenceDone): void {
  const { counts, command, slices, isCrashed, model } = observation
  const isTick = command.type === 'tick' && due === 0
  const isStopOut = (event: PlainEvent | undefined) =>
    event !== undefined && 'reason' in event && event.reason === 'stopOut'
  const isExpiry = (event: PlainEvent) => 'reason' in event && event.reason === 'expired'
  const isOver = ({ status, expiresAt }: ReferenceOrder) =>
    status === 'pending' && (expiresAt ?? Infinity) <= at
  counts.hit('tick in slices', isTick && slices > 1)
  counts.hit('tick in more than three slices', isTick && slices > 3)
  counts.hit(
    'expiry in slices',
    command.type === 'clock' && events.some(isExpiry) && model.active.some(isOver),
  )
  counts.hit('stop-out in slices', slices > 1 && events.some(isStopOut))
  if (!isCrashed) return
  const last = events.at(-1)
  const isUsers = command.type !== 'tick' && command.type !== 'clock'
  counts.hit('crash within a tick', isTick)
  counts.hit('crash within a stop-out', isTick && isStopOut(last))
  counts.hit('crash between a rollover and its command', isUsers && last?.type === 'swapBooked')
}

function observeRefusal(observation: Observation, code: RejectionCode): void {
  const { counts, model, command } = observation
  observeOperatorRefusal(observation, code)
  if (code === 'alreadyClosed') return counts.hit('finished order')
  counts.hit(`refused: ${code}`)
  const { at } = command
  if (code === 'orderNotFound' && 'orderId' in command) {
    counts.hit(
      'foreign order',
      model.active.some(({ orderId }) => orderId === command.orderId),
    )
  }
  counts.hit(
    'reverse refused for money',
    command.type === 'reversePosition' && code === 'notEnoughPrepayment',
  )
  if (command.type !== 'placeOrder') return
  const { instrumentId, accountId } = command
  const account = model.accounts.find(({ id }) => id === accountId)
  const instrument = model.instruments.find(({ id }) => id === instrumentId)
  const isStale = code === 'stalePrice' && isFreshAt(model, model.quotes.get(instrumentId), at)
  const hasMarket = instrument !== undefined && referenceMarket(model, instrument, at) !== null
  counts.hit('opening refused for a stale conversion', isStale && !hasMarket)
  counts.hit('opening refused for the price of another position', isStale && hasMarket)
  counts.hit(
    'order of a real account refused for money',
    code === 'notEnoughPrepayment' && account?.ledger === 'real',
  )
}

function observeRequest({ counts, model, command }: Observation): void {
  const request = 'request' in command ? command.request : undefined
  if (!request) return
  const sameName = model.requests.filter((entry) => isSameRequest(entry, request))
  counts.hit('request id forgotten after 48 hours', sameName.length > 1)
}

type Fired = Extract<PlainEvent, { type: 'positionOpened' | 'positionClosed' | 'orderCancelled' }>

function observeTick(observation: Observation, quote: PlainQuote, events: readonly PlainEvent[]): void {
  const fired = events.filter(
    (event): event is Fired =>
      event.type === 'positionOpened' ||
      (event.type === 'positionClosed' && event.reason !== 'stopOut') ||
      (event.type === 'orderCancelled' &&
        (event.reason === 'notEnoughAtTrigger' || event.reason === 'stopPassed')),
  )
  if (fired.length > 0) observeFired(observation, quote, fired)
  observeAlerts(observation, quote, events)
  observeWaiting(observation, quote)
}

function observeFired(
  { counts, model, command, previous, restartedAt }: Observation,
  quote: PlainQuote,
  fired: readonly Fired[],
): void {
  const instrument = model.instruments.find(({ id }) => id === quote.instrumentId)
  const accounts = fired.map((event) => event.accountId)
  const types = new Set(fired.map((event) => event.type))
  counts.hit('fired by a price with a mark-up', quote.markUp !== undefined)
  counts.hit('several triggers on one tick', fired.length > 1)
  counts.hit('several triggers of one account on one tick', new Set(accounts).size < accounts.length)
  counts.hit('stop and pending on one tick', types.has('positionOpened') && types.has('positionClosed'))
  counts.hit('first tick after a restart fires', !previous && restartedAt !== null)
  if (!previous || !instrument) return
  counts.hit('first price of another mark-up fires', quote.markUp !== previous.markUp)
  const since = previous.receivedAt
  const wasHalted = model.halts.some(
    (halt) => halt.instrumentId === instrument.id && halt.until > since && halt.until <= command.at,
  )
  counts.hit('first tick after a halt fires', wasHalted)
  counts.hit('first tick after a closing fires', model.hours.hasClosed(instrument, since, command.at))
}

function observeAlerts(
  { counts, model, command }: Observation,
  quote: PlainQuote,
  events: readonly PlainEvent[],
): void {
  const fired = events.filter(({ type }) => type === 'alertFired')
  const instrument = model.instruments.find(({ id }) => id === quote.instrumentId)
  const bar = instrument && barOf(model, instrument, command.at, 'closing')
  counts.hit('several alerts on one tick', fired.length > 1)
  counts.hit('alert fired in a market that does not trade', fired.length > 0 && !!bar)
}

/** Orders that stay active although their price is reached. */
function observeWaiting({ counts, model, command }: Observation, quote: PlainQuote): void {
  const isReached = (order: ReferenceOrder) =>
    order.instrumentId === quote.instrumentId &&
    (order.status === 'pending'
      ? hasReachedTarget(order, openingAt(order.side, quote))
      : reachedStop(order, closingAt(order.side, quote)) !== null)
  const waiting = model.active.filter(isReached)
  const instrument = model.instruments.find(({ id }) => id === quote.instrumentId)
  if (waiting.length === 0 || !instrument) return
  const bar = barOf(model, instrument, command.at, 'closing')
  const isFresh = isFreshAt(model, quote, command.at)
  counts.hit('trigger reached in a closed market', bar === 'marketClosed')
  counts.hit('trigger reached while halted', isHalted(model, instrument.id))
  counts.hit('trigger reached in a halted market', model.mode.is === 'halted')
  counts.hit('trigger reached by a late tick', bar === null && !isFresh)
  const isPending = waiting.some(({ status }) => status === 'pending')
  const isReducing = model.mode.is === 'reduceOnly'
  counts.hit('pending waits in reduce-only mode', bar === null && isFresh && isPending && isReducing)
  const isWaiting =
    bar === null && isFresh && isPending && !referenceMarket(model, instrument, command.at, 'closing')
  counts.hit('trigger waits for a stale conversion', isWaiting)
}
