import type { Queries } from './open.ts'
import { createVault, isSealed, KEY_BYTES, type SealedPlace, type Vault } from './vault.ts'
import type { Transaction } from 'kysely'
import { identityMark, identityNumber } from './identity-schema.ts'
import type { Tables } from './schema.ts'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keepOwnerOnly, OWNER_ONLY, OWNER_ONLY_FOLDER } from './owner-only.ts'

/** Where the second factor of a trader is stored. */
export const traderSecret = (userId: number | bigint): SealedPlace => ({
  owner: `user ${userId}`,
  column: 'second_factor.secret',
})

/** Where the second factor of an operator is stored. */
export const operatorSecret = (operatorId: number | bigint): SealedPlace => ({
  owner: `operator ${operatorId}`,
  column: 'operator.totp_secret',
})

/** Where the private key for push services is stored. */
export const vapidSecret = (id: number | bigint): SealedPlace => ({
  owner: `push key ${id}`,
  column: 'push_key.private_key',
})

/** Encrypts the secrets that an earlier version stored as plain text; encrypted ones stay unchanged. */
export async function sealOpenSecrets(queries: Queries, vault: Vault): Promise<void> {
  const traders = await queries.selectFrom('second_factor').select(['user_id', 'secret']).execute()
  for (const { user_id: id, secret } of traders.filter((row) => !isSealed(row.secret)))
    await queries
      .updateTable('second_factor')
      .set({ secret: vault.seal(secret, traderSecret(id)) })
      .where('user_id', '=', id)
      .execute()
  const operators = await queries.selectFrom('operator').select(['id', 'totp_secret']).execute()
  for (const { id, totp_secret: secret } of operators)
    if (secret !== null && !isSealed(secret))
      await queries
        .updateTable('operator')
        .set({ totp_secret: vault.seal(secret, operatorSecret(id)) })
        .where('id', '=', id)
        .execute()
}

/** Rows read at a time. */
const AT_ONCE = 500

/**
 * Decrypts everything with the old key and encrypts it with the new one; fingerprints of document numbers are computed again. Throws at
 * the first text that the old key does not open: the surrounding transaction then changes nothing.
 */
async function reencrypt(within: Transaction<Tables>, before: Vault, vault: Vault): Promise<void> {
  await inSlices(
    (after) =>
      within
        .selectFrom('second_factor')
        .select(['user_id as id', 'secret as text'])
        .where('user_id', '>', after)
        .orderBy('user_id')
        .limit(AT_ONCE)
        .execute(),
    async (id, text) => {
      const secret = vault.seal(before.open(text, traderSecret(id)), traderSecret(id))
      await within.updateTable('second_factor').set({ secret }).where('user_id', '=', id).execute()
    },
  )
  await inSlices(
    (after) =>
      within
        .selectFrom('operator')
        .select(['id', 'totp_secret as text'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_ONCE)
        .execute(),
    async (id, text) => {
      const totp_secret = vault.seal(before.open(text, operatorSecret(id)), operatorSecret(id))
      await within.updateTable('operator').set({ totp_secret }).where('id', '=', id).execute()
    },
  )
  await inSlices(
    (after) =>
      within
        .selectFrom('push_key')
        .select(['id', 'private_key as text'])
        .where('id', '>', after)
        .orderBy('id')
        .limit(AT_ONCE)
        .execute(),
    async (id, text) => {
      const private_key = vault.seal(before.open(text, vapidSecret(id)), vapidSecret(id))
      await within.updateTable('push_key').set({ private_key }).where('id', '=', id).execute()
    },
  )
  await inSlices(
    (after) =>
      within
        .selectFrom('identity_check')
        .select(['user_id as id', 'number as text'])
        .where('user_id', '>', after)
        .orderBy('user_id')
        .limit(AT_ONCE)
        .execute(),
    async (id, text) => {
      const plain = before.open(text, identityNumber(id))
      const row = { number: vault.seal(plain, identityNumber(id)), number_mark: identityMark(vault, plain) }
      await within.updateTable('identity_check').set(row).where('user_id', '=', id).execute()
    },
  )
}

type Sealed = { readonly id: bigint; readonly text: string | null }

/** Row by row in the order of ids; empty and unencrypted texts are skipped. */
async function inSlices(
  next: (after: bigint) => Promise<readonly Sealed[]>,
  renew: (id: bigint, text: string) => Promise<void>,
): Promise<void> {
  for (let after = -1n; ;) {
    const rows = await next(after)
    for (const { id, text } of rows) if (text !== null && isSealed(text)) await renew(id, text)
    const last = rows.at(-1)
    if (!last || rows.length < AT_ONCE) return
    after = last.id
  }
}

/** In the data folder; only its owner can read it. */
const KEY_FILE = 'data.key'

type KeyPlace = {
  readonly dataDir: string
  /** From the environment, 32 bytes in base64; null: the file in the data folder, generated for a new database. */
  readonly dataKey: string | null
  /** The old key, when the database is to be encrypted again with a new one; else null. */
  readonly dataKeyOld: string | null
}

/**
 * The vault of a database, with the key of its first start. Throws an Error when the key is missing or wrong: to continue
 * would lock out every user with a second factor and mix texts of two keys. With the old key given, everything is
 * encrypted again with the new one, in one transaction with the stored id of the key.
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
      await reencrypt(within, before, vault)
      await within.updateTable('data_key').set(rowOf(vault, now)).execute()
    })
  else if (known.key_id !== vault.keyId)
    throw new Error(
      `the data key in ${source} is not the one that this database was encrypted with (${known.key_id}, not ${vault.keyId}). ${BRING_BACK}`,
    )
  return vault
}

const MISSING = 'the data key of this database is missing'
const BRING_BACK = 'Restore the right key: without it the encrypted data cannot be read'

const rowOf = ({ keyId }: Vault, now: number) => ({ key_id: keyId, first_used_at: BigInt(Math.floor(now)) })

const keyOf = (text: string): Buffer => Buffer.from(text.trim(), 'base64')

/** The key of a file; when there is no file a new key if allowed, else null. */
function keyIn(file: string, mayMake: boolean): Buffer | null {
  if (existsSync(file)) {
    keepOwnerOnly(file)
    return keyOf(readFileSync(file, 'utf8'))
  }
  if (!mayMake) return null
  const key = randomBytes(KEY_BYTES)
  mkdirSync(join(file, '..'), { recursive: true, mode: OWNER_ONLY_FOLDER })
  // On disk before anything is encrypted with it.
  writeFileSync(file, `${key.toString('base64')}\n`, { mode: OWNER_ONLY, flag: 'wx', flush: true })
  return key
}
