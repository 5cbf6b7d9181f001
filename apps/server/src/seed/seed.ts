import { readFileSync } from 'node:fs'
import {
  defineSession,
  type Instrument,
  type Listing,
  lots,
  LOTS_DECIMALS,
  parseDecimal,
  price,
  type Price,
  ratio,
  type Ratio,
  RATIO_DECIMALS,
  type SessionCalendar,
  type SessionText,
} from '@fairlot/core'

/** One line of a table: the cell of a named column, as text. Throws an Error when there is no such column. */
export type Row = { readonly line: number; readonly cell: (column: string) => string }

/**
 * Reads a table of this folder: a header, then one row per line, cells separated by commas, no quoting. Throws an Error
 * that names a line with another number of cells than the header.
 */
function readTable(file: string): Row[] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split(/\r?\n/)
  const columns = (lines[0] ?? '').split(',')
  return lines.slice(1).map((text, index) => toRow(file, columns, text, index + 2))
}

function toRow(file: string, columns: readonly string[], text: string, line: number): Row {
  const cells = text.split(',')
  if (cells.length !== columns.length) {
    throw new Error(`${file} line ${line} has ${cells.length} cells, not ${columns.length}`)
  }
  return {
    line,
    cell(column) {
      const value = cells[columns.indexOf(column)]
      if (value === undefined) throw new Error(`${file} has no column ${column}`)
      return value
    },
  }
}

/** The categories of the seeded instruments; their ids count from 1 in this order. */
export const CATEGORIES = ['Forex', 'Metals', 'Energies', 'Indices', 'Crypto', 'Shares'] as const
export type Category = (typeof CATEGORIES)[number]

const TRIPLE_SWAP_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'daily'] as const

/** An instrument of a fresh deployment: its terms for the core, and figures for lists and the simulated feed. */
export type InstrumentSeed = {
  readonly instrument: Instrument
  readonly showCode: string
  /** In English; null for currency pairs, which clients name by their currencies. */
  readonly name: string | null
  readonly category: Category
  /** The customary pip, in ticks. */
  readonly pricePip: Price
  /** In ticks. This and the next two are typical figures for the simulated feed. */
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
function readInstrumentSeed(row: Row, id: number, sort: number): InstrumentSeed {
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
  // No swap until an operator sets one.
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

/**
 * The instruments of instruments.csv; ids count from 1 in file order, the file's first sorts highest. Throws an Error
 * naming the line it cannot read.
 */
export function seedInstruments(): InstrumentSeed[] {
  const rows = readTable('instruments.csv')
  return rows.map((row, index) => readInstrumentSeed(row, index + 1, rows.length - index))
}

/** The listing of a seeded instrument. */
export const listingOfSeed = ({ instrument: _, ...listed }: InstrumentSeed): Listing => ({
  ...listed,
  logo: '',
})

/** The trading hours of trading-hours.csv with the days of holidays.csv, as text. */
export function seedSessions(): SessionText[] {
  const holidays = Map.groupBy(readTable('holidays.csv'), (row) => row.cell('session'))
  return readTable('trading-hours.csv').map((row) => toText(row, holidays.get(row.cell('session')) ?? []))
}

/** The seeded trading hours, parsed. Throws a RangeError that names what it cannot read. */
export const seedCalendar = (): SessionCalendar =>
  new Map(seedSessions().map((session) => [session.name, defineSession(session)]))

const toText = (row: Row, holidays: readonly Row[]): SessionText => ({
  name: row.cell('session'),
  zone: row.cell('zone'),
  windows: row.cell('open_windows_local'),
  holidays: holidays.map((day) => ({ date: day.cell('date'), closesAt: day.cell('closes_local') || null })),
})
