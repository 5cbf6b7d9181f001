import { defineSession, type Session, type SessionCalendar } from '@fairlot/core'
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

/** The trading hours of sessions.csv with the days of holidays.csv. Throws a RangeError naming what it cannot read. */
export function seedCalendar(): SessionCalendar {
  const holidays = Map.groupBy(readTable('holidays.csv'), (row) => row.cell('session'))
  const sessions = readTable('sessions.csv').map((row) =>
    toSession(row, holidays.get(row.cell('session')) ?? []),
  )
  return new Map(sessions.map((session) => [session.name, session]))
}

const toSession = (row: Row, holidays: readonly Row[]): Session =>
  defineSession({
    name: row.cell('session'),
    zone: row.cell('zone'),
    windows: row.cell('open_windows_local'),
    holidays: holidays.map((day) => ({ date: day.cell('date'), closesAt: day.cell('closes_local') || null })),
  })
