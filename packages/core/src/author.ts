/** Who caused a journal entry: nothing happens without a name on it (trading-rules §11). */

/** What an operator is trusted with. The desk decides which role may do which act. */
export const OPERATOR_ROLES = ['support', 'compliance', 'finance', 'dealing', 'administrator'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** An operator's name under an act, and why it was done: the person it touches reads both. */
export type Operator = {
  readonly type: 'operator'
  readonly id: number
  readonly role: OperatorRole
  readonly reason: string
  /** Who confirmed it, where an act asks for two people; never the first one again. */
  readonly second: { readonly id: number; readonly role: OperatorRole } | null
}

/** Whoever runs this deployment, by its configuration: the seed, and settings given at start. */
export type DeploymentAuthor = { readonly type: 'deployment' }

export type Author =
  | { readonly type: 'user'; readonly accountId: number }
  | { readonly type: 'market' }
  | { readonly type: 'clock' }
  | DeploymentAuthor
  | Operator

export const MARKET: Author = { type: 'market' }
export const CLOCK: Author = { type: 'clock' }
export const DEPLOYMENT: DeploymentAuthor = { type: 'deployment' }

/** True where two different people stand behind an act. */
export const isConfirmed = (by: Operator): boolean => by.second !== null && by.second.id !== by.id
