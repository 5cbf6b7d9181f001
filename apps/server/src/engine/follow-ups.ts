import { randomUUID } from 'node:crypto'
import { isRejection, type Entry, type Outcome, type Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import { refuse, type Refusal } from '../platform/refusal.ts'
import { isNotDone, isUnavailable, type Engine, type EngineCommand } from './engine.ts'
import { readRequestEntry } from './journal/journal.ts'

/** Marks the follow-up as done, in the transaction that does it; false where it was done before. */
export type Done = (within: Transaction<Tables>) => Promise<boolean>

/** The committed result of a command; `mayBeDone` when its follow-up may have been carried out before. */
export type Decided = { readonly entry: Entry; readonly mayBeDone: boolean }

/** Carries out a follow-up in one transaction of its own, in which it calls `done`. */
export type Finish = (body: unknown, decided: Decided, done: Done) => Promise<void>

/** A command for the engine and its follow-up in the tables. The body is plain JSON, read by the handler of its kind. */
export type FollowUp = {
  readonly kind: string
  readonly body: unknown
  /** Identifies the command in the journal; `newRequest` makes an id where the caller sent none. */
  readonly request: Request
  readonly command: EngineCommand
  /** When the caller needs the follow-up at once: an error is thrown if it has to be carried out later. */
  readonly mustFollow: boolean
}

/**
 * Work in the tables that follows a decision of the engine: an audit entry, the row of a payment, the end of an approval. It
 * is stored before the command and carried out after the commit at least once, if need be after a restart.
 */
export type FollowUps = {
  register(kind: string, finish: Finish): void
  /** Executes the command and its follow-up. If the database is lost in between, the follow-up runs later. */
  execute(followUp: FollowUp): Promise<Outcome | Refusal>
  /** Carries out follow-ups that a crash or a lost database interrupted. Returns their number. */
  settle(): Promise<number>
  /** A transaction of the tables, for handlers. */
  within<T>(work: (within: Transaction<Tables>) => Promise<T>): Promise<T>
}

export const newRequest = (accountId: number, call: string): Request => ({
  accountId,
  call,
  id: randomUUID(),
  digest: '',
})

type Parts = { readonly queries: Queries; readonly engine: Engine; readonly now: () => number }
type Stored = { readonly digest: string; readonly body: unknown }

export function createFollowUps({ queries, engine, now }: Parts): FollowUps {
  const handlers = new Map<string, Finish>()
  /** Follow-ups that this process is carrying out. */
  const running = new Set<string>()
  let mayHavePending = true
  let settling: Promise<number> | null = null

  const finish = async (id: string, kind: string, body: unknown, decided: Decided) => {
    const handler = handlers.get(kind)
    if (!handler) throw new Error(`no handler for follow-ups of kind ${kind}`)
    await handler(body, decided, async (within) => {
      const { numDeletedRows } = await within.deleteFrom('follow_up').where('id', '=', id).executeTakeFirst()
      return numDeletedRows === 1n
    })
  }
  const forget = (id: string) => queries.deleteFrom('follow_up').where('id', '=', id).execute()

  /** Stores the body under the request, or returns the one stored before. Refused when the earlier one had another payload. */
  const store = async ({ kind, body, request }: FollowUp, id: string): Promise<unknown> => {
    const sent: Stored = { digest: request.digest, body }
    await queries
      .insertInto('follow_up')
      .values({ id, kind, body: write(sent), written_at: BigInt(Math.floor(now())) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    const row = await queries.selectFrom('follow_up').select('body').where('id', '=', id).executeTakeFirst()
    const known = row ? (read(row.body) as Stored) : sent
    return known.digest === request.digest ? known.body : refuse('requestIdReused', { requestId: request.id })
  }

  const run = async (followUp: FollowUp, id: string): Promise<Outcome | Refusal> => {
    const body = await store(followUp, id)
    if (isReused(body)) return body
    const answer = await engine.execute(followUp.command)
    // The outcome is unknown, so the follow-up stays stored until it is known.
    if (isUnavailable(answer)) {
      mayHavePending = true
      return refuse('engineUnavailable')
    }
    if (isNotDone(answer) || isRejection(answer)) {
      await forget(id)
      return isNotDone(answer) ? refuse('notDone') : answer
    }
    try {
      await finish(id, followUp.kind, body, { entry: answer.entry, mayBeDone: answer.repeatOf !== null })
    } catch (error) {
      mayHavePending = true
      if (followUp.mustFollow) throw error
    }
    return answer
  }

  /** The journal entry of a request, or null. */
  const entryOf = async (id: string): Promise<Entry | null> => {
    const [accountId, call, requestId] = JSON.parse(id) as [number, string, string]
    const request = { accountId, call, id: requestId, digest: '' }
    const row = await queries
      .selectFrom('request')
      .select('journal_seq')
      .where('account_id', '=', BigInt(accountId))
      .where('call', '=', call)
      .where('request_id', '=', requestId)
      .executeTakeFirst()
    return row ? readRequestEntry(queries, Number(row.journal_seq), request) : null
  }

  const settle = async (): Promise<number> => {
    const stored = await queries
      .selectFrom('follow_up')
      .selectAll()
      .orderBy('written_at')
      .orderBy('id')
      .execute()
    const pending = stored.filter(({ id }) => !running.has(id))
    if (pending.length > 0) await engine.caughtUp()
    let count = 0
    for (const { id, kind, body } of pending) {
      const entry = await entryOf(id)
      if (entry === null) await forget(id)
      else {
        await finish(id, kind, (read(body) as Stored).body, { entry, mayBeDone: true })
        count += 1
      }
    }
    return count
  }

  const settleOnce = async (): Promise<number> => {
    if (!mayHavePending) return 0
    settling ??= settle().finally(() => (settling = null))
    const count = await settling
    mayHavePending = false
    return count
  }

  return {
    register: (kind, handler) => void handlers.set(kind, handler),
    execute: async (followUp) => {
      const id = idOf(followUp.request)
      running.add(id)
      try {
        return await run(followUp, id)
      } finally {
        running.delete(id)
      }
    },
    settle: settleOnce,
    within: (work) => queries.transaction().execute(work),
  }
}

const isReused = (body: unknown): body is Refusal =>
  typeof body === 'object' && body !== null && 'rejected' in body && body.rejected === 'requestIdReused'

const idOf = ({ accountId, call, id }: Pick<Request, 'accountId' | 'call' | 'id'>): string =>
  JSON.stringify([accountId, call, id])

/** JSON has no bigint. The stored form is `{"whole":"123"}`. */
const write = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) =>
    typeof inner === 'bigint' ? { whole: String(inner) } : inner,
  )

const read = (text: string): unknown =>
  JSON.parse(text, (_name, inner: unknown) =>
    typeof inner === 'object' && inner !== null && 'whole' in inner ? BigInt(String(inner.whole)) : inner,
  )
