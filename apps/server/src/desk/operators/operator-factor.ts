import { refuse, type Refusal } from '../../http/refusal.ts'
import { newRecoveryCodes, recoveryHash } from '../../auth/recovery-code.ts'
import { newTotpSecret, stepOfCode, totpAddress } from '../../auth/totp.ts'
import type { Queries } from '../../database/open.ts'
import { operatorSecret } from '../../database/seal-secrets.ts'
import type { Vault } from '../../database/vault.ts'
import { changeOperatorRow, findOperator, type OperatorRow } from './operator-repository.ts'

/** The second factor of operators, which none of them can do without. */
export type OperatorFactor = {
  /** Why a log-in with this code fails; null when the code is right, or none is set up yet. Each code is taken once. */
  refusalOf(operator: OperatorRow, code: string | null): Promise<Refusal | null>
  prepare(operator: OperatorRow): Promise<{ secret: string; address: string } | Refusal>
  /** Switches it on by its first code and answers recovery codes. */
  confirm(operator: OperatorRow, code: string, within: Queries): Promise<string[] | Refusal>
}

export function createOperatorFactor(queries: Queries, vault: Vault, now: () => number): OperatorFactor {
  const stepOf: StepOf = (id, secret, lastStep, code) =>
    stepOfCode(vault.open(secret, operatorSecret(id)), code, now(), lastStep)
  return {
    refusalOf: async (operator, code) => {
      if (operator.totp_confirmed_at === null) return null
      if (code === null || code.trim() === '') return refuse('secondFactorNeeded')
      const isRight = /^[0-9]{6}$/.test(code.trim())
        ? await takeStep(queries, operator.id, code.trim(), stepOf)
        : await takeRecovery(queries, operator.id, code)
      return isRight ? null : refuse('secondFactorWrong', { field: 'code' })
    },
    prepare: async (operator) => {
      if (operator.totp_confirmed_at !== null) return refuse('secondFactorOn')
      const secret = newTotpSecret()
      await changeOperatorRow(queries, operator.id, {
        totp_secret: vault.seal(secret, operatorSecret(operator.id)),
        totp_last_step: 0n,
      })
      return { secret, address: totpAddress(secret, 'Fairlot desk', operator.name) }
    },
    confirm: async ({ id }, code, within) => {
      const operator = await findOperator(within, id)
      if (operator?.totp_confirmed_at !== null) return refuse('secondFactorOn')
      if (!(await takeStep(within, id, code.trim(), stepOf)))
        return refuse('secondFactorWrong', { field: 'code' })
      await changeOperatorRow(within, id, { totp_confirmed_at: BigInt(Math.floor(now())) })
      await within.deleteFrom('operator_recovery_code').where('operator_id', '=', BigInt(id)).execute()
      const codes = newRecoveryCodes()
      const rows = codes.map((made) => ({
        code_hash: recoveryHash(ownerOf(id), made),
        operator_id: BigInt(id),
      }))
      await within.insertInto('operator_recovery_code').values(rows).execute()
      return codes
    },
  }
}

/** The step whose code this is; null for a wrong one. */
type StepOf = (id: number, secret: string, lastStep: number, code: string) => number | null

/** Two log-ins with the same code at once: the second finds its step taken. */
async function takeStep(within: Queries, id: number, code: string, stepOf: StepOf): Promise<boolean> {
  const row = await findOperator(within, id)
  if (!row || row.totp_secret === null) return false
  const step = stepOf(id, row.totp_secret, Number(row.totp_last_step), code)
  if (step === null) return false
  const taken = await within
    .updateTable('operator')
    .set({ totp_last_step: BigInt(step) })
    .where('id', '=', BigInt(id))
    .where('totp_last_step', '=', row.totp_last_step)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n
}

async function takeRecovery(within: Queries, id: number, code: string): Promise<boolean> {
  const used = await within
    .deleteFrom('operator_recovery_code')
    .where('operator_id', '=', BigInt(id))
    .where('code_hash', '=', recoveryHash(ownerOf(id), code))
    .executeTakeFirst()
  return used.numDeletedRows === 1n
}

/** Operators and traders may have the same number. */
const ownerOf = (id: number): string => `operator ${id}`
