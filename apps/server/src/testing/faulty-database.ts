import type { KyselyPlugin, QueryId } from 'kysely'
import type { Database } from '../database/open.ts'

/**
 * What fails: an append to the journal before or after it was committed, every write to the tables, or all the engine
 * asks for.
 */
export type Fault = 'beforeCommit' | 'afterCommit' | 'tables' | 'everything'

/** A real database whose connection breaks when the test says so. */
export function withFaults(database: Database): { database: Database; faults: Set<Fault> } {
  const faults = new Set<Fault>()
  const plugin = journalFaults(faults)
  return {
    faults,
    database: {
      ...database,
      openLine: (terms) => {
        const line = database.openLine(terms)
        return { ...line, queries: line.queries.withPlugin(plugin) }
      },
      writeRows: (transaction, change) =>
        faults.has('tables')
          ? Promise.reject(new Error('the connection broke'))
          : database.writeRows(transaction, change),
    },
  }
}

function journalFaults(faults: ReadonlySet<Fault>): KyselyPlugin {
  const appends = new WeakSet<QueryId>()
  return {
    transformQuery: ({ node, queryId }) => {
      const isAppend = node.kind === 'InsertQueryNode' && node.into?.table.identifier.name === 'journal'
      if (faults.has('everything') || (isAppend && faults.has('beforeCommit')))
        throw new Error('the connection broke')
      if (isAppend) appends.add(queryId)
      return node
    },
    transformResult: ({ result, queryId }) =>
      faults.has('afterCommit') && appends.has(queryId)
        ? Promise.reject(new Error('the connection broke'))
        : Promise.resolve(result),
  }
}
