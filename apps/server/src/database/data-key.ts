import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Queries } from './open.ts'
import { sealAnew } from './seal-anew.ts'
import { createVault, KEY_BYTES, type Vault } from './vault.ts'

/** Of the data folder; for its owner alone. */
const KEY_FILE = 'data.key'
const OWNER_ONLY = 0o600

type KeyPlace = {
  readonly dataDir: string
  /** Of the environment, 32 bytes in base64; null: the file of the data folder, made when the database is new. */
  readonly dataKey: string | null
  /** The one that the database is still encrypted with, where it is to be encrypted anew; null otherwise. */
  readonly dataKeyOld: string | null
}

/**
 * The vault of a database, by the key that it has known since its first start. Throws an Error whose message tells the operator that the
 * key is missing, or is another one: going on would lock everybody with a second factor out, and mix texts of two keys. With the key
 * before at hand, all that is encrypted is encrypted anew by the new one, in one transaction with the memory of which key it is.
 */
export async function openVault(queries: Queries, place: KeyPlace, now: number): Promise<Vault> {
  const known = await queries.selectFrom('data_key').select('key_id').executeTakeFirst()
  const file = join(place.dataDir, KEY_FILE)
  const source = place.dataKey === null ? file : 'DATA_KEY'
  const before = place.dataKeyOld === null ? null : createVault(keyOf(place.dataKeyOld))
  const isBefore = before !== null && before.keyId === known?.key_id
  const key = place.dataKey === null ? keyIn(file, known === undefined || isBefore) : keyOf(place.dataKey)
  if (key === null) throw new Error(`${MISSING}: it is neither in DATA_KEY nor in ${file}. ${BRING_BACK}`)
  if (key.length !== KEY_BYTES)
    throw new Error(`the data key in ${source} is damaged: it must be ${KEY_BYTES} bytes in base64`)
  const vault = createVault(key)
  if (known === undefined) await queries.insertInto('data_key').values(rowOf(vault, now)).execute()
  else if (isBefore && before.keyId !== vault.keyId)
    await queries.transaction().execute(async (within) => {
      await sealAnew(within, before, vault)
      await within.updateTable('data_key').set(rowOf(vault, now)).execute()
    })
  else if (known.key_id !== vault.keyId)
    throw new Error(
      `the data key in ${source} is not the one that this database was encrypted with (${known.key_id}, not ${vault.keyId}). ${BRING_BACK}`,
    )
  return vault
}

const MISSING = 'the data key of this database is missing'
const BRING_BACK = 'Bring the right key back: without it nobody can read what is encrypted'

const rowOf = ({ keyId }: Vault, now: number) => ({ key_id: keyId, first_used_at: BigInt(Math.floor(now)) })

const keyOf = (text: string): Buffer => Buffer.from(text.trim(), 'base64')

/** The key of a file; a new one where there is none and there may be one, else null. */
function keyIn(file: string, mayMake: boolean): Buffer | null {
  if (existsSync(file)) return keyOf(readFileSync(file, 'utf8'))
  if (!mayMake) return null
  const key = randomBytes(KEY_BYTES)
  mkdirSync(join(file, '..'), { recursive: true })
  // On disk before anything is encrypted by it.
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: OWNER_ONLY, flag: 'wx', flush: true })
  return key
}
