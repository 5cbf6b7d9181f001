import { createHash, randomBytes } from 'node:crypto'
import type { Queries } from '../database/open.ts'
import { createSignal, type Subscribe } from '../engine/signal.ts'

/** Tokens carry 192 bits: not to be guessed, and a fast hash is enough to store them by. */
const TOKEN_BYTES = 24

export type SessionUser = { readonly id: number; readonly isDemo: boolean }

/** Who is logged in. Tokens are never stored, only their hashes. */
export type Sessions = {
  /** Starts a session and answers its token; the session is on disk before the answer. */
  start(userId: number): Promise<string>
  /** The user of a token; null when it opens nothing. */
  userOf(token: string): Promise<SessionUser | null>
  end(token: string): Promise<void>
  /** Tells the hash of a token that has ended. */
  readonly onEnded: Subscribe<string>
}

/** The hash that stands for a secret in the database. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const newSecret = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

export function createSessions(queries: Queries, now: () => number): Sessions {
  const ended = createSignal<string>()
  const known = new Map<string, SessionUser>()

  const find = async (hash: string): Promise<SessionUser | null> => {
    const row = await queries
      .selectFrom('session')
      .innerJoin('app_user', 'app_user.id', 'session.user_id')
      .select(['app_user.id', 'app_user.is_demo'])
      .where('session.token_hash', '=', hash)
      .executeTakeFirst()
    return row ? { id: Number(row.id), isDemo: row.is_demo === 1n } : null
  }

  return {
    start: async (userId) => {
      const token = newSecret()
      const at = BigInt(now())
      await queries
        .insertInto('session')
        .values({ token_hash: secretHash(token), user_id: BigInt(userId), created_at: at, seen_at: at })
        .execute()
      return token
    },
    userOf: async (token) => {
      const hash = secretHash(token)
      const user = known.get(hash) ?? (await find(hash))
      if (user) known.set(hash, user)
      return user
    },
    end: async (token) => {
      const hash = secretHash(token)
      await queries.deleteFrom('session').where('token_hash', '=', hash).execute()
      known.delete(hash)
      ended.emit(hash)
    },
    onEnded: ended.subscribe,
  }
}
