import type { Side } from '@fairlot/core'

export type TicketMode = 'market' | 'pending'
export type PriceField = 'target' | 'stopLoss' | 'takeProfit'

/** What has been entered, as it was typed. Nothing derived is kept here. */
export type TicketState = {
  readonly mode: TicketMode
  readonly lots: string
  /** Null: the instrument offers none. */
  readonly leverage: number | null
  readonly target: string
  readonly stopLoss: string
  readonly takeProfit: string
  /** The side whose button was pressed while something was wrong; its problems are shown until the next change. */
  readonly attempted: Side | null
}

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: TicketMode }
  | { readonly type: 'lots'; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  | { readonly type: 'price'; readonly field: PriceField; readonly text: string }
  | { readonly type: 'attempt'; readonly side: Side }
  /** The order was taken: prices go, the size stays for the next one. */
  | { readonly type: 'placed' }

/** What an instrument starts with. `lots` and `leverage` may come from the last order on it. */
export const freshTicket = (lots: string, leverage: number | null): TicketState => ({
  mode: 'market',
  lots,
  leverage,
  target: '',
  stopLoss: '',
  takeProfit: '',
  attempted: null,
})

export function reduce(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case 'mode':
      return { ...state, mode: action.mode, attempted: null }
    case 'lots':
      return { ...state, lots: action.text, attempted: null }
    case 'leverage':
      return { ...state, leverage: action.leverage, attempted: null }
    case 'price':
      return { ...state, [action.field]: action.text, attempted: null }
    case 'attempt':
      return { ...state, attempted: action.side }
    case 'placed':
      return { ...state, target: '', stopLoss: '', takeProfit: '', attempted: null }
  }
}
