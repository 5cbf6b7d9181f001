import type { Request } from './event.ts'
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

export type ClosePosition = Asked & { readonly type: 'closePosition'; readonly orderId: number }
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

/** Time has passed: pending orders past their expiry end. */
export type ClockCommand = Timed & { readonly type: 'clock' }

export type UserCommand = PlaceOrder | ClosePosition | CancelOrder | SetStops | ResetDemo
export type Command = UserCommand | OpenAccount | TickCommand | ClockCommand
