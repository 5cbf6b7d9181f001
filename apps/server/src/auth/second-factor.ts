import type { SecondFactor as Status } from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { SecondFactorTable } from '../database/people-schema.ts'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import { traderSecret } from '../database/seal-secrets.ts'
import type { Vault } from '../database/vault.ts'
import { newRecoveryCodes, recoveryHash } from './recovery-code.ts'
import { newTotpSecret, stepOfCode } from './totp.ts'

/** Codes of an authenticator app beside the password, for those who want them. */
export type SecondFactor = {
  status(userId: number): Promise<Status>
  /** A new secret that does not count yet; null while the second factor is on. */
  prepare(userId: number): Promise<string | null>
  /** Switches it on by a code of the prepared secret and answers recovery codes; null for a wrong code. */
  confirm(userId: number, code: string, within: Transaction<Tables>): Promise<string[] | null>
  /** Whether a code of the app, or a recovery code, is right. Each is taken once. */
  take(userId: number, code: string): Promise<boolean>
  remove(userId: number, within: Transaction<Tables>): Promise<void>
}

export function createSecondFactor(queries: Queries, vault: Vault, now: () => number): SecondFactor {
  const stepOf: StepOf = ({ user_id, secret, last_step }, code) =>
    stepOfCode(vault.open(secret, traderSecret(user_id)), code, now(), Number(last_step))
  const find = (userId: number) =>
    queries.selectFrom('second_factor').selectAll().where('user_id', '=', BigInt(userId)).executeTakeFirst()

  return {
    status: async (userId) => {
      const isOn = ((await find(userId))?.confirmed_at ?? null) !== null
      const { left } = await queries
        .selectFrom('recovery_code')
        .select((select) => select.fn.countAll<bigint>().as('left'))
        .where('user_id', '=', BigInt(userId))
        .executeTakeFirstOrThrow()
      return { isOn, recoveryCodesLeft: isOn ? Number(left) : 0 }
    },
    prepare: async (userId) => {
      const secret = newTotpSecret()
      const fresh = { secret: vault.seal(secret, traderSecret(userId)), last_step: 0n }
      const written = await queries
        .insertInto('second_factor')
        .values({ user_id: BigInt(userId), confirmed_at: null, ...fresh })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(fresh).where('second_factor.confirmed_at', 'is', null),
        )
        .returning('user_id')
        .executeTakeFirst()
      return written ? secret : null
    },
    confirm: async (userId, code, within) => {
      if (!(await takeStep(within, userId, code, stepOf))) return null
      await within
        .updateTable('second_factor')
        .set({ confirmed_at: BigInt(Math.floor(now())) })
        .where('user_id', '=', BigInt(userId))
        .execute()
      await within.deleteFrom('recovery_code').where('user_id', '=', BigInt(userId)).execute()
      const codes = newRecoveryCodes()
      const rows = codes.map((made) => ({
        code_hash: recoveryHash(String(userId), made),
        user_id: BigInt(userId),
      }))
      await within.insertInto('recovery_code').values(rows).execute()
      return codes
    },
    take: async (userId, code) =>
      /^[0-9]{6}$/.test(code.trim())
        ? takeStep(queries, userId, code.trim(), stepOf)
        : takeRecovery(queries, userId, code),
    remove: async (userId, within) => {
      await within.deleteFrom('second_factor').where('user_id', '=', BigInt(userId)).execute()
      await within.deleteFrom('recovery_code').where('user_id', '=', BigInt(userId)).execute()
    },
  }
}

/** The step whose code this is; null for a wrong one. */
type StepOf = (row: SecondFactorTable, code: string) => number | null

/** Two calls with the same code at once: the second finds its step taken. */
async function takeStep(within: Queries, userId: number, code: string, stepOf: StepOf): Promise<boolean> {
  const row = await within
    .selectFrom('second_factor')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .executeTakeFirst()
  const step = row ? stepOf(row, code) : null
  if (step === null) return false
  const taken = await within
    .updateTable('second_factor')
    .set({ last_step: BigInt(step) })
    .where('user_id', '=', BigInt(userId))
    .where('last_step', '=', row?.last_step ?? 0n)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

async function takeRecovery(queries: Queries, userId: number, code: string): Promise<boolean> {
  const used = await queries
    .deleteFrom('recovery_code')
    .where('user_id', '=', BigInt(userId))
    .where('code_hash', '=', recoveryHash(String(userId), code))
    .executeTakeFirst()
  return used.numDeletedRows === 1n
}
