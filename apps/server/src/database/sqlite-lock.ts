import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TakeLock } from './take-lock.ts'

const BUSY = 5

/**
 * A file of its own beside the database, held with an exclusive transaction that never ends: the system lets go of it with the
 * process, and readers of the database do not meet it.
 */
export const lockFolder =
  (dataDir: string): TakeLock =>
  async () => {
    mkdirSync(dataDir, { recursive: true })
    const file = new DatabaseSync(join(dataDir, 'fairlot.lock'))
    try {
      file.exec('begin exclusive')
    } catch (error) {
      file.close()
      if (isBusy(error)) return null
      throw error
    }
    return { release: async () => void (file.isOpen && file.close()) }
  }

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'errcode' in error && Number(error.errcode) % 256 === BUSY
