import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockDatabase } from './lock.ts'
import { openDatabase } from './open.ts'
import { keepOwnerOnly, openToOthers } from './owner-only.ts'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'fairlot-rights-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return join(made, 'data')
}

const rightsOf = (file: string): number => statSync(file).mode & 0o777

const rightsIn = (dataDir: string): Record<string, number> =>
  Object.fromEntries(readdirSync(dataDir).map((name) => [name, rightsOf(join(dataDir, name))]))

const OWNER_ONLY = { 'fairlot.lock': 0o600, 'fairlot.sqlite': 0o600, 'fairlot.sqlite-shm': 0o600 }

/** Runs a check while a server has the database of a folder open. */
async function whileOpen(dataDir: string, check: () => void): Promise<void> {
  const place = { databaseUrl: null, dataDir }
  const lock = await lockDatabase(place, () => undefined)
  const database = await openDatabase(place)
  check()
  await database.close()
  await lock.release()
}

test('only the owner can read the database, its SQLite files and the lock', async () => {
  const dataDir = folder()
  await whileOpen(dataDir, () => {
    const rights = rightsIn(dataDir)
    expect(rights).toMatchObject({ ...OWNER_ONLY, 'fairlot.sqlite-wal': 0o600 })
    expect(new Set(Object.values(rights))).toEqual(new Set([0o600]))
    expect(rightsOf(dataDir)).toBe(0o700)
  })
})

test('a start removes the permissions of others from the database of an earlier version', async () => {
  const dataDir = folder()
  await whileOpen(dataDir, () => undefined)
  for (const name of ['fairlot.sqlite', 'fairlot.lock']) chmodSync(join(dataDir, name), 0o644)
  // As after a power failure.
  writeFileSync(join(dataDir, 'fairlot.sqlite-wal'), '', { mode: 0o644 })
  await whileOpen(dataDir, () => {
    expect(rightsIn(dataDir)).toMatchObject({ ...OWNER_ONLY, 'fairlot.sqlite-wal': 0o600 })
    expect(openToOthers(dataDir)).toEqual([])
  })
})

test('files that others can still read are listed, and a missing file is no error', async () => {
  const dataDir = folder()
  await whileOpen(dataDir, () => undefined)
  chmodSync(join(dataDir, 'fairlot.sqlite'), 0o640)
  writeFileSync(join(dataDir, 'data.key'), 'x', { mode: 0o644 })
  writeFileSync(join(dataDir, 'notes.txt'), 'x', { mode: 0o644 })
  expect(openToOthers(dataDir)).toEqual(['data.key', 'fairlot.sqlite'])
  expect(openToOthers(join(dataDir, 'nowhere'))).toEqual([])
  expect(() => keepOwnerOnly(join(dataDir, 'nowhere'))).not.toThrow()
})
