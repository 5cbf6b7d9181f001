import type { Queries } from '../../database/open.ts'
import { newSecret, secretHash } from '../../http/login-sessions.ts'
import { createSignal, type Subscribe } from '../../engine/signal.ts'
import { changeOperatorRow, findOperator, type OperatorRow } from './operator-repository.ts'

/** A session of the desk ends after so long without use, and after so long in all, ms. */
const IDLE_MS = 20 * 60_000
const ABSOLUTE_MS = 12 * 3_600_000

/** That a session was used is written this often, ms. */
const SAVE_SEEN_MS = 5_000

export type DeskSession = {
  readonly tokenHash: string
  readonly operator: OperatorRow
  /** Epoch ms. */
  readonly idleEndsAt: number
  readonly endsAt: number
}

export type Origin = { readonly address: string; readonly device: string }

/** Who is logged in at the desk. There are few, and they may be switched off at any moment: each call looks them up. */
export type DeskSessions = {
  /** Starts a session and answers its token. */
  start(operatorId: number, origin: Origin): Promise<string>
  /** The session of a token; null when it opens nothing. Only a use by a person prolongs it. */
  find(token: string, isUse: boolean): Promise<DeskSession | null>
  end(tokenHash: string): Promise<void>
  /** Ends all sessions of an operator, but for one that stays. */
  endAll(operatorId: number, but?: string | null): Promise<void>
  /** Hashes of tokens that open nothing any more. */
  readonly onEnded: Subscribe<string>
}

export function createDeskSessions(
  queries: Queries,
  now: () => number,
  onError: (error: unknown) => void,
): DeskSessions {
  const ended = createSignal<string>(onError)
  const remove = async (hashes: readonly string[]) => {
    if (hashes.length === 0) return
    await queries.deleteFrom('operator_session').where('token_hash', 'in', hashes).execute()
    for (const hash of hashes) ended.emit(hash)
  }
  return {
    start: async (operatorId, origin) => {
      const token = newSecret()
      const at = BigInt(Math.floor(now()))
      const row = { token_hash: secretHash(token), operator_id: BigInt(operatorId) }
      await queries
        .insertInto('operator_session')
        .values({ ...row, ...origin, created_at: at, seen_at: at })
        .execute()
      await changeOperatorRow(queries, operatorId, { last_seen_at: at })
      return token
    },
    find: async (token, isUse) => {
      const tokenHash = secretHash(token)
      const row = await queries
        .selectFrom('operator_session')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .executeTakeFirst()
      if (!row) return null
      const operator = await findOperator(queries, Number(row.operator_id))
      const seenAt = isUse ? now() : Number(row.seen_at)
      const endsAt = Number(row.created_at) + ABSOLUTE_MS
      const isOver = now() >= Number(row.seen_at) + IDLE_MS || now() >= endsAt
      // A log-in may have been on its way while its operator was reset.
      if (operator?.is_on !== 1n || operator.password_hash === null || isOver) {
        await remove([tokenHash])
        return null
      }
      if (seenAt - Number(row.seen_at) >= SAVE_SEEN_MS)
        await saveSeen(queries, tokenHash, operator.id, seenAt)
      return { tokenHash, operator, idleEndsAt: Math.min(seenAt + IDLE_MS, endsAt), endsAt }
    },
    end: (tokenHash) => remove([tokenHash]),
    endAll: async (operatorId, but = null) => {
      const rows = await queries
        .selectFrom('operator_session')
        .select('token_hash')
        .where('operator_id', '=', BigInt(operatorId))
        .execute()
      await remove(rows.map((row) => row.token_hash).filter((hash) => hash !== but))
    },
    onEnded: ended.subscribe,
  }
}

async function saveSeen(queries: Queries, tokenHash: string, operatorId: number, at: number): Promise<void> {
  const seen = BigInt(Math.floor(at))
  await queries
    .updateTable('operator_session')
    .set({ seen_at: seen })
    .where('token_hash', '=', tokenHash)
    .execute()
  await changeOperatorRow(queries, operatorId, { last_seen_at: seen })
}
