/** Recognises rare states in what the twin was asked and what it answered. */
import type { Command, RejectionCode } from '../src/index.ts'
import type { Counts } from './counts.ts'
import { observeEvent } from './observe-event.ts'
import type { PlainEvent, PlainQuote } from './plain.ts'
import { closingAt, isFreshAt, openingAt, type Twin, type TwinOrder } from './twin-state.ts'
import { hasReachedTarget, isSameRequest, reachedStop, type TwinOutcome } from './twin.ts'
import type { Halt } from './world.ts'

export type Sight = {
  readonly counts: Counts
  readonly twin: Twin
  readonly halts: readonly Halt[]
  readonly command: Command
  readonly outcome: TwinOutcome
  /** The price of a tick's instrument before the tick. */
  readonly previous: PlainQuote | undefined
  /** When the engine was last started again, epoch ms. */
  readonly restartedAt: number | null
}

export function observe(sight: Sight): void {
  const { counts, outcome, command, restartedAt } = sight
  if (outcome.refused) return observeRefusal(sight, outcome.refused)
  if (outcome.isRepeat) {
    counts.hit('request repeated')
    counts.hit('request repeated after a restart', restartedAt !== null && outcome.entry.at < restartedAt)
    return
  }
  for (const event of outcome.entry.events) observeEvent(sight, event)
  if (command.type === 'tick') observeTick(sight, command.quote, outcome.entry.events)
  else observeRequest(sight)
}

function observeRefusal({ counts, twin, halts, command, outcome }: Sight, code: RejectionCode): void {
  if (code === 'alreadyClosed') return counts.hit('finished order')
  counts.hit(`refused: ${code}`)
  const { at } = command
  if (code === 'orderNotFound' && 'orderId' in command) {
    counts.hit(
      'foreign order',
      twin.living.some(({ orderId }) => orderId === command.orderId),
    )
  }
  if (command.type !== 'placeOrder' || !outcome.refused) return
  const { instrumentId, accountId } = command
  const account = twin.accounts.find(({ id }) => id === accountId)
  const isHalted = halts.some(
    (halt) => halt.instrumentId === instrumentId && at >= halt.from && at < halt.until,
  )
  counts.hit('halted instrument refused', code === 'marketClosed' && isHalted)
  const hasFreshPrice = isFreshAt(twin, twin.quotes.get(instrumentId), at)
  counts.hit('opening refused for a stale conversion', code === 'stalePrice' && hasFreshPrice)
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

function observeTick(sight: Sight, quote: PlainQuote, events: readonly PlainEvent[]): void {
  const fired = events.filter(
    (event) =>
      event.type === 'positionOpened' ||
      event.type === 'positionClosed' ||
      (event.type === 'orderCancelled' && event.reason === 'notEnoughAtTrigger'),
  )
  if (fired.length > 0) observeFired(sight, quote, fired)
  observeWaiting(sight, quote)
}

function observeFired(
  { counts, twin, command, previous, restartedAt }: Sight,
  quote: PlainQuote,
  fired: readonly PlainEvent[],
): void {
  const instrument = twin.instruments.find(({ id }) => id === quote.instrumentId)
  const accounts = fired.map((event) => event.accountId)
  const types = new Set(fired.map((event) => event.type))
  counts.hit('several triggers on one tick', fired.length > 1)
  counts.hit('several triggers of one account on one tick', new Set(accounts).size < accounts.length)
  counts.hit('stop and pending on one tick', types.has('positionOpened') && types.has('positionClosed'))
  counts.hit('first tick after a restart fires', !previous && restartedAt !== null)
  counts.hit(
    'first tick after a closing fires',
    previous && instrument && twin.hours.hasClosed(instrument, previous.receivedAt, command.at),
  )
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
  const isOpen = twin.hours.isOpen(instrument, command.at)
  const isFresh = isFreshAt(twin, quote, command.at)
  counts.hit('trigger reached in a closed market', !isOpen)
  counts.hit('trigger reached by a late tick', isOpen && !isFresh)
  const isPending = waiting.some(({ status }) => status === 'pending')
  counts.hit('trigger waits for a stale conversion', isOpen && isFresh && isPending)
}
