import type { Database, DedicatedConnection } from '../apps/server/src/platform/database/open.ts'

/**
 * When the engine sent a commit to the database and when it completed; monotonic, ms. `landed` is Infinity while it
 * is in progress.
 */
export type Commit = { readonly sent: number; landed: number }

/**
 * Wraps a database to record the journal's commits; each is sent in the same turn of the event loop as its decision.
 */
export function watchCommits(database: Database, commits: Commit[]): Database {
  const watched = (connection: DedicatedConnection): DedicatedConnection => ({
    ...connection,
    run: async (statement, values) => {
      const commit = { sent: performance.now(), landed: Infinity }
      commits.push(commit)
      await connection.run(statement, values)
      commit.landed = performance.now()
    },
  })
  return {
    ...database,
    openConnection: (terms) =>
      terms.isDurable ? watched(database.openConnection(terms)) : database.openConnection(terms),
  }
}
