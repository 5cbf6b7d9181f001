import type { Transaction } from 'kysely'
import { identityMark, identityNumber } from './identity-schema.ts'
import type { Tables } from './schema.ts'
import { operatorSecret, traderSecret } from './seal-secrets.ts'
import { isSealed, type Vault } from './vault.ts'

/** Rows that are in memory at once. */
const AT_ONCE = 500

/**
 * Encrypts everything that the key before has encrypted by the new one, and makes the marks of document numbers anew. Throws at the first text
 * that the key before does not open: the transaction around it then leaves all as it was.
 */
export async function sealAnew(within: Transaction<Tables>, before: Vault, vault: Vault): Promise<void> {
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

/** Row by row in the order of ids; what is empty or still open is passed over. */
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
