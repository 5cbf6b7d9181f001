import type { Author } from './author.ts'
import type { LedgerKind, Transfer } from './money/ledger.ts'
import type { AdjustmentOutcome, DepositOutcome, WithdrawalOutcome } from './payments/money-case.ts'
import type { Lots, Money, Price } from './money/number.ts'
import type { EndReason, OrderKind, Side } from './orders/order.ts'
import type { Receipt, ReceiptTick } from './receipt.ts'
import type { OpenStatus, TermsChange } from './terms/terms.ts'

/** What an order is from its first moment on, whatever becomes of it. */
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
  /** Held by a position, reserved by a pending order. */
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

/** A part of a position was closed: it becomes a finished order of its own, the rest keeps its id. */
export type PositionReduced = Omit<PositionClosed, 'type' | 'closePrice'> & {
  readonly type: 'positionReduced'
  /** The id of the closed part. */
  readonly partId: number
  /** What was closed, and its share of the margin. */
  readonly lots: Lots
  readonly margin: Money
  readonly closePrice: Price
  /** The position as it was before; the part shares all of it but size and margin. */
  readonly position: PositionTerms
}

export type PositionTerms = OrderTerms & { readonly openPrice: Price; readonly openedAt: number }

/** Overnight financing of one position for one night, or three at once. */
export type SwapBooked = {
  readonly type: 'swapBooked'
  readonly orderId: number
  readonly accountId: number
  /** The 17:00 New York that it is booked for, epoch ms. */
  readonly rollover: number
  readonly nights: number
  /** Above zero is paid to the user. */
  readonly amount: Money
  readonly receipt: Receipt
  readonly transfers: readonly Transfer[]
}

/**
 * The last accepted prices at a moment, for the account curves; at 17:00 New York also what the night's financing is worked out
 * from. A price that was missing then comes later, in one more event of the same moment.
 */
export type PricesMarked = {
  readonly type: 'pricesMarked'
  /** A full hour, epoch ms. */
  readonly moment: number
  readonly prices: readonly ReceiptTick[]
  /** The night's rates, of the instruments that have any; null where the moment is no 17:00 New York. */
  readonly night: readonly NightRate[] | null
}

/** Overnight financing of one instrument for one night, by the terms of that night. */
export type NightRate = {
  readonly instrumentId: number
  /** 1e-6 percent a year by side; above zero is paid to the user. */
  readonly buy: number
  readonly sell: number
  /** Three on the triple day. */
  readonly nights: number
}

/** Every position open at this 17:00 New York has had its financing. */
export type RolledOver = { readonly type: 'rolledOver'; readonly rollover: number }

export type InstrumentHalted = {
  readonly type: 'instrumentHalted'
  readonly instrumentId: number
  /** Shown to everyone; null ends the halt. */
  readonly reason: string | null
}

export type TradingModeSet = { readonly type: 'tradingModeSet'; readonly mode: TradingMode }

/** `cancelOnly`: nothing opens, closes or triggers; pending orders may be cancelled and stops moved. */
export type TradingMode = 'normal' | 'cancelOnly'

export type StopsSet = {
  readonly type: 'stopsSet'
  readonly orderId: number
  readonly accountId: number
  readonly takeProfit: Price | null
  readonly stopLoss: Price | null
  readonly trailingDistance: Price | null
}

/** Trailing stops of an instrument follow this price, all that it is better for. */
export type TrailingMoved = {
  readonly type: 'trailingMoved'
  readonly instrumentId: number
  readonly tick: ReceiptTick
}

type MoneyEvent = { readonly accountId: number; readonly transfers: readonly Transfer[] }

/** The starting balance of a demo account is restored. */
export type DemoReset = MoneyEvent & { readonly type: 'demoReset' }

export type DepositOpened = {
  readonly type: 'depositOpened'
  readonly caseId: number
  readonly accountId: number
  readonly amount: Money
}

export type DepositEnded = MoneyEvent & {
  readonly type: 'depositEnded'
  readonly caseId: number
  readonly outcome: DepositOutcome
  /** What was credited: the amount that the operator confirmed, zero where none was. */
  readonly amount: Money
}

export type WithdrawalHeld = MoneyEvent & {
  readonly type: 'withdrawalHeld'
  readonly caseId: number
  readonly amount: Money
  readonly fee: Money
}

export type WithdrawalEnded = MoneyEvent & {
  readonly type: 'withdrawalEnded'
  readonly caseId: number
  readonly outcome: WithdrawalOutcome
}

export type AdjustmentAsked = {
  readonly type: 'adjustmentAsked'
  readonly caseId: number
  readonly accountId: number
  /** Below zero takes money away. */
  readonly amount: Money
  /** The operator who asked. */
  readonly askedBy: number
}

export type AdjustmentEnded = MoneyEvent & {
  readonly type: 'adjustmentEnded'
  readonly caseId: number
  readonly outcome: AdjustmentOutcome
}

export type AccountStatusSet = {
  readonly type: 'accountStatusSet'
  readonly accountId: number
  readonly status: OpenStatus
  /** The operator's reason, which the user reads; empty where the account is active again. */
  readonly reason: string
}

/** The owner has ended the account for good. `left` is what stays on it, which nobody moves any more. */
export type AccountClosed = {
  readonly type: 'accountClosed'
  readonly accountId: number
  readonly left: Money
}

/** New terms, in force from `effectiveAt` (epoch ms): at once, or when `termsTookEffect` names them. */
export type TermsSet = {
  readonly type: 'termsSet'
  readonly changeId: number
  readonly effectiveAt: number
  readonly change: TermsChange
}

/** The moment of a change of terms that was announced has come. */
export type TermsTookEffect = { readonly type: 'termsTookEffect'; readonly changeId: number }

/** A change of terms that was announced will not come. */
export type TermsWithdrawn = { readonly type: 'termsWithdrawn'; readonly changeId: number }

/** What becomes of money that enters or leaves outside trading. */
export type CaseEvent =
  DepositOpened | DepositEnded | WithdrawalHeld | WithdrawalEnded | AdjustmentAsked | AdjustmentEnded

/** What has happened. Events hold facts; margin sums, equity and level are derived from them, never written. */
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
  | RolledOver
  | TrailingMoved
  | DemoReset
  | CaseEvent
  | AccountStatusSet
  | AccountClosed
  | TermsSet
  | TermsTookEffect
  | TermsWithdrawn
  | InstrumentHalted
  | TradingModeSet

/** A caller's own name for one change, so that sending it twice has one effect. */
export type Request = {
  /** Whose it is: the user's account, or the number of the operator. */
  readonly accountId: number
  /** The call it was sent with; those of operators have names of their own. */
  readonly call: string
  readonly id: string
  /** Digest of the payload: the same id with another payload is refused. */
  readonly digest: string
}

/** One accepted command as the journal keeps it. */
export type Entry = {
  /** Epoch ms on the market clock; never falls from one entry to the next. */
  readonly at: number
  readonly author: Author
  readonly request: Request | null
  readonly events: readonly Event[]
}
