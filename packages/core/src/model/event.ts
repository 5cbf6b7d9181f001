import type { AlertEvent } from './alert.ts'
import type { Author, OperatorRole } from './author.ts'
import type { CopyEndReason, CopyReason, CopySource, CopyTerms, StrategyEndReason } from './copying.ts'
import type { LedgerKind, Transfer } from './ledger.ts'
import type {
  AdjustmentOutcome,
  Arrival,
  DepositOutcome,
  PayoutQuote,
  Priced,
  SentMoney,
  WithdrawalOutcome,
} from './money-case.ts'
import type { Lots, Money, Price, Ratio } from './number.ts'
import type { EndReason, OrderKind, Side } from './order.ts'
import type { Receipt, ReceiptTick } from './receipt.ts'
import type { OpenStatus, TermsChange, TermsRules } from './terms.ts'

/** The fields of an order that never change. */
export type OrderTerms = {
  readonly orderId: number
  readonly accountId: number
  readonly instrumentId: number
  readonly side: Side
  readonly kind: OrderKind
  readonly lots: Lots
  readonly leverage: number
  readonly targetPrice: Price | null
  readonly acceptedPrice: Price
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  readonly expiresAt: number | null
  readonly createdAt: number
  /** Used by a position, reserved by a pending order. */
  readonly margin: Money
  readonly fee: Money
}

export type AccountOpened = {
  readonly type: 'accountOpened'
  readonly accountId: number
  readonly ledger: LedgerKind
  readonly transfers: readonly Transfer[]
}

export type OrderPlaced = OrderTerms & { readonly type: 'orderPlaced'; readonly receipt: Receipt }

export type PositionOpened = OrderTerms & {
  readonly type: 'positionOpened'
  readonly openPrice: Price
  readonly receipt: Receipt
  readonly transfers: readonly Transfer[]
  /**
   * Of an account with a published strategy: its equity just before the fill, by which copies size theirs. The receipt
   * has the prices behind it.
   */
  readonly strategyEquity?: Money
  /** Of a copy: how its size came about. The receipt names the provider's order. */
  readonly copied?: CopiedFill
}

/** The size of a copied fill follows from these, the copy's terms and the equity in the provider's event. */
export type CopiedFill = {
  /** Lots of the provider's order now. */
  readonly providerLots: Lots
  /** Of the copy, just before the fill. */
  readonly equity: Money
  /** Of the copy; left out by earlier versions, when it never changed. */
  readonly multiplier?: Ratio
  /** The instrument's maximum lowered the size. */
  readonly reason?: Extract<CopyReason, 'maximumLot'>
}

export type OrderCancelled = {
  readonly type: 'orderCancelled'
  readonly orderId: number
  readonly accountId: number
  readonly reason: EndReason
  readonly receipt: Receipt
}

export type PositionClosed = {
  readonly type: 'positionClosed'
  readonly orderId: number
  readonly accountId: number
  readonly reason: EndReason
  /** Null when the position ended without a fill (demo reset). */
  readonly closePrice: Price | null
  readonly profit: Money
  readonly receipt: Receipt
  readonly transfers: readonly Transfer[]
}

/** A part of a position was closed: it becomes a closed order of its own, and the rest keeps its id. */
export type PositionReduced = Omit<PositionClosed, 'type' | 'closePrice'> & {
  readonly type: 'positionReduced'
  /** The id of the closed part. */
  readonly partId: number
  /** The closed size, and its share of the margin. */
  readonly lots: Lots
  readonly margin: Money
  readonly closePrice: Price
  /** The position before; the part shares everything but size and margin. */
  readonly position: PositionTerms
}

export type PositionTerms = OrderTerms & { readonly openPrice: Price; readonly openedAt: number }

/** Overnight swap of one position for one rollover, or three days at once. */
export type SwapBooked = {
  readonly type: 'swapBooked'
  readonly orderId: number
  readonly accountId: number
  /** The rollover (17:00 New York), epoch ms. */
  readonly rollover: number
  readonly nights: number
  /** Above zero is paid to the user. */
  readonly amount: Money
  readonly receipt: Receipt
  readonly transfers: readonly Transfer[]
}

/**
 * The last accepted prices at a moment, for the equity curves; at 17:00 New York also the prices for the rollover's
 * swaps. A price missing then follows in another event of the same moment.
 */
export type PricesMarked = {
  readonly type: 'pricesMarked'
  /** A full hour, epoch ms. */
  readonly moment: number
  readonly prices: readonly ReceiptTick[]
  /** The swap rates of the rollover, where set; null where the moment is not 17:00 New York. */
  readonly night: readonly SwapRate[] | null
}

/**
 * The lowest and highest equity of a provider since the last full hour, at published prices; just before the prices of
 * this one. Flows of money since then have scaled both, so that each is to `equity` as the growth then to the growth now.
 */
export type EquityRangeNoted = {
  readonly type: 'equityRangeNoted'
  readonly accountId: number
  /** The full hour, epoch ms. */
  readonly moment: number
  readonly lowest: Money
  readonly highest: Money
  /** Above zero: the equity at the prices of the hour, or the one that a flow has taken out completely. */
  readonly equity: Money
}

/** Overnight swap of one instrument for one rollover, by the terms of that rollover. */
export type SwapRate = {
  readonly instrumentId: number
  /** 1e-6 percent a year by side; above zero is paid to the user. */
  readonly buy: number
  readonly sell: number
  /** Three on the triple day. */
  readonly nights: number
}

/** All swaps of this rollover are booked. */
export type RolledOver = { readonly type: 'rolledOver'; readonly rollover: number }

export type InstrumentHalted = {
  readonly type: 'instrumentHalted'
  readonly instrumentId: number
  /** Shown to everyone; null ends the halt. */
  readonly reason: string | null
  /**
   * When the halt expires, epoch ms; null: when it is lifted. Left out where the halt ends, and by the first rules.
   */
  readonly endsAt?: number | null
  /** Where the halt ends: from when one operator alone may halt it again, epoch ms. Left out by the first rules. */
  readonly aloneFrom?: number
}

export type TradingModeSet = {
  readonly type: 'tradingModeSet'
  readonly mode: TradingMode
  /** Shown to everyone; empty where trading is open. The first rules leave out this and all that follows. */
  readonly reason?: string
  /** Of a halt: when it expires, epoch ms; null: when it is lifted. */
  readonly endsAt?: number | null
  /** Of a halt: the mode restored when it expires. */
  readonly after?: ModeAndReason
  /** Where a halt ends: from when one operator alone may halt the market again, epoch ms. */
  readonly aloneFrom?: number
}

/**
 * The mode of the whole market. `reduceOnly`: nothing opens; positions can be closed, pending orders cancelled, stops
 * moved and triggered. `halted`: nothing opens, closes or triggers. `cancelOnly`: a pause by the first rules, in
 * which nothing closed.
 */
export type TradingMode = 'normal' | 'reduceOnly' | 'halted' | 'cancelOnly'

export type ModeAndReason = { readonly mode: TradingMode; readonly reason: string }

/** Two operators admitted this held price as the reference of an instrument's ticks. */
export type ReferenceAdmitted = {
  readonly type: 'referenceAdmitted'
  readonly instrumentId: number
  readonly bid: Price
  readonly ask: Price
  readonly source: string
  /** The market's last price at that time, to which the tenfold bound refers; null where there was none. */
  readonly market: { readonly bid: Price; readonly ask: Price } | null
}

/**
 * Market ticks have confirmed an admitted reference, or returned to the former price: this is the first independent
 * one.
 */
export type ReferenceSettled = {
  readonly type: 'referenceSettled'
  readonly instrumentId: number
  readonly tick: ReceiptTick
}

/** The rules of this version are in force from this entry on. */
export type RulesSet = {
  readonly type: 'rulesSet'
  readonly rules: number
  /**
   * From when falls between full hours count in the ranking, epoch ms: a change of its method, announced like one of
   * terms. Left out where it has nothing to announce.
   */
  readonly rangesFrom?: number
}

export type StopsSet = {
  readonly type: 'stopsSet'
  readonly orderId: number
  readonly accountId: number
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  readonly trailingDistance: Price | null
}

/** All trailing stops of an instrument that this price improves follow it. */
export type TrailingMoved = {
  readonly type: 'trailingMoved'
  readonly instrumentId: number
  readonly tick: ReceiptTick
}

type MoneyEvent = { readonly accountId: number; readonly transfers: readonly Transfer[] }

/** A demo account has its starting balance again. `start`: the one that the user chose; left out: that of the terms. */
export type DemoReset = MoneyEvent & { readonly type: 'demoReset'; readonly start?: Money }

export type DepositOpened = {
  readonly type: 'depositOpened'
  readonly caseId: number
  readonly accountId: number
  /** In the account currency; for another currency at the rate of that moment. */
  readonly amount: Money
  /** What was sent, and its rate; left out for deposits of account money, as all were at first. */
  readonly sent?: SentMoney & Priced
}

export type DepositEnded = MoneyEvent & {
  readonly type: 'depositEnded'
  readonly caseId: number
  readonly outcome: DepositOutcome
  /** The credited amount in the account currency; zero where nothing was credited. */
  readonly amount: Money
  /** What arrived in the currency sent, and its rate; left out where nothing arrived, and for account money. */
  readonly arrived?: Arrival
  /** The operators behind a credit, from the two-operator rules on. */
  readonly operators?: readonly number[]
}

export type WithdrawalHeld = MoneyEvent & {
  readonly type: 'withdrawalHeld'
  readonly caseId: number
  readonly amount: Money
  readonly fee: Money
  readonly payout?: PayoutQuote
}

/** An operator approved the payment. */
export type WithdrawalApproved = {
  readonly type: 'withdrawalApproved'
  readonly caseId: number
  readonly accountId: number
  readonly amount: Money
  /** The id of the address or bank account; null for one from before they were numbered. */
  readonly destination: number | null
  readonly operatorId: number
}

/** The approving operator lost the role before it was paid: it needs a new approval. */
export type WithdrawalApprovalVoided = {
  readonly type: 'withdrawalApprovalVoided'
  readonly caseId: number
  readonly accountId: number
}

/** The payment has started. */
export type WithdrawalPaying = Omit<WithdrawalApproved, 'type'> & { readonly type: 'withdrawalPaying' }

export type WithdrawalEnded = MoneyEvent & {
  readonly type: 'withdrawalEnded'
  readonly caseId: number
  readonly outcome: WithdrawalOutcome
}

export type AdjustmentAsked = {
  readonly type: 'adjustmentAsked'
  readonly caseId: number
  readonly accountId: number
  /** Negative: money is debited. */
  readonly amount: Money
  /** The operator who requested it. */
  readonly askedBy: number
}

export type AdjustmentEnded = MoneyEvent & {
  readonly type: 'adjustmentEnded'
  readonly caseId: number
  readonly outcome: AdjustmentOutcome
  /** The operators behind an approved one, from the two-operator rules on. */
  readonly operators?: readonly number[]
}

/** An address or bank account for payouts. The journal has its id and a salted digest, never the address itself. */
export type PayoutMethodBound = {
  readonly type: 'payoutMethodBound'
  readonly accountId: number
  readonly methodId: number
  readonly destination: number
  readonly digest: string
}

export type PayoutMethodRemoved = {
  readonly type: 'payoutMethodRemoved'
  readonly accountId: number
  readonly methodId: number
}

/** The role of an operator, and whether it is enabled. */
export type OperatorSet = {
  readonly type: 'operatorSet'
  readonly operatorId: number
  readonly role: OperatorRole
  readonly isActive: boolean
}

/** An invited operator has joined. */
export type OperatorJoined = { readonly type: 'operatorJoined'; readonly operatorId: number }

/** Two supervising operators have joined: single-operator mode has ended for good. */
export type SingleOperatorEnded = { readonly type: 'singleOperatorEnded' }

/**
 * The deployment announces a log-in for an operator where two operators cannot: visible to all, and usable from
 * `effectiveAt` (epoch ms) unless an operator calls it off before.
 */
export type RecoveryAnnounced = {
  readonly type: 'recoveryAnnounced'
  /** Null for a new operator. */
  readonly operatorId: number | null
  readonly name: string
  readonly role: OperatorRole
  readonly effectiveAt: number
  /** Visible to all operators. */
  readonly reason: string
  /** Hash of its two keys. */
  readonly digest: string
}

export type RecoveryCalledOff = { readonly type: 'recoveryCalledOff' }

/** An operator has joined by the recovery. */
export type RecoveryUsed = { readonly type: 'recoveryUsed'; readonly operatorId: number }

/** The two-operator rules apply from here on; earlier entries are checked by the rules of their time. */
export type OperatorsAdopted = {
  readonly type: 'operatorsAdopted'
  /** One operator and existing real balances: one operator may pay withdrawals, which are marked. */
  readonly mayPayAlone: boolean
}

export type AccountStatusSet = {
  readonly type: 'accountStatusSet'
  readonly accountId: number
  readonly status: OpenStatus
  /** The operator's reason, shown to the user; empty where the account is active again. */
  readonly reason: string
  /** A freeze by one operator alone; left out for one by two operators, and by the first rules. */
  readonly alone?: FreezeAlone
  /** The freezes that count together; left out where there were none, and by the rules before version 6. */
  readonly recentFreeze?: RecentFreeze
}

/** Freezes of an account that count together, because little time lay between them. Epoch ms. */
export type RecentFreeze = {
  /** When the first of them began. */
  readonly since: number
  /** When the last of them ended; null while the account is frozen. */
  readonly endedAt: number | null
}

/** The freeze of one operator alone: it lapses, and the former status and reason are restored. */
export type FreezeAlone = {
  /** Epoch ms. */
  readonly lapsesAt: number
  readonly status: OpenStatus
  readonly reason: string
}

/** The owner closed the account permanently. `left` is the remaining balance, which is never moved again. */
export type AccountClosed = {
  readonly type: 'accountClosed'
  readonly accountId: number
  readonly left: Money
}

/** A user publishes the trading of an account as a strategy that others may copy. */
export type StrategyPublished = {
  readonly type: 'strategyPublished'
  readonly strategyId: number
  readonly accountId: number
  /** The provider's part of a copy's profit. */
  readonly feeShare: Ratio
  /** The equity with which it starts. */
  readonly equity: Money
}

/** The fee of a strategy for copies that start from here on; those that run keep theirs. */
export type StrategyFeeSet = {
  readonly type: 'strategyFeeSet'
  readonly strategyId: number
  readonly accountId: number
  readonly feeShare: Ratio
}

/** A strategy ended: nothing more of it is copied, and its copies end. */
export type StrategyEnded = {
  readonly type: 'strategyEnded'
  readonly strategyId: number
  readonly accountId: number
  readonly reason: StrategyEndReason
}

/** A user starts a copy of a strategy: an account of its own. */
export type CopyStarted = MoneyEvent & {
  readonly type: 'copyStarted'
  readonly ownerId: number
  readonly ledger: LedgerKind
  readonly strategyId: number
  readonly providerId: number
  readonly terms: CopyTerms
  readonly feeShare: Ratio
  readonly amount: Money
  /** An earlier loss with the same provider, which raises the high-water mark. */
  readonly carriedLoss: Money
  /** Where the open orders are copied too: the equity of the provider, and the prices behind all equities. */
  readonly openOrders?: { readonly strategyEquity: Money; readonly prices: readonly ReceiptTick[] }
}

export type CopyPaused = { readonly type: 'copyPaused'; readonly accountId: number }
export type CopyResumed = { readonly type: 'copyResumed'; readonly accountId: number }
export type CopyStopLossSet = {
  readonly type: 'copyStopLossSet'
  readonly accountId: number
  /** Percent of the base. */
  readonly stopLoss: number
}

/** From here on the copy sizes its openings by these. */
export type CopyTermsSet = Omit<CopyTerms, 'stopLoss'> & {
  readonly type: 'copyTermsSet'
  readonly accountId: number
  /** Instruments that are not copied, by ascending id. */
  readonly excluded: readonly number[]
}

/** Money was added to a copy. */
export type CopyFunded = MoneyEvent & {
  readonly type: 'copyFunded'
  readonly amount: Money
  /** The base and the high-water mark from here on. */
  readonly base: Money
  readonly mark: Money
}

/** Money was taken out of a copy, less the performance fee on it. */
export type CopyReduced = MoneyEvent & {
  readonly type: 'copyReduced'
  readonly amount: Money
  readonly fee: Money
  /** The equity and the prices behind it. */
  readonly equity: Money
  readonly prices: readonly ReceiptTick[]
  /** The base and the high-water mark from here on. */
  readonly base: Money
  readonly mark: Money
}

/** Nothing came of an event of the provider in this copy. */
export type CopySkipped = {
  readonly type: 'copySkipped'
  readonly accountId: number
  readonly source: CopySource
  readonly reason: CopyReason
  /** The copy's; null while a price for it is missing, and where no size was asked for. */
  readonly equity: Money | null
  /** Of the copy, where a size was asked for; left out by earlier versions, when it never changed. */
  readonly multiplier?: Ratio
}

/** A copy begins to end: its positions close as soon as their markets have fresh prices. */
export type CopyStopped = {
  readonly type: 'copyStopped'
  readonly accountId: number
  readonly reason: CopyEndReason
  /** Of a copy stop loss: the equity that reached it, and the prices behind it. */
  readonly proof?: { readonly equity: Money; readonly prices: readonly ReceiptTick[] }
}

/** All positions of a copy are closed and its money has returned, less the performance fee. */
export type CopyEnded = MoneyEvent & {
  readonly type: 'copyEnded'
  readonly reason: CopyEndReason
  readonly fee: Money
  /** The loss that a later copy of the same provider makes up for first. */
  readonly carriedLoss: Money
}

/** The performance fee of a month, written for each copy even where there is none to pay. */
export type PerformanceFeeCharged = MoneyEvent & {
  readonly type: 'performanceFeeCharged'
  /** The last 17:00 New York of the month, epoch ms. */
  readonly moment: number
  /** At the prices of that moment; null where one is missing, and nothing is charged. */
  readonly equity: Money | null
  readonly fee: Money
  /** The high-water mark from here on. */
  readonly mark: Money
}

/** All copies have the fee event of this month's end. */
export type MonthFeesCharged = { readonly type: 'monthFeesCharged'; readonly moment: number }

/** Events of strategies and copies. */
export type CopyingEvent =
  | StrategyPublished
  | StrategyFeeSet
  | StrategyEnded
  | CopyStarted
  | CopyPaused
  | CopyResumed
  | CopyStopLossSet
  | CopyTermsSet
  | CopyFunded
  | CopyReduced
  | CopySkipped
  | CopyStopped
  | CopyEnded
  | PerformanceFeeCharged
  | MonthFeesCharged

/** New terms, in force from `effectiveAt` (epoch ms): at once, or when `termsTookEffect` names them. */
export type TermsSet = {
  readonly type: 'termsSet'
  readonly changeId: number
  readonly effectiveAt: number
  readonly change: TermsChange
  /** The version of the rules it was decided by; left out: the first ones. */
  readonly rules?: TermsRules
}

/** An announced change of terms took effect. */
export type TermsTookEffect = { readonly type: 'termsTookEffect'; readonly changeId: number }

/** An announced change of terms was withdrawn: by an operator, by a change that holds earlier, or by the clock. */
export type TermsWithdrawn = {
  readonly type: 'termsWithdrawn'
  readonly changeId: number
  /** The version of the rules it was decided by; left out: an older one, or the clock. */
  readonly rules?: TermsRules
}

/** Events of money cases. */
export type CaseEvent =
  | DepositOpened
  | DepositEnded
  | WithdrawalHeld
  | WithdrawalApproved
  | WithdrawalApprovalVoided
  | WithdrawalPaying
  | WithdrawalEnded
  | AdjustmentAsked
  | AdjustmentEnded

/** Events of operators and their rules. */
export type OperatorEvent =
  | OperatorsAdopted
  | OperatorSet
  | OperatorJoined
  | SingleOperatorEnded
  | RecoveryAnnounced
  | RecoveryCalledOff
  | RecoveryUsed

/** What has happened. Events contain facts; margin sums, equity and margin level are derived from them. */
export type Event =
  | AccountOpened
  | OrderPlaced
  | PositionOpened
  | OrderCancelled
  | PositionClosed
  | PositionReduced
  | StopsSet
  | SwapBooked
  | PricesMarked
  | EquityRangeNoted
  | RolledOver
  | TrailingMoved
  | DemoReset
  | CaseEvent
  | PayoutMethodBound
  | PayoutMethodRemoved
  | AlertEvent
  | OperatorEvent
  | AccountStatusSet
  | AccountClosed
  | CopyingEvent
  | TermsSet
  | TermsTookEffect
  | TermsWithdrawn
  | InstrumentHalted
  | TradingModeSet
  | RulesSet
  | ReferenceAdmitted
  | ReferenceSettled

/** The request id of a change, so that sending it twice has one effect. */
export type Request = {
  /** The user's account, or the id of the operator. */
  readonly accountId: number
  /** The call it was sent with; those of operators have their own names. */
  readonly call: string
  readonly id: string
  /** Digest of the payload: the same id with another payload is refused. */
  readonly digest: string
}

/** One accepted command in the journal. */
export type Entry = {
  /** Epoch ms on the market clock; never falls from one entry to the next. */
  readonly at: number
  readonly author: Author
  readonly request: Request | null
  readonly events: readonly Event[]
}
