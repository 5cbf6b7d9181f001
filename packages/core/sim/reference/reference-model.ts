/**
 * The reference model: trading-rules.md implemented a second time, slowly and obviously, as the oracle of the
 * simulation. It shares no code with the core, keeps no index, has no stop-out price bands and checks every order on
 * every tick.
 */
import type {
  Command,
  CopyingCommand,
  OpenAccount,
  PlaceOrder,
  RejectionCode,
  SetStops,
  UserCommand,
} from '../../src/index.ts'
import type { PlainEvent, PlainPosting, PlainRequest, PlainTrailedStop } from '../plain-types.ts'
import { closeAccount } from './accounts.ts'
import { endAlerts, removeAlert, setAlert } from './alerts.ts'
import { openDeposit } from './deposits.ts'
import { changePayoutMethod } from './payout-methods.ts'
import { cancelWithdrawal, requestWithdrawal } from './withdrawals.ts'
import { cancel, close, open, reduce, reset, setStops, bookTransfer, termsOf, type End } from './deals.ts'
import { settleAccount, reportMoments, sweepAccounts } from './due-work.ts'
import { withMarkUp } from './mark-up.ts'
import { rounded } from './money.ts'
import { executeForOperator } from './operators.ts'
import {
  checkCancel,
  checkClose,
  checkCloseAll,
  checkReset,
  checkReverse,
  checkSetStops,
  checkTrailing,
  isFrozen,
  type Closable,
} from './order-validation.ts'
import { noteReceipt, withKind } from './receipt.ts'
import { checkPlace, isLimitReached, type ReferenceCost } from './refusals.ts'
import type { ReferenceMarket } from './market.ts'
import {
  openingAt,
  type Moment,
  type ReferenceModel,
  type ReferenceEntry,
  type ReferenceOrder,
} from './state.ts'
import { expire, onTick } from './tick.ts'

const RETENTION_MS = 48 * 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000

/** All that one command did: due work first, then the request itself. */
export type ReferenceDone = {
  readonly at: number
  readonly request: PlainRequest | null
  readonly refused: RejectionCode | null
  readonly events: readonly PlainEvent[]
  /** How many of the events are due work before the command; their author is the clock. */
  readonly due: number
  readonly rows: readonly PlainPosting[]
  readonly trailed: readonly PlainTrailedStop[]
  /** The result of the same request when it was first sent. */
  readonly repeated: ReferenceEntry | null
}

type Answer = Pick<ReferenceDone, 'request' | 'refused' | 'repeated'>
const DONE: Answer = { request: null, refused: null, repeated: null }

/**
 * What the core did; after a crash or a slice of due work (`isPartial`) the reference model stops where the core
 * stopped.
 */
export type CoreDid = { readonly events: readonly PlainEvent[]; readonly isPartial: boolean }

/** Carries a command out, or rejects it. Events are added in their order. */
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

/** Passed moments come first, then the due work of the account that the command concerns. */
function* carryOut(
  model: ReferenceModel,
  command: Command,
  moment: Moment,
  before: { due: number },
): Generator<void, Answer, void> {
  yield* reportMoments(model, moment)
  const affected = affectedBy(model, command)
  if (affected !== null) yield* settleAccount(model, affected, moment)
  before.due = moment.events.length
  switch (command.type) {
    case 'tick':
      yield* onTick(model, withMarkUp(model, command.quote), moment)
      return DONE
    case 'clock':
      yield* expire(model, moment)
      yield* endAlerts(model, moment)
      yield* sweepAccounts(model, moment)
      return DONE
    default:
      return handleRequest(model, command as RequestedCommand, moment.events)
  }
}

/** The account whose swaps come first; a command does not wait for those of other accounts. */
function affectedBy(model: ReferenceModel, command: Command): number | null {
  if ('accountId' in command) return command.accountId
  if (!('caseId' in command)) return null
  return model.cases.find(({ id, end }) => id === command.caseId && end === null)?.accountId ?? null
}

/** The simulation has no copies yet. */
type RequestedCommand = Exclude<Command, { type: 'tick' | 'clock' } | CopyingCommand>

/** The same request takes effect once. */
function handleRequest(model: ReferenceModel, command: RequestedCommand, events: PlainEvent[]): Answer {
  const request = ('request' in command && command.request) || null
  const isRetained = (entry: ReferenceEntry) => command.at - entry.at <= RETENTION_MS
  const earlier =
    request && model.requests.findLast((entry) => isRetained(entry) && isSameRequest(entry, request))
  if (earlier?.request && request) {
    if (earlier.request.digest !== request.digest) return { ...DONE, refused: 'requestIdReused' }
    return { ...DONE, repeated: earlier }
  }
  const own: PlainEvent[] = []
  const refused = execute(model, command, own)
  for (const event of own) if (isKeptInPast(event)) model.past.push({ at: command.at, event })
  events.push(...own)
  if (request && !refused) model.requests.push({ at: command.at, request, events: own })
  return { ...DONE, refused, request: refused ? null : request }
}

const isKeptInPast = (event: PlainEvent): boolean =>
  'caseId' in event || /^(operator|recovery|singleOperatorEnded)/.test(event.type)

/** The same id from the same user on the same call. */
export const isSameRequest = ({ request }: ReferenceEntry, requested: PlainRequest): boolean =>
  request?.accountId === requested.accountId && request.call === requested.call && request.id === requested.id

function execute(
  model: ReferenceModel,
  command: RequestedCommand,
  events: PlainEvent[],
): RejectionCode | null {
  if (command.type === 'openAccount') {
    openAccount(model, command, events)
    return null
  }
  return 'by' in command ? executeForOperator(model, command, events) : executeForUser(model, command, events)
}

/** Carries out what passed its checks. */
function executeForUser(
  model: ReferenceModel,
  command: Exclude<UserCommand, CopyingCommand>,
  events: PlainEvent[],
): RejectionCode | null {
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
      return did(checkReset(model, command), () => reset(model, command, events))
    case 'openDeposit':
      return openDeposit(model, command, events)
    case 'requestWithdrawal':
      return requestWithdrawal(model, command, events)
    case 'cancelWithdrawal':
      return cancelWithdrawal(model, command, events)
    case 'closeAccount':
      return closeAccount(model, command, events)
    case 'setAlert':
      return setAlert(model, command, events)
    case 'removeAlert':
      return removeAlert(model, command, events)
    case 'bindPayoutMethod':
    case 'removePayoutMethod':
      return changePayoutMethod(model, command, events)
  }
}

/** A stop set by hand stops trailing; an unchanged one goes on trailing. */
function moveStops(
  model: ReferenceModel,
  order: ReferenceOrder,
  command: SetStops,
  events: PlainEvent[],
): void {
  const { takeProfit = order.takeProfit, stopLoss = order.stopLoss } = command
  if (command.takeProfit === undefined || command.stopLoss === undefined)
    model.notes.push('a stop left out of a change')
  const isSame = stopLoss === order.stopLoss
  if (order.trailingDistance !== null)
    model.notes.push(
      isSame
        ? 'trailing continues after a new take profit'
        : isFrozen(model, order)
          ? 'trailing continues after a nearer stop of a frozen account'
          : 'trailing ended by a stop set by hand',
    )
  const isKept = isSame || (isFrozen(model, order) && stopLoss !== null)
  setStops(order, { takeProfit, stopLoss, trailingDistance: isKept ? order.trailingDistance : null }, events)
}

function closeOrReduce(model: ReferenceModel, closable: Closable, end: End): void {
  if (closable.lots === closable.order.lots) close(model, closable, end)
  else reduce(model, closable, end)
}

/** Hours and rollovers count from the first account on. */
function openAccount(model: ReferenceModel, { ledger, at }: OpenAccount, events: PlainEvent[]): void {
  if (model.accounts.length === 0) {
    model.lastPriceSnapshot = at - (at % HOUR_MS)
    model.lastRollover = model.hours.closesBetween(at - 2 * DAY_MS, at).at(-1)?.at ?? 0
  }
  const accountId = model.accounts.length + 1
  model.accounts.push({
    id: accountId,
    ledger,
    status: 'active',
    statusReason: '',
    freeze: null,
    recentFreeze: null,
  })
  const start = ledger === 'demo' ? model.settings.demoBalance : 0n
  const posting = { brokerAccount: 'demoIssue', kind: 'demoIssue', at } as const
  const transfers = bookTransfer(model, { accountId, orderId: null }, start, posting)
  events.push({ type: 'accountOpened', accountId, ledger, transfers })
}

function place(
  model: ReferenceModel,
  command: PlaceOrder,
  { market, cost, events }: { market: ReferenceMarket; cost: ReferenceCost; events: PlainEvent[] },
): void {
  const { at, targetPrice } = command
  const order = newOrder(model, command, market, cost)
  if (targetPrice === null || isLimitReached(command, market)) {
    if (targetPrice !== null) model.notes.push('limit order filled at once')
    const requestedPrice = targetPrice ?? openingAt(command.side, market.quote)
    open(model, order, { market, cost, trigger: 'user', requestedPrice, at, events })
    return
  }
  model.active.push(order)
  const receipt = noteReceipt({
    action: 'place',
    trigger: 'user',
    quote: market.quote,
    conversion: market.rate.quotes,
    requestedPrice: targetPrice,
    at,
    terms: model.termsVersion,
  })
  events.push({ type: 'orderPlaced', ...termsOf(order), receipt: withKind(receipt, order) })
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
    kind: targetPrice === null ? 'market' : (command.kind ?? (isBetter ? 'limit' : 'stop')),
    lots: command.lots,
    leverage: command.leverage,
    targetPrice,
    acceptedPrice:
      targetPrice ?? Number(rounded({ numerator: BigInt(quote.bid + quote.ask), denominator: 2n })),
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
