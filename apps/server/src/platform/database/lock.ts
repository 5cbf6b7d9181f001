import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseLock, DatabasePlace, TakeLock } from './database.ts'
import { lockFolder } from './sqlite.ts'

/** How long to wait for the lock, ms: a server that was just stopped may still be exiting. */
const PATIENCE_MS = 3_000
const RETRY_MS = 50

/** Another program holds the lock. */
export class InUse extends Error {}

/**
 * Takes the lock of a database. `onLost` is called once, with a message, when another program has taken it later. Throws
 * `InUse` when another program holds it, and any error of the connection.
 */
export async function lockDatabase(
  place: DatabasePlace,
  onLost: (reason: string) => void,
  patienceMs = PATIENCE_MS,
): Promise<DatabaseLock> {
  const take: TakeLock =
    place.databaseUrl === null
      ? lockFolder(place.dataDir)
      : (await import('./postgres-lock.ts')).lockServer(place.databaseUrl)
  const end = performance.now() + patienceMs
  for (;;) {
    const lock = await take(onLost)
    if (lock) return lock
    if (performance.now() > end) throw new InUse(sentenceOf(place))
    await pause(RETRY_MS)
  }
}

const sentenceOf = ({ databaseUrl, dataDir }: DatabasePlace): string =>
  databaseUrl === null
    ? `another Fairlot is running in the data folder ${dataDir}. Stop it first, or choose another DATA_DIR`
    : 'another Fairlot is running on this database. Stop it first, or choose another DATABASE_URL'
