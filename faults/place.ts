import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client, types, type CustomTypesConfig } from 'pg'

/** Rows as the database has them; every integer is a bigint. */
export type Row = Readonly<Record<string, bigint | string | null>>
export type Ask = (statement: string) => Promise<readonly Row[]>

/** Where a server under test keeps its data. */
export type Place = {
  readonly kind: 'PostgreSQL' | 'SQLite'
  /** What tells the server. */
  readonly env: Readonly<Record<string, string>>
  /** Looks into the database past the server, with a connection of its own. */
  look<T>(work: (ask: Ask) => Promise<T>): Promise<T>
}

/** `throughUrl` is where the server connects, where that is not the database itself. */
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
    const ask: Ask = async (statement) => {
      const prepared = file.prepare(statement)
      prepared.setReadBigInts(true)
      return prepared.all() as Row[]
    }
    try {
      return await work(ask)
    } finally {
      file.close()
    }
  },
})
