import { typedCode } from '@fairlot/contract'
import { refuse, type Refusal } from '../../platform/refusal.ts'
import {
  isPossibleCode,
  newRecoveryCodes,
  newTotpSecret,
  recoveryHash,
  stepOfCode,
  totpUri,
} from '../../platform/security/second-factor.ts'
import type { Queries } from '../../platform/database/open.ts'
import { operatorSecret } from '../../platform/database/data-key.ts'
import type { Vault } from '../../platform/database/vault.ts'
import { changeOperatorRow, findOperator, type OperatorRow } from './operators.ts'

/** The second factor of operators, which is mandatory. */
export type OperatorFactor = {
  /** The refusal of a missing or wrong code; null if it is right, or if no factor is set up. Each code is accepted once. */
  refusalOf(operator: OperatorRow, code: string | null, within?: Queries): Promise<Refusal | null>
  prepare(operator: OperatorRow): Promise<{ secret: string; address: string } | Refusal>
  /** Switches it on with its first code and returns recovery codes. */
  confirm(operator: OperatorRow, code: string, within: Queries): Promise<string[] | Refusal>
}

/** Whether what was typed can be no code, however it is written: a slip, which is refused but no guess. */
export const isSlip = (code: string | null): boolean =>
  code !== null && code.trim() !== '' && !isPossibleCode(code)

export function createOperatorFactor(queries: Queries, vault: Vault, now: () => number): OperatorFactor {
  const stepOf: StepOf = (id, secret, lastStep, code) =>
    stepOfCode(vault.open(secret, operatorSecret(id)), code, now(), lastStep)
  return {
    refusalOf: async (operator, code, within = queries) => {
      if (operator.totp_confirmed_at === null) return null
      if (code === null || code.trim() === '') return refuse('secondFactorNeeded', { field: 'code' })
      const typed = typedCode(code)
      const isRight = /^\d{6}$/.test(typed)
        ? await takeStep(within, operator.id, typed, stepOf)
        : await takeRecovery(within, operator.id, typed)
      return isRight ? null : refuse('secondFactorWrong', { field: 'code' })
    },
    prepare: async (operator) => {
      if (operator.totp_confirmed_at !== null) return refuse('secondFactorOn')
      const secret = newTotpSecret()
      // Only if none is set up, also if one is being confirmed concurrently.
      const { numUpdatedRows } = await queries
        .updateTable('operator')
        .set({ totp_secret: vault.seal(secret, operatorSecret(operator.id)), totp_last_step: 0n })
        .where('id', '=', BigInt(operator.id))
        .where('totp_confirmed_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return refuse('secondFactorOn')
      return { secret, address: totpUri(secret, 'Fairlot desk', operator.name) }
    },
    confirm: async ({ id }, code, within) => {
      const operator = await findOperator(within, id)
      if (operator?.totp_confirmed_at !== null) return refuse('secondFactorOn')
      if (!(await takeStep(within, id, typedCode(code), stepOf)))
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

/** The time step of a code; null for a wrong code. */
type StepOf = (id: number, secret: string, lastStep: number, code: string) => number | null

/** Of two concurrent log-ins with the same code the second is refused, as its step is used. */
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

/** Distinguishes operators from users, who may have the same id. */
const ownerOf = (id: number): string => `operator ${id}`
