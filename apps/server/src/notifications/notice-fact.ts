/** What users are told: kinds with their facts. The words are made of them when somebody reads, in the language of that moment. */
import type { NoticeGroup } from '@fairlot/contract'
import type { IdentityFaultFound } from '../i18n/identity-faults.ts'
import type { AccountStatus, OperatorRole } from '@fairlot/core'

/** Who is behind an operator's act: the role, never the name. */
type ByOperator = { readonly role: OperatorRole; readonly reason: string }

/** Something that happened to a user. As JSON it is the same again: amounts are decimals of two places. */
export type NoticeFact =
  | { readonly kind: 'orderExpired' | 'orderNotFilled' | 'orderWithdrawn'; readonly orderId: number }
  | { readonly kind: 'stopOut'; readonly closed: number; readonly cancelled: number }
  | ({ readonly kind: 'orderClosedByOperator'; readonly orderId: number } & ByOperator)
  | ({ readonly kind: 'accountStatus'; readonly status: AccountStatus } & ByOperator)
  /** Percents: what the margin level has come to, the level of the warning and that of the stop-out. */
  | {
      readonly kind: 'marginWarning'
      readonly level: string
      readonly warningLevel: number
      readonly stopOutLevel: number
    }
  | { readonly kind: 'depositTold' | 'withdrawalAsked'; readonly caseId: number; readonly amount: string }
  | {
      readonly kind: 'depositEnded'
      readonly caseId: number
      readonly outcome: 'finished' | 'rejected' | 'invalid'
      readonly amount: string
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
  | { readonly kind: 'passwordChanged' | 'secondFactorOn' | 'secondFactorOff' }
  | { readonly kind: 'secondFactorReset'; readonly reason: string }
  | { readonly kind: 'methodBound'; readonly account: string }
  /** How the answer begins. */
  | { readonly kind: 'supportAnswered'; readonly text: string }

export type NoticeKind = NoticeFact['kind']

/** What a kind belongs to, which is what users switch. */
export const GROUP_OF: Readonly<Record<NoticeKind, NoticeGroup>> = {
  ...{ orderExpired: 'orders', orderNotFilled: 'orders', orderWithdrawn: 'orders' },
  ...{ marginWarning: 'margin', stopOut: 'stopOut' },
  ...{ orderClosedByOperator: 'account', accountStatus: 'account' },
  ...{ depositTold: 'deposit', depositEnded: 'deposit' },
  ...{ withdrawalApproved: 'withdrawal', withdrawalEnded: 'withdrawal', withdrawalCancelled: 'withdrawal' },
  ...{ identityVerified: 'identity', identityRejected: 'identity', identityUnverified: 'identity' },
  supportAnswered: 'support',
  // Whoever has got into an account must not be able to ask for money unheard.
  withdrawalAsked: 'security',
  ...{ newLogin: 'security', passwordChanged: 'security', methodBound: 'security' },
  ...{ secondFactorOn: 'security', secondFactorOff: 'security', secondFactorReset: 'security' },
}

/** Kinds whose mail is written by what happens, beside the notice: it says more, to log-ins that are no accounts, or only to those who are away. */
const MAILED_BESIDE: ReadonlySet<NoticeKind> = new Set([
  ...(['newLogin', 'passwordChanged', 'methodBound'] as const),
  ...(['secondFactorOn', 'secondFactorOff', 'secondFactorReset', 'supportAnswered'] as const),
])

/** Kinds that users did themselves, on a screen that has told them. */
const OWN_ACTS: ReadonlySet<NoticeKind> = new Set(['depositTold', 'withdrawalAsked', 'withdrawalCancelled'])

/** Whether a notice is told on open screens, besides that it stands in the list. */
export const isShown = ({ kind }: NoticeFact): boolean => !OWN_ACTS.has(kind)

/** Whether a mail is to be written from the notice. */
export const isMailed = ({ kind }: NoticeFact): boolean =>
  GROUP_OF[kind] !== 'orders' && !MAILED_BESIDE.has(kind)

/** Characters of an answer that a notice repeats. */
const BEGINNING = 140

/** An answer of the support, as its notice has it. */
export const supportAnswered = (answer: string): NoticeFact => ({
  kind: 'supportAnswered',
  text: answer.length <= BEGINNING ? answer : `${answer.slice(0, BEGINNING - 1).toWellFormed()}…`,
})
