import { type SecondFactor as Status, typedCode } from '@fairlot/contract'
import { latinDigits } from '@fairlot/core/decimal'
import type { Transaction } from 'kysely'
import type { SecondFactorTable } from '../database/user-schema.ts'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import { traderSecret } from '../database/data-key.ts'
import type { Vault } from '../database/vault.ts'
import { randomBytes } from 'node:crypto'
import { generateSecret, generateSync, generateURI, verifySync } from 'otplib'
import { type Refusal, refuse } from '../refusal.ts'
import { removePasskeys } from './passkeys.ts'
import { secretHash } from './secrets.ts'

/** The optional second factor: an authenticator app or passkeys, and recovery codes for when they are lost. */
export type SecondFactor = {
  status(userId: number, within?: Queries): Promise<Status>
  /** A new secret, not in effect until it is confirmed; null if there is an app already. */
  prepare(userId: number): Promise<string | null>
  /** Adds the app with a code of the prepared secret and returns recovery codes; null for a wrong code. */
  confirm(userId: number, code: string, within: Transaction<Tables>): Promise<string[] | null>
  /** True for a right code of the app or a right recovery code. Each is accepted once. Passkeys are checked elsewhere. */
  use(userId: number, code: string): Promise<boolean>
  /** Removes the app, unless `beforeRemoval` refuses it. */
  removeApp(userId: number, within: Transaction<Tables>): Promise<Refusal | null>
  /** New recovery codes in place of the earlier ones. */
  renewRecoveryCodes(userId: number, within: Transaction<Tables>): Promise<string[]>
  /**
   * To be called before an app or a passkey is removed: refused if a single passkey and no recovery code would remain.
   * The recovery codes end if nothing would remain.
   */
  beforeRemoval(userId: number, of: 'app' | 'passkey', within: Transaction<Tables>): Promise<Refusal | null>
  /** Removes app, passkeys and recovery codes. */
  reset(userId: number, within: Transaction<Tables>): Promise<void>
}

export function createSecondFactor(queries: Queries, vault: Vault, now: () => number): SecondFactor {
  const stepOf: StepOf = ({ user_id, secret, last_step }, code) =>
    stepOfCode(vault.open(secret, traderSecret(user_id)), code, now(), Number(last_step))
  const status: SecondFactor['status'] = async (userId, within = queries) => {
    const app = await within
      .selectFrom('second_factor')
      .select('confirmed_at')
      .where('user_id', '=', BigInt(userId))
      .executeTakeFirst()
    const countIn = async (table: 'passkey' | 'recovery_code') => {
      const { count } = await within
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .where('user_id', '=', BigInt(userId))
        .executeTakeFirstOrThrow()
      return Number(count)
    }
    const hasApp = (app?.confirmed_at ?? null) !== null
    const passkeys = await countIn('passkey')
    const isOn = hasApp || passkeys > 0
    return { isOn, hasApp, passkeys, recoveryCodesLeft: isOn ? await countIn('recovery_code') : 0 }
  }
  const deleteCodes = (userId: number, within: Transaction<Tables>) =>
    within.deleteFrom('recovery_code').where('user_id', '=', BigInt(userId)).execute()
  const renewRecoveryCodes: SecondFactor['renewRecoveryCodes'] = async (userId, within) => {
    await deleteCodes(userId, within)
    const codes = newRecoveryCodes()
    const rows = codes.map((made) => ({
      code_hash: recoveryHash(String(userId), made),
      user_id: BigInt(userId),
    }))
    await within.insertInto('recovery_code').values(rows).execute()
    return codes
  }
  const deleteApp = (userId: number, within: Transaction<Tables>) =>
    within.deleteFrom('second_factor').where('user_id', '=', BigInt(userId)).execute()
  const beforeRemoval: SecondFactor['beforeRemoval'] = async (userId, of, within) => {
    const before = await status(userId, within)
    const hasApp = before.hasApp && of !== 'app'
    const passkeys = before.passkeys - (of === 'passkey' ? 1 : 0)
    if (!hasApp && passkeys === 1 && before.recoveryCodesLeft === 0) return refuse('passkeyReserveNeeded')
    if (!hasApp && passkeys === 0) await deleteCodes(userId, within)
    return null
  }

  return {
    status,
    renewRecoveryCodes,
    beforeRemoval,
    removeApp: async (userId, within) => {
      const refusal = await beforeRemoval(userId, 'app', within)
      if (!refusal) await deleteApp(userId, within)
      return refusal
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
      if (!(await redeemTotp(within, userId, code, stepOf))) return null
      await within
        .updateTable('second_factor')
        .set({ confirmed_at: BigInt(Math.floor(now())) })
        .where('user_id', '=', BigInt(userId))
        .execute()
      return renewRecoveryCodes(userId, within)
    },
    use: async (userId, typed) => {
      const code = typedCode(typed)
      return IS_TOTP.test(code)
        ? redeemTotp(queries, userId, code, stepOf)
        : redeemRecoveryCode(queries, userId, code)
    },
    reset: async (userId, within) => {
      await deleteApp(userId, within)
      await removePasskeys({ kind: 'user', id: userId }, within)
      await deleteCodes(userId, within)
    },
  }
}

const IS_TOTP = /^\d{6}$/

/** False for what can be no code of an app and no recovery code, however it is written: that is a slip, and no guess. */
export const isPossibleCode = (typed: string): boolean =>
  IS_TOTP.test(typedCode(typed)) || IS_RECOVERY.test(plainLetters(typed).replace(/[^0-9A-Z]/g, ''))

/** Letters and digits as a recovery code has them, from any keyboard. */
const plainLetters = (typed: string): string => latinDigits(typed).normalize('NFKC').toUpperCase()

/** The step whose code this is; null for a wrong one. */
type StepOf = (row: SecondFactorTable, code: string) => number | null

/** Two calls with the same code at once: the second finds its step taken. */
async function redeemTotp(within: Queries, userId: number, code: string, stepOf: StepOf): Promise<boolean> {
  const row = await within
    .selectFrom('second_factor')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .executeTakeFirst()
  const step = row ? stepOf(row, code) : null
  if (step === null) return false
  const updated = await within
    .updateTable('second_factor')
    .set({ last_step: BigInt(step) })
    .where('user_id', '=', BigInt(userId))
    .where('last_step', '=', row?.last_step ?? 0n)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

async function redeemRecoveryCode(queries: Queries, userId: number, code: string): Promise<boolean> {
  const used = await queries
    .deleteFrom('recovery_code')
    .where('user_id', '=', BigInt(userId))
    .where('code_hash', '=', recoveryHash(String(userId), code))
    .executeTakeFirst()
  return used.numDeletedRows === 1n
}

const STEP_SECONDS = 30
/** An app's clock may be off by one step either way. */
const DRIFT_STEPS = 1

/** A secret of 160 bits in base32. */
export const newTotpSecret = (): string => generateSecret()

/** The content of the QR code that an authenticator app scans. */
export const totpUri = (secret: string, issuer: string, account: string): string =>
  generateURI({ secret, issuer, label: account })

/**
 * The time step of a code (RFC 6238 with SHA-1, six digits, 30 s), within the drift and after `lastStep`; null for a wrong code or
 * one that was accepted before. `at` is epoch ms.
 */
export function stepOfCode(secret: string, code: string, at: number, lastStep: number): number | null {
  if (!IS_TOTP.test(code)) return null
  const epoch = Math.floor(at / 1_000)
  // A last step in the future was accepted while the server's clock ran ahead; it must not lock the owner out until then.
  const isAhead = lastStep > Math.floor(epoch / STEP_SECONDS) + DRIFT_STEPS
  const result = verifySync({
    secret,
    token: code,
    epoch,
    epochTolerance: DRIFT_STEPS * STEP_SECONDS,
    afterTimeStep: isAhead ? 0 : lastStep,
  })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** The code at a moment in epoch ms. */
export const totpCode = (secret: string, at: number): string =>
  generateSync({ secret, epoch: Math.floor(at / 1_000) })

const RECOVERY_CODES = 10
/** 120 bits: enough to store the codes under a fast hash. */
const RECOVERY_BYTES = 15
const IS_RECOVERY = new RegExp(`^[0-9A-F]{${2 * RECOVERY_BYTES}}$`)

/** Codes for users who have lost their authenticator, each valid once; in groups of five, so that they are easy to write down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    (randomBytes(RECOVERY_BYTES).toString('hex').match(/.{5}/g) ?? []).join('-').toUpperCase(),
  )

/** The stored hash of an owner's code. Case and the separators between groups do not matter. */
export const recoveryHash = (owner: string, code: string): string =>
  secretHash(`${owner} ${plainLetters(code).replace(/[^0-9A-F]/g, '')}`)
