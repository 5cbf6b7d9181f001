import type { Database, Line } from '../apps/server/src/database/open.ts'

/** When the engine gave the database a commit, and when it had it back; monotonic, ms. `landed` is Infinity while it is under way. */
export type Commit = { readonly sent: number; landed: number }

/** A database that notes the commits of the journal, each sent in the turn of the loop that decided it. */
export function watchCommits(database: Database, commits: Commit[]): Database {
  const watched = (line: Line): Line => ({
    ...line,
    run: async (statement, values) => {
      const commit = { sent: performance.now(), landed: Infinity }
      commits.push(commit)
      await line.run(statement, values)
      commit.landed = performance.now()
    },
  })
  return {
    ...database,
    openLine: (terms) => (terms.isDurable ? watched(database.openLine(terms)) : database.openLine(terms)),
  }
}
