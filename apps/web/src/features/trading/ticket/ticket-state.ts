import type { Side } from '@fairlot/core'

export type TicketMode = 'market' | 'pending'
/** How long a pending order waits; `own` until a date and time of the reader's. */
export const EXPIRIES = ['never', 'today', 'day', 'week', 'own'] as const
export type Expiry = (typeof EXPIRIES)[number]
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
  readonly expiry: Expiry
  /** The moment of a quick choice, epoch ms; null for the others. */
  readonly expiresAt: number | null
  /** The reader's own date and time, as its field writes it: "2026-11-21T18:00". */
  readonly expiryText: string
  /** The side whose button was pressed while something was wrong; its problems are shown until the next change. */
  readonly attempted: Side | null
  /** What the server said no to, in its own words, until the next change. */
  readonly refusal: TicketRefusal | null
}

/** A refused order: the sentence, and the field it is about; null when it is about none. */
export type TicketRefusal = { readonly field: TicketField | null; readonly text: string }
export type TicketField = 'lots' | 'expiry' | PriceField

export type TicketAction =
  | { readonly type: 'mode'; readonly mode: TicketMode }
  | { readonly type: 'lots'; readonly text: string }
  | { readonly type: 'leverage'; readonly leverage: number }
  | { readonly type: 'price'; readonly field: PriceField; readonly text: string }
  | { readonly type: 'expiry'; readonly expiry: Expiry; readonly expiresAt: number | null }
  | { readonly type: 'expiryText'; readonly text: string }
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
  expiry: 'never',
  expiresAt: null,
  expiryText: '',
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
    case 'expiry':
      return { ...state, ...FRESH, expiry: action.expiry, expiresAt: action.expiresAt }
    case 'expiryText':
      return { ...state, ...FRESH, expiry: 'own', expiresAt: null, expiryText: action.text }
    case 'attempt':
      return { ...state, attempted: action.side, refusal: null }
    case 'refused':
      return { ...state, refusal: action.refusal }
    case 'placed':
      return {
        ...state,
        ...FRESH,
        target: '',
        stopLoss: '',
        takeProfit: '',
        expiry: 'never',
        expiresAt: null,
      }
  }
}
