/**
 * The twin engine: trading-rules.md once more, slow and obvious, as the oracle of the simulation. It shares no code with
 * the core, keeps no index, knows no safe prices and looks at every order on every tick.
 */
import type {
  Command,
  HaltInstrument,
  OpenAccount,
  PlaceOrder,
  RejectionCode,
  UserCommand,
} from '../src/index.ts'
import type { PlainEvent, PlainPosting, PlainRequest } from './plain.ts'
import { cancel, close, open, reduce, reset, setStops, settle, termsOf, type End } from './twin-deals.ts'
import { isHalted } from './twin-market.ts'
import { rounded } from './twin-money.ts'
import {
  checkCancel,
  checkClose,
  checkCloseAll,
  checkReset,
  checkReverse,
  checkSetStops,
  checkTrailing,
  type Closable,
} from './twin-order-checks.ts'
import { noteReceipt } from './twin-receipt.ts'
import { checkPlace, type TwinCost } from './twin-refusals.ts'
import type { TwinMarket } from './twin-market.ts'
import { openingAt, type Twin, type TwinEntry, type TwinOrder } from './twin-state.ts'
import { expire, onTick } from './twin-tick.ts'
import { bookNights } from './twin-nights.ts'

const REMEMBERED_MS = 48 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000

/** All that one command did: the nights that had to be financed first, and what it asked. */
export type TwinDone = {
  readonly at: number
  readonly request: PlainRequest | null
  readonly refused: RejectionCode | null
  readonly events: readonly PlainEvent[]
  readonly rows: readonly PlainPosting[]
  /** What the request did when it was sent before. */
  readonly repeated: TwinEntry | null
}

type Answer = Pick<TwinDone, 'request' | 'refused' | 'repeated'>
const DONE: Answer = { request: null, refused: null, repeated: null }

/**
 * Carries a command out, or says why not. What has happened is added to `events` in its order. Where a crash cuts it
 * short, it stops after `most` events.
 */
export function perform(twin: Twin, command: Command, most = Infinity): TwinDone {
  const rowCount = twin.rows.length
  const events: PlainEvent[] = []
  const work = carryOut(twin, command, events)
  let answer: Answer = DONE
  for (let isDone = false; !isDone && events.length < most;) {
    const next = work.next()
    if (next.done) answer = next.value
    isDone = next.done === true
  }
  return { at: command.at, events, rows: twin.rows.slice(rowCount), ...answer }
}

/** Nothing happens after a 17:00 New York before its night is financed. */
function* carryOut(twin: Twin, command: Command, events: PlainEvent[]): Generator<void, Answer, void> {
  const moment = { at: command.at, events }
  noteFirstPrice(twin, command)
  yield* bookNights(twin, moment)
  noteFirstPrice(twin, command)
  yield* bookNights(twin, moment)
  switch (command.type) {
    case 'tick':
      yield* onTick(twin, command.quote, moment)
      return DONE
    case 'clock':
      yield* expire(twin, moment)
      return DONE
    default:
      return ask(twin, command, events)
  }
}

/** The first price of an instrument may be the one that a night has waited for. */
function noteFirstPrice(twin: Twin, command: Command): void {
  if (command.type !== 'tick' || twin.nightRetriedAt === 0) return
  if (twin.quotes.has(command.quote.instrumentId)) return
  twin.quotes.set(command.quote.instrumentId, command.quote)
  twin.nightRetriedAt = 0
}

type AskedCommand = Exclude<Command, { type: 'tick' | 'clock' }>

/** The same request takes effect once. */
function ask(twin: Twin, command: AskedCommand, events: PlainEvent[]): Answer {
  const request = ('request' in command && command.request) || null
  const isRemembered = (entry: TwinEntry) => command.at - entry.at <= REMEMBERED_MS
  const earlier =
    request && twin.requests.findLast((entry) => isRemembered(entry) && isSameRequest(entry, request))
  if (earlier?.request && request) {
    if (earlier.request.digest !== request.digest) return { ...DONE, refused: 'requestIdReused' }
    return { ...DONE, repeated: earlier }
  }
  const own: PlainEvent[] = []
  const refused = act(twin, command, own)
  events.push(...own)
  if (request && !refused) twin.requests.push({ at: command.at, request, events: own })
  return { ...DONE, refused, request: refused ? null : request }
}

/** The same id from the same user on the same call. */
export const isSameRequest = ({ request }: TwinEntry, asked: PlainRequest): boolean =>
  request?.accountId === asked.accountId && request.call === asked.call && request.id === asked.id

function act(twin: Twin, command: AskedCommand, events: PlainEvent[]): RejectionCode | null {
  switch (command.type) {
    case 'openAccount':
      openAccount(twin, command, events)
      return null
    case 'haltInstrument':
      return halt(twin, command, events)
    case 'setTradingMode':
      twin.mode = command.mode
      events.push({ type: 'tradingModeSet', mode: command.mode })
      return null
    default:
      return actForUser(twin, command, events)
  }
}

/** Carries out what was checked and found right. */
function actForUser(twin: Twin, command: UserCommand, events: PlainEvent[]): RejectionCode | null {
  const { at } = command
  const end: End = { reason: 'user', trigger: 'user', at, events }
  const did = <Found>(
    checked: { refused: RejectionCode } | { refused: null; found: Found },
    carryOut: (found: Found) => void,
  ): RejectionCode | null => {
    if (checked.refused === null) carryOut(checked.found)
    return checked.refused
  }
  switch (command.type) {
    case 'placeOrder':
      return did(checkPlace(twin, command), ({ market, cost }) =>
        place(twin, command, { market, cost, events }),
      )
    case 'closePosition':
      return did(checkClose(twin, command), (closable) => closeOrReduce(twin, closable, end))
    case 'closeAll':
      return did(checkCloseAll(twin, command), (all) => all.forEach((closable) => close(twin, closable, end)))
    case 'reversePosition':
      return did(checkReverse(twin, command), ({ closed, opened, command: opposite }) => {
        close(twin, closed, end)
        place(twin, opposite, { ...opened, events })
      })
    case 'cancelOrder':
      return did(checkCancel(twin, command), (order) =>
        cancel(twin, order, { ...end, reason: 'cancelledByUser' }),
      )
    case 'setStops':
      // A stop set by hand stands where it was put.
      return did(checkSetStops(twin, command), (order) => {
        if (order.trailingDistance !== null) twin.notes.push('trailing ended by a stop set by hand')
        setStops(order, { ...command, trailingDistance: null }, events)
      })
    case 'setTrailing':
      return did(checkTrailing(twin, command), ({ order, stopLoss }) =>
        setStops(order, { ...order, stopLoss, trailingDistance: command.distance }, events),
      )
    case 'resetDemo':
      return did(checkReset(twin, command), () => reset(twin, command.accountId, at, events))
  }
}

function closeOrReduce(twin: Twin, closable: Closable, end: End): void {
  if (closable.lots === closable.order.lots) close(twin, closable, end)
  else reduce(twin, closable, end)
}

function halt(twin: Twin, command: HaltInstrument, events: PlainEvent[]): RejectionCode | null {
  const { instrumentId, reason, at } = command
  if (!twin.instruments.some(({ id }) => id === instrumentId)) return 'unknownInstrument'
  twin.notes.push(noteOfHalt(reason !== null, isHalted(twin, instrumentId)))
  if (reason === null) {
    for (const known of twin.halts) {
      if (known.instrumentId === instrumentId && known.until === Infinity) known.until = at
    }
  } else if (!isHalted(twin, instrumentId)) twin.halts.push({ instrumentId, from: at, until: Infinity })
  events.push({ type: 'instrumentHalted', instrumentId, reason })
  return null
}

function noteOfHalt(isHalt: boolean, wasHalted: boolean): string {
  if (isHalt) return wasHalted ? 'halted once more' : 'halted'
  return wasHalted ? 'halt ended' : 'halt ended that was none'
}

/** Nights count from the first account on: those before it concern nobody. */
function openAccount(twin: Twin, { ledger, at }: OpenAccount, events: PlainEvent[]): void {
  if (twin.accounts.length === 0) {
    twin.lastNight = twin.hours.closesBetween(at - 2 * DAY_MS, at).at(-1)?.at ?? 0
  }
  const accountId = twin.accounts.length + 1
  twin.accounts.push({ id: accountId, ledger })
  const start = ledger === 'demo' ? twin.settings.demoBalance : 0n
  const why = { house: 'demoIssue', kind: 'demoIssue', at } as const
  const transfers = settle(twin, { accountId, orderId: null }, start, why)
  events.push({ type: 'accountOpened', accountId, ledger, transfers })
}

function place(
  twin: Twin,
  command: PlaceOrder,
  { market, cost, events }: { market: TwinMarket; cost: TwinCost; events: PlainEvent[] },
): void {
  const { at, targetPrice } = command
  const order = newOrder(twin, command, market, cost)
  if (targetPrice === null) {
    const requestedPrice = openingAt(command.side, market.quote)
    open(twin, order, { market, cost, trigger: 'user', requestedPrice, at, events })
    return
  }
  twin.living.push(order)
  const receipt = noteReceipt({
    action: 'place',
    trigger: 'user',
    quote: market.quote,
    conversion: market.rate.quotes,
    requestedPrice: targetPrice,
    at,
  })
  events.push({ type: 'orderPlaced', ...termsOf(order), receipt })
}

function newOrder(twin: Twin, command: PlaceOrder, { quote }: TwinMarket, cost: TwinCost): TwinOrder {
  const { targetPrice, side } = command
  const opening = openingAt(side, quote)
  const isBetter = targetPrice !== null && (side === 'buy' ? targetPrice < opening : targetPrice > opening)
  return {
    orderId: ++twin.lastOrderId,
    accountId: command.accountId,
    instrumentId: command.instrumentId,
    side,
    kind: targetPrice === null ? 'market' : isBetter ? 'limit' : 'stop',
    lots: command.lots,
    leverage: command.leverage,
    targetPrice,
    acceptedPrice: targetPrice ?? Number(rounded({ over: BigInt(quote.bid + quote.ask), under: 2n })),
    takeProfit: command.takeProfit,
    stopLoss: command.stopLoss,
    trailingDistance: null,
    expiresAt: command.expiresAt,
    createdAt: command.at,
    ...cost,
    status: 'pending',
    openPrice: null,
    openedAt: null,
    openedSeq: 0,
    financedAt: 0,
    reason: 'none',
    parentId: null,
  }
}
