import { chmodSync, closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Permissions of a file with accounts, secrets or password hashes: only its owner can read and write it. */
export const OWNER_ONLY = 0o600
/** Permissions of a folder that the server creates. An existing folder keeps its own: other programs may use it. */
export const OWNER_ONLY_FOLDER = 0o700

const OTHERS = 0o077

const canOthersUse = (file: string): boolean => (statSync(file).mode & OTHERS) !== 0

/**
 * Creates the file if there is none, so that it never has wider permissions, not even while it is empty. An existing file
 * is not opened: closing it would release the locks that this process holds on it.
 */
export function makeOwnerOnly(file: string): void {
  if (existsSync(file)) return keepOwnerOnly(file)
  try {
    closeSync(openSync(file, 'ax', OWNER_ONLY))
  } catch (error) {
    // Another process created it first. Opening it reports anything else that is wrong with the folder.
    if (!isOfSystem(error)) throw error
  }
}

/** Removes the permissions of others from an existing file. `openToOthers` lists those that cannot be changed. */
export function keepOwnerOnly(file: string): void {
  try {
    if (canOthersUse(file)) chmodSync(file, OWNER_ONLY)
  } catch (error) {
    // Missing; owned by another user; or on a file system without permissions.
    if (!isOfSystem(error)) throw error
  }
}

const isOfSystem = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'

const PRIVATE = /^(?:fairlot\.(?:sqlite(?:-wal|-shm|-journal)?|lock)|data\.key)$/

/** The files in the data folder that other users of this machine can still read. */
export function openToOthers(dataDir: string): readonly string[] {
  if (process.platform === 'win32') return []
  try {
    return readdirSync(dataDir).filter((name) => PRIVATE.test(name) && canOthersUse(join(dataDir, name)))
  } catch {
    // No data folder: the database is elsewhere.
    return []
  }
}
