import type { AccountStatus, Author, EndReason, Event, Money, OperatorRole, Posting } from '@fairlot/core'
import type { Committed } from '../engine/engine.ts'
import type { IdentityFaultFound } from '../i18n/identity-faults.ts'
import { userOf } from '../engine/projection/row-mapping.ts'

/** Who is behind an operator's act: the role, never the name. */
type ByOperator = { readonly role: OperatorRole; readonly reason: string }

/** What a user is told in words: about one order that ended by itself, about all that a stop-out ended, or about an operator's act. */
export type NoticeFact =
  | { readonly kind: 'orderExpired' | 'orderNotFilled' | 'orderWithdrawn'; readonly orderId: number }
  | { readonly kind: 'stopOut'; readonly closed: number; readonly cancelled: number }
  | ({ readonly kind: 'orderClosedByOperator'; readonly orderId: number } & ByOperator)
  | { readonly kind: 'identityVerified' }
  | { readonly kind: 'identityRejected'; readonly faults: readonly IdentityFaultFound[] }
  | { readonly kind: 'identityUnverified'; readonly reason: string }
  | ({ readonly kind: 'accountStatus'; readonly status: AccountStatus } & ByOperator)
  | {
      readonly kind: 'depositEnded'
      readonly caseId: number
      readonly outcome: DepositOutcome
      readonly amount: Money
      readonly reason: string
    }
  | {
      readonly kind: 'withdrawalEnded'
      readonly caseId: number
      readonly outcome: 'paid' | 'rejected'
      readonly reason: string
    }
  /** No event: the desk tells it. */
  | { readonly kind: 'withdrawalApproved'; readonly caseId: number }
  | { readonly kind: 'supportAnswered'; readonly text: string }

/** What one commit has changed for one user. */
export type PrivateChange = {
  /** Epoch ms. */
  readonly at: number
  /** Orders that have changed, each once; a closed part is one of its own. */
  readonly orderIds: readonly number[]
  /** Positions that have ended. */
  readonly closedIds: readonly number[]
  readonly postings: readonly Posting[]
  /** A deposit or withdrawal has taken a step, whether money moved with it or not. */
  readonly hasCaseStep: boolean
  readonly notices: readonly NoticeFact[]
  /** The chat with the support has changed; answers that the user has not seen. */
  readonly chat?: { readonly unread: number }
}

type DepositOutcome = Extract<Event, { type: 'depositEnded' }>['outcome']

type Gathered = {
  readonly orderIds: Set<number>
  readonly closedIds: number[]
  readonly postings: Posting[]
  readonly acts: NoticeFact[]
  hasCaseStep: boolean
  readonly ended: { readonly orderId: number; readonly reason: EndReason; readonly isPending: boolean }[]
}

/** Who is told. Of all others nothing is worked out. */
export type IsTold = (userId: number) => boolean

/** What a commit has changed for each of the users who are told. */
export function privateChanges(
  { entry, postings, trailed }: Pick<Committed, 'entry' | 'postings' | 'trailed'>,
  isTold: IsTold,
): ReadonlyMap<number, PrivateChange> {
  const byUser = new Map<number, Gathered>()
  const of = (userId: number | null): Gathered | null => {
    if (userId === null || !isTold(userId)) return null
    const gathered = byUser.get(userId) ?? {
      orderIds: new Set(),
      closedIds: [],
      postings: [],
      hasCaseStep: false,
      acts: [],
      ended: [],
    }
    byUser.set(userId, gathered)
    return gathered
  }
  for (const event of entry.events) {
    gather(event, of)
    gatherAct(event, entry.author, of)
  }
  for (const { accountId, orderId } of trailed) of(accountId)?.orderIds.add(orderId)
  for (const posting of postings) of(userOf(posting.debit) ?? userOf(posting.credit))?.postings.push(posting)
  return new Map([...byUser].map(([userId, gathered]) => [userId, changeOf(entry.at, gathered)]))
}

function gather(event: Event, of: (userId: number) => Gathered | null): void {
  switch (event.type) {
    case 'orderPlaced':
    case 'positionOpened':
    case 'stopsSet':
    case 'swapBooked':
      of(event.accountId)?.orderIds.add(event.orderId)
      return
    case 'positionReduced':
      of(event.accountId)?.orderIds.add(event.orderId).add(event.partId)
      return
    case 'depositOpened':
    case 'depositEnded':
    case 'withdrawalHeld':
    case 'withdrawalEnded': {
      const gathered = of(event.accountId)
      if (gathered) gathered.hasCaseStep = true
      return
    }
    case 'orderCancelled':
    case 'positionClosed':
      return gatherEnd(of(event.accountId), event)
    default:
  }
}

/** What an operator did to a user, with the words for it. */
function gatherAct(event: Event, author: Author, of: (userId: number) => Gathered | null): void {
  if (author.type !== 'operator') return
  const by = { role: author.role, reason: author.reason }
  if (event.type === 'accountStatusSet')
    of(event.accountId)?.acts.push({ kind: 'accountStatus', status: event.status, ...by })
  if (event.type === 'positionClosed')
    of(event.accountId)?.acts.push({ kind: 'orderClosedByOperator', orderId: event.orderId, ...by })
  const { reason } = author
  if (event.type === 'depositEnded') {
    const { caseId, outcome, amount } = event
    of(event.accountId)?.acts.push({ kind: 'depositEnded', caseId, outcome, amount, reason })
  }
  if (event.type === 'withdrawalEnded' && event.outcome !== 'cancelled')
    of(event.accountId)?.acts.push({
      ...{ kind: 'withdrawalEnded', caseId: event.caseId, outcome: event.outcome, reason },
    })
}

function gatherEnd(
  gathered: Gathered | null,
  { type, orderId, reason }: Extract<Event, { type: 'orderCancelled' | 'positionClosed' }>,
): void {
  if (!gathered) return
  gathered.orderIds.add(orderId)
  gathered.ended.push({ orderId, reason, isPending: type === 'orderCancelled' })
  if (type === 'positionClosed') gathered.closedIds.push(orderId)
}

const changeOf = (
  at: number,
  { orderIds, closedIds, postings, hasCaseStep, acts, ended }: Gathered,
): PrivateChange => ({
  ...{ at, closedIds, postings, hasCaseStep },
  orderIds: [...orderIds],
  notices: [...noticesOf(ended), ...acts],
})

/** Ends of pending orders that nobody asked for. */
type EndKind = 'orderExpired' | 'orderNotFilled' | 'orderWithdrawn'
const TOLD_ENDS: Partial<Record<EndReason, EndKind>> = {
  expired: 'orderExpired',
  notEnoughAtTrigger: 'orderNotFilled',
  withdrawnByOperator: 'orderWithdrawn',
}

function noticesOf(ended: Gathered['ended']): NoticeFact[] {
  const stoppedOut = ended.filter(({ reason }) => reason === 'stopOut')
  const cancelled = stoppedOut.filter(({ isPending }) => isPending).length
  const single = ended.flatMap(({ orderId, reason }): NoticeFact[] => {
    const kind = TOLD_ENDS[reason]
    return kind ? [{ kind, orderId }] : []
  })
  return stoppedOut.length === 0
    ? single
    : [...single, { kind: 'stopOut', closed: stoppedOut.length - cancelled, cancelled }]
}
