import { defineSession, type Listing, type SessionCalendar, type SessionText } from '@fairlot/core'
import { readTable, type Row } from './csv.ts'
import { readInstrumentSeed, type InstrumentSeed } from './instrument-seed.ts'

export type { InstrumentSeed } from './instrument-seed.ts'

/**
 * The instruments of instruments.csv; ids count from 1 in file order, the file's first sorts highest. Throws an Error
 * naming the line it cannot read.
 */
export function seedInstruments(): InstrumentSeed[] {
  const rows = readTable('instruments.csv')
  return rows.map((row, index) => readInstrumentSeed(row, index + 1, rows.length - index))
}

/** What lists and the simulated feed know of a seeded instrument. */
export const listingOfSeed = ({ instrument: _, ...listed }: InstrumentSeed): Listing => ({
  ...listed,
  logo: '',
})

/** The trading hours of trading-hours.csv with the days of holidays.csv, as they are written. */
export function seedSessions(): SessionText[] {
  const holidays = Map.groupBy(readTable('holidays.csv'), (row) => row.cell('session'))
  return readTable('trading-hours.csv').map((row) => toText(row, holidays.get(row.cell('session')) ?? []))
}

/** The same, read. Throws a RangeError naming what it cannot read. */
export const seedCalendar = (): SessionCalendar =>
  new Map(seedSessions().map((session) => [session.name, defineSession(session)]))

const toText = (row: Row, holidays: readonly Row[]): SessionText => ({
  name: row.cell('session'),
  zone: row.cell('zone'),
  windows: row.cell('open_windows_local'),
  holidays: holidays.map((day) => ({ date: day.cell('date'), closesAt: day.cell('closes_local') || null })),
})
