import type { DayMoveCondition, MarginLevelCondition, PriceCondition } from './alert.ts'
import type { DeploymentAuthor, Operator, OperatorRole } from './author.ts'
import type { CopyTerms } from './copying.ts'
import type { RecoveryAnnounced, Request, TradingMode } from './event.ts'
import type { LedgerKind } from './ledger.ts'
import type { AdjustmentOutcome, ArrivalClaim, DepositOutcome, PayoutQuote, SentMoney } from './money-case.ts'
import type { Lots, Money, Price, Ratio } from './number.ts'
import type { PendingKind, Side } from './order.ts'
import type { Quote } from './quote.ts'
import type { CloseGround } from './receipt.ts'
import type { OpenStatus, Seed, TermsChange, TermsRules } from './terms.ts'

/** Every command carries its own time: epoch ms on the market clock. */
type Timed = { readonly at: number }

/** A command of a user, optionally with a request id. */
type UserRequest = Timed & { readonly accountId: number; readonly request?: Request | undefined }

export type OpenAccount = Timed & { readonly type: 'openAccount'; readonly ledger: LedgerKind }

export type PlaceOrder = UserRequest & {
  readonly type: 'placeOrder'
  readonly instrumentId: number
  readonly side: Side
  readonly lots: Lots
  readonly leverage: number
  /** Null: at the market. */
  readonly targetPrice: Price | null
  /**
   * What a pending order is meant to be: the price may cross its target on the way here. Left out: whatever the price
   * makes of it.
   */
  readonly kind?: PendingKind | undefined
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  /** Pending orders only; epoch ms. */
  readonly expiresAt: number | null
}

export type ClosePosition = UserRequest & {
  readonly type: 'closePosition'
  readonly orderId: number
  /** The part to close; null or left out closes all of it. */
  readonly lots?: Lots | null
}

/**
 * Closes every position that can be closed now; the others are kept. With many copies it closes only the first of
 * them, so that one journal row stays small: repeat it with `openedUntil` while some are left.
 */
export type CloseAll = UserRequest & {
  readonly type: 'closeAll'
  /** Only positions opened at this time or before, epoch ms; left out: all. */
  readonly openedUntil?: number
}

/** Closes a position and opens its opposite at once, or does neither. */
export type ReversePosition = UserRequest & { readonly type: 'reversePosition'; readonly orderId: number }

/** Makes the stop loss follow the price at a distance in ticks; null ends trailing at the current level. */
export type SetTrailing = UserRequest & {
  readonly type: 'setTrailing'
  readonly orderId: number
  readonly distance: Price | null
}
export type CancelOrder = UserRequest & { readonly type: 'cancelOrder'; readonly orderId: number }

export type SetStops = UserRequest & {
  readonly type: 'setStops'
  readonly orderId: number
  /** Null clears; left out, it stays as it is. */
  readonly takeProfit?: Price | null | undefined
  readonly stopLoss?: Price | null | undefined
}

/** Sets a demo account back, to the starting balance of the terms or to one above zero that the user has chosen. */
export type ResetDemo = UserRequest & { readonly type: 'resetDemo'; readonly start?: Money | null }

/** A price as sent by its source and admitted by the guard; the terms decide what is published. */
export type TickCommand = Timed & { readonly type: 'tick'; readonly quote: Quote }

/** Time has passed: expired orders end, and swaps are booked. */
export type ClockCommand = Timed & { readonly type: 'clock' }

/**
 * A user reports a deposit to be credited once it has arrived: an amount sent in another currency, or account money.
 * Above zero.
 */
export type OpenDeposit = UserRequest & { readonly type: 'openDeposit' } & (
    | { readonly sent: SentMoney; readonly amount?: never }
    | { readonly amount: Money; readonly sent?: never }
  )

/** A user requests a withdrawal: the money is frozen at once. `fee` is part of the amount. */
export type RequestWithdrawal = UserRequest & {
  readonly type: 'requestWithdrawal'
  readonly amount: Money
  readonly fee: Money
  /** The payout destination and price, fixed from here on. */
  readonly payout?: PayoutQuote
}

/** A user adds an address or bank account for payouts. */
export type BindPayoutMethod = UserRequest & {
  readonly type: 'bindPayoutMethod'
  readonly methodId: number
  /** The number of the normalised address or account. */
  readonly destination: number
  /** SHA-256 of the details with a salt, in hex, so that a later change is detected. */
  readonly digest: string
}

export type RemovePayoutMethod = UserRequest & {
  readonly type: 'removePayoutMethod'
  readonly methodId: number
}

export type CancelWithdrawal = UserRequest & { readonly type: 'cancelWithdrawal'; readonly caseId: number }

/** Sets an alert. Its instrument gives the decimals of its price. */
export type SetAlert = UserRequest & {
  readonly type: 'setAlert'
  readonly condition:
    | Omit<PriceCondition, 'decimals'>
    | Omit<DayMoveCondition, 'decimals'>
    | MarginLevelCondition
  /** How long it waits after it has fired before it can fire again, ms; null: it fires once. */
  readonly pauseMs: number | null
  /** When it ends without firing, epoch ms; null or left out: it waits without limit. */
  readonly expiresAt?: number | null
}

export type RemoveAlert = UserRequest & { readonly type: 'removeAlert'; readonly alertId: number }

/** A user closes the account permanently. `leftMax`: the balance that may be left on a real account, zero or more. */
export type CloseAccount = UserRequest & { readonly type: 'closeAccount'; readonly leftMax: Money }

/** A user publishes the own trading. `feeShare`: the part of a copy's profit that is paid for it, 1e-6. */
export type PublishStrategy = UserRequest & { readonly type: 'publishStrategy'; readonly feeShare: Ratio }
/** A user changes the fee of the own strategy, up or down, for copies that start afterwards. */
export type SetStrategyFee = UserRequest & { readonly type: 'setStrategyFee'; readonly feeShare: Ratio }
export type EndStrategy = UserRequest & { readonly type: 'endStrategy' }

/** A user copies a strategy with an amount of the own available money. */
export type StartCopy = UserRequest & {
  readonly type: 'startCopy'
  readonly strategyId: number
  readonly amount: Money
  readonly terms: CopyTerms
  /** The fee that its user was shown: the copy does not start at a higher one. Left out: at any. */
  readonly feeShown?: Ratio | undefined
  /** Copies the provider's open positions too, at the present price. */
  readonly isWithOpenOrders: boolean
}

/** A command of its owner to a running copy; `accountId` is the owner's own account. */
type ToCopy = UserRequest & { readonly copyId: number }
/** No new openings; everything else goes on. */
export type PauseCopy = ToCopy & { readonly type: 'pauseCopy' }
export type ResumeCopy = ToCopy & { readonly type: 'resumeCopy' }
export type AddToCopy = ToCopy & { readonly type: 'addToCopy'; readonly amount: Money }
export type TakeFromCopy = ToCopy & { readonly type: 'takeFromCopy'; readonly amount: Money }
/** `stopLoss` is percent of the base. */
export type SetCopyStopLoss = ToCopy & { readonly type: 'setCopyStopLoss'; readonly stopLoss: number }
/** What is left out stays as it is. It counts for later openings; `excluded` are ids of instruments. */
export type SetCopyTerms = ToCopy & {
  readonly type: 'setCopyTerms'
  readonly multiplier?: Ratio | undefined
  readonly exposureLimit?: number | undefined
  readonly excluded?: readonly number[] | undefined
}
/** Closes all positions and returns the money. */
export type StopCopy = ToCopy & { readonly type: 'stopCopy' }

export type CopyCommand =
  | PauseCopy
  | ResumeCopy
  | AddToCopy
  | TakeFromCopy
  | SetCopyStopLoss
  | SetCopyTerms
  | StopCopy
export type CopyingCommand = PublishStrategy | SetStrategyFee | EndStrategy | StartCopy | CopyCommand

/** Every command of an operator carries its author, role and reason. */
type ByOperator = Timed & { readonly by: Operator; readonly request?: Request | undefined }

export type EndDeposit = ByOperator & {
  readonly type: 'endDeposit'
  readonly caseId: number
  readonly outcome: DepositOutcome
  /** For a finished one: what arrived, in the currency sent or in account money. */
  readonly arrived?: ArrivalClaim
  readonly amount?: Money
}

export type EndWithdrawal = ByOperator & {
  readonly type: 'endWithdrawal'
  readonly caseId: number
  readonly outcome: 'paid' | 'rejected'
}

/** Approves a held withdrawal. */
export type ApproveWithdrawal = ByOperator & { readonly type: 'approveWithdrawal'; readonly caseId: number }

/** Starts paying an approved withdrawal: from now on it ends as paid, or otherwise only by two operators. */
export type StartPayment = ByOperator & { readonly type: 'startPayment'; readonly caseId: number }

export type RequestAdjustment = ByOperator & {
  readonly type: 'askAdjustment'
  readonly accountId: number
  readonly amount: Money
}

export type EndAdjustment = ByOperator & {
  readonly type: 'endAdjustment'
  readonly caseId: number
  readonly outcome: AdjustmentOutcome
}

export type SetAccountStatus = ByOperator & {
  readonly type: 'setAccountStatus'
  readonly accountId: number
  readonly status: OpenStatus
}

/** Closes a whole position at the market price, as its owner would. The price cannot be chosen. */
export type CloseByOperator = ByOperator & {
  readonly type: 'closeByOperator'
  readonly accountId: number
  readonly orderId: number
  /** The published ground of the close, which the owner reads. Optional only under the first rules. */
  readonly ground?: CloseGround | undefined
}

/** New terms from a moment on (epoch ms, `at` or later). Null: at once. */
export type SetTerms = Timed & {
  readonly type: 'setTerms'
  readonly change: TermsChange
  readonly effectiveAt: number | null
  readonly by: Operator | DeploymentAuthor
  readonly request?: Request | undefined
  /** The version of the rules to check an old entry by; left out: the current one. */
  readonly rules?: TermsRules
}

/** The first terms of a journal; accepted once. */
export type AdoptTerms = Timed & {
  readonly type: 'adoptTerms'
  readonly seed: Seed
  readonly by: DeploymentAuthor
}

/** Withdraws an announced change of terms that is not in force yet. */
export type WithdrawTerms = ByOperator & {
  readonly type: 'withdrawTerms'
  readonly changeId: number
  /** The version of the rules to check an old entry by; left out: the current one. */
  readonly rules?: TermsRules
}

export type HaltInstrument = ByOperator & {
  readonly type: 'haltInstrument'
  readonly instrumentId: number
  /** Shown to everyone; null ends the halt. */
  readonly reason: string | null
}

export type SetTradingMode = ByOperator & { readonly type: 'setTradingMode'; readonly mode: TradingMode }

/** Invites an operator, changes a role, or enables or disables an operator. */
export type SetOperator = Timed & {
  readonly type: 'setOperator'
  readonly operatorId: number
  readonly role: OperatorRole
  readonly isActive: boolean
  /** Set by the deployment alone: its first administrator needs no invitation. */
  readonly hasJoined?: boolean
  readonly by: Operator | DeploymentAuthor
  readonly request?: Request | undefined
}

/** An invited operator has set a password. */
export type JoinOperator = ByOperator & { readonly type: 'joinOperator' }

/** A server command announces a log-in for an operator, with a notice visible to all. */
export type AnnounceRecovery = Timed &
  Pick<RecoveryAnnounced, 'operatorId' | 'name' | 'role' | 'reason' | 'digest'> & {
    readonly type: 'announceRecovery'
    readonly by: DeploymentAuthor
    readonly request?: Request | undefined
  }
export type CallOffRecovery = ByOperator & { readonly type: 'callOffRecovery' }
/** The keys of the recovery were presented. */
export type UseRecovery = Timed & {
  readonly type: 'useRecovery'
  readonly operatorId: number
  readonly by: DeploymentAuthor
  readonly request?: Request | undefined
}

/** Puts the two-operator rules in force, with these operators. */
export type AdoptOperators = Timed & {
  readonly type: 'adoptOperators'
  readonly operators: readonly {
    readonly operatorId: number
    readonly role: OperatorRole
    readonly isActive: boolean
    readonly hasJoined: boolean
  }[]
  readonly by: DeploymentAuthor
  readonly request?: Request | undefined
}

/** Payout methods from before the journal recorded them. */
export type AdoptPayoutMethods = Timed & {
  readonly type: 'adoptPayoutMethods'
  readonly methods: readonly Omit<BindPayoutMethod, 'type' | 'at' | 'request'>[]
  readonly by: DeploymentAuthor
  readonly request?: Request | undefined
}

/** Moves the reference of an instrument's ticks to a held price. Always by two operators. */
export type AdmitReference = ByOperator & {
  readonly type: 'admitReference'
  readonly instrumentId: number
  readonly bid: Price
  readonly ask: Price
  readonly source: string
  readonly market: { readonly bid: Price; readonly ask: Price } | null
}

/** Puts a version of the rules in force; done at a start when the journal has an older one. */
export type SetRules = Timed & {
  readonly type: 'setRules'
  readonly rules: number
  readonly by: DeploymentAuthor
}

export type TradingCommand =
  | PlaceOrder
  | ClosePosition
  | CloseAll
  | ReversePosition
  | CancelOrder
  | SetStops
  | SetTrailing
  | ResetDemo
export type UserCommand =
  | TradingCommand
  | OpenDeposit
  | RequestWithdrawal
  | CancelWithdrawal
  | BindPayoutMethod
  | RemovePayoutMethod
  | SetAlert
  | RemoveAlert
  | CloseAccount
  | CopyingCommand
export type OperatorCommand =
  | EndDeposit
  | ApproveWithdrawal
  | StartPayment
  | EndWithdrawal
  | RequestAdjustment
  | EndAdjustment
  | SetAccountStatus
  | CloseByOperator
  | SetTerms
  | AdoptTerms
  | WithdrawTerms
  | HaltInstrument
  | SetTradingMode
  | SetOperator
  | JoinOperator
  | AnnounceRecovery
  | CallOffRecovery
  | UseRecovery
  | SetRules
  | AdoptOperators
  | AdoptPayoutMethods
  | AdmitReference
export type Command = UserCommand | OperatorCommand | OpenAccount | TickCommand | ClockCommand
