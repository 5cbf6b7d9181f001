import type { DeskPermission } from '@fairlot/contract/desk'
import type { Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { DeskActTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import { hashOfAuditEntry, NOTHING_BEFORE } from '../../platform/database/audit-hash.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../platform/refusal.ts'
import { createMutex } from '../../platform/concurrency.ts'
import type { DeskOperator } from '../operators/operators.ts'

/** The most characters of a reason. */
const REASON_LENGTH_MAX = 500

/** An entry of the audit log: what an operator did or tried. */
export type AuditEntry = {
  readonly operator: DeskOperator
  readonly act: DeskPermission
  /** What it concerns: kind and number, such as `person:12`. */
  readonly subject: string
  /** The account it concerns, whose user can read about it. */
  readonly accountId?: number | null
  readonly reason?: string
  readonly before?: unknown
  readonly after?: unknown
  /** The case it belongs to, such as `approval:3`. */
  readonly caseKey?: string | null
  readonly second?: DeskOperator | null
  /** The approval that allowed it: its case ends in the transaction of the entry. */
  readonly approval?: ApprovalEnd | null
  /** A write in the same transaction, by the handler registered under this name. */
  readonly effect?: { readonly name: string; readonly body: unknown }
}

/** How the case of an approval ends. */
export type ApprovalEnd = {
  readonly id: number
  /** Identifies the command in the journal. */
  readonly request: Request
  /** Ends the case; refused if it has already ended. */
  end(within: Transaction<Tables>, write: WriteEntry): Promise<Refusal | null>
}

/** Writes another entry in the same transaction. */
export type WriteEntry = (entry: AuditEntry) => Promise<void>

/** A change of the tables in the transaction of its entry; a refusal rolls it back. */
export type Effect<T> = (within: Transaction<Tables>) => Promise<T | Refusal>

/** Everything that operators did or were refused, in a hash chain that cannot be edited unnoticed. */
export type AuditLog = {
  /** Changes the tables and writes the entry in one transaction. A blank or too long reason is refused. */
  perform<T>(entry: AuditEntry & { readonly reason: string }, effect: Effect<T>): Promise<T | Refusal>
  /** The same for actions that need no reason, such as a log-in. */
  performWithoutReason<T>(entry: AuditEntry, effect: Effect<T>): Promise<T | Refusal>
  /** Changes rows under the lock of the entries, without an entry. */
  withoutEntry<T>(effect: (within: Transaction<Tables>) => Promise<T>): Promise<T>
  /**
   * Records what the engine has journaled at `journalAt` (epoch ms on the market clock; null for nothing). `begin` runs
   * first in the same transaction and cancels the entry by returning false.
   */
  record(
    entry: AuditEntry,
    journalAt: number | null,
    begin?: (within: Transaction<Tables>) => Promise<boolean>,
  ): Promise<void>
  /** Whether this decision of the engine, journaled at `journalAt`, is recorded. */
  isRecorded(queries: Queries, entry: AuditEntry, journalAt: number): Promise<boolean>
  /** Records a refused attempt. */
  recordRefusal(entry: AuditEntry, refusal: Refusal): Promise<void>
  /** Whether this very refusal has an entry. */
  hasRefusal(refusal: Refusal): boolean
}

/** The refusal of a blank or too long reason; null if it is valid. */
export function refusalOfReason(reason: string): Refusal | null {
  if (reason.trim() === '') return refuse('reasonMissing', { field: 'reason' })
  return reason.length > REASON_LENGTH_MAX
    ? refuse('reasonTooLong', { field: 'reason', maximumLength: REASON_LENGTH_MAX })
    : null
}

/** Entries are written one at a time, as each needs the hash of the one before. `onEntry` is called after each. */
export function createAuditLog(queries: Queries, now: () => number, onEntry: () => void): AuditLog {
  const withLock = createMutex()
  const refusals = new WeakSet<Refusal>()
  const writeWithin = async (
    within: Transaction<Tables>,
    entry: AuditEntry,
    outcome: Outcome,
  ): Promise<Refusal | null> => {
    await append(within, entry, { ...outcome, at: now() })
    if (!entry.approval || outcome.outcome !== 'done') return null
    return entry.approval.end(within, (further) => append(within, further, { ...DONE, at: now() }))
  }
  const write = (entry: AuditEntry, outcome: Outcome) =>
    withLock(() => attempt(queries, (within) => writeWithin(within, entry, outcome)))
  const recordRefusal = async (entry: AuditEntry, refusal: Refusal) => {
    await write(entry, { outcome: refusal.rejected, journalAt: null })
    refusals.add(refusal)
  }
  const performWithoutReason = async <T>(entry: AuditEntry, effect: Effect<T>): Promise<T | Refusal> => {
    const result = await withLock(() =>
      attempt(queries, async (within) => {
        const done = await effect(within)
        return isRefusal(done) ? done : ((await writeWithin(within, entry, DONE)) ?? done)
      }),
    )
    if (isRefusal(result)) await recordRefusal(entry, result)
    onEntry()
    return result
  }
  return {
    performWithoutReason,
    withoutEntry: (effect) => withLock(() => queries.transaction().execute(effect)),
    perform: async (entry, effect) => {
      const refusal = refusalOfReason(entry.reason)
      return refusal ?? performWithoutReason(entry, effect)
    },
    record: async (entry, journalAt, begin) => {
      const outcome = { ...DONE, journalAt }
      const write = (written: AuditEntry) =>
        withLock(() =>
          attempt(queries, async (within) => {
            if (begin && !(await begin(within))) return null
            return writeWithin(within, written, outcome)
          }),
        )
      // The change is done, so it is recorded even if its case has ended in another way.
      if (await write(entry)) await write({ ...entry, approval: null })
      onEntry()
    },
    isRecorded,
    recordRefusal: async (entry, refusal) => {
      await recordRefusal(entry, refusal)
      onEntry()
    },
    hasRefusal: (refusal) => refusals.has(refusal),
  }
}

/** The author of entries that a start writes: no operator. */
const BY_DEPLOYMENT = { id: 0, name: 'deployment', role: 'deployment' } as const

export const isByDeployment = ({ operator_id: id }: Pick<DeskActTable, 'operator_id'>): boolean =>
  id === BigInt(BY_DEPLOYMENT.id)

/** Writes an entry of the deployment, at a start, before operators can act. `at`: epoch ms. */
export const recordByDeployment = (
  within: Transaction<Tables>,
  entry: Omit<AuditEntry, 'operator' | 'second' | 'approval' | 'effect'>,
  at: number,
): Promise<void> => append(within, { ...entry, operator: BY_DEPLOYMENT }, { ...DONE, at })

/** An operator may decide about several subjects in one millisecond. */
async function isRecorded(
  queries: Queries,
  { operator, act, subject, after }: AuditEntry,
  journalAt: number,
): Promise<boolean> {
  const recorded = await queries
    .selectFrom('desk_act')
    .select('after')
    .where('journal_at', '=', BigInt(journalAt))
    .where('operator_id', '=', BigInt(operator.id))
    .where('act', '=', act)
    .where('subject', '=', subject)
    .execute()
  return recorded.some((entry) => entry.after === jsonOf(after))
}

/** Rolls back a transaction whose effect was refused. */
class RolledBack extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super('rolled back')
    this.refusal = refusal
  }
}

async function attempt<T>(queries: Queries, effect: Effect<T>): Promise<T | Refusal> {
  try {
    return await queries.transaction().execute(async (within) => {
      const result = await effect(within)
      if (isRefusal(result)) throw new RolledBack(result)
      return result
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.refusal
    throw error
  }
}

type Outcome = { readonly outcome: string; readonly journalAt: number | null }
const DONE: Outcome = { outcome: 'done', journalAt: null }

async function append(
  within: Transaction<Tables>,
  entry: Omit<AuditEntry, 'operator'> & { readonly operator: DeskOperator | typeof BY_DEPLOYMENT },
  { outcome, journalAt, at }: Outcome & { readonly at: number },
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
    operator_id: BigInt(entry.operator.id),
    operator_name: entry.operator.name,
    role: entry.operator.role,
    second_id: entry.second ? BigInt(entry.second.id) : null,
    second_name: entry.second?.name ?? null,
    act: entry.act,
    subject: entry.subject,
    account_id: entry.accountId === undefined || entry.accountId === null ? null : BigInt(entry.accountId),
    reason: entry.reason?.trim() ?? '',
    before: jsonOf(entry.before),
    after: jsonOf(entry.after),
    case_key: entry.caseKey ?? null,
    outcome,
    journal_at: journalAt === null ? null : BigInt(journalAt),
    previous_hash: before?.hash ?? NOTHING_BEFORE,
  }
  await within
    .insertInto('desk_act')
    .values({ ...row, hash: hashOfAuditEntry(row) })
    .execute()
}

/** Integers larger than JSON's are written as text. */
const jsonOf = (value: unknown): string | null =>
  value === undefined || value === null
    ? null
    : JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
