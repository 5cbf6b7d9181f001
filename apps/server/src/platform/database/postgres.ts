import pg from 'pg'
import { changedColumns, columnsOf, listed, onConflict, quoted, type TableChange } from './bulk.ts'
import { type Cells, type Scan, textOf } from './scan.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import type { Database, DedicatedConnection, ConnectionOptions, Queries } from './database.ts'
import type { Tables } from './schema.ts'

/*
 * Kysely's transactions run statements by `client.query(text, values)`. The clients below recognize COPY statements there, so
 * that bulk writes and scans are part of these transactions: writes by COPY take half the time of an insert, scans by
 * binary COPY a third of the time of the query layer.
 */

const COPY_IN = /^copy .* from stdin$/
const COPY_OUT = /^copy \(.*\) to stdout \(format binary\)$/s

const copyInStatement = (table: string, columns: readonly string[]): string =>
  `copy ${quoted(table)} (${listed(columns)}) from stdin`

const copyOutStatement = (query: string): string => `copy (${query}) to stdout (format binary)`

/** Rows in the text format of COPY: a line for each, tabs between the columns. Built as one string, twice as fast as joined parts. */
function copyText(columns: readonly string[], rows: TableChange['rows']): string {
  let text = ''
  for (const row of rows) {
    let separator = ''
    for (const column of columns) {
      text += separator + copyCell(row[column] ?? null)
      separator = '\t'
    }
    text += '\n'
  }
  return text
}

const SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function copyCell(value: number | string | null): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  return isPlain(value) ? value : value.replace(SPECIAL, (found) => ESCAPED[found] ?? found)
}

/** True for most values. Four searches for a character are faster than one regular expression. */
const isPlain = (value: string): boolean =>
  !value.includes('\\') && !value.includes('\t') && !value.includes('\n') && !value.includes('\r')

type QueryCallback = (error: unknown, result: pg.QueryResult) => void

/** The driver's methods that send rows; missing in its types. */
type CopyInConnection = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

class CopyInQuery extends pg.Query {
  readonly #rows: string

  constructor(text: string, rows: string, callback: QueryCallback) {
    super(text, [], callback as never)
    this.#rows = rows
  }

  handleCopyInResponse(connection: CopyInConnection): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows))
    connection.endCopyFrom()
  }
}

/** A client whose `query` also runs COPY statements: the parameter is the text of the rows to write, or the callback of a scan. */
class CopyClient extends pg.Client {
  override query(...given: readonly unknown[]): never {
    const [text, values] = given as readonly [unknown, readonly [never]]
    if (typeof text !== 'string') return super.query(...(given as [string])) as never
    if (COPY_IN.test(text)) return this.#run((callback) => new CopyInQuery(text, values[0], callback))
    if (COPY_OUT.test(text)) return this.#run((callback) => new CopyOutQuery(text, values[0], callback))
    return super.query(...(given as [string])) as never
  }

  #run(queryWith: (callback: QueryCallback) => pg.Query): never {
    return new Promise<pg.QueryResult>((resolve, reject) => {
      // Kysely counts the affected rows of an INSERT only.
      const query = queryWith((error, result) =>
        error ? reject(error as Error) : resolve({ ...result, command: 'INSERT' }),
      )
      super.query(query as never)
    }) as never
  }
}

/** The header of the binary format: a signature, flags, and the length of an extension, bytes. */
const HEADER_LENGTH = 19

class CopyOutQuery extends pg.Query {
  readonly #take
  readonly #cells = new CopiedCells()
  #hasHeader = false
  #failure: unknown = null

  constructor(text: string, take: Scan['take'], callback: QueryCallback) {
    super(text, [], ((error: unknown, result: pg.QueryResult) =>
      callback(error ?? this.#failure, result)) as never)
    this.#take = take
  }

  /** Called for each row; the header precedes the first. An exception here would end the process. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (this.#failure !== null) return
    try {
      if (this.#cells.begin(chunk, this.#hasHeader ? 0 : HEADER_LENGTH)) this.#take(this.#cells)
      this.#hasHeader = true
    } catch (error) {
      this.#failure = error
    }
  }
}

const NULL = -1
const HIGH = 2 ** 32

/** Cells in the binary format: the length in four bytes, then the value. */
class CopiedCells implements Cells {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** Starts to read another row; false for the trailer after the last row. */
  begin(bytes: Buffer, at: number): boolean {
    this.#bytes = bytes
    this.#at = at + 2
    return bytes.readInt16BE(at) >= 0
  }

  number(): number {
    const value = this.numberOrNull()
    if (value === null) throw new RangeError('a cell is null')
    return value
  }

  numberOrNull(): number | null {
    if (this.#length() === NULL) return null
    const at = this.#at
    this.#at += 8
    return this.#bytes.readInt32BE(at) * HIGH + this.#bytes.readUInt32BE(at + 4)
  }

  bigint(): bigint {
    const at = this.#at + 4
    const value = this.number()
    return Number.isSafeInteger(value) ? BigInt(value) : this.#bytes.readBigInt64BE(at)
  }

  text(): string {
    const length = this.#length()
    if (length === NULL) throw new RangeError('a cell is null')
    const at = this.#at
    this.#at += length
    return this.#bytes.toString('utf8', at, this.#at)
  }

  oneOf<Value extends string>(values: readonly Value[]): Value {
    const length = this.#length()
    const found = values.find((value) => value.length === length && this.#isNext(value))
    if (found === undefined) throw new RangeError(`a cell is none of ${values.join(', ')}`)
    this.#at += length
    return found
  }

  #length(): number {
    const length = this.#bytes.readInt32BE(this.#at)
    this.#at += 4
    return length
  }

  #isNext(text: string): boolean {
    for (let index = 0; index < text.length; index += 1) {
      if (this.#bytes[this.#at + index] !== text.charCodeAt(index)) return false
    }
    return true
  }
}

/** The pool's connections; the engine has dedicated ones. */
const POOL_SIZE = 10
const POOL_OPTIONS: ConnectionOptions = { timeoutMs: 5_000, isDurable: true }
const CONNECT_TIMEOUT_MS = 5_000
const CLOSE_TIMEOUT_MS = 1_000

// BIGINT (type 20) as bigint, so that both databases return the same and no amount becomes a float.
pg.types.setTypeParser(20, BigInt)

/** A database on a PostgreSQL server at a `postgres://` URL. Connects with the first statement. */
export function openPostgres(url: string): Database {
  const queries = connect(url, POOL_OPTIONS, { max: POOL_SIZE })
  return {
    kind: 'postgres',
    queries,
    openConnection: (options) => {
      const connection = connect(url, options, DEDICATED)
      const sender = createSender(configOf(url, options))
      // The server may never answer.
      const atMost = () => pause(CLOSE_TIMEOUT_MS, undefined, { ref: false })
      const close = async () => void (await Promise.all([connection.destroy(), sender.close()]))
      return { queries: connection, run: sender.run, close: () => Promise.race([close(), atMost()]) }
    },
    writeRows,
    scanRows: async (through, { query, take }) =>
      void (await through.executeQuery(CompiledQuery.raw(copyOutStatement(textOf(query)), [take]))),
    close: () => queries.destroy(),
  }
}

/** The length of the text in a statement's name; PostgreSQL allows names of 63 bytes. */
const NAME_LENGTH = 40

/**
 * Prepares its statements by name, so that the server parses each once: a dedicated connection repeats a few statements, and
 * parsing takes a sixth of the time of a commit.
 */
class DedicatedClient extends CopyClient {
  readonly #names = new Map<string, string>()

  override query(...given: readonly unknown[]): never {
    const [text, values] = given
    if (typeof text !== 'string' || COPY_IN.test(text) || COPY_OUT.test(text)) return super.query(...given)
    return super.query({ name: this.#nameOf(text), text, values })
  }

  #nameOf(text: string): string {
    // The beginning of the statement makes the name readable when the server is inspected.
    const name = this.#names.get(text) ?? `${this.#names.size} ${text.slice(0, NAME_LENGTH)}`
    this.#names.set(text, name)
    return name
  }
}

/** One connection, which is never closed when idle: the next order must not wait for a new one. */
const DEDICATED: pg.PoolConfig = { max: 1, idleTimeoutMillis: 0, Client: DedicatedClient }

/**
 * Sends statements over a connection of its own, opened with the first statement and again after a failure. A pool of one
 * and the query layer would double the time of a commit.
 */
function createSender(config: pg.ClientConfig): Pick<DedicatedConnection, 'run' | 'close'> {
  let open: Promise<pg.Client> | null = null
  const reopen = (): Promise<pg.Client> => {
    const client = new DedicatedClient(config)
    const opened = client.connect().then(() => client)
    const forget = () => {
      if (open === opened) open = null
    }
    opened.catch(forget)
    // Without a listener a broken connection would end the process. It also rejects a pending statement.
    client.on('error', forget)
    client.on('end', forget)
    return opened
  }
  return {
    run: async (statement, values) => {
      open ??= reopen()
      const client = await open
      await client.query(statement, values as unknown[])
    },
    close: async () => (await open?.catch(() => null))?.end(),
  }
}

const configOf = (url: string, { timeoutMs }: ConnectionOptions): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  keepAlive: true,
  // The server's timeout is shorter, so that in most cases the outcome is known.
  ...(timeoutMs > 0 && { statement_timeout: timeoutMs, query_timeout: timeoutMs + 500 }),
})

function connect(url: string, options: ConnectionOptions, poolConfig: pg.PoolConfig): Queries {
  const pool = new pg.Pool({ ...configOf(url, options), Client: CopyClient, ...poolConfig })
  // A broken connection fails the next statement and is replaced. Without listeners it would end the process, whether it
  // is idle in the pool or between two statements of a transaction.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const dialect = new PostgresDialect({
    pool,
    ...(!options.isDurable && {
      onCreateConnection: async (connection) => {
        await connection.executeQuery(CompiledQuery.raw('set synchronous_commit = off'))
        // A cached plan from when the tables were small would scan all rows in every batch.
        await connection.executeQuery(CompiledQuery.raw('set plan_cache_mode = force_custom_plan'))
      },
    }),
  })
  return new Kysely<Tables>({ dialect })
}

/**
 * New rows are copied, which takes half the time of an insert on both ends. Upserts and updates are sent as one JSON text, which
 * takes half the time of a parameter per value and has no limit on their number.
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
    return CompiledQuery.raw(copyInStatement(change.table, columns), [copyText(columns, change.rows)])
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
