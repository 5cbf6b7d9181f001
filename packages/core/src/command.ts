import type { DeploymentAuthor, Operator } from './author.ts'
import type { Request, TradingMode } from './event.ts'
import type { LedgerKind } from './money/ledger.ts'
import type { AdjustmentOutcome, DepositOutcome } from './payments/money-case.ts'
import type { Lots, Money, Price } from './money/number.ts'
import type { Side } from './orders/order.ts'
import type { Quote } from './market/quote.ts'
import type { Seed } from './terms/seed.ts'
import type { OpenStatus, TermsChange } from './terms/terms.ts'

/** Every command carries its own time: epoch ms on the market clock. */
type Timed = { readonly at: number }

/** A command a user sent, perhaps with a name of its own. */
type Asked = Timed & { readonly accountId: number; readonly request?: Request | undefined }

export type OpenAccount = Timed & { readonly type: 'openAccount'; readonly ledger: LedgerKind }

export type PlaceOrder = Asked & {
  readonly type: 'placeOrder'
  readonly instrumentId: number
  readonly side: Side
  readonly lots: Lots
  readonly leverage: number
  /** Null: at the market. */
  readonly targetPrice: Price | null
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  /** Pending orders only; epoch ms. */
  readonly expiresAt: number | null
}

export type ClosePosition = Asked & {
  readonly type: 'closePosition'
  readonly orderId: number
  /** A part of it; null or left out closes the whole. */
  readonly lots?: Lots | null
}

/** Closes every position that can be closed now; the others stay. */
export type CloseAll = Asked & { readonly type: 'closeAll' }

/** Closes a position and opens its opposite at once, or does neither. */
export type ReversePosition = Asked & { readonly type: 'reversePosition'; readonly orderId: number }

/** Lets the stop loss follow the price at a distance in ticks; null stops it where it stands. */
export type SetTrailing = Asked & {
  readonly type: 'setTrailing'
  readonly orderId: number
  readonly distance: Price | null
}
export type CancelOrder = Asked & { readonly type: 'cancelOrder'; readonly orderId: number }

export type SetStops = Asked & {
  readonly type: 'setStops'
  readonly orderId: number
  /** Null clears. */
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
}

export type ResetDemo = Asked & { readonly type: 'resetDemo' }

/** An accepted tick. It fires what its prices reach. */
/** A price as its source sent it, let in by the guard; what is published of it the terms say. */
export type TickCommand = Timed & { readonly type: 'tick'; readonly quote: Quote }

/** Time has passed: pending orders past their expiry end, and nights are financed. */
export type ClockCommand = Timed & { readonly type: 'clock' }

/** A user asks for a deposit to be credited once it has arrived. Amount above zero. */
export type OpenDeposit = Asked & { readonly type: 'openDeposit'; readonly amount: Money }

/** A user asks for money to leave: it is frozen at once. `fee` is part of the amount. */
export type RequestWithdrawal = Asked & {
  readonly type: 'requestWithdrawal'
  readonly amount: Money
  readonly fee: Money
}

export type CancelWithdrawal = Asked & { readonly type: 'cancelWithdrawal'; readonly caseId: number }

/** A user ends the account for good. `leftMax`: what may be left on a real one, zero or more. */
export type CloseAccount = Asked & { readonly type: 'closeAccount'; readonly leftMax: Money }

/** Every act of an operator carries the name, the role and the reason under it. */
type ByOperator = Timed & { readonly by: Operator; readonly request?: Request | undefined }

export type EndDeposit = ByOperator & {
  readonly type: 'endDeposit'
  readonly caseId: number
  readonly outcome: DepositOutcome
  /** What arrived, and is credited; counts only where the outcome is `finished`. */
  readonly amount: Money
}

export type EndWithdrawal = ByOperator & {
  readonly type: 'endWithdrawal'
  readonly caseId: number
  readonly outcome: 'paid' | 'rejected'
}

export type AskAdjustment = ByOperator & {
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

/** Closes a position whole, at the market like its owner would. Nobody can name a price. */
export type CloseByOperator = ByOperator & {
  readonly type: 'closeByOperator'
  readonly accountId: number
  readonly orderId: number
}

/** New terms from a moment on (epoch ms, `at` or later). Null: at once. */
export type SetTerms = Timed & {
  readonly type: 'setTerms'
  readonly change: TermsChange
  readonly effectiveAt: number | null
  readonly by: Operator | DeploymentAuthor
  readonly request?: Request | undefined
}

/** The terms that a journal begins with; it never does twice. */
export type AdoptTerms = Timed & {
  readonly type: 'adoptTerms'
  readonly seed: Seed
  readonly by: DeploymentAuthor
}

/** Takes back a change of terms that has been announced and is not in force yet. */
export type WithdrawTerms = ByOperator & { readonly type: 'withdrawTerms'; readonly changeId: number }

export type HaltInstrument = ByOperator & {
  readonly type: 'haltInstrument'
  readonly instrumentId: number
  /** Shown to everyone; null lets it trade again. */
  readonly reason: string | null
}

export type SetTradingMode = ByOperator & { readonly type: 'setTradingMode'; readonly mode: TradingMode }

export type TradingCommand =
  PlaceOrder | ClosePosition | CloseAll | ReversePosition | CancelOrder | SetStops | SetTrailing | ResetDemo
export type UserCommand = TradingCommand | OpenDeposit | RequestWithdrawal | CancelWithdrawal | CloseAccount
export type OperatorCommand =
  | EndDeposit
  | EndWithdrawal
  | AskAdjustment
  | EndAdjustment
  | SetAccountStatus
  | CloseByOperator
  | SetTerms
  | AdoptTerms
  | WithdrawTerms
  | HaltInstrument
  | SetTradingMode
export type Command = UserCommand | OperatorCommand | OpenAccount | TickCommand | ClockCommand
