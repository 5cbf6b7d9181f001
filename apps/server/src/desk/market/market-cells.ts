/** Rows of the market's lists for files: in one line what a screen shows in parts. */
import { encode, type OutputOf } from '@fairlot/contract'
import {
  listDeskInstruments,
  type DeskCategory,
  type FeedRow,
  type InstrumentRow,
  type SessionRow,
  type TermsChangeRow,
} from '@fairlot/contract/desk'

/** With the terms as the wire has them: lots and rates as decimals. */
export function instrumentCells(answer: OutputOf<typeof listDeskInstruments>): object[] {
  const { instruments } = encode(listDeskInstruments.response, answer) as {
    readonly instruments: readonly (Omit<InstrumentRow, 'terms'> & { readonly terms: object })[]
  }
  return instruments.map(({ terms, ...row }) => ({ ...row, ...terms }))
}

export const sessionCells = ({ terms, instruments }: SessionRow): object => ({
  ...{ ...terms, instruments },
  holidays: terms.holidays.map(({ date, closesAt }) => (closesAt === null ? date : `${date} to ${closesAt}`)),
})

export const categoryCells = (row: DeskCategory): object => ({
  ...row,
  names: row.names.map(({ language, name }) => `${language}: ${name}`),
})

export const changeCells = (row: TermsChangeRow): object => ({
  ...row,
  changes: row.changes.map(({ field, before, after }) => `${field}: ${before ?? ''} -> ${after ?? ''}`),
})

export const feedCells = (row: FeedRow): object => ({
  ...row,
  refused: row.refused.map(({ reason, count }) => `${reason} ${count}`),
})
