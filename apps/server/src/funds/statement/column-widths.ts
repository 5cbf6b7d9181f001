import type { Cell, Table } from './statement-table.ts'

/** Sizes of letters in the template, points. */
const TEXT_PT = 8
const NOTE_PT = 7
const REST_PT = 6
/** What stands around a cell. */
const INSET_PT = 9
/** How wide a letter is for its size: in scripts of whole squares, and in all others, where no figure or date is wider. */
const SQUARE = 1.02
const NARROW = 0.6
const IS_SQUARE = /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/
const HAS_NO_WIDTH = /[\u2066-\u2069\p{Mn}]/u

const lengthOf = (text: string, size: number): number => {
  let length = 0
  for (const letter of text)
    if (!HAS_NO_WIDTH.test(letter)) length += size * (IS_SQUARE.test(letter) ? SQUARE : NARROW)
  return length
}

const widthOf = ({ text, rest = '', notes = [] }: Cell): number =>
  Math.max(lengthOf(text, TEXT_PT) + lengthOf(rest, REST_PT), lengthOf(notes.join(' · '), NOTE_PT))

/**
 * Gives each column the width of its widest cell, but for the one that takes the rest. Said beforehand, since a library that measures
 * thousands of rows takes three times as long.
 */
export const fitted = (table: Table): Table => ({
  ...table,
  columns: table.columns.map((column, at) => {
    if (column.width === null) return column
    const widths = table.rows.map((row) => (row[at] ? widthOf(row[at]) : 0))
    const widest = widths.reduce((most, width) => Math.max(most, width), lengthOf(column.title, NOTE_PT))
    return { ...column, width: Math.ceil(widest + INSET_PT) }
  }),
})
