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
  /** What the server said no to, in its own words, until the next change. */
  readonly refusal: TicketRefusal | null
}

/** A refused order: the sentence, and the field it is about; null when it is about none. */
export type TicketRefusal = { readonly field: TicketField | null; readonly text: string }
export type TicketField = 'lots' | PriceField

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: TicketMode }
  | { readonly type: 'lots'; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  | { readonly type: 'price'; readonly field: PriceField; readonly text: string }
  | { readonly type: 'attempt'; readonly side: Side }
  | { readonly type: 'refused'; readonly refusal: TicketRefusal }
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
  refusal: null,
})

/** Whatever is changed, what was wrong before need not be wrong any more. */
const FRESH = { attempted: null, refusal: null } as const

export function reduce(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case 'mode':
      return { ...state, ...FRESH, mode: action.mode }
    case 'lots':
      return { ...state, ...FRESH, lots: action.text }
    case 'leverage':
      return { ...state, ...FRESH, leverage: action.leverage }
    case 'price':
      return { ...state, ...FRESH, [action.field]: action.text }
    case 'attempt':
      return { ...state, attempted: action.side, refusal: null }
    case 'refused':
      return { ...state, refusal: action.refusal }
    case 'placed':
      return { ...state, ...FRESH, target: '', stopLoss: '', takeProfit: '' }
  }
}
