import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileStore } from './file-store.ts'

/** Keeps files in a folder, which is made with the first of them. Only this user of the machine may read them. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (key: string) => join(folder, key)
  return {
    put: async (key, bytes) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = `${pathOf(key)}.part`
      await writeFile(unfinished, bytes, { mode: 0o600, flush: true })
      await rename(unfinished, pathOf(key))
    },
    get: async (key) => {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw error
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
  }
}
