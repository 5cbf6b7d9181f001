import type { Compilable } from 'kysely'

/**
 * The cells of a row, taken one after the other in the order of the selected columns: no object is made of a row. A cell taken as
 * another kind than it is gives nonsense or throws.
 */
export type Cells = {
  /** An integer that is safe as a number. Throws a RangeError where the cell is empty. */
  number(): number
  numberOrNull(): number | null
  bigint(): bigint
  text(): string
  /** A text that is one of a few. Throws a RangeError on any other. */
  word<Word extends string>(words: readonly Word[]): Word
}

/** What is read, and who takes the cells of each row. The query has no parameters. */
export type Scan = { readonly query: Compilable; readonly take: (row: Cells) => void }

/** The text of a query that is not sent through the query layer. Throws a RangeError where it has parameters. */
export function textOf(query: Compilable): string {
  const { sql, parameters } = query.compile()
  if (parameters.length > 0) throw new RangeError('rows are scanned by a query without parameters')
  return sql
}

/** A cell as the query layer reads it. */
export type Value = bigint | string | null

/** The cells of rows that are there as values. */
export class ValueCells implements Cells {
  #row: readonly Value[] = []
  #place = 0

  /** Begins with another row. */
  begin(row: readonly Value[]): void {
    this.#row = row
    this.#place = 0
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

  word<Word extends string>(words: readonly Word[]): Word {
    const text = this.text()
    const found = words.find((word) => word === text)
    if (found === undefined) throw new RangeError(`a cell is none of ${words.join(', ')}`)
    return found
  }

  #next(): Value {
    const cell = this.#row[this.#place] ?? null
    this.#place += 1
    return cell
  }
}
