import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { TakeLock } from './database.ts'

/** The key of our advisory lock: two arbitrary numbers. */
const LOCK_KEY = [0x0fa1, 0x1071] as const
const CLIENT_OPTIONS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true }
/** The connection is checked at this interval, ms; the server's keepalives detect a dead connection in a similar time. */
const CHECK_MS = 5_000
const SET_KEEPALIVES = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2`
const RETRY_FIRST_MS = 20
const RETRY_LAST_MS = 1_000

const TAKEN_OVER =
  'another Fairlot has taken over this database while the connection was lost, so this one stops writing'

/** A connection that holds the lock, with its identity at the server. */
type Holder = { readonly client: pg.Client; readonly pid: number; readonly startedAt: string }

/**
 * A session lock on a dedicated connection, held until it is released. When the connection is lost, the lock is taken
 * again; until then the sequence numbers of the journal exclude a second writer.
 */
export const lockServer =
  (url: string): TakeLock =>
  async (onLost) => {
    let holder = await takeOn(url, null)
    if (!holder) return null
    const releasing = new AbortController()
    const isReleased = () => releasing.signal.aborted
    const wait = (ms: number) => pause(ms, undefined, { signal: releasing.signal }).catch(() => undefined)

    const hold = async (): Promise<void> => {
      while (!isReleased()) {
        if (holder) await lossOf(holder, wait, isReleased)
        if (isReleased()) return
        const next = await takeAgain(url, holder, wait, isReleased)
        if (next === null && !isReleased()) return onLost(TAKEN_OVER)
        holder = next
      }
    }
    const holding = hold()
    return {
      release: async () => {
        releasing.abort()
        await holding
        await holder?.client.end().catch(() => undefined)
      },
    }
  }

/** Resolves once a connection is lost, or the lock is released. */
async function lossOf(
  { client }: Holder,
  wait: (ms: number) => Promise<unknown>,
  isReleased: () => boolean,
): Promise<void> {
  const ended = new Promise<'lost'>((resolve) => client.once('end', () => resolve('lost')))
  while (!isReleased()) {
    if ((await Promise.race([ended, wait(CHECK_MS)])) === 'lost') return
    try {
      if (!isReleased()) await client.query('select 1')
    } catch {
      return void client.end().catch(() => undefined)
    }
  }
}

/** Retries until the server answers; null when another program holds the lock by then. */
async function takeAgain(
  url: string,
  lost: Holder | null,
  wait: (ms: number) => Promise<unknown>,
  isReleased: () => boolean,
): Promise<Holder | null> {
  for (let retryMs = RETRY_FIRST_MS; !isReleased(); retryMs = Math.min(retryMs * 2, RETRY_LAST_MS)) {
    try {
      return await takeOn(url, lost)
    } catch {
      await wait(retryMs)
    }
  }
  return null
}

/** Takes the lock on a new connection; null while another program holds it. Ends our own lost session if the server still has it. */
async function takeOn(url: string, lost: Holder | null): Promise<Holder | null> {
  const client = new pg.Client({ connectionString: url, ...CLIENT_OPTIONS })
  // `lossOf` detects the end of the connection; without a listener an error would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(SET_KEEPALIVES)
    if (lost) await client.query(END_SESSION, [lost.pid, lost.startedAt])
    const { rows } = await client.query<{ isTaken: boolean; pid: number; startedAt: string }>(TAKE, [
      ...LOCK_KEY,
    ])
    const [row] = rows
    if (row?.isTaken) return { client, pid: row.pid, startedAt: row.startedAt }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  await client.end()
  return null
}

const TAKE = `select pg_try_advisory_lock($1, $2) as "isTaken", pid, backend_start::text as "startedAt"
  from pg_stat_activity where pid = pg_backend_pid()`

/** Waits until the session has ended, which releases its lock. */
const END_SESSION = `select pg_terminate_backend(pid, 2000) from pg_stat_activity
  where pid = $1 and backend_start = $2::timestamptz`
