/** Notices are stored as a kind with facts. Their text is made when they are read, in the reader's language. */
import { randomUUID } from 'node:crypto'
import { NOTICE_KINDS, type NoticeGroup } from '@fairlot/contract'
import {
  decimalText,
  fromUnits,
  MONEY_DECIMALS,
  rateText,
  SENT_DECIMALS,
  type AccountStatus,
  type Author,
  type CloseGround,
  type EndReason,
  type Entry,
  type Event,
  type OperatorRole,
} from '@fairlot/core'
import type { Written } from '../../platform/database/bulk.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { NoticeTable } from '../../platform/database/notice-schema.ts'
import { alertEndFact, alertFact, type AlertFact } from './alert-fact.ts'
import type { IdentityFaultFound } from '../../platform/i18n/identity-faults.ts'

/** The operator who decided, by role only, never by name. */
type ByOperator = { readonly role: OperatorRole; readonly reason: string }

/** A notice to a user. Survives JSON unchanged: amounts are decimals with two places. */
export type NoticeFact =
  | {
      readonly kind: 'orderExpired' | 'orderNotFilled' | 'orderStopPassed' | 'orderCancelledByOperator'
      readonly orderId: number
    }
  | { readonly kind: 'stopOut'; readonly closed: number; readonly cancelled: number }
  /** `ground`: one of the published reasons; decisions by the first version of the rules have none. */
  | ({
      readonly kind: 'orderClosedByOperator'
      readonly orderId: number
      readonly ground?: CloseGround
    } & ByOperator)
  /** `alone`: a freeze by one operator alone, which lapses. */
  | ({ readonly kind: 'accountStatus'; readonly status: AccountStatus; readonly alone?: 'yes' } & ByOperator)
  | { readonly kind: 'freezeExpired'; readonly status: AccountStatus }
  /** In percent: the margin level, the margin call level and the stop-out level. */
  | {
      readonly kind: 'marginWarning'
      readonly level: string
      readonly warningLevel: number
      readonly stopOutLevel: number
    }
  /** For a deposit in another currency: the amount sent and its currency. */
  | {
      readonly kind: 'depositReported' | 'withdrawalRequested'
      readonly caseId: number
      readonly amount: string
      readonly currency?: string
    }
  | {
      readonly kind: 'depositEnded'
      readonly caseId: number
      readonly outcome: 'finished' | 'rejected' | 'invalid'
      /** The amount credited; `arrived`, `currency` and `rate` are what it was converted from. */
      readonly amount: string
      readonly arrived?: string
      readonly currency?: string
      readonly rate?: string
      readonly reason: string
    }
  | {
      readonly kind: 'withdrawalEnded'
      readonly caseId: number
      readonly outcome: 'paid' | 'rejected'
      readonly reason: string
    }
  | { readonly kind: 'withdrawalCancelled' | 'withdrawalApproved'; readonly caseId: number }
  | { readonly kind: 'identityVerified' }
  | { readonly kind: 'identityRejected'; readonly faults: readonly IdentityFaultFound[] }
  | { readonly kind: 'identityUnverified'; readonly reason: string }
  | { readonly kind: 'newLogin'; readonly device: string; readonly address: string }
  | { readonly kind: 'passwordChanged' | 'secondFactorOn' | 'secondFactorOff' | 'recoveryCodesRenewed' }
  | { readonly kind: 'passkeyAdded' | 'passkeyRemoved'; readonly name: string }
  | { readonly kind: 'secondFactorReset'; readonly reason: string }
  | { readonly kind: 'payoutMethodAdded'; readonly account: string }
  | AlertFact
  /** `text`: the beginning of the answer. */
  | { readonly kind: 'supportAnswered'; readonly text: string }
  | { readonly kind: 'strategyHidden'; readonly name: string; readonly reason: string }
  | CopyDigest

/** What happened to a user's copies within a minute: the names of the strategies, separated by commas; empty for none. */
export type CopyDigest = {
  readonly kind: 'copiesChanged'
  readonly started: string
  readonly ended: string
  /** Ended by the copy stop loss. */
  readonly stopped: string
  /** The provider moved more than a tenth of the equity in or out. */
  readonly moved: string
}

export type NoticeKind = NoticeFact['kind']

/** The group of each kind; users switch notices on and off by group. */
export const GROUP_OF: Readonly<Record<NoticeKind, NoticeGroup>> = {
  orderExpired: 'orders',
  orderNotFilled: 'orders',
  orderStopPassed: 'orders',
  orderCancelledByOperator: 'orders',
  marginWarning: 'margin',
  stopOut: 'stopOut',
  alertFired: 'alerts',
  alertEnded: 'alerts',
  orderClosedByOperator: 'account',
  accountStatus: 'account',
  freezeExpired: 'account',
  strategyHidden: 'account',
  copiesChanged: 'account',
  depositReported: 'deposit',
  depositEnded: 'deposit',
  withdrawalApproved: 'withdrawal',
  withdrawalEnded: 'withdrawal',
  withdrawalCancelled: 'withdrawal',
  identityVerified: 'identity',
  identityRejected: 'identity',
  identityUnverified: 'identity',
  supportAnswered: 'support',
  // An intruder must not be able to request money unnoticed.
  withdrawalRequested: 'security',
  newLogin: 'security',
  passwordChanged: 'security',
  payoutMethodAdded: 'security',
  secondFactorOn: 'security',
  secondFactorOff: 'security',
  secondFactorReset: 'security',
  passkeyAdded: 'security',
  passkeyRemoved: 'security',
  recoveryCodesRenewed: 'security',
}

/** Kinds whose mail is written separately: it says more, or has other recipients. */
const MAILED_SEPARATELY: ReadonlySet<NoticeKind> = new Set([
  'newLogin',
  'passwordChanged',
  'payoutMethodAdded',
  'secondFactorOn',
  'secondFactorOff',
  'secondFactorReset',
  'passkeyAdded',
  'passkeyRemoved',
  'recoveryCodesRenewed',
  'supportAnswered',
])

/** Kinds that the user caused, and the screen has already confirmed. */
const OWN_ACTIONS: ReadonlySet<NoticeKind> = new Set([
  'depositReported',
  'withdrawalRequested',
  'withdrawalCancelled',
])

/** True if a notice is shown on open screens as well as in the list. */
export const isShown = ({ kind }: NoticeFact): boolean => !OWN_ACTIONS.has(kind)

/** True if the notice may also be sent as a mail. */
export const isMailed = ({ kind }: NoticeFact): boolean =>
  GROUP_OF[kind] !== 'orders' && !MAILED_SEPARATELY.has(kind)

/** Most characters of an answer in a notice. */
const MAX_EXCERPT = 140

/** The notice of an answer from support. */
export const supportAnswered = (answer: string): NoticeFact => ({
  kind: 'supportAnswered',
  text: answer.length <= MAX_EXCERPT ? answer : `${answer.slice(0, MAX_EXCERPT - 1).toWellFormed()}…`,
})

/** A notice to store; `at` is epoch ms. */
export type NewNotice = { readonly userId: number; readonly at: number; readonly fact: NoticeFact }

/** The row of a notice, from the journal or from elsewhere. */
export const noticeRow = (id: string, { userId, at, fact: { kind, ...facts } }: NewNotice) => ({
  id,
  user_id: userId,
  at: Math.floor(at),
  kind: NOTICE_KINDS[kind],
  facts: JSON.stringify(facts),
  read_at: null,
  mail: 'due',
  mailed_at: null,
})

/** Writes a notice that does not come from the journal, in the transaction of its cause. */
export async function writeNotice(within: Queries, notice: NewNotice): Promise<void> {
  const row = noticeRow(randomUUID(), notice)
  await within
    .insertInto('notice')
    .values({ ...row, user_id: BigInt(row.user_id), at: BigInt(row.at) })
    .execute()
}

const KIND_OF_STORED: ReadonlyMap<string, NoticeKind> = new Map(
  (Object.keys(NOTICE_KINDS) as NoticeKind[]).map((kind) => [NOTICE_KINDS[kind], kind]),
)

/** The fact in a row of the table. */
export const factOfRow = ({ kind, facts }: Pick<NoticeTable, 'kind' | 'facts'>): NoticeFact =>
  ({ kind: KIND_OF_STORED.get(kind) ?? kind, ...(JSON.parse(facts) as object) }) as NoticeFact

/** The kinds of groups, as they are stored. */
export const storedKindsOf = (groups: readonly NoticeGroup[]): string[] =>
  (Object.keys(GROUP_OF) as NoticeKind[])
    .filter((kind) => groups.includes(GROUP_OF[kind]))
    .map((kind) => NOTICE_KINDS[kind])

type Ended = { readonly orderId: number; readonly reason: EndReason; readonly isPending: boolean }
type Gathered = { readonly ended: Ended[]; readonly facts: NoticeFact[] }

/** The result for most entries. */
const NOTHING: ReadonlyMap<number, NoticeFact[]> = new Map()

/** The notices of an entry by user: changes the user did not request, and the steps of deposits and withdrawals. */
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
  // Users read about their copies in the log of each.
  if ('receipt' in event && event.receipt.copied) return
  if (event.type === 'orderCancelled' || event.type === 'positionClosed') {
    const { accountId, orderId, reason } = event
    if (NOTIFIED_ENDS[reason] || reason === 'stopOut')
      of(accountId).ended.push({ orderId, reason, isPending: event.type === 'orderCancelled' })
  }
  const fact =
    event.type === 'alertFired'
      ? alertFact(event)
      : event.type === 'alertEnded'
        ? alertEndFact(event)
        : (caseFact(event, author) ?? operatorFact(event, author))
  if (fact && 'accountId' in event) of(event.accountId).facts.push(fact)
}

/** A step of a deposit or withdrawal. */
function caseFact(event: Event, author: Author): NoticeFact | null {
  const reason = author.type === 'operator' ? author.reason : ''
  switch (event.type) {
    case 'depositOpened':
      return {
        kind: 'depositReported',
        caseId: event.caseId,
        ...(event.sent
          ? { amount: moneyText(event.sent.amount, SENT_DECIMALS), currency: event.sent.currency }
          : { amount: moneyText(event.amount) }),
      }
    case 'depositEnded': {
      const { caseId, outcome, amount, arrived } = event
      return {
        kind: 'depositEnded',
        caseId,
        outcome,
        amount: moneyText(amount),
        ...(arrived && {
          arrived: moneyText(arrived.amount, SENT_DECIMALS),
          currency: arrived.currency,
          rate: rateText(arrived.rate),
        }),
        reason,
      }
    }
    case 'withdrawalHeld':
      return { kind: 'withdrawalRequested', caseId: event.caseId, amount: moneyText(event.amount) }
    case 'withdrawalApproved':
      return { kind: 'withdrawalApproved', caseId: event.caseId }
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

/** An operator's decision about a user, as a notice. */
function operatorFact(event: Event, author: Author): NoticeFact | null {
  if (event.type === 'accountStatusSet' && author.type === 'clock')
    return { kind: 'freezeExpired', status: event.status }
  if (author.type !== 'operator') return null
  const by = { role: author.role, reason: author.reason }
  if (event.type === 'accountStatusSet')
    return { kind: 'accountStatus', status: event.status, ...(event.alone && { alone: 'yes' }), ...by }
  if (event.type === 'positionClosed') {
    const { orderId, receipt } = event
    return {
      kind: 'orderClosedByOperator',
      orderId,
      ...(receipt.ground && { ground: receipt.ground }),
      ...by,
    }
  }
  return null
}

/** An amount with at least two decimals. */
const moneyText = (amount: bigint, decimals = MONEY_DECIMALS): string =>
  decimalText(fromUnits(amount, decimals), 2)

/** End reasons of pending orders that were cancelled without the user's request. */
type EndKind = 'orderExpired' | 'orderNotFilled' | 'orderStopPassed' | 'orderCancelledByOperator'
const NOTIFIED_ENDS: Partial<Record<EndReason, EndKind>> = {
  expired: 'orderExpired',
  notEnoughAtTrigger: 'orderNotFilled',
  stopPassed: 'orderStopPassed',
  withdrawnByOperator: 'orderCancelledByOperator',
}

function endFacts(ended: readonly Ended[]): NoticeFact[] {
  const stoppedOut = ended.filter(({ reason }) => reason === 'stopOut')
  const cancelled = stoppedOut.filter(({ isPending }) => isPending).length
  const single = ended.flatMap(({ orderId, reason }): NoticeFact[] => {
    const kind = NOTIFIED_ENDS[reason]
    return kind ? [{ kind, orderId }] : []
  })
  return stoppedOut.length === 0
    ? single
    : [...single, { kind: 'stopOut', closed: stoppedOut.length - cancelled, cancelled }]
}

/** Rows of the notice table for a journal entry. */
export type NoticeRows = Written<NoticeTable>[]

/** The id of a notice is its journal row and its place within it, so that projecting twice gives the same rows. */
export function projectNotices(
  rows: NoticeRows,
  seq: number,
  entry: Pick<Entry, 'at' | 'author' | 'events'>,
): void {
  for (const [userId, facts] of noticeFacts(entry))
    for (const fact of facts) {
      const id = `${seq}.${placeAfter(rows.at(-1)?.id, seq)}`
      rows.push(noticeRow(id, { userId, at: entry.at, fact }))
    }
}

/** The next place, since the entries of one journal row are projected one after the other. */
const placeAfter = (last: string | undefined, seq: number): number => {
  const [row, place] = last?.split('.') ?? []
  return row === String(seq) ? Number(place) + 1 : 0
}
