import { type BookLine, isPriceMove, PRICE_MOVE } from '@fairlot/contract/desk'
import { type Decimal, fromUnits, readDecimal } from '@fairlot/core/decimal'

/** The prices that a move applies to: one instrument, one category, or all where both are null. */
export type MoveScope = {
  /** Identifies it in the list of scopes. */
  readonly key: string
  readonly label: string
  readonly instrumentId: number | null
  readonly category: string | null
}

/** A price move to calculate. */
export type PriceMove = { readonly percent: Decimal; readonly scope: MoveScope }

export const ALL_INSTRUMENTS: MoveScope = {
  key: 'all',
  label: 'All instruments',
  instrumentId: null,
  category: null,
}

/** The scopes to choose from. Only instruments with open positions are listed: moving any other changes nothing. */
export function scopesOf(book: readonly BookLine[]): readonly MoveScope[] {
  const categories = [...new Set(book.map(({ category }) => category))].toSorted()
  return [
    ALL_INSTRUMENTS,
    ...categories.map((category) => ({
      key: `category-${category}`,
      label: `All ${category}`,
      instrumentId: null,
      category,
    })),
    ...book.map(({ instrumentId, code }) => ({
      key: `instrument-${instrumentId}`,
      label: code,
      instrumentId,
      category: null,
    })),
  ]
}

/** Reads a percentage; null for a move that is out of range. */
export function readMovePercent(text: string): Decimal | null {
  const percent = readDecimal(text, PRICE_MOVE.decimals)
  return percent !== null && isPriceMove(percent) ? percent : null
}

/** The move shown when the screen opens. */
export const FIRST_MOVE: PriceMove = { percent: fromUnits(-1, 0), scope: ALL_INSTRUMENTS }

const withSign = (percent: Decimal): string => {
  const text = String(percent)
  return text.startsWith('-') ? text.replace('-', '−') : `+${text}`
}

/** `All instruments −1 %` */
export const moveText = ({ percent, scope }: PriceMove): string => `${scope.label} ${withSign(percent)} %`
