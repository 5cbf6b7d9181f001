import { PASSWORD_LENGTH } from '@fairlot/contract'
import { DEPLOYMENT } from '@fairlot/core'
import type { Queries } from '../../platform/database/open.ts'
import type { Engine } from '../../engine/engine.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { resultOf } from '../../engine/calls.ts'
import type { Hasher } from '../../platform/security/password-hash.ts'
import { checkPassword } from '../../platform/security/password-rule.ts'
import { addOperator, listOperatorRows, readableSecret } from './operators.ts'

/** The name of the first operator of a deployment. */
export const FIRST_NAME = 'admin'

/**
 * Creates the first administrator of a deployment without operators, with the given or a generated password. Returns
 * the generated password, to be shown once; null if none was. Throws an Error if the given password is too weak.
 */
export async function makeFirstAdministrator(
  queries: Queries,
  hasher: Hasher,
  given: string | null,
  at: number,
): Promise<string | null> {
  const existing = await queries.selectFrom('operator').select('id').limit(1).executeTakeFirst()
  if (existing) return null
  const password = given ?? readableSecret()
  // A generated password needs no check, so the dictionary is not loaded.
  const weak = given === null ? null : await checkPassword(password, FIRST_NAME)
  if (weak) throw new Error(`the setting DESK_PASSWORD is wrong: ${WHY[weak.rejected] ?? weak.rejected}`)
  const passwordHash = await hasher.hash(password)
  await queries
    .transaction()
    .execute((within) =>
      addOperator(within, { name: FIRST_NAME, role: 'administrator', password_hash: passwordHash }, at),
    )
  return given === null ? password : null
}

/** What is wrong with a password, by the code of the refusal. */
const WHY: Readonly<Record<string, string>> = {
  passwordTooShort: `it must have at least ${PASSWORD_LENGTH.min} characters`,
  passwordTooLong: `it must have at most ${PASSWORD_LENGTH.max} characters`,
  passwordCommon: 'it is too common. Choose another, or leave it out to have one generated',
}

/**
 * Journals the operators at the first start; from then on the two-operator rules apply (trading-rules §11). Later
 * starts change nothing. Throws if the engine rejects the command.
 */
export async function adoptOperators(engine: Engine, queries: Queries): Promise<void> {
  const rows = await listOperatorRows(queries)
  const entry = await resultOf(engine, {
    type: 'adoptOperators',
    by: DEPLOYMENT,
    operators: rows.map(({ id, role, is_on: isOn, password_hash: hash }) => ({
      operatorId: id,
      role,
      isActive: isOn === 1n,
      hasJoined: hash !== null,
    })),
  })
  if (isRefusal(entry)) throw new Error(`the engine rejected the operators: ${entry.rejected}`)
}
