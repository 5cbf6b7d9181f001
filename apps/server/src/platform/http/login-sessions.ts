import type { Queries } from '../database/open.ts'
import type { SessionTable } from '../database/user-schema.ts'
import { createEmitter, type Subscribe } from '../emitter.ts'
import { newSecret, secretHash } from '../security/secrets.ts'

/** Sessions kept in memory; beyond this the least recently used one is dropped and looked up again. */
const CACHED_MAX = 10_000

/** A further session ends the oldest. */
const SESSIONS_PER_USER = 50

export type SessionUser = { readonly id: number; readonly isDemo: boolean }

/** Where a session was started from. */
export type SessionOrigin = { readonly device: string; readonly address: string }

/** A session as shown to its user. The id is not a credential. */
export type SessionRow = SessionOrigin & {
  readonly id: string
  readonly startedAt: number
  readonly seenAt: number
  readonly isCurrent: boolean
}

/** A session that is over. */
export type SessionEnd = {
  readonly tokenHash: string
  /** Ended by a new password: somebody else may have the token. */
  readonly isRevoked: boolean
}

/** Lifetimes of sessions, ms: since the last use, and in total. */
export type SessionLifetimes = { readonly idleMs: number; readonly absoluteMs: number }

/** Log-in sessions. Tokens are never stored, only their hashes. */
export type Sessions = {
  /** Starts a session, stores it, and returns its token. */
  start(userId: number, origin?: SessionOrigin): Promise<string>
  /** The user of a token whose session is in memory; null does not mean that the token is invalid. */
  cached(token: string): SessionUser | null
  /** The user of a token; null for an invalid one. */
  userOf(token: string): Promise<SessionUser | null>
  /** The active sessions of a user, the latest used first. */
  list(userId: number, token: string | null): Promise<SessionRow[]>
  end(token: string): Promise<void>
  /** Ends a session of a user; false when there is none with this id. */
  endById(userId: number, id: string): Promise<boolean>
  /** Ends all sessions of a user. */
  endAll(userId: number): Promise<void>
  /**
   * Revokes all sessions of a user in a transaction. Call the returned function after the commit: it publishes the ends,
   * and ends sessions that were started meanwhile.
   */
  endAllWithin(userId: number, within: Queries): Promise<() => Promise<void>>
  /** Ends every expired session, for sockets that are open without calls. */
  endExpired(): Promise<void>
  readonly onEnded: Subscribe<SessionEnd>
}

export type SessionsOptions = {
  readonly queries: Queries
  /** Real time, epoch ms, because the market clock may follow a recording. */
  readonly now: () => number
  readonly lifetimes: SessionLifetimes
  readonly onError: (error: unknown, doing: string) => void
}

export function createSessions(options: SessionsOptions): Sessions {
  const { queries, now } = options
  const active = createActive(options)
  const rowsOf = (userId: number) =>
    queries.selectFrom('session').selectAll().where('user_id', '=', BigInt(userId)).execute()
  const endAll = async (userId: number, isRevoked = false) =>
    active.end(
      (await rowsOf(userId)).map((row) => row.token_hash),
      isRevoked,
    )
  return {
    start: async (userId, origin = NOWHERE) => {
      const token = newSecret()
      const [hash, at] = [secretHash(token), BigInt(Math.floor(now()))]
      await queries
        .insertInto('session')
        .values({ token_hash: hash, user_id: BigInt(userId), created_at: at, seen_at: at, ...origin })
        .execute()
      await active.end(await sessionsOverLimit(queries, userId, hash))
      return token
    },
    cached: (token) => active.recall(secretHash(token)),
    userOf: async (token) => {
      const hash = secretHash(token)
      return active.recall(hash) ?? active.lookUp(hash)
    },
    list: async (userId, token) => {
      const current = token === null ? null : secretHash(token)
      const rows = (await rowsOf(userId)).map((row) => ({ row, times: active.timesOf(row) }))
      return rows
        .filter(({ times }) => !active.isOver(times))
        .map(({ row: { token_hash: hash, device, address }, times: { startedAt, seenAt } }) => ({
          startedAt,
          seenAt,
          device,
          address,
          id: publicId(hash),
          isCurrent: hash === current,
        }))
        .toSorted((one, other) => other.seenAt - one.seenAt)
    },
    end: (token) => active.end([secretHash(token)]),
    endById: async (userId, id) => {
      const found = (await rowsOf(userId)).filter(({ token_hash: hash }) => publicId(hash) === id)
      await active.end(found.map(({ token_hash: hash }) => hash))
      return found.length > 0
    },
    endAll: (userId) => endAll(userId),
    endAllWithin: async (userId, within) => {
      const rows = await within
        .deleteFrom('session')
        .where('user_id', '=', BigInt(userId))
        .returning('token_hash')
        .execute()
      return async () => {
        active.forget(
          rows.map((row) => row.token_hash),
          true,
        )
        await endAll(userId, true)
      }
    },
    endExpired: async () => {
      const rows = await findOld(options)
      const over = rows.filter((row) => active.isOver(active.timesOf(row)))
      await active.end(over.map((row) => row.token_hash))
    },
    onEnded: active.onEnded,
  }
}

/** Active sessions: those in memory, by token hash, and lookups of others. */
function createActive({ queries, now, lifetimes, onError }: SessionsOptions) {
  const ended = createEmitter<SessionEnd>((error) => onError(error, 'publishing a log-out'))
  const memory = createMemory()
  const lookups = new Map<string, Promise<SessionUser | null>>()
  const isOver = ({ startedAt, seenAt }: Times) =>
    now() - seenAt >= lifetimes.idleMs || now() - startedAt >= lifetimes.absoluteMs

  const end = async (hashes: readonly string[], isRevoked = false) => {
    if (hashes.length === 0) return
    await queries.deleteFrom('session').where('token_hash', 'in', hashes).execute()
    forget(hashes, isRevoked)
  }

  /** Drops sessions whose rows are deleted, and publishes their end. */
  const forget = (hashes: readonly string[], isRevoked: boolean) => {
    for (const hash of hashes) {
      memory.drop(hash)
      lookups.delete(hash)
      ended.emit({ tokenHash: hash, isRevoked })
    }
  }

  const touch = (hash: string, session: CachedSession): SessionUser => {
    session.seenAt = now()
    if (session.seenAt - session.savedAt >= SAVE_SEEN_MS) {
      session.savedAt = session.seenAt
      saveSeen(queries, hash, session.seenAt).catch((error: unknown) => onError(error, 'saving a session'))
    }
    return session.user
  }

  /** A session that is logged out during the lookup is not kept in memory. */
  const lookUp = (hash: string): Promise<SessionUser | null> => {
    const inProgress = lookups.get(hash)
    if (inProgress) return inProgress
    const isCurrent = () => lookups.get(hash) === lookup
    const lookup = findSession(queries, hash)
      .then(async (session) => {
        if (!session || isOver(session)) {
          if (session) await end([hash])
          return null
        }
        if (isCurrent()) memory.keep(hash, session)
        return touch(hash, session)
      })
      .finally(() => isCurrent() && lookups.delete(hash))
    lookups.set(hash, lookup)
    return lookup
  }

  return {
    isOver,
    end,
    forget,
    lookUp,
    onEnded: ended.subscribe,
    recall: (hash: string): SessionUser | null => {
      const session = memory.recall(hash)
      return session && !isOver(session) ? touch(hash, session) : null
    },
    /** The times in memory are newer than those of the row. */
    timesOf: (row: Pick<SessionTable, 'token_hash' | 'created_at' | 'seen_at'>): Times =>
      memory.look(row.token_hash) ?? { startedAt: Number(row.created_at), seenAt: Number(row.seen_at) },
  }
}

/** Sessions that may have expired. */
const findOld = ({ queries, now, lifetimes }: SessionsOptions) =>
  queries
    .selectFrom('session')
    .select(['token_hash', 'created_at', 'seen_at'])
    .where((where) =>
      where.or([
        where('seen_at', '<=', BigInt(Math.floor(now() - lifetimes.idleMs))),
        where('created_at', '<=', BigInt(Math.floor(now() - lifetimes.absoluteMs))),
      ]),
    )
    .limit(EXPIRED_AT_ONCE)
    .execute()

const NOWHERE: SessionOrigin = { device: '', address: '' }

/** The last use of a session is stored at most this often, ms. */
const SAVE_SEEN_MS = 300_000

const EXPIRED_AT_ONCE = 500

const PUBLIC_ID_LENGTH = 16

/** Part of the hash identifies a session to its user; neither the token nor the full hash can be derived from it. */
const publicId = (hash: string): string => hash.slice(0, PUBLIC_ID_LENGTH)

/** Concurrent calls may finish in any order: the later moment is kept. */
const saveSeen = async (queries: Queries, hash: string, at: number): Promise<void> => {
  await queries
    .updateTable('session')
    .set({ seen_at: BigInt(Math.floor(at)) })
    .where('token_hash', '=', hash)
    .where('seen_at', '<', BigInt(Math.floor(at)))
    .execute()
}

/** Sessions of a user beyond the limit, without the one that was just started. */
async function sessionsOverLimit(queries: Queries, userId: number, started: string): Promise<string[]> {
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

type Times = { readonly startedAt: number; readonly seenAt: number }

/** A session in memory. */
type CachedSession = {
  readonly user: SessionUser
  readonly startedAt: number
  seenAt: number
  /** When `seenAt` was last written. */
  savedAt: number
}

async function findSession(queries: Queries, hash: string): Promise<CachedSession | null> {
  const row = await queries
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select(['app_user.id', 'app_user.is_demo', 'session.created_at', 'session.seen_at'])
    .where('session.token_hash', '=', hash)
    // A session that was started while its account was being closed is invalid.
    .where('app_user.closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const seenAt = Number(row.seen_at)
  const user = { id: Number(row.id), isDemo: row.is_demo === 1n }
  return { user, startedAt: Number(row.created_at), seenAt, savedAt: seenAt }
}

/** The most recently used sessions, by token hash. */
function createMemory() {
  const sessions = new Map<string, CachedSession>()
  return {
    look: (hash: string): CachedSession | null => sessions.get(hash) ?? null,
    recall: (hash: string): CachedSession | null => {
      const session = sessions.get(hash)
      if (!session) return null
      sessions.delete(hash)
      sessions.set(hash, session)
      return session
    },
    keep: (hash: string, session: CachedSession) => {
      sessions.set(hash, session)
      const oldest = sessions.keys().next()
      if (sessions.size > CACHED_MAX && !oldest.done) sessions.delete(oldest.value)
    },
    drop: (hash: string) => sessions.delete(hash),
  }
}
