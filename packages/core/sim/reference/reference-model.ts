/**
 * The reference model engine: trading-rules.md once more, slow and obvious, as the oracle of the simulation. It shares no code with
 * the core, keeps no index, knows no safe prices and looks at every order on every tick.
 */
import type {
  Command,
  OpenAccount,
  PlaceOrder,
  RejectionCode,
  SetStops,
  UserCommand,
} from '../../src/index.ts'
import type { PlainEvent, PlainPosting, PlainRequest, PlainTrailedStop } from '../plain.ts'
import { cancelWithdrawal, closeAccount, openDeposit, requestWithdrawal } from './cases.ts'
import { cancel, close, open, reduce, reset, setStops, settle, termsOf, type End } from './deals.ts'
import { settleAccount, tellMoments, workOff } from './due-work.ts'
import { published } from './mark-up.ts'
import { rounded } from './money.ts'
import { actForOperator } from './operators.ts'
import {
  checkCancel,
  checkClose,
  checkCloseAll,
  checkReset,
  checkReverse,
  checkSetStops,
  checkTrailing,
  type Closable,
} from './order-validation.ts'
import { noteReceipt } from './receipt.ts'
import { checkPlace, type ReferenceCost } from './refusals.ts'
import type { ReferenceMarket } from './market.ts'
import {
  openingAt,
  type Moment,
  type ReferenceModel,
  type ReferenceEntry,
  type ReferenceOrder,
} from './state.ts'
import { expire, onTick } from './tick.ts'

const REMEMBERED_MS = 48 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000

/** All that one command did: what was due before it, and what it asked. */
export type ReferenceDone = {
  readonly at: number
  readonly request: PlainRequest | null
  readonly refused: RejectionCode | null
  readonly events: readonly PlainEvent[]
  /** How many of the events were due before the command itself: they are the clock's. */
  readonly due: number
  readonly rows: readonly PlainPosting[]
  readonly trailed: readonly PlainTrailedStop[]
  /** What the request did when it was sent before. */
  readonly repeated: ReferenceEntry | null
}

type Answer = Pick<ReferenceDone, 'request' | 'refused' | 'repeated'>
const DONE: Answer = { request: null, refused: null, repeated: null }

/** What the core did, and whether the reference model must do the whole: a crash, or a slice of due work, ends it where it ends. */
export type CoreDid = { readonly events: readonly PlainEvent[]; readonly isPartial: boolean }

/** Carries a command out, or says why not. What has happened is added to `events` in its order. */
export function perform(model: ReferenceModel, command: Command, core: CoreDid): ReferenceDone {
  const rowCount = model.rows.length
  const events: PlainEvent[] = []
  const before = { due: Infinity }
  const most = core.isPartial ? core.events.length : Infinity
  const work = carryOut(model, command, { at: command.at, events, core: core.events }, before)
  let answer: Answer = DONE
  for (let isDone = false; !isDone && events.length < most;) {
    const next = work.next()
    if (next.done) answer = next.value
    isDone = next.done === true
  }
  const trailed = model.trailed
  model.trailed = []
  const due = Math.min(before.due, events.length)
  return { at: command.at, events, due, rows: model.rows.slice(rowCount), trailed, ...answer }
}

/** Moments that have passed come first, then what is due on the account that the command is about. */
function* carryOut(
  model: ReferenceModel,
  command: Command,
  moment: Moment,
  before: { due: number },
): Generator<void, Answer, void> {
  yield* tellMoments(model, moment)
  const concerned = concernedBy(model, command)
  if (concerned !== null) yield* settleAccount(model, concerned, moment)
  before.due = moment.events.length
  switch (command.type) {
    case 'tick':
      yield* onTick(model, published(model, command.quote), moment)
      return DONE
    case 'clock':
      yield* expire(model, moment)
      yield* workOff(model, moment)
      return DONE
    default:
      return ask(model, command, moment.events)
  }
}

/** Nobody else's nights are looked at: an order does not wait for them. */
function concernedBy(model: ReferenceModel, command: Command): number | null {
  if ('accountId' in command) return command.accountId
  if (!('caseId' in command)) return null
  return model.cases.find(({ id, end }) => id === command.caseId && end === null)?.accountId ?? null
}

type AskedCommand = Exclude<Command, { type: 'tick' | 'clock' }>

/** The same request takes effect once. */
function ask(model: ReferenceModel, command: AskedCommand, events: PlainEvent[]): Answer {
  const request = ('request' in command && command.request) || null
  const isRemembered = (entry: ReferenceEntry) => command.at - entry.at <= REMEMBERED_MS
  const earlier =
    request && model.requests.findLast((entry) => isRemembered(entry) && isSameRequest(entry, request))
  if (earlier?.request && request) {
    if (earlier.request.digest !== request.digest) return { ...DONE, refused: 'requestIdReused' }
    return { ...DONE, repeated: earlier }
  }
  const own: PlainEvent[] = []
  const refused = act(model, command, own)
  events.push(...own)
  if (request && !refused) model.requests.push({ at: command.at, request, events: own })
  return { ...DONE, refused, request: refused ? null : request }
}

/** The same id from the same user on the same call. */
export const isSameRequest = ({ request }: ReferenceEntry, asked: PlainRequest): boolean =>
  request?.accountId === asked.accountId && request.call === asked.call && request.id === asked.id

function act(model: ReferenceModel, command: AskedCommand, events: PlainEvent[]): RejectionCode | null {
  if (command.type === 'openAccount') {
    openAccount(model, command, events)
    return null
  }
  return 'by' in command ? actForOperator(model, command, events) : actForUser(model, command, events)
}

/** Carries out what was checked and found right. */
function actForUser(model: ReferenceModel, command: UserCommand, events: PlainEvent[]): RejectionCode | null {
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
      return did(checkPlace(model, command), ({ market, cost }) =>
        place(model, command, { market, cost, events }),
      )
    case 'closePosition':
      return did(checkClose(model, command), (closable) => closeOrReduce(model, closable, end))
    case 'closeAll':
      return did(checkCloseAll(model, command), (all) =>
        all.forEach((closable) => close(model, closable, end)),
      )
    case 'reversePosition':
      return did(checkReverse(model, command), ({ closed, opened, command: opposite }) => {
        close(model, closed, end)
        place(model, opposite, { ...opened, events })
      })
    case 'cancelOrder':
      return did(checkCancel(model, command), (order) =>
        cancel(model, order, { ...end, reason: 'cancelledByUser' }),
      )
    case 'setStops':
      return did(checkSetStops(model, command), (order) => moveStops(model, order, command, events))
    case 'setTrailing':
      return did(checkTrailing(model, command), ({ order, stopLoss }) =>
        setStops(order, { ...order, stopLoss, trailingDistance: command.distance }, events),
      )
    case 'resetDemo':
      return did(checkReset(model, command), () => reset(model, command.accountId, at, events))
    case 'openDeposit':
      return openDeposit(model, command, events)
    case 'requestWithdrawal':
      return requestWithdrawal(model, command, events)
    case 'cancelWithdrawal':
      return cancelWithdrawal(model, command, events)
    case 'closeAccount':
      return closeAccount(model, command, events)
  }
}

/** A stop set by hand stands where it was put; one that stays what it was goes on trailing. */
function moveStops(
  model: ReferenceModel,
  order: ReferenceOrder,
  command: SetStops,
  events: PlainEvent[],
): void {
  const isSame = command.stopLoss === order.stopLoss
  if (order.trailingDistance !== null)
    model.notes.push(
      isSame ? 'trailing goes on under a new take profit' : 'trailing ended by a stop set by hand',
    )
  setStops(order, { ...command, trailingDistance: isSame ? order.trailingDistance : null }, events)
}

function closeOrReduce(model: ReferenceModel, closable: Closable, end: End): void {
  if (closable.lots === closable.order.lots) close(model, closable, end)
  else reduce(model, closable, end)
}

/** Hours and nights count from the first account on: those before it concern nobody. */
function openAccount(model: ReferenceModel, { ledger, at }: OpenAccount, events: PlainEvent[]): void {
  if (model.accounts.length === 0) {
    model.lastMark = at - (at % HOUR_MS)
    model.lastNight = model.hours.closesBetween(at - 2 * DAY_MS, at).at(-1)?.at ?? 0
  }
  const accountId = model.accounts.length + 1
  model.accounts.push({ id: accountId, ledger, status: 'active', statusReason: '' })
  const start = ledger === 'demo' ? model.settings.demoBalance : 0n
  const why = { house: 'demoIssue', kind: 'demoIssue', at } as const
  const transfers = settle(model, { accountId, orderId: null }, start, why)
  events.push({ type: 'accountOpened', accountId, ledger, transfers })
}

function place(
  model: ReferenceModel,
  command: PlaceOrder,
  { market, cost, events }: { market: ReferenceMarket; cost: ReferenceCost; events: PlainEvent[] },
): void {
  const { at, targetPrice } = command
  const order = newOrder(model, command, market, cost)
  if (targetPrice === null) {
    const requestedPrice = openingAt(command.side, market.quote)
    open(model, order, { market, cost, trigger: 'user', requestedPrice, at, events })
    return
  }
  model.living.push(order)
  const receipt = noteReceipt({
    action: 'place',
    trigger: 'user',
    quote: market.quote,
    conversion: market.rate.quotes,
    requestedPrice: targetPrice,
    at,
    terms: model.termsVersion,
  })
  events.push({ type: 'orderPlaced', ...termsOf(order), receipt })
}

function newOrder(
  model: ReferenceModel,
  command: PlaceOrder,
  { quote }: ReferenceMarket,
  cost: ReferenceCost,
): ReferenceOrder {
  const { targetPrice, side } = command
  const opening = openingAt(side, quote)
  const isBetter = targetPrice !== null && (side === 'buy' ? targetPrice < opening : targetPrice > opening)
  return {
    orderId: ++model.lastOrderId,
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
