/** Rows per query. */
const PAGE = 1_000

/** The rows of a query one by one, in the order of their id, a page in memory at a time. */
export type Pager<Row> = {
  /** The next row; null after the last. */
  next(): Promise<Row | null>
}

/** `load` returns the rows after an id, oldest first, at most `limit` of them. */
export function createPager<Row extends { id: bigint }>(
  load: (after: bigint, limit: number) => Promise<Row[]>,
): Pager<Row> {
  let rows: Row[] = []
  let place = 0
  let last = 0n
  return {
    next: async () => {
      if (place === rows.length) {
        rows = await load(last, PAGE)
        place = 0
      }
      const row = rows[place]
      place += 1
      if (row) last = row.id
      else rows = []
      if (!row) place = 0
      return row ?? null
    },
  }
}
