/** What verify compares, and the prices that a receipt names. */
import {
  convert,
  type Conversion,
  type Instrument,
  type Price,
  type Receipt,
  type State,
} from '@fairlot/core'

/** One figure: its name, what the receipt says and what follows from its tick. */
export type Figure = readonly [name: string, found: unknown, expected: unknown]

type Market = { instrument: Instrument; conversion: Conversion; tick: NonNullable<Receipt['tick']> }

/** What a receipt's prices mean; null when it does not name all of them. */
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

export const unfilled = (receipt: Receipt, asked: Price | null | undefined): Figure[] => [
  ['requested price', receipt.requestedPrice, asked],
  ...filled(receipt, { side: null, price: null, slippage: 0 }),
]
