import {
  lots,
  LOTS_DECIMALS,
  parseDecimal,
  price,
  ratio,
  RATIO_DECIMALS,
  type Instrument,
  type Price,
  type Ratio,
} from '@fairlot/core'
import type { Row } from './csv.ts'

/** Of the seeded instruments; their ids count from 1 in this order. */
export const CATEGORIES = ['Forex', 'Metals', 'Energies', 'Indices', 'Crypto', 'Shares'] as const
export type Category = (typeof CATEGORIES)[number]

const TRIPLE_SWAP_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'daily'] as const

/** An instrument as a fresh deployment gets it: the terms the core needs, and what lists and the simulated feed need. */
export type InstrumentSeed = {
  readonly instrument: Instrument
  readonly showCode: string
  /** English. Null for currency pairs: the web composes it from the currencies' names. */
  readonly name: string | null
  readonly category: Category
  /** The customary pip, in ticks. */
  readonly pricePip: Price
  /** In ticks; like the next two a typical figure, for the simulated feed. */
  readonly typicalSpread: Price
  /** In ticks. */
  readonly referencePrice: Price
  /** Standard deviation of the yearly logarithmic return: 0.07 is 70,000. */
  readonly yearlyVolatility: Ratio
  /** Lists are sorted by it, descending. */
  readonly sort: number
}

const FEE_RATE = ratio(1_000)
const SUSPECT_BAND: Record<Category, Ratio> = {
  Forex: ratio(20_000),
  Metals: ratio(50_000),
  Indices: ratio(50_000),
  Energies: ratio(100_000),
  Shares: ratio(100_000),
  Crypto: ratio(150_000),
}
const maxSpreadOf = (category: Category): Ratio =>
  ratio(category === 'Crypto' || category === 'Shares' ? 50_000 : 10_000)

/** Reads one row of instruments.csv. Throws an Error naming the line and the column it cannot read. */
export function readInstrumentSeed(row: Row, id: number, sort: number): InstrumentSeed {
  const category = oneOf(row, 'category', CATEGORIES)
  const priceDecimals = decimal(row, 'price_precision', 0)
  const typicalSpread = price(decimal(row, 'typical_spread', priceDecimals))
  return {
    instrument: readInstrument(row, id, category, priceDecimals, typicalSpread),
    showCode: row.cell('show_code'),
    name: row.cell('name') || null,
    category,
    pricePip: price(decimal(row, 'price_pip', priceDecimals)),
    typicalSpread,
    referencePrice: price(decimal(row, 'reference_price', priceDecimals)),
    yearlyVolatility: ratio(decimal(row, 'reference_yearly_volatility', RATIO_DECIMALS)),
    sort,
  }
}

const readInstrument = (
  row: Row,
  id: number,
  category: Category,
  priceDecimals: number,
  typicalSpread: Price,
): Instrument => ({
  id,
  code: row.cell('code'),
  quoteCurrency: row.cell('quote'),
  baseCurrency: row.cell('base'),
  priceDecimals,
  contractSize: decimal(row, 'units_per_lot', 0),
  marginMode: 'leveraged',
  leverages: row.cell('leverage_options').split('|').map(Number),
  lotStep: lots(decimal(row, 'lot_step', LOTS_DECIMALS)),
  lotMin: lots(decimal(row, 'min_lot', LOTS_DECIMALS)),
  lotMax: lots(decimal(row, 'max_lot', LOTS_DECIMALS)),
  feeRate: FEE_RATE,
  minStopDistance: price(Math.max(typicalSpread, 1)),
  allowsNegativePrice: false,
  suspectBand: SUSPECT_BAND[category],
  maxSpread: maxSpreadOf(category),
  session: row.cell('session'),
  // Holding costs nothing until an operator says so.
  swapRate: { buy: ratio(0), sell: ratio(0) },
  tripleSwapDay: oneOf(row, 'triple_swap_day', TRIPLE_SWAP_DAYS),
  isEnabled: true,
})

function decimal(row: Row, column: string, decimals: number): number {
  const value = parseDecimal(row.cell(column), decimals)
  if (value === null) throw unreadable(row, column)
  return Number(value)
}

function oneOf<Value extends string>(row: Row, column: string, values: readonly Value[]): Value {
  const found = values.find((value) => value === row.cell(column))
  if (found === undefined) throw unreadable(row, column)
  return found
}

const unreadable = (row: Row, column: string): Error =>
  new Error(`instruments.csv line ${row.line}: cannot read ${column} "${row.cell(column)}"`)
