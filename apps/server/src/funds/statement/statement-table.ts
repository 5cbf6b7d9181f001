/** Of one cell: its text, digits that are set smaller, and the parts of a second line. */
export type Cell = {
  readonly text: string
  readonly rest?: string
  readonly notes?: readonly string[]
  readonly isStrong?: boolean
}

export type Column = {
  readonly title: string
  readonly align: 'start' | 'end'
  /** In points; null takes what the others leave. */
  readonly width: number | null
}

export type Table = {
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Cell[])[]
  /** What is said in place of rows. */
  readonly empty: string
}
