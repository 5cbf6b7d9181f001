import type { Instrument, Price, Ratio, SessionCalendar } from '@fairlot/core'

export type Category = 'Forex' | 'Metals' | 'Energies' | 'Indices' | 'Crypto' | 'Shares'
export type TripleSwapDay = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'daily'

/** An instrument as a fresh deployment gets it: the terms the core needs and what a list shows. */
export type InstrumentSeed = {
  /** Ids count from 1 in file order. */
  readonly instrument: Instrument
  readonly showCode: string
  /** Null for currency pairs: the web composes it from the currencies' names. */
  readonly name: string | null
  readonly category: Category
  /** The customary pip, in ticks. */
  readonly pricePip: Price
  /** In ticks. Typical figures for the simulated feed: spread, reference price, yearly volatility. */
  readonly typicalSpread: Price
  readonly referencePrice: Price
  readonly yearlyVolatility: Ratio
  readonly tripleSwapDay: TripleSwapDay
  /** Lists are sorted by it, descending: the file's first has the highest. */
  readonly sort: number
}

/** The 55 instruments of instruments.csv. Throws an Error naming the line it cannot read. */
export function seedInstruments(): InstrumentSeed[] {
  throw new Error('')
}

/** sessions.csv with holidays.csv. Throws an Error naming the line it cannot read. */
export function seedCalendar(): SessionCalendar {
  throw new Error('')
}
