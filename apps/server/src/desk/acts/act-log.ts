import type { DeskAct } from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { Queries } from '../../database/open.ts'
import { hashOfAct, NOTHING_BEFORE } from '../../database/act-hash.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { createTurns } from '../../http/turns.ts'
import type { DeskOperator } from '../operator.ts'

/** Characters of a reason. */
const REASON_LENGTH = 500

/** An act of an operator, as it is written down. */
export type Act = {
  readonly operator: DeskOperator
  readonly act: DeskAct
  /** What it is done to: its kind and number, such as `person:12`. */
  readonly subject: string
  /** The account it touches, whose owner reads of it. */
  readonly accountId?: number | null
  readonly reason?: string
  readonly before?: unknown
  readonly after?: unknown
  /** The case it belongs to, such as `approval:3`. */
  readonly caseKey?: string | null
  readonly second?: DeskOperator | null
  /** The approval it is done by: its case ends in the transaction that writes the act down. */
  readonly approval?: ApprovalEnd | null
}

/** How the case of an approved act ends. */
export type ApprovalEnd = {
  /** Names the act in the journal: after a crash what was done for this case is found there by it. */
  readonly request: Request
  /** Ends the case, once and for all; refuses where it has ended. */
  end(within: Transaction<Tables>, write: WriteAct): Promise<Refusal | null>
}

/** Writes one more act down in the same transaction. */
export type WriteAct = (act: Act) => Promise<void>

/** An effect of an act in the tables: made in its transaction, and taken back where it refuses. */
export type Effect<T> = (within: Transaction<Tables>) => Promise<T | Refusal>

/** Every act of the desk, whether done or refused, in one chain of hashes that nobody can edit. */
export type ActLog = {
  /** Does something in the tables and writes it down in the same transaction. A blank or too long reason is refused. */
  perform<T>(act: Act & { readonly reason: string }, effect: Effect<T>): Promise<T | Refusal>
  /** The same for what asks for no reason, such as a log-in. */
  note<T>(act: Act, effect: Effect<T>): Promise<T | Refusal>
  /** Changes rows that operators change too, between two acts, where it is no act of anybody. */
  between<T>(effect: (within: Transaction<Tables>) => Promise<T>): Promise<T>
  /** Writes down what the engine has done, at this moment on the market clock; null where it left nothing in the journal. */
  tell(act: Act, journalAt: number | null): Promise<void>
  /** The same of what the engine was asked before: the first may have been written down already. */
  tellAgain(act: Act, journalAt: number): Promise<void>
  /** Writes down what was refused. */
  tellRefused(act: Act, refusal: Refusal): Promise<void>
}

/** Why a reason cannot be taken; null when it can. */
export function refusalOfReason(reason: string): Refusal | null {
  if (reason.trim() === '') return refuse('reasonMissing', { field: 'reason' })
  return reason.length > REASON_LENGTH
    ? refuse('reasonTooLong', { field: 'reason', maximumLength: REASON_LENGTH })
    : null
}

/** One act is written after the other: each needs the hash of the one before. `onActed` is told after each. */
export function createActLog(queries: Queries, now: () => number, onActed: () => void): ActLog {
  const inTurn = createTurns()
  const writeWithin = async (within: Transaction<Tables>, act: Act, told: Told): Promise<Refusal | null> => {
    await append(within, act, { ...told, at: now() })
    if (!act.approval || told.outcome !== 'done') return null
    return act.approval.end(within, (further) => append(within, further, { ...DONE, at: now() }))
  }
  const write = (act: Act, told: Told) =>
    inTurn(() => attempt(queries, (within) => writeWithin(within, act, told)))
  const note = async <T>(act: Act, effect: Effect<T>): Promise<T | Refusal> => {
    const result = await inTurn(() =>
      attempt(queries, async (within) => {
        const done = await effect(within)
        return isRefusal(done) ? done : ((await writeWithin(within, act, DONE)) ?? done)
      }),
    )
    if (isRefusal(result)) await write(act, { outcome: result.rejected, journalAt: null })
    onActed()
    return result
  }
  return {
    note,
    between: (effect) => inTurn(() => queries.transaction().execute(effect)),
    perform: async (act, effect) => {
      const refusal = refusalOfReason(act.reason)
      return refusal ?? note(act, effect)
    },
    tell: async (act, journalAt) => {
      const told = { ...DONE, journalAt }
      const ended = await write(act, told)
      // Done is done, also where its case has ended otherwise.
      if (ended) await write({ ...act, approval: null }, told)
      onActed()
    },
    tellAgain: (act, journalAt) =>
      inTurn(async () => {
        if (await isTold(queries, act, journalAt)) return
        await queries.transaction().execute((within) => writeWithin(within, act, { ...DONE, journalAt }))
        onActed()
      }),
    tellRefused: async (act, refusal) => {
      await write(act, { outcome: refusal.rejected, journalAt: null })
      onActed()
    },
  }
}

/** An operator decides one thing in a millisecond: moment and number name an entry of the journal. */
const isTold = async (queries: Queries, { operator }: Act, journalAt: number): Promise<boolean> =>
  (await queries
    .selectFrom('desk_act')
    .select('id')
    .where('journal_at', '=', BigInt(journalAt))
    .where('operator_id', '=', BigInt(operator.id))
    .executeTakeFirst()) !== undefined

/** Takes back a transaction whose effect refuses, without an error for anybody. */
class TakenBack extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super('taken back')
    this.refusal = refusal
  }
}

async function attempt<T>(queries: Queries, effect: Effect<T>): Promise<T | Refusal> {
  try {
    return await queries.transaction().execute(async (within) => {
      const result = await effect(within)
      if (isRefusal(result)) throw new TakenBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof TakenBack) return error.refusal
    throw error
  }
}

type Told = { readonly outcome: string; readonly journalAt: number | null }
const DONE: Told = { outcome: 'done', journalAt: null }

async function append(
  within: Transaction<Tables>,
  act: Act,
  { outcome, journalAt, at }: Told & { readonly at: number },
): Promise<void> {
  const before = await within
    .selectFrom('desk_act')
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = {
    id: (before?.id ?? 0n) + 1n,
    at: BigInt(Math.floor(at)),
    operator_id: BigInt(act.operator.id),
    operator_name: act.operator.name,
    role: act.operator.role,
    second_id: act.second ? BigInt(act.second.id) : null,
    second_name: act.second?.name ?? null,
    act: act.act,
    subject: act.subject,
    account_id: act.accountId === undefined || act.accountId === null ? null : BigInt(act.accountId),
    reason: act.reason?.trim() ?? '',
    before: jsonOf(act.before),
    after: jsonOf(act.after),
    case_key: act.caseKey ?? null,
    outcome,
    journal_at: journalAt === null ? null : BigInt(journalAt),
    previous_hash: before?.hash ?? NOTHING_BEFORE,
  }
  await within
    .insertInto('desk_act')
    .values({ ...row, hash: hashOfAct(row) })
    .execute()
}

/** Integers larger than JSON's are written as text. */
const jsonOf = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
