import type { Queries } from '../../platform/database/open.ts'
import { newSecret, secretHash } from '../../platform/security/secrets.ts'
import { createEmitter, type Subscribe } from '../../platform/emitter.ts'
import { changeOperatorRow, findOperator, type OperatorRow } from './operators.ts'

/** A desk session ends after this time without use, and after this time in total, ms. */
const IDLE_MS = 20 * 60_000
const ABSOLUTE_MS = 12 * 3_600_000

/** The use of a session is stored at most this often, ms. */
const SAVE_SEEN_MS = 5_000

export type DeskSession = {
  readonly tokenHash: string
  readonly operator: OperatorRow
  /** Epoch ms. */
  readonly idleEndsAt: number
  readonly endsAt: number
  /** When a code of the second factor was last given in it, epoch ms; null for never. */
  readonly factorAt: number | null
}

export type Origin = { readonly address: string; readonly device: string }

/** The sessions of operators. They are few and can be switched off at any time, so each call reads them. */
export type DeskSessions = {
  /** Starts a session and returns its token. `hasFactor`: a code of the second factor was given with the log-in. */
  start(operatorId: number, origin: Origin, hasFactor?: boolean): Promise<string>
  /** Records that a code of the second factor was given now. */
  noteFactor(tokenHash: string): Promise<void>
  /** The session of a token; null if there is none. Only use by an operator prolongs it. */
  find(token: string, isUse: boolean): Promise<DeskSession | null>
  end(tokenHash: string): Promise<void>
  /** Ends all sessions of an operator except `but`. */
  endAll(operatorId: number, but?: string | null): Promise<void>
  /** Publishes the token hashes of ended sessions. */
  readonly onEnded: Subscribe<string>
}

export function createDeskSessions(
  queries: Queries,
  now: () => number,
  onError: (error: unknown) => void,
): DeskSessions {
  const ended = createEmitter<string>(onError)
  const remove = async (hashes: readonly string[]) => {
    if (hashes.length === 0) return
    await queries.deleteFrom('operator_session').where('token_hash', 'in', hashes).execute()
    for (const hash of hashes) ended.emit(hash)
  }
  return {
    start: async (operatorId, origin, hasFactor = false) => {
      const token = newSecret()
      const at = BigInt(Math.floor(now()))
      const row = { token_hash: secretHash(token), operator_id: BigInt(operatorId) }
      await queries
        .insertInto('operator_session')
        .values({ ...row, ...origin, created_at: at, seen_at: at, factor_at: hasFactor ? at : null })
        .execute()
      await changeOperatorRow(queries, operatorId, { last_seen_at: at })
      return token
    },
    noteFactor: async (tokenHash) => {
      await queries
        .updateTable('operator_session')
        .set({ factor_at: BigInt(Math.floor(now())) })
        .where('token_hash', '=', tokenHash)
        .execute()
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
      // The operator may have been reset during the log-in.
      if (operator?.is_on !== 1n || operator.password_hash === null || isOver) {
        await remove([tokenHash])
        return null
      }
      if (seenAt - Number(row.seen_at) >= SAVE_SEEN_MS)
        await saveSeen(queries, tokenHash, operator.id, seenAt)
      const factorAt = row.factor_at === null ? null : Number(row.factor_at)
      return { tokenHash, operator, idleEndsAt: Math.min(seenAt + IDLE_MS, endsAt), endsAt, factorAt }
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
