import {
  convert,
  type Conversion,
  type Instrument,
  type Price,
  type Receipt,
  type State,
} from '@fairlot/core'

/** One figure: its name, the value found and the value expected. */
export type Figure = readonly [name: string, found: unknown, expected: unknown]

type Market = { instrument: Instrument; conversion: Conversion; tick: NonNullable<Receipt['tick']> }

/** The instrument, tick and conversion of a receipt; null when it does not name all of them. */
export function marketOf(state: State, instrumentId: number, { tick, conversion }: Receipt): Market | null {
  const instrument = state.instruments.get(instrumentId)
  const path = state.conversionPaths.get(instrumentId)
  const rate = path && convert(path, (id) => conversion.find((used) => used.instrumentId === id))
  return instrument && rate && tick?.instrumentId === instrumentId
    ? { instrument, conversion: rate, tick }
    : null
}

export const NO_MARKET: Figure[] = [['tick', null, 'named']]

type Filled = { side: Receipt['quoteSide']; price: Receipt['filledPrice']; slippage: number }

export const filled = (receipt: Receipt, { side, price, slippage }: Filled): Figure[] => [
  ['side of the quote', receipt.quoteSide, side],
  ['filled price', receipt.filledPrice, price],
  ['slippage', receipt.slippage, slippage],
]

export const unfilled = (receipt: Receipt, requested: Price | null | undefined): Figure[] => [
  ['requested price', receipt.requestedPrice, requested],
  ...filled(receipt, { side: null, price: null, slippage: 0 }),
]

const withoutBigints = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value

const textOf = (value: unknown): string => JSON.stringify(value, withoutBigints) ?? 'missing'

/** The first difference between two values as a text, or null. Numbers and bigints of one value are equal. */
export function firstDifference(found: unknown, expected: unknown, name: string): string | null {
  if (isBranch(found) && isBranch(expected)) {
    for (const key of new Set([...Object.keys(found), ...Object.keys(expected)])) {
      const difference = firstDifference(found[key], expected[key], `${name} ${key}`.trim())
      if (difference !== null) return difference
    }
    return null
  }
  if (textOf(found) === textOf(expected) || String(found) === String(expected)) return null
  return `${name} is ${textOf(found)}, it should be ${textOf(expected)}`
}

const isBranch = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
