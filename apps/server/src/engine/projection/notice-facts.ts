import {
  decimalText,
  fromUnits,
  MONEY_DECIMALS,
  type Author,
  type EndReason,
  type Entry,
  type Event,
  type Money,
} from '@fairlot/core'
import type { NoticeFact } from '../../notifications/notice-fact.ts'

type Ended = { readonly orderId: number; readonly reason: EndReason; readonly isPending: boolean }
type Gathered = { readonly ended: Ended[]; readonly facts: NoticeFact[] }

/** Of most entries nobody is told. */
const NOTHING: ReadonlyMap<number, NoticeFact[]> = new Map()

/** What users are told of an entry, by user: what nobody asked for, and the steps of their deposits and withdrawals. */
export function noticeFacts({
  events,
  author,
}: Pick<Entry, 'events' | 'author'>): ReadonlyMap<number, NoticeFact[]> {
  const byUser = new Map<number, Gathered>()
  const of = (userId: number): Gathered => {
    const gathered = byUser.get(userId) ?? { ended: [], facts: [] }
    byUser.set(userId, gathered)
    return gathered
  }
  for (const event of events) gather(event, author, of)
  if (byUser.size === 0) return NOTHING
  return new Map([...byUser].map(([userId, { ended, facts }]) => [userId, [...endFacts(ended), ...facts]]))
}

function gather(event: Event, author: Author, of: (userId: number) => Gathered): void {
  if (event.type === 'orderCancelled' || event.type === 'positionClosed') {
    const { accountId, orderId, reason } = event
    if (TOLD_ENDS[reason] || reason === 'stopOut')
      of(accountId).ended.push({ orderId, reason, isPending: event.type === 'orderCancelled' })
  }
  const fact = caseFact(event, author) ?? actFact(event, author)
  if (fact && 'accountId' in event) of(event.accountId).facts.push(fact)
}

/** A step of a deposit or withdrawal. */
function caseFact(event: Event, author: Author): NoticeFact | null {
  const reason = author.type === 'operator' ? author.reason : ''
  switch (event.type) {
    case 'depositOpened':
      return { kind: 'depositTold', caseId: event.caseId, amount: said(event.amount) }
    case 'depositEnded': {
      const { caseId, outcome, amount } = event
      return { kind: 'depositEnded', caseId, outcome, amount: said(amount), reason }
    }
    case 'withdrawalHeld':
      return { kind: 'withdrawalAsked', caseId: event.caseId, amount: said(event.amount) }
    case 'withdrawalEnded': {
      const { caseId, outcome } = event
      return outcome === 'cancelled'
        ? { kind: 'withdrawalCancelled', caseId }
        : { kind: 'withdrawalEnded', caseId, outcome, reason }
    }
    default:
      return null
  }
}

/** What an operator did to a user, with the words for it. */
function actFact(event: Event, author: Author): NoticeFact | null {
  if (author.type !== 'operator') return null
  const by = { role: author.role, reason: author.reason }
  if (event.type === 'accountStatusSet') return { kind: 'accountStatus', status: event.status, ...by }
  if (event.type === 'positionClosed') return { kind: 'orderClosedByOperator', orderId: event.orderId, ...by }
  return null
}

/** Money as sentences have it: two decimals. */
const said = (amount: Money): string => decimalText(fromUnits(amount, MONEY_DECIMALS), 2)

/** Ends of pending orders that nobody asked for. */
type EndKind = 'orderExpired' | 'orderNotFilled' | 'orderWithdrawn'
const TOLD_ENDS: Partial<Record<EndReason, EndKind>> = {
  expired: 'orderExpired',
  notEnoughAtTrigger: 'orderNotFilled',
  withdrawnByOperator: 'orderWithdrawn',
}

function endFacts(ended: readonly Ended[]): NoticeFact[] {
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
