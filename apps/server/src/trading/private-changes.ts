import type { EndReason, Event, LedgerAccountId, Posting } from '@fairlot/core'
import type { Committed } from '../engine/engine.ts'

/** What a user is told in words: about one order that ended by itself, or about all that a stop-out ended. */
export type NoticeFact =
  | { readonly kind: 'orderExpired' | 'orderNotFilled' | 'orderWithdrawn'; readonly orderId: number }
  | { readonly kind: 'stopOut'; readonly closed: number; readonly cancelled: number }

/** What one commit has changed for one user. */
export type PrivateChange = {
  /** Epoch ms. */
  readonly at: number
  /** Orders that have changed, each once; a closed part is one of its own. */
  readonly orderIds: readonly number[]
  /** Positions that have ended. */
  readonly closedIds: readonly number[]
  readonly postings: readonly Posting[]
  readonly notices: readonly NoticeFact[]
}

type Gathered = {
  readonly orderIds: Set<number>
  readonly closedIds: number[]
  readonly postings: Posting[]
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
    const gathered = byUser.get(userId) ?? { orderIds: new Set(), closedIds: [], postings: [], ended: [] }
    byUser.set(userId, gathered)
    return gathered
  }
  for (const event of entry.events) gather(event, of)
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
    case 'orderCancelled':
    case 'positionClosed':
      return gatherEnd(of(event.accountId), event)
    default:
  }
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

const changeOf = (at: number, { orderIds, closedIds, postings, ended }: Gathered): PrivateChange => ({
  ...{ at, closedIds, postings },
  orderIds: [...orderIds],
  notices: noticesOf(ended),
})

/** Ends of pending orders that nobody asked for. */
const TOLD_ENDS: Partial<Record<EndReason, Exclude<NoticeFact['kind'], 'stopOut'>>> = {
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

/** The user a ledger account belongs to; null for the house. */
function userOf(id: LedgerAccountId): number | null {
  const [owner, number] = id.split(':')
  return owner === 'house' || number === undefined ? null : Number(number)
}
