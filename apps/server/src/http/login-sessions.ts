import { createHash, randomBytes } from 'node:crypto'
import type { Queries } from '../database/open.ts'
import type { SessionTable } from '../database/people-schema.ts'
import { createSignal, type Subscribe } from '../engine/signal.ts'

/** Tokens carry 192 bits: not to be guessed, and a fast hash is enough to store them by. */
const TOKEN_BYTES = 24

/** Sessions kept in memory; past this the one that was quiet longest is looked up again when it comes back. */
const REMEMBERED_MAX = 10_000

/** A user who starts more loses the oldest. */
const SESSIONS_PER_USER = 50

export type SessionUser = { readonly id: number; readonly isDemo: boolean }

/** From where a session was started. */
export type SessionOrigin = { readonly device: string; readonly address: string }

/** A session as its own user may see it. The id opens nothing. */
export type SessionRow = SessionOrigin & {
  readonly id: string
  readonly startedAt: number
  readonly seenAt: number
  readonly isCurrent: boolean
}

/** A session that is over. */
export type SessionEnd = {
  readonly tokenHash: string
  /** A new password took it away: whoever holds the token may be somebody else. */
  readonly isRevoked: boolean
}

/** How long sessions live, ms: since they were used, and in all. */
export type SessionLifetimes = { readonly idleMs: number; readonly absoluteMs: number }

/** Who is logged in. Tokens are never stored, only their hashes. */
export type Sessions = {
  /** Starts a session and answers its token; the session is on disk before the answer. */
  start(userId: number, origin?: SessionOrigin): Promise<string>
  /** The user of a token that was used before and is still in memory; null says nothing about others. */
  remembered(token: string): SessionUser | null
  /** The user of a token; null when it opens nothing. */
  userOf(token: string): Promise<SessionUser | null>
  /** The living sessions of a user, the latest used first. */
  list(userId: number, token: string | null): Promise<SessionRow[]>
  end(token: string): Promise<void>
  /** Ends one of a user's own sessions; false when they have none of this id. */
  endById(userId: number, id: string): Promise<boolean>
  /** Ends all sessions of a user. */
  endAll(userId: number): Promise<void>
  /**
   * Revokes all sessions of a user by a commit that is the reason for it. What it answers is called after that commit: it
   * tells of them, and ends those that were started meanwhile.
   */
  endAllWithin(userId: number, within: Queries): Promise<() => Promise<void>>
  /** Ends every session that has outlived itself, for sockets that are open without a call. */
  endExpired(): Promise<void>
  readonly onEnded: Subscribe<SessionEnd>
}

/** The hash that stands for a secret in the database. */
export const secretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const newSecret = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

export type SessionsOptions = {
  readonly queries: Queries
  /** Real time, epoch ms: sessions age while the market clock of a recording runs as it likes. */
  readonly now: () => number
  readonly lifetimes: SessionLifetimes
  readonly onError: (error: unknown, doing: string) => void
}

export function createSessions(options: SessionsOptions): Sessions {
  const { queries, now } = options
  const living = createLiving(options)
  const rowsOf = (userId: number) =>
    queries.selectFrom('session').selectAll().where('user_id', '=', BigInt(userId)).execute()
  const endAll = async (userId: number, isRevoked = false) =>
    living.end(
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
      await living.end(await supernumerary(queries, userId, hash))
      return token
    },
    remembered: (token) => living.recall(secretHash(token)),
    userOf: async (token) => {
      const hash = secretHash(token)
      return living.recall(hash) ?? living.lookUp(hash)
    },
    list: async (userId, token) => {
      const current = token === null ? null : secretHash(token)
      const rows = (await rowsOf(userId)).map((row) => ({ row, times: living.timesOf(row) }))
      return rows
        .filter(({ times }) => !living.isOver(times))
        .map(({ row: { token_hash: hash, device, address }, times: { startedAt, seenAt } }) => ({
          ...{ startedAt, seenAt, device, address, id: publicId(hash), isCurrent: hash === current },
        }))
        .toSorted((one, other) => other.seenAt - one.seenAt)
    },
    end: (token) => living.end([secretHash(token)]),
    endById: async (userId, id) => {
      const found = (await rowsOf(userId)).filter(({ token_hash: hash }) => publicId(hash) === id)
      await living.end(found.map(({ token_hash: hash }) => hash))
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
        living.forget(
          rows.map((row) => row.token_hash),
          true,
        )
        await endAll(userId, true)
      }
    },
    endExpired: async () => {
      const rows = await findOld(options)
      const over = rows.filter((row) => living.isOver(living.timesOf(row)))
      await living.end(over.map((row) => row.token_hash))
    },
    onEnded: living.onEnded,
  }
}

/** The sessions in use, by token hash. */
function createLiving({ queries, now, lifetimes, onError }: SessionsOptions) {
  const ended = createSignal<SessionEnd>((error) => onError(error, 'telling of a log-out'))
  const memory = createMemory()
  const lookups = new Map<string, Promise<SessionUser | null>>()
  const isOver = ({ startedAt, seenAt }: Times) =>
    now() - seenAt >= lifetimes.idleMs || now() - startedAt >= lifetimes.absoluteMs

  const end = async (hashes: readonly string[], isRevoked = false) => {
    if (hashes.length === 0) return
    await queries.deleteFrom('session').where('token_hash', 'in', hashes).execute()
    forget(hashes, isRevoked)
  }

  /** Of rows that are gone. */
  const forget = (hashes: readonly string[], isRevoked: boolean) => {
    for (const hash of hashes) {
      memory.drop(hash)
      lookups.delete(hash)
      ended.emit({ tokenHash: hash, isRevoked })
    }
  }

  const touch = (hash: string, session: Remembered): SessionUser => {
    session.seenAt = now()
    if (session.seenAt - session.savedAt >= SAVE_SEEN_MS) {
      session.savedAt = session.seenAt
      saveSeen(queries, hash, session.seenAt).catch((error: unknown) => onError(error, 'saving a session'))
    }
    return session.user
  }

  /** A lookup that a log-out has overtaken answers its caller, but is not remembered. */
  const lookUp = (hash: string): Promise<SessionUser | null> => {
    const underway = lookups.get(hash)
    if (underway) return underway
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
    ...{ isOver, end, forget, lookUp, onEnded: ended.subscribe },
    recall: (hash: string): SessionUser | null => {
      const session = memory.recall(hash)
      return session && !isOver(session) ? touch(hash, session) : null
    },
    /** What is in memory is newer than the row. */
    timesOf: (row: Pick<SessionTable, 'token_hash' | 'created_at' | 'seen_at'>): Times =>
      memory.look(row.token_hash) ?? { startedAt: Number(row.created_at), seenAt: Number(row.seen_at) },
  }
}

/** Sessions that may have outlived themselves. */
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

/** That a session was used is written this often, ms. */
const SAVE_SEEN_MS = 300_000

const EXPIRED_AT_ONCE = 500

const PUBLIC_ID_LENGTH = 16

/** Part of the hash names a session to its own user; it leads neither to the token nor to the whole hash. */
const publicId = (hash: string): string => hash.slice(0, PUBLIC_ID_LENGTH)

/** Two of these may overtake each other: the later moment stays. */
const saveSeen = async (queries: Queries, hash: string, at: number): Promise<void> => {
  await queries
    .updateTable('session')
    .set({ seen_at: BigInt(Math.floor(at)) })
    .where('token_hash', '=', hash)
    .where('seen_at', '<', BigInt(Math.floor(at)))
    .execute()
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

type Times = { readonly startedAt: number; readonly seenAt: number }

/** A session in memory. */
type Remembered = {
  readonly user: SessionUser
  readonly startedAt: number
  seenAt: number
  /** When `seenAt` was last written. */
  savedAt: number
}

async function findSession(queries: Queries, hash: string): Promise<Remembered | null> {
  const row = await queries
    .selectFrom('session')
    .innerJoin('app_user', 'app_user.id', 'session.user_id')
    .select(['app_user.id', 'app_user.is_demo', 'session.created_at', 'session.seen_at'])
    .where('session.token_hash', '=', hash)
    // One that began while its account was being closed opens nothing.
    .where('app_user.closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const seenAt = Number(row.seen_at)
  const user = { id: Number(row.id), isDemo: row.is_demo === 1n }
  return { user, startedAt: Number(row.created_at), seenAt, savedAt: seenAt }
}

/** The sessions used last, by token hash. */
function createMemory() {
  const sessions = new Map<string, Remembered>()
  return {
    look: (hash: string): Remembered | null => sessions.get(hash) ?? null,
    recall: (hash: string): Remembered | null => {
      const session = sessions.get(hash)
      if (!session) return null
      sessions.delete(hash)
      sessions.set(hash, session)
      return session
    },
    keep: (hash: string, session: Remembered) => {
      sessions.set(hash, session)
      const oldest = sessions.keys().next()
      if (sessions.size > REMEMBERED_MAX && !oldest.done) sessions.delete(oldest.value)
    },
    drop: (hash: string) => sessions.delete(hash),
  }
}
