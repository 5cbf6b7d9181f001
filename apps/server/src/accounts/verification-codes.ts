import { randomInt, randomUUID, timingSafeEqual } from 'node:crypto'
import { CODE_COUNTDOWN_S, CODE_DIGITS, type CodePurpose, typedCode } from '@fairlot/contract'
import { sql, type Transaction } from 'kysely'
import type { Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import { secretHash } from '../platform/security/secrets.ts'
import { createMutex } from '../platform/concurrency.ts'

const IS_CODE = new RegExp(`^\\d{${CODE_DIGITS}}$`)
const VALID_FOR_MS = 600_000
const ATTEMPTS_MAX = 5

/** False for what is not six digits, however they are written: that is a slip, and no attempt. */
export const isPossibleCode = (typed: string): boolean => IS_CODE.test(typedCode(typed))

type CodeKey = { readonly purpose: CodePurpose; readonly target: string }

/**
 * Codes that prove control of an e-mail address or phone number. Each target and purpose has one code at a time; it is
 * valid for ten minutes and five attempts, and only for its purpose.
 */
export type Codes = {
  /** A new code; null if one was issued within the last minute, which then stays valid. */
  issue(key: CodeKey, within: Transaction<Tables>): Promise<string | null>
  /** Counts an attempt, unless the code is right. What is not six digits is wrong, but no attempt. */
  isRight(key: CodeKey, code: string): Promise<boolean>
  /** Deletes a right code; false if another request has just used it. */
  use(key: CodeKey, code: string, within: Transaction<Tables>): Promise<boolean>
}

export function createCodes(queries: Queries, now: () => number): Codes {
  const time = () => BigInt(Math.floor(now()))
  return {
    issue: async ({ purpose, target }, within) => {
      const code = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
      const fresh = { code_hash: hashOf(target, code), sent_at: time(), tries: 0n }
      const written = await within
        .insertInto('verification_code')
        .values({ target, purpose, ...fresh })
        .onConflict((conflict) =>
          conflict
            .columns(['target', 'purpose'])
            .doUpdateSet(fresh)
            .where('verification_code.sent_at', '<=', time() - BigInt(CODE_COUNTDOWN_S * 1_000)),
        )
        .returning('target')
        .executeTakeFirst()
      return written ? code : null
    },
    isRight: async ({ purpose, target }, typed) => {
      if (!isPossibleCode(typed)) return false
      const code = typedCode(typed)
      // Counted before it is compared, so that parallel guesses cannot exceed the limit.
      const row = await queries
        .updateTable('verification_code')
        .set({ tries: sql`tries + 1` })
        .where('target', '=', target)
        .where('purpose', '=', purpose)
        .where('tries', '<', BigInt(ATTEMPTS_MAX))
        .where('sent_at', '>', time() - BigInt(VALID_FOR_MS))
        .returning('code_hash')
        .executeTakeFirst()
      if (!row || !isSame(row.code_hash, hashOf(target, code))) return false
      await queries
        .updateTable('verification_code')
        .set({ tries: sql`tries - 1` })
        .where('target', '=', target)
        .where('purpose', '=', purpose)
        .where('code_hash', '=', row.code_hash)
        .execute()
      return true
    },
    use: async ({ purpose, target }, typed, within) => {
      const used = await within
        .deleteFrom('verification_code')
        .where('target', '=', target)
        .where('purpose', '=', purpose)
        .where('code_hash', '=', hashOf(target, typedCode(typed)))
        .executeTakeFirst()
      return used.numDeletedRows === 1n
    },
  }
}

const hashOf = (target: string, code: string): string => secretHash(`${target} ${code}`)

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))

const DAY_MS = 86_400_000
const PAUSE_MS = 60_000

/**
 * Codes to reset a password that are sent per account and day: to all unknown places together, and again to each place
 * where its owner has logged in. A code is valid for five attempts, so strangers get 6 x 5 guesses at 1,000,000 codes: a
 * chance of 0.003 % a day per account, or 1.1 % in a year of trying every day, if the second factor is off.
 */
export const RESET_CODES_A_DAY = 6

/** The wait doubles after each code: 1, 2, 4, 8 and 16 minutes. */
const pauseAfter = (count: number): number => PAUSE_MS * 2 ** (count - 1)

export type DailyLimit = {
  /** Whether the daily limit is not reached. */
  hasLeft(key: string): Promise<boolean>
  /** Counts one; false if the daily limit is reached or the pause since the last one is not over. */
  take(key: string): Promise<boolean>
  /** Whether the last one was less than a minute ago: its code was just sent and stays valid. */
  isFresh(key: string): Promise<boolean>
}

/** A limit per key over the last 24 hours, counted in the tables so that a restart does not reset it. `now` returns epoch ms. */
export function createDailyLimit(
  queries: Queries,
  now: () => number,
  {
    name,
    limit,
    hasPauses,
  }: { readonly name: string; readonly limit: () => number; readonly hasPauses: boolean },
): DailyLimit {
  const withLock = createMutex()
  const hashOf = (key: string) => secretHash(`${name} ${key}`)
  const usesWithinDay = async (key: string): Promise<number[]> => {
    const rows = await queries
      .selectFrom('day_count')
      .select('at')
      .where('key_hash', '=', hashOf(key))
      .where('at', '>', BigInt(Math.floor(now() - DAY_MS)))
      .orderBy('at')
      .execute()
    return rows.map(({ at }) => Number(at))
  }
  const take = async (key: string): Promise<boolean> => {
    const at = Math.floor(now())
    await queries
      .deleteFrom('day_count')
      .where('at', '<=', BigInt(at - DAY_MS))
      .execute()
    const times = await usesWithinDay(key)
    const last = times.at(-1)
    if (times.length >= limit()) return false
    if (hasPauses && last !== undefined && at - last < pauseAfter(times.length)) return false
    await queries
      .insertInto('day_count')
      .values({ id: randomUUID(), key_hash: hashOf(key), at: BigInt(at) })
      .execute()
    return true
  }
  return {
    hasLeft: async (key) => (await usesWithinDay(key)).length < limit(),
    // One at a time: otherwise two concurrent calls could both take the last one.
    take: (key) => withLock(() => take(key)),
    isFresh: async (key) => {
      const last = (await usesWithinDay(key)).at(-1)
      return last !== undefined && now() - last < PAUSE_MS
    },
  }
}

/**
 * The key under which a code to reset a password is stored. A code requested from a known place of the owner is stored
 * apart and is valid only there, so that strangers can neither replace it nor use up its attempts.
 */
export const codeSlot = (target: string, place: string | null): { purpose: CodePurpose; target: string } => ({
  purpose: 'reset',
  target: place === null ? target : secretHash(`${target} ${place}`),
})
