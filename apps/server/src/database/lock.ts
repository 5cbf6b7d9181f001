import { setTimeout as pause } from 'node:timers/promises'
import type { DatabasePlace } from './database.ts'
import { lockFolder } from './sqlite-lock.ts'
import type { DatabaseLock, TakeLock } from './take-lock.ts'

/** A server that was just killed may still be on its way out. */
const PATIENCE_MS = 3_000
const LOOK_MS = 50

/** Another program has the lock. */
export class InUse extends Error {}

/**
 * Takes the lock of a database. `onLost` is told in a sentence, once, when another program has taken it later. Throws
 * `InUse` where another program has it, and whatever keeps the database from being reached.
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
    await pause(LOOK_MS)
  }
}

const sentenceOf = ({ databaseUrl, dataDir }: DatabasePlace): string =>
  databaseUrl === null
    ? `another Fairlot is running in the data folder ${dataDir}. Stop it first, or choose another DATA_DIR`
    : 'another Fairlot is running on this database. Stop it first, or choose another DATABASE_URL'
