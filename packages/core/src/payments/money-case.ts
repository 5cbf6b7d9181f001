/** Money that enters or leaves outside trading: each movement is a case with exactly one end (trading-rules §11). */
import type { Money } from '../money/number.ts'

type CaseTerms = { readonly id: number; readonly accountId: number; readonly openedAt: number }

/** Asked for by a user; credited at the amount an operator confirms. */
export type Deposit = CaseTerms & { readonly kind: 'deposit'; readonly amount: Money }

/** Held since it was asked for: `amount` lies frozen, `fee` is the part of it that the house keeps when it is paid. */
export type Withdrawal = CaseTerms & {
  readonly kind: 'withdrawal'
  readonly amount: Money
  readonly fee: Money
}

/** A correction by operators; below zero takes money away. */
export type Adjustment = CaseTerms & {
  readonly kind: 'adjustment'
  readonly amount: Money
  /** The operator who asked. */
  readonly askedBy: number
}

/** A case that waits for its end. Ended ones leave the engine's memory; the tables keep them. */
export type MoneyCase = Deposit | Withdrawal | Adjustment

export type DepositOutcome = 'finished' | 'rejected' | 'invalid'
/** `rejected` by an operator, `cancelled` by the user: the money comes back. */
export type WithdrawalOutcome = 'paid' | 'rejected' | 'cancelled'
export type AdjustmentOutcome = 'approved' | 'refused'
