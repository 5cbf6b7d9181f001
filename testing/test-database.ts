import { Client } from 'pg'

const USUAL_PLACE = 'postgres://postgres@127.0.0.1:5432/postgres'
const CONNECT_TIMEOUT_MS = 2000
const LEFT_BEHIND_AFTER_MS = 3_600_000

/** PostgreSQL's own empty database: template1 may be in use by another run, this one never is. */
const EMPTY = 'template0'

let count = 0

/** No usable server at the usual place. A given server that cannot be used is a plain Error. */
export class PostgresMissing extends Error {}

export type TestDatabase = {
  /** Address of a fresh, empty database. */
  readonly url: string
  /** Removes it, closing open connections. */
  readonly drop: () => Promise<void>
}

/**
 * Creates a database for one test run on the server at `givenUrl`, else at the usual place: empty, or a copy of the
 * database `template`, which nobody may be connected to. The user must be allowed to create databases.
 */
export async function createTestDatabase(
  givenUrl: string | undefined,
  template = EMPTY,
): Promise<TestDatabase> {
  const serverUrl = givenUrl ?? USUAL_PLACE
  count += 1
  const name = `fairlot_test_${process.pid}_${Date.now()}_${count}`
  await execute(serverUrl, `create database ${name} template ${template}`).catch((cause: unknown) => {
    throw refusal(givenUrl, cause)
  })
  // Once per run. Another run may be dropping the same ones; the rest is dropped by the next run.
  if (template === EMPTY) await dropLeftBehind(serverUrl).catch(() => {})
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => void (await execute(serverUrl, `drop database if exists ${name} with (force)`)),
  }
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end()
  }
}

const execute = (url: string, statement: string): Promise<unknown> =>
  withClient(url, (client) => client.query(statement))

/** Drops our databases of killed runs: over an hour old and without connections. */
const dropLeftBehind = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database d where datname ~ '^fairlot_test_[0-9]+_[0-9]+_[0-9]+$'
       and split_part(datname, '_', 4)::bigint < $1
       and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
      [Date.now() - LEFT_BEHIND_AFTER_MS],
    )
    for (const { name } of rows) await client.query(`drop database if exists ${name}`)
  })

function refusal(givenUrl: string | undefined, cause: unknown): Error {
  const reason = cause instanceof AggregateError ? String(cause.errors[0]) : String(cause)
  if (givenUrl !== undefined) return new Error(`TEST_DATABASE_URL cannot be used: ${reason}`)
  return new PostgresMissing(
    `${USUAL_PLACE} cannot be used: ${reason}. Set TEST_DATABASE_URL to use another server.`,
  )
}
