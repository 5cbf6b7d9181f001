import { setImmediate as nextTurn } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import type { Database, Line, Queries } from '../database/open.ts'

/**
 * What fails: an append to the journal before or after it was committed, every write to the tables, or all the engine
 * asks for. A stalled append waits until it no longer is.
 */
export type Fault = 'beforeCommit' | 'afterCommit' | 'stalled' | 'tables' | 'everything'

const broken = (): Error => new Error('the connection broke')

/** A real database whose connection breaks when the test says so. */
export function withFaults(database: Database): { database: Database; faults: Set<Fault> } {
  const faults = new Set<Fault>()
  return {
    faults,
    database: {
      ...database,
      openLine: (terms) => {
        const line = database.openLine(terms)
        const queries = line.queries.withPlugin(deadLine(faults))
        return { ...line, queries, run: faultyAppends(line.run, faults) }
      },
      writeRows: (transaction, change) =>
        faults.has('tables') ? Promise.reject(broken()) : database.writeRows(transaction, change),
    },
  }
}

/** The journal alone sends statements past the query layer. */
const faultyAppends =
  (run: Line['run'], faults: ReadonlySet<Fault>): Line['run'] =>
  async (...given) => {
    while (faults.has('stalled')) await nextTurn()
    if (faults.has('beforeCommit') || faults.has('everything')) throw broken()
    await run(...given)
    if (faults.has('afterCommit')) throw broken()
  }

const deadLine = (faults: ReadonlySet<Fault>): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (faults.has('everything')) throw broken()
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
})

/** Tables whose connection breaks for good after so many more statements, until it is healed. What was not committed then is not there. */
export function withCut(tables: Queries): {
  queries: Queries
  cutAfter(statements: number): void
  heal(): void
} {
  let left = Infinity
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (left <= 0) throw broken()
      left -= 1
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
  return {
    queries: tables.withPlugin(plugin),
    cutAfter: (statements) => {
      left = statements
    },
    heal: () => {
      left = Infinity
    },
  }
}
