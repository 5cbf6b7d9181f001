/** Deposits, withdrawals and adjustments: each is a case with exactly one end (trading-rules §11). */
import type { Money } from './number.ts'
import type { ReceiptTick } from './receipt.ts'

type CaseTerms = { readonly id: number; readonly accountId: number; readonly openedAt: number }

/** An amount that a user sent in its own currency. */
export type SentMoney = {
  readonly currency: string
  /** In units of 1e-8 of that currency. */
  readonly amount: bigint
  /** The channel's fixed rate for one unit, in units of 1e-10; null for the market rate. */
  readonly fixedRate: bigint | null
}

/** A rate in units of 1e-10, and the market prices behind the mid of that moment. */
export type Priced = { readonly rate: bigint; readonly quotes: readonly ReceiptTick[] }

/**
 * What arrived for a deposit: when (epoch ms), the amount in units of 1e-8 of the currency sent, and the rate
 * applied.
 */
export type Arrival = Priced & { readonly currency: string; readonly amount: bigint; readonly at: number }

/** What arrived for a deposit, as stated by an operator. */
export type ArrivalClaim = {
  /** In units of 1e-8 of the currency that was sent. */
  readonly amount: bigint
  /** Epoch ms; left out: at the decision. */
  readonly at?: number
  /** The mid of the pair then, in units of 1e-10; needed where it arrived before the decision. */
  readonly rate?: bigint
}

/** Reported by a user; credited with what an operator confirms to have arrived. */
export type Deposit = CaseTerms & {
  readonly kind: 'deposit'
  /** In the account currency at the rate of the report. */
  readonly amount: Money
  /** Null for account money, as all deposits were at first. */
  readonly sent: SentMoney | null
}

/** The destination and price of a withdrawal as shown to its owner, fixed when the engine accepts it. */
export type PayoutQuote = {
  readonly methodId: number
  /** The id of the address or bank account. */
  readonly destination: number
  readonly currencyId: number
  /** Amount paid out for one unit of the account currency, in units of 1e-10. */
  readonly price: bigint
  /** Amount received, in units of 1e-8 of the payout currency. */
  readonly received: bigint
}

/** `held` until an operator approves it, `paying` from when the money may have been sent. */
export type WithdrawalStatus = 'held' | 'approved' | 'paying'

/** `amount` is frozen since the request; `fee` is the part that the broker keeps when it is paid. */
export type Withdrawal = CaseTerms & {
  readonly kind: 'withdrawal'
  readonly amount: Money
  readonly fee: Money
  readonly payout: PayoutQuote | null
  status: WithdrawalStatus
  /** The operator who approved it; null while it waits for approval. */
  approvedBy: number | null
  /** Negative balance protection paid to the account while it was open, less repayments. */
  protection: Money
}

/** A correction by operators; negative amounts are debited. */
export type Adjustment = CaseTerms & {
  readonly kind: 'adjustment'
  readonly amount: Money
  /** The operator who requested it. */
  readonly askedBy: number
}

/** An open case. Closed ones leave the engine's memory; the tables keep them. */
export type MoneyCase = Deposit | Withdrawal | Adjustment

export type DepositOutcome = 'finished' | 'rejected' | 'invalid'
/** `rejected` by an operator or `cancelled` by the user: the money is released. */
export type WithdrawalOutcome = 'paid' | 'rejected' | 'cancelled'
export type AdjustmentOutcome = 'approved' | 'refused'

/** A credit or payout decided by an operator, counted in the 24-hour sums. */
export type MoneyDecision = {
  readonly at: number
  readonly caseId: number
  readonly accountId: number
  /** The id of the address or bank account paid; null for a credit. */
  readonly destination: number | null
  readonly operatorId: number
  /** Above zero. */
  readonly amount: Money
}
