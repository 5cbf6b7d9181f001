import type { Queries } from './open.ts'
import { isSealed, type SealedPlace, type Vault } from './vault.ts'

/** Where the second factor of a trader stands. */
export const traderSecret = (userId: number | bigint): SealedPlace => ({
  owner: `user ${userId}`,
  column: 'second_factor.secret',
})

/** Where the second factor of an operator stands. */
export const operatorSecret = (operatorId: number | bigint): SealedPlace => ({
  owner: `operator ${operatorId}`,
  column: 'operator.totp_secret',
})

/** Encrypts the secrets that an earlier version has left open, each by itself; what is encrypted stays as it is. */
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
