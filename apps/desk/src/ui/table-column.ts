import type { ReactNode } from 'react'

/** One column of a DataTable. */
export type Column<Row> = {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Figures stand at the end. */
  align?: 'start' | 'end'
  /** Where it stands on a phone's card: first line, end of the first line, second line (as usual), or nowhere. */
  onPhone?: 'title' | 'figure' | 'note' | 'hidden'
  /** Stands before it on a phone's card, where a figure alone would say nothing. */
  phoneLabel?: string
}

/** What both shapes of a table are given. */
export type TableBody<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** The row that is open. */
  selected?: string | number | null
  /** The row that Tab leads to; -1 for the first. */
  at: number
  onOpen: ((index: number) => void) | null
}
