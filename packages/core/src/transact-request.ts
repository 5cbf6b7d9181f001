/** Commands of users and operators: each takes effect as a whole, or is refused and changes nothing. */
import { figuresOf, floatingProfit } from './margin/account-figures.ts'
import type { Author } from './author.ts'
import type { CloseAll, Command, ReversePosition } from './command.ts'
import { decide, type Decision } from './decide.ts'
import { decideClose } from './orders/decide-close.ts'
import { decidePlace } from './orders/decide-place.ts'
import { checkStatus } from './accounts/decide-status.ts'
import type { Request } from './event.ts'
import { rememberedRequest, rememberRequest } from './request-memory.ts'
import { canBook } from './money/booking-range.ts'
import { money, NO_MONEY, type Money } from './money/number.ts'
import { isHolding, opposite, type Position } from './orders/order.ts'
import { withoutPosition } from './margin/account-snapshot.ts'
import { apply, begin, finish, MOST_WATCHED, watchTouched, type Outcome, type Progress } from './outcome.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import type { Core, DecisionContext } from './core.ts'
import type { Account, RememberedRequest, State } from './state.ts'

type AskedCommand = Exclude<Command, { type: 'tick' | 'clock' }>

/** The account that a command is about; null where it is about none, or about one that does not exist. */
export function concernedAccount(
  state: Pick<State, 'accounts' | 'cases'>,
  command: AskedCommand,
): Account | null {
  const accountId =
    'accountId' in command
      ? command.accountId
      : 'caseId' in command
        ? state.cases.get(command.caseId)?.accountId
        : undefined
  return accountId === undefined ? null : (state.accounts.get(accountId) ?? null)
}

/** Who stands behind a command: an operator, the deployment, or the user it belongs to. */
function authorOf({ lastAccountId }: State, command: AskedCommand): Author {
  if ('by' in command) return command.by
  return { type: 'user', accountId: 'accountId' in command ? command.accountId : lastAccountId + 1 }
}

export function transactRequest(core: Core, command: AskedCommand): Outcome | Rejection {
  const { state, touched } = core
  const request = 'request' in command && command.request ? command.request : null
  const author = authorOf(state, command)
  const earlier = request && rememberedRequest(state, request, command.at)
  const progress = begin(core, command.at, author)
  if (request && earlier) return repeat(progress, request, earlier)
  const refused = carryOut(progress, command)
  if (refused) return refused
  // Many may have changed since the last tick: some of their safe prices are worked out before it comes.
  if (touched.size > MOST_WATCHED) watchTouched(core, MOST_WATCHED)
  const outcome = finish(progress, request)
  rememberRequest(core, outcome.entry)
  return outcome
}

function repeat(progress: Progress, request: Request, earlier: RememberedRequest): Outcome | Rejection {
  if (earlier.digest !== request.digest) return reject('requestIdReused', { requestId: request.id })
  return { ...finish(progress, request), repeatOf: earlier.row }
}

/** Applies what a command leads to; answers why it is refused, and has then applied nothing. */
function carryOut(progress: Progress, command: AskedCommand): Rejection | null {
  switch (command.type) {
    case 'closeAll':
      return closeAll(progress, command)
    case 'reversePosition':
      return applyDecision(progress, decideReverse(progress.core, command))
    default:
      return applyDecision(progress, decide(progress.core, command))
  }
}

function applyDecision(progress: Progress, decision: Decision): Rejection | null {
  if (isRejection(decision)) return decision
  if (!canBook(progress.core.state, decision)) return reject('amountOutOfRange')
  apply(progress, decision)
  return null
}

/** What cannot be closed now stays; refused only when nothing could, for the reason of the first. */
function closeAll(progress: Progress, command: CloseAll): Rejection | null {
  const { core } = progress
  const account = core.state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  const barred = checkStatus(account, command)
  if (barred) return barred
  const positions = [...account.orders.values()].filter(isHolding).toSorted((a, b) => a.id - b.id)
  const refusals = positions.flatMap(
    (order) => applyDecision(progress, decideClose(core, command, account, order)) ?? [],
  )
  return progress.events.length > 0 ? null : (refusals[0] ?? reject('nothingToClose'))
}

/** Both halves are checked before either is applied; what an opening needs is all that a close needs. */
function decideReverse(context: DecisionContext, command: ReversePosition): Decision {
  const { state } = context
  const account = state.accounts.get(command.accountId)
  const order = account?.orders.get(command.orderId)
  if (!account) return reject('accountNotFound')
  const barred = checkStatus(account, command)
  if (barred) return barred
  if (!order) return reject('orderNotFound', { orderId: command.orderId })
  if (!isHolding(order)) return reject('orderNotHolding', { orderId: order.id })
  const opened = decidePlace(context, oppositeOrder(command, order), account, {
    free: freeAfter(state, account, order),
    // The one that it closes makes room for it.
    living: account.orders.size - 1,
  })
  if (isRejection(opened)) return opened
  const closed = decideClose(context, { at: command.at }, account, order)
  return isRejection(closed) ? closed : [...closed, ...opened]
}

const oppositeOrder = ({ accountId, at }: ReversePosition, order: Position) => ({
  type: 'placeOrder' as const,
  accountId,
  at,
  instrumentId: order.instrumentId,
  side: opposite(order.side),
  lots: order.lots,
  leverage: order.leverage,
  targetPrice: null,
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
})

/** What will be free once a position has closed at the prices of now. Without one the order is refused, whatever is free. */
const freeAfter = (state: State, account: Account, order: Position): Money =>
  money(figuresOf(state, withoutPosition(account, order)).free + (floatingProfit(state, order) ?? NO_MONEY))
