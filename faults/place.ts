import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, types, type CustomTypesConfig } from 'pg'

/** Rows of the database; every integer is a bigint. */
export type Row = Readonly<Record<string, bigint | string | null>>
export type Query = (statement: string) => Promise<readonly Row[]>

/** Where a server under test keeps its data. */
export type Place = {
  readonly kind: 'PostgreSQL' | 'SQLite'
  /** The environment that configures the server. */
  readonly env: Readonly<Record<string, string>>
  /** Queries the database directly, with its own connection. */
  look<T>(work: (query: Query) => Promise<T>): Promise<T>
}

/** `throughUrl` is the address for the server, where that is a proxy. */
export const postgresPlace = (url: string, throughUrl = url): Place => ({
  kind: 'PostgreSQL',
  env: { DATABASE_URL: throughUrl },
  look: async (work) => {
    const client = new Client({ connectionString: url, types: TYPES })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await work(async (statement) => (await client.query<Row>(statement)).rows)
    } finally {
      await client.end()
    }
  },
})

/** BIGINT is type 20, a sum of it NUMERIC, type 1700. */
const TYPES: CustomTypesConfig = {
  getTypeParser: (id, format) =>
    [20, 1700].includes(id) ? BigInt : types.getTypeParser(id, format === 'binary' ? 'text' : format),
}

export const sqlitePlace = (folder: string): Place => ({
  kind: 'SQLite',
  env: { DATA_DIR: folder },
  look: async (work) => {
    const file = new DatabaseSync(join(folder, 'fairlot.sqlite'), { readOnly: true, timeout: 5_000 })
    const query: Query = async (statement) => {
      const prepared = file.prepare(statement)
      prepared.setReadBigInts(true)
      return prepared.all() as Row[]
    }
    try {
      return await work(query)
    } finally {
      file.close()
    }
  },
})
