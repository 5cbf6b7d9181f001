import type { Event, Posting } from '@fairlot/core'
import type { Committed } from '../engine/engine.ts'
import { noticeFacts } from '../engine/projection/notice-facts.ts'
import { userOf } from '../engine/projection/row-mapping.ts'
import { isShown, type NoticeFact } from '../notifications/notice-fact.ts'

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

type Gathered = {
  readonly orderIds: Set<number>
  readonly closedIds: number[]
  readonly postings: Posting[]
  readonly notices: NoticeFact[]
  hasCaseStep: boolean
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
      notices: [],
    }
    byUser.set(userId, gathered)
    return gathered
  }
  for (const event of entry.events) gather(event, of)
  for (const [userId, facts] of noticeFacts(entry)) of(userId)?.notices.push(...facts.filter(isShown))
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

function gatherEnd(
  gathered: Gathered | null,
  { type, orderId }: Extract<Event, { type: 'orderCancelled' | 'positionClosed' }>,
): void {
  if (!gathered) return
  gathered.orderIds.add(orderId)
  if (type === 'positionClosed') gathered.closedIds.push(orderId)
}

const changeOf = (at: number, { orderIds, ...gathered }: Gathered): PrivateChange => ({
  ...gathered,
  at,
  orderIds: [...orderIds],
})
