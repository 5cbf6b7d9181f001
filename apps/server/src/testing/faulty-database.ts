import { setImmediate as yieldToLoop } from 'node:timers/promises'
import type { KyselyPlugin } from 'kysely'
import type { Database, DedicatedConnection, Queries } from '../platform/database/open.ts'

/**
 * What fails: an append to the journal before or after its commit, every write to the tables, the answer to a committed
 * write to the tables, the closing of a broken connection, or every statement of the engine. A stalled append waits until
 * the fault is removed.
 */
export type Fault =
  | 'beforeCommit'
  | 'afterCommit'
  | 'stalled'
  | 'tables'
  | 'afterTables'
  | 'closing'
  | 'everything'

const connectionError = (): Error => new Error('the connection broke')

/** A real database whose connection fails while a fault is set. */
export function withFaults(database: Database): { database: Database; faults: Set<Fault> } {
  const faults = new Set<Fault>()
  return {
    faults,
    database: {
      ...database,
      openConnection: (terms) => {
        const connection = database.openConnection(terms)
        const queries = losingAnswers(connection.queries.withPlugin(failingConnection(faults)), faults)
        const close = async () => {
          await connection.close()
          if (faults.has('closing')) throw connectionError()
        }
        return { queries, run: faultyAppends(connection.run, faults), close }
      },
      writeRows: (transaction, change) =>
        faults.has('tables') ? Promise.reject(connectionError()) : database.writeRows(transaction, change),
    },
  }
}

/** Only the journal sends statements without the query layer. */
const faultyAppends =
  (run: DedicatedConnection['run'], faults: ReadonlySet<Fault>): DedicatedConnection['run'] =>
  async (...given) => {
    while (faults.has('stalled')) await yieldToLoop()
    if (faults.has('beforeCommit') || faults.has('everything')) throw connectionError()
    await run(...given)
    if (faults.has('afterCommit')) throw connectionError()
  }

/** Transactions that commit, but whose answer is lost. */
const losingAnswers = (queries: Queries, faults: ReadonlySet<Fault>): Queries =>
  new Proxy(queries, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'transaction') return value.bind(target)
      return () => {
        const transaction = target.transaction()
        const commit = transaction.execute.bind(transaction)
        const execute: typeof transaction.execute = async (callback) => {
          const result = await commit(callback)
          if (faults.has('afterTables')) throw connectionError()
          return result
        }
        return Object.assign(transaction, { execute })
      }
    },
  })

const failingConnection = (faults: ReadonlySet<Fault>): KyselyPlugin => ({
  transformQuery: ({ node }) => {
    if (faults.has('everything')) throw connectionError()
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
})

/** Tables whose connection fails after a number of statements, until it is restored. Uncommitted changes are lost. */
export function withCut(tables: Queries): {
  queries: Queries
  cutAfter(statements: number): void
  heal(): void
} {
  let left = Infinity
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      if (left <= 0) throw connectionError()
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
