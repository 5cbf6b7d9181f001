import type { Request, TradingMode } from './event.ts'
import type { LedgerKind } from './ledger.ts'
import type { Lots, Price } from './number.ts'
import type { Side } from './order.ts'
import type { Quote } from './quote.ts'

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
export type TickCommand = Timed & { readonly type: 'tick'; readonly quote: Quote }

/** Time has passed: pending orders past their expiry end, and nights are financed. */
export type ClockCommand = Timed & { readonly type: 'clock' }

export type HaltInstrument = Timed & {
  readonly type: 'haltInstrument'
  readonly instrumentId: number
  /** Null lets it trade again. */
  readonly reason: string | null
}

export type SetTradingMode = Timed & { readonly type: 'setTradingMode'; readonly mode: TradingMode }

export type UserCommand =
  PlaceOrder | ClosePosition | CloseAll | ReversePosition | CancelOrder | SetStops | SetTrailing | ResetDemo
export type OperatorCommand = HaltInstrument | SetTradingMode
export type Command = UserCommand | OperatorCommand | OpenAccount | TickCommand | ClockCommand
