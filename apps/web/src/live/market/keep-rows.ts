import type { InstrumentListing } from '@fairlot/contract'

/** What the socket tells after the list is fetched. */
const MOVING: ReadonlySet<string> = new Set(['lastPrice', 'day', 'bid', 'ask', 'quoteTime', 'quoteSeq'])

/** A row in which nothing but its price has moved stays the row it was: whoever shows it need not render again. */
export function keepRows(
  before: readonly InstrumentListing[] | undefined,
  next: readonly InstrumentListing[],
): readonly InstrumentListing[] {
  const known = new Map(before?.map((row) => [row.id, row]))
  const rows = next.map((row) => {
    const was = known.get(row.id)
    return was && isSameListing(was, row) ? was : row
  })
  return before?.length === rows.length && rows.every((row, at) => row === before[at]) ? before : rows
}

const isSameListing = (was: InstrumentListing, row: InstrumentListing): boolean =>
  (was.quoteTime === null) === (row.quoteTime === null) &&
  Object.entries(row).every(([name, value]) => {
    const before: unknown = was[name as keyof InstrumentListing]
    return MOVING.has(name) || before === value || (Array.isArray(value) && String(before) === String(value))
  })
