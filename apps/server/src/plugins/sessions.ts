import { createHash, randomBytes } from 'node:crypto'
import type { Queries } from '../database/open.ts'
import { createSignal, type Subscribe } from '../engine/signal.ts'

/** Tokens carry 192 bits: not to be guessed, and a fast hash is enough to store them by. */
const TOKEN_BYTES = 24

/** Sessions kept in memory; past this the one that was quiet longest is looked up again when it comes back. */
const REMEMBERED_MAX = 10_000

/** A user who starts more loses the oldest. */
const SESSIONS_PER_USER = 50

export type SessionUser = { readonly id: number; readonly isDemo: boolean }

/** Who is logged in. Tokens are never stored, only their hashes. */
export type Sessions = {
  /** Starts a session and answers its token; the session is on disk before the answer. */
  start(userId: number): Promise<string>
  /** The user of a token that was used before and is still in memory; null says nothing about others. */
  remembered(token: string): SessionUser | null
  /** The user of a token; null when it opens nothing. */
  userOf(token: string): Promise<SessionUser | null>
  end(token: string): Promise<void>
  /** Tells the hash of a token that has ended. */
  readonly onEnded: Subscribe<string>
}

/** The hash that stands for a secret in the database. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const newSecret = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

export function createSessions(options: {
  queries: Queries
  now: () => number
  onError: (error: unknown, doing: string) => void
}): Sessions {
  const { queries, now, onError } = options
  const ended = createSignal<string>((error) => onError(error, 'telling of a log-out'))
  const memory = createMemory()
  const lookups = new Map<string, Promise<SessionUser | null>>()

  /** A lookup that a log-out has overtaken answers its caller, but is not remembered. */
  const lookUp = (hash: string): Promise<SessionUser | null> => {
    const underway = lookups.get(hash)
    if (underway) return underway
    const isCurrent = () => lookups.get(hash) === lookup
    const lookup = findSession(queries, hash)
      .then((user) => {
        if (user && isCurrent()) memory.keep(hash, user)
        return user
      })
      .finally(() => isCurrent() && lookups.delete(hash))
    lookups.set(hash, lookup)
    return lookup
  }

  const endByHash = async (hashes: readonly string[]) => {
    if (hashes.length === 0) return
    await queries.deleteFrom('session').where('token_hash', 'in', hashes).execute()
    for (const hash of hashes) {
      memory.drop(hash)
      lookups.delete(hash)
      ended.emit(hash)
    }
  }

  return {
    start: async (userId) => {
      const token = newSecret()
      const [hash, at] = [secretHash(token), BigInt(now())]
      await queries
        .insertInto('session')
        .values({ token_hash: hash, user_id: BigInt(userId), created_at: at, seen_at: at })
        .execute()
      await endByHash(await supernumerary(queries, userId, hash))
      return token
    },
    remembered: (token) => memory.recall(secretHash(token)),
    userOf: async (token) => {
      const hash = secretHash(token)
      return memory.recall(hash) ?? lookUp(hash)
    },
    end: (token) => endByHash([secretHash(token)]),
    onEnded: ended.subscribe,
  }
}

/** Sessions of a user beyond those they may have, the one just started not counted. */
async function supernumerary(queries: Queries, userId: number, started: string): Promise<string[]> {
  const rows = await queries
    .selectFrom('session')
    .select('token_hash')
    .where('user_id', '=', BigInt(userId))
    .where('token_hash', '!=', started)
    .orderBy('created_at', 'desc')
    .limit(SESSIONS_PER_USER)
    .offset(SESSIONS_PER_USER - 1)
    .execute()
  return rows.map((row) => row.token_hash)
}

async function findSession(queries: Queries, hash: string): Promise<SessionUser | null> {
  const row = await queries
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select(['app_user.id', 'app_user.is_demo'])
    .where('session.token_hash', '=', hash)
    .executeTakeFirst()
  return row ? { id: Number(row.id), isDemo: row.is_demo === 1n } : null
}

/** The users of the sessions used last, by token hash. */
function createMemory() {
  const users = new Map<string, SessionUser>()
  return {
    recall: (hash: string): SessionUser | null => {
      const user = users.get(hash)
      if (!user) return null
      users.delete(hash)
      users.set(hash, user)
      return user
    },
    keep: (hash: string, user: SessionUser) => {
      users.set(hash, user)
      const oldest = users.keys().next()
      if (users.size > REMEMBERED_MAX && !oldest.done) users.delete(oldest.value)
    },
    drop: (hash: string) => users.delete(hash),
  }
}
