import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { TakeLock } from './take-lock.ts'

/** The name of our lock within a database: two numbers of our own, for the server knows no words. */
const NAME = [0x0fa1, 0x1071] as const
const TERMS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000, keepAlive: true }
/** A line that is cut without a word is noticed after as long; by the server, too. */
const LOOK_MS = 5_000
const NOTICE_CUTS = `set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 2`
const RETRY_FIRST_MS = 20
const RETRY_LAST_MS = 1_000

const TAKEN_OVER =
  'another Fairlot has taken over this database while the line to it was lost, so this one writes no more'

/** A connection that has the lock, and which one it is to the server. */
type Holder = { readonly client: pg.Client; readonly pid: number; readonly startedAt: string }

/**
 * A session lock on a connection of its own, held for life. When the connection is lost it is taken again; until then the
 * journal's sequence numbers keep two writers apart.
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
    if ((await Promise.race([ended, wait(LOOK_MS)])) === 'lost') return
    try {
      if (!isReleased()) await client.query('select 1')
    } catch {
      return void client.end().catch(() => undefined)
    }
  }
}

/** Tries until the server answers; null where another program has the lock by then. */
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

/** Takes the lock on a new connection; null while another program has it. Our own lost session is ended where it lingers. */
async function takeOn(url: string, lost: Holder | null): Promise<Holder | null> {
  const client = new pg.Client({ connectionString: url, ...TERMS })
  // Its end is noticed elsewhere; without a listener an error would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query(NOTICE_CUTS)
    if (lost) await client.query(END_SESSION, [lost.pid, lost.startedAt])
    const { rows } = await client.query<{ isTaken: boolean; pid: number; startedAt: string }>(TAKE, [...NAME])
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

/** Waits for its end: only then is its lock free. */
const END_SESSION = `select pg_terminate_backend(pid, 2000) from pg_stat_activity
  where pid = $1 and backend_start = $2::timestamptz`
