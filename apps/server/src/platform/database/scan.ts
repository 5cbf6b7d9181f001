import type { Compilable } from 'kysely'

/**
 * The cells of a row, read one after the other in the order of the selected columns, without an object for the row. A cell
 * read as another type than it has returns a wrong value or throws.
 */
export type Cells = {
  /** A safe integer. Throws a RangeError for null. */
  number(): number
  numberOrNull(): number | null
  bigint(): bigint
  text(): string
  /** A text that is one of the values. Throws a RangeError for any other. */
  oneOf<Value extends string>(values: readonly Value[]): Value
}

/** A query without parameters, and a callback that reads the cells of each row. */
export type Scan = { readonly query: Compilable; readonly take: (row: Cells) => void }

/** The SQL text of a query. Throws a RangeError when it has parameters. */
export function textOf(query: Compilable): string {
  const { sql, parameters } = query.compile()
  if (parameters.length > 0) throw new RangeError('rows are scanned by a query without parameters')
  return sql
}

/** A cell as the query layer returns it. */
export type CellValue = bigint | string | null

/** The cells of a row that is an array of values. */
export class ValueCells implements Cells {
  #row: readonly CellValue[] = []
  #index = 0

  /** Starts to read another row. */
  begin(row: readonly CellValue[]): void {
    this.#row = row
    this.#index = 0
  }

  number(): number {
    return Number(this.bigint())
  }

  numberOrNull(): number | null {
    const cell = this.#next()
    return cell === null ? null : Number(cell)
  }

  bigint(): bigint {
    const cell = this.#next()
    if (typeof cell !== 'bigint') throw new RangeError('a cell is not an integer')
    return cell
  }

  text(): string {
    const cell = this.#next()
    if (typeof cell !== 'string') throw new RangeError('a cell is not a text')
    return cell
  }

  oneOf<Value extends string>(values: readonly Value[]): Value {
    const text = this.text()
    const found = values.find((value) => value === text)
    if (found === undefined) throw new RangeError(`a cell is none of ${values.join(', ')}`)
    return found
  }

  #next(): CellValue {
    const cell = this.#row[this.#index] ?? null
    this.#index += 1
    return cell
  }
}
