import type { Tables } from './schema.ts'

type Table = keyof Tables
type Value = number | string | null

/**
 * A row to be written. Its integers are numbers where these are safe, and decimal text for amounts: JSON keeps both
 * exactly, and the database converts them to the column's type.
 */
export type Written<Row> = {
  readonly [Column in keyof Row]: Row[Column] extends string | null
    ? Row[Column]
    : number | string | Extract<Row[Column], null>
}

/** Rows to be written to one table. All rows have the same columns. */
export type TableChange = {
  readonly table: Table
  /** `insert` fails on an existing key, `upsert` replaces the row, `update` changes the given columns of an existing row. */
  readonly action: 'insert' | 'upsert' | 'update'
  readonly key: readonly string[]
  readonly rows: readonly Readonly<Record<string, Value>>[]
}

type Column<Name extends Table> = keyof Tables[Name] & string

export const inserted = <Name extends Table>(
  table: Name,
  rows: readonly Written<Tables[Name]>[],
): TableChange => ({
  table,
  action: 'insert',
  key: [],
  rows,
})

/** Columns that are not given keep their value; in a new row they have their default. */
export const upserted = <Name extends Table, Given extends Partial<Written<Tables[Name]>>>(
  table: Name,
  key: readonly Column<Name>[],
  rows: Iterable<Given>,
): TableChange => ({ table, action: 'upsert', key, rows: [...rows] as Record<string, Value>[] })

/** The key columns identify the row, all others are set. */
export const updated = <Name extends Table, Given extends Partial<Written<Tables[Name]>>>(
  table: Name,
  key: readonly (keyof Given & string)[],
  rows: Iterable<Given>,
): TableChange => ({ table, action: 'update', key, rows: [...rows] as Record<string, Value>[] })

/** The columns of a change: those of its first row. */
export const columnsOf = ({ rows }: TableChange): string[] => Object.keys(rows[0] ?? {})

export const quoted = (name: string): string => `"${name}"`
export const listed = (names: readonly string[]): string => names.map(quoted).join(', ')

/** The columns of a change that are not its key. */
export const changedColumns = (change: TableChange): string[] =>
  columnsOf(change).filter((column) => !change.key.includes(column))

/** The conflict clause of an upsert; empty for an insert. */
export function onConflict(change: TableChange): string {
  if (change.action !== 'upsert') return ''
  const sets = changedColumns(change).map((column) => `${quoted(column)} = excluded.${quoted(column)}`)
  return ` on conflict (${listed(change.key)}) do update set ${sets.join(', ')}`
}
