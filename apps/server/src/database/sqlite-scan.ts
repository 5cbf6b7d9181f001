import type { StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ValueCells, type Scan, type Value } from './scan.ts'

/** Rows taken in one turn of the loop. */
const SLICE = 5_000

/** Hands every row of a statement to whoever takes them, a slice a turn. */
export async function scanStatement(statement: StatementSync, take: Scan['take']): Promise<void> {
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  const cells = new ValueCells()
  let count = 0
  for (const row of statement.iterate()) {
    cells.begin(row as unknown as readonly Value[])
    take(cells)
    if ((count += 1) % SLICE === 0) await nextTurn()
  }
}
