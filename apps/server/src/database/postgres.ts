import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { changedColumns, columnsOf, listed, onConflict, quoted, type TableChange } from './bulk.ts'
import type { Database, Line, LineTerms, Queries } from './database.ts'
import { copyStatement, copyText, isCopy } from './postgres-copy.ts'
import { isScan, ScanClient, scanStatement } from './postgres-scan.ts'
import { textOf } from './scan.ts'
import type { Tables } from './schema.ts'

/** Connections shared by everybody but the engine. */
const POOL_SIZE = 10
const POOL_TERMS: LineTerms = { timeoutMs: 5_000, isDurable: true }
const CONNECT_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 1_000

// BIGINT (type 20) as bigint, so that both databases answer alike and no amount passes through a float.
pg.types.setTypeParser(20, BigInt)

/** A PostgreSQL server at a `postgres://` address. Connects when first asked. */
export function openPostgres(url: string): Database {
  const queries = connect(url, POOL_TERMS, { max: POOL_SIZE })
  return {
    kind: 'postgres',
    queries,
    openLine: (terms) => {
      const line = connect(url, terms, LINE)
      const sender = createSender(configOf(url, terms))
      // The other end may be silent for ever.
      const atMost = () => pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })
      const close = async () => void (await Promise.all([line.destroy(), sender.close()]))
      return { queries: line, run: sender.run, close: () => Promise.race([close(), atMost()]) }
    },
    writeRows,
    scanRows: async (through, { query, take }) =>
      void (await through.executeQuery(CompiledQuery.raw(scanStatement(textOf(query)), [take]))),
    close: () => queries.destroy(),
  }
}

/** A name may have 63 bytes. */
const NAME_LENGTH = 40

/**
 * Names its statements, so that the server parses each of them once: a line sends the same few again and again, and
 * parsing a commit's takes a sixth of it.
 */
class LineClient extends ScanClient {
  readonly #names = new Map<string, string>()

  override query(...given: readonly unknown[]): never {
    const [text, values] = given
    if (typeof text !== 'string' || isCopy(text) || isScan(text)) return super.query(...given)
    return super.query({ name: this.#nameOf(text), text, values })
  }

  #nameOf(text: string): string {
    // Its own first words, for whoever watches the connection.
    const name = this.#names.get(text) ?? `${this.#names.size} ${text.slice(0, NAME_LENGTH)}`
    this.#names.set(text, name)
    return name
  }
}

/** One connection, which stays: the next order must not wait for a new one. */
const LINE: pg.PoolConfig = { max: 1, idleTimeoutMillis: 0, Client: LineClient }

/**
 * Sends statements over a connection of their own, which it opens when first asked and anew when it has broken: a pool of one, and the
 * query layer above it, take as long again as a commit.
 */
function createSender(config: pg.ClientConfig): Pick<Line, 'run' | 'close'> {
  let open: Promise<pg.Client> | null = null
  const openAnew = (): Promise<pg.Client> => {
    const client = new LineClient(config)
    const opened = client.connect().then(() => client)
    const forget = () => {
      if (open === opened) open = null
    }
    opened.catch(forget)
    // Without a listener a broken connection would end the process; whoever waits for a statement hears of it by that.
    client.on('error', forget)
    client.on('end', forget)
    return opened
  }
  return {
    run: async (statement, values) => {
      open ??= openAnew()
      const client = await open
      await client.query(statement, values as unknown[])
    },
    close: async () => (await open?.catch(() => null))?.end(),
  }
}

const configOf = (url: string, { timeoutMs }: LineTerms): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  // The server gives up first, so that in most cases the outcome is known.
  ...(timeoutMs > 0 && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 500 }),
})

function connect(url: string, lineTerms: LineTerms, terms: pg.PoolConfig): Queries {
  const pool = new pg.Pool({ ...configOf(url, lineTerms), Client: ScanClient, ...terms })
  // A broken connection fails the next statement and is replaced. Without listeners it would end the process, be it in
  // the pool or between two statements of a transaction.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const dialect = new PostgresDialect({
    pool,
    ...(!lineTerms.isDurable && {
      onCreateConnection: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw('set synchronous_commit = off'))
        // A plan kept from when the tables were small would go through all of them, batch after batch.
        await connection.executeQuery(CompiledQuery.raw('set plan_cache_mode = force_custom_plan'))
      },
    }),
  })
  return new Kysely<Tables>({ dialect })
}

/**
 * New rows are copied: half the time of an insert, on both ends. Others travel as one JSON text: half the time of a parameter
 * a value, and no limit to their number.
 */
async function writeRows(transaction: Transaction<Tables>, change: TableChange): Promise<void> {
  const { numAffectedRows } = await transaction.executeQuery(statementOf(change))
  if (Number(numAffectedRows) !== change.rows.length) {
    throw new Error(`a row of ${change.table} to be changed is not there`)
  }
}

function statementOf(change: TableChange): CompiledQuery {
  if (change.action === 'insert') {
    const columns = columnsOf(change)
    return CompiledQuery.raw(copyStatement(change.table, columns), [copyText(columns, change.rows)])
  }
  const text = change.action === 'update' ? updateStatement(change) : upsertStatement(change)
  return CompiledQuery.raw(text, [JSON.stringify(change.rows)])
}

const rowsOf = (table: string): string => `json_populate_recordset(null::${quoted(table)}, $1) as r`

function upsertStatement(change: TableChange): string {
  const columns = listed(columnsOf(change))
  return `insert into ${quoted(change.table)} (${columns}) select ${columns} from ${rowsOf(change.table)}${onConflict(change)}`
}

function updateStatement(change: TableChange): string {
  const table = quoted(change.table)
  const sets = changedColumns(change).map((column) => `${quoted(column)} = r.${quoted(column)}`)
  const isRow = change.key.map((column) => `${table}.${quoted(column)} = r.${quoted(column)}`)
  return `update ${table} set ${sets.join(', ')} from ${rowsOf(change.table)} where ${isRow.join(' and ')}`
}
