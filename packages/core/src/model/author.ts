/** The author of a journal entry: every entry has one (trading-rules §11). */

/** Roles of operators. The desk decides which role may do which action. */
export const OPERATOR_ROLES = ['support', 'compliance', 'finance', 'dealing', 'administrator'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** The operator behind an action, and its reason: the user concerned reads both. */
export type Operator = {
  readonly type: 'operator'
  readonly id: number
  readonly role: OperatorRole
  readonly reason: string
  /** The confirming operator, where an action requires two; never the same one. */
  readonly second: { readonly id: number; readonly role: OperatorRole } | null
}

/** The party that runs this deployment, by its configuration: the seed, and settings given at start. */
export type DeploymentAuthor = { readonly type: 'deployment' }

/** What a provider's order causes in copies: the account of the provider, and the order. */
export type CopyAuthor = {
  readonly type: 'copy'
  readonly accountId: number
  readonly orderId: number
}

export type Author =
  | { readonly type: 'user'; readonly accountId: number }
  | CopyAuthor
  | { readonly type: 'market' }
  | { readonly type: 'clock' }
  | DeploymentAuthor
  | Operator

export const MARKET: Author = { type: 'market' }
export const CLOCK: Author = { type: 'clock' }
export const DEPLOYMENT: DeploymentAuthor = { type: 'deployment' }

/** True where two different operators are behind an action. */
export const isConfirmed = (by: Operator): boolean => by.second !== null && by.second.id !== by.id

/** An operator as recorded in the journal. Invited operators count once they have joined. */
export type OperatorStanding = {
  readonly role: OperatorRole
  readonly isActive: boolean
  readonly hasJoined: boolean
}
