/**
 * The twin engine: trading-rules.md once more, slow and obvious, as the oracle of the simulation. It shares no code with
 * the core, keeps no index, knows no safe prices and looks at every order on every tick.
 */
import type { Command, OpenAccount, PlaceOrder, RejectionCode, SetStops, UserCommand } from '../src/index.ts'
import type { PlainEvent, PlainPosting, PlainRequest, PlainTrailedStop } from './plain.ts'
import { cancelWithdrawal, openDeposit, requestWithdrawal } from './twin-cases.ts'
import { cancel, close, open, reduce, reset, setStops, settle, termsOf, type End } from './twin-deals.ts'
import { settleAccount, tellMoments, workOff } from './twin-due.ts'
import { rounded } from './twin-money.ts'
import { actForOperator } from './twin-operators.ts'
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
import { openingAt, type Moment, type Twin, type TwinEntry, type TwinOrder } from './twin-state.ts'
import { expire, onTick } from './twin-tick.ts'

const REMEMBERED_MS = 48 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000

/** All that one command did: what was due before it, and what it asked. */
export type TwinDone = {
  readonly at: number
  readonly request: PlainRequest | null
  readonly refused: RejectionCode | null
  readonly events: readonly PlainEvent[]
  /** How many of the events were due before the command itself: they are the clock's. */
  readonly due: number
  readonly rows: readonly PlainPosting[]
  readonly trailed: readonly PlainTrailedStop[]
  /** What the request did when it was sent before. */
  readonly repeated: TwinEntry | null
}

type Answer = Pick<TwinDone, 'request' | 'refused' | 'repeated'>
const DONE: Answer = { request: null, refused: null, repeated: null }

/** What the core did, and whether the twin must do the whole: a crash, or a slice of due work, ends it where it ends. */
export type CoreDid = { readonly events: readonly PlainEvent[]; readonly isPartial: boolean }

/** Carries a command out, or says why not. What has happened is added to `events` in its order. */
export function perform(twin: Twin, command: Command, core: CoreDid): TwinDone {
  const rowCount = twin.rows.length
  const events: PlainEvent[] = []
  const before = { due: Infinity }
  const most = core.isPartial ? core.events.length : Infinity
  const work = carryOut(twin, command, { at: command.at, events, core: core.events }, before)
  let answer: Answer = DONE
  for (let isDone = false; !isDone && events.length < most;) {
    const next = work.next()
    if (next.done) answer = next.value
    isDone = next.done === true
  }
  const trailed = twin.trailed
  twin.trailed = []
  const due = Math.min(before.due, events.length)
  return { at: command.at, events, due, rows: twin.rows.slice(rowCount), trailed, ...answer }
}

/** Moments that have passed come first, then what is due on the account that the command is about. */
function* carryOut(
  twin: Twin,
  command: Command,
  moment: Moment,
  before: { due: number },
): Generator<void, Answer, void> {
  yield* tellMoments(twin, moment)
  const concerned = concernedBy(twin, command)
  if (concerned !== null) yield* settleAccount(twin, concerned, moment)
  before.due = moment.events.length
  switch (command.type) {
    case 'tick':
      yield* onTick(twin, command.quote, moment)
      return DONE
    case 'clock':
      yield* expire(twin, moment)
      yield* workOff(twin, moment)
      return DONE
    default:
      return ask(twin, command, moment.events)
  }
}

/** Nobody else's nights are looked at: an order does not wait for them. */
function concernedBy(twin: Twin, command: Command): number | null {
  if ('accountId' in command) return command.accountId
  if (!('caseId' in command)) return null
  return twin.cases.find(({ id, end }) => id === command.caseId && end === null)?.accountId ?? null
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
  if (command.type === 'openAccount') {
    openAccount(twin, command, events)
    return null
  }
  return 'by' in command ? actForOperator(twin, command, events) : actForUser(twin, command, events)
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
      return did(checkSetStops(twin, command), (order) => moveStops(twin, order, command, events))
    case 'setTrailing':
      return did(checkTrailing(twin, command), ({ order, stopLoss }) =>
        setStops(order, { ...order, stopLoss, trailingDistance: command.distance }, events),
      )
    case 'resetDemo':
      return did(checkReset(twin, command), () => reset(twin, command.accountId, at, events))
    case 'openDeposit':
      return openDeposit(twin, command, events)
    case 'requestWithdrawal':
      return requestWithdrawal(twin, command, events)
    case 'cancelWithdrawal':
      return cancelWithdrawal(twin, command, events)
  }
}

/** A stop set by hand stands where it was put; one that stays what it was goes on trailing. */
function moveStops(twin: Twin, order: TwinOrder, command: SetStops, events: PlainEvent[]): void {
  const isSame = command.stopLoss === order.stopLoss
  if (order.trailingDistance !== null)
    twin.notes.push(
      isSame ? 'trailing goes on under a new take profit' : 'trailing ended by a stop set by hand',
    )
  setStops(order, { ...command, trailingDistance: isSame ? order.trailingDistance : null }, events)
}

function closeOrReduce(twin: Twin, closable: Closable, end: End): void {
  if (closable.lots === closable.order.lots) close(twin, closable, end)
  else reduce(twin, closable, end)
}

/** Hours and nights count from the first account on: those before it concern nobody. */
function openAccount(twin: Twin, { ledger, at }: OpenAccount, events: PlainEvent[]): void {
  if (twin.accounts.length === 0) {
    twin.lastMark = at - (at % HOUR_MS)
    twin.lastNight = twin.hours.closesBetween(at - 2 * DAY_MS, at).at(-1)?.at ?? 0
  }
  const accountId = twin.accounts.length + 1
  twin.accounts.push({ id: accountId, ledger, status: 'active', statusReason: '' })
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
    terms: twin.termsVersion,
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
