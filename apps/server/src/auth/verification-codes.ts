import { randomInt, timingSafeEqual } from 'node:crypto'
import { CODE_COUNTDOWN_S, CODE_DIGITS, type CodePurpose } from '@fairlot/contract'
import { sql, type Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import { secretHash } from '../http/login-sessions.ts'

const GOOD_FOR_MS = 600_000
const TRIES = 5

type Key = { readonly purpose: CodePurpose; readonly target: string }

/**
 * Codes that show that somebody reads an address or a number. There is one for a target and a purpose at a time; it is
 * good for ten minutes and five tries, and used up only by what it was asked for.
 */
export type Codes = {
  /** A new code; null while one was made within the last minute: that one stays good. */
  issue(key: Key, within: Transaction<Tables>): Promise<string | null>
  /** Counts a try, unless the code is right. */
  isRight(key: Key, code: string): Promise<boolean>
  /** Uses a right code up; false when somebody else just did. */
  use(key: Key, code: string, within: Transaction<Tables>): Promise<boolean>
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
    isRight: async ({ purpose, target }, code) => {
      // Counted before it is compared: so many guesses at once are no more than five either.
      const row = await queries
        .updateTable('verification_code')
        .set({ tries: sql`tries + 1` })
        .where('target', '=', target)
        .where('purpose', '=', purpose)
        .where('tries', '<', BigInt(TRIES))
        .where('sent_at', '>', time() - BigInt(GOOD_FOR_MS))
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
    use: async ({ purpose, target }, code, within) => {
      const used = await within
        .deleteFrom('verification_code')
        .where('target', '=', target)
        .where('purpose', '=', purpose)
        .where('code_hash', '=', hashOf(target, code))
        .executeTakeFirst()
      return used.numDeletedRows === 1n
    },
  }
}

const hashOf = (target: string, code: string): string => secretHash(`${target} ${code}`)

const isSame = (one: string, other: string): boolean => timingSafeEqual(Buffer.from(one), Buffer.from(other))
