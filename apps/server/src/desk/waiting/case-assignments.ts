import type { DeskPermission, OperatorRole } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { type Refusal, refuse } from '../../platform/refusal.ts'
import { type AuditLog, refusalOfReason } from '../audit-log/audit-log.ts'
import { type DeskOperator, findOperator } from '../operators/operators.ts'

/** The operator who has taken a case, and since when (epoch ms). */
export type Assignee = DeskOperator & { readonly since: number }

/** Which operator works on which case. It prevents double work but blocks nobody: a case can be taken over. */
export type CaseAssignments = {
  all(): Promise<ReadonlyMap<string, Assignee>>
  find(caseKey: string): Promise<Assignee | null>
  /** `from`: the assignee that the caller has seen; refused if another operator has taken the case since. */
  take(operator: DeskOperator, caseKey: string, from: number | null): Promise<Refusal | null>
  handOver(operator: DeskOperator, caseKey: string, to: Handover): Promise<Refusal | null>
  release(operator: DeskOperator, caseKey: string): Promise<Refusal | null>
  /** The refusal if another operator has taken a case; null if the operator may decide it. */
  refusalOf(operator: DeskOperator, caseKey: string): Promise<Refusal | null>
  /** Decides a case unless another operator has taken it; a refused attempt is recorded in the audit log. */
  decideUnlessTaken<T>(
    operator: DeskOperator,
    of: { readonly caseKey: string; readonly act: DeskPermission },
    decide: () => Promise<T | Refusal>,
  ): Promise<T | Refusal>
  /** Releases a case that was decided. */
  clear(caseKey: string): Promise<void>
}

type Handover = { readonly operatorId: number; readonly note: string | null }

type NamedOperator = Pick<DeskOperator, 'id' | 'name'>
type Move = {
  readonly operator: DeskOperator
  readonly caseKey: string
  readonly next: NamedOperator | null
  readonly note?: string | null
}
/** The refusal to reassign a case, given its assignee. */
type Rule = (holder: Assignee | null) => Refusal | null

type Options = { readonly queries: Queries; readonly auditLog: AuditLog; readonly now: () => number }

export function createCaseAssignments({ queries, auditLog, now }: Options): CaseAssignments {
  const find = (caseKey: string, within: Queries = queries) => assigneeOf(within, caseKey)
  const move = async ({ operator, caseKey, next, note = null }: Move, ruleOf: Rule) => {
    const entry = { operator, act: 'takeCase', subject: caseKey, caseKey, reason: note ?? '' } as const
    const before = { heldBy: (await find(caseKey))?.name ?? null }
    return auditLog.performWithoutReason(
      { ...entry, before, after: { heldBy: next?.name ?? null } },
      async (within) => {
        const refusal = ruleOf(await find(caseKey, within))
        if (!refusal) await assign(within, caseKey, next, now())
        return refusal
      },
    )
  }

  const refusalOf = async (operator: DeskOperator, caseKey: string) => {
    const holder = await find(caseKey)
    return holder === null || holder.id === operator.id ? null : refuse('caseHeld', { name: holder.name })
  }

  return {
    find,
    refusalOf,
    decideUnlessTaken: async (operator, { caseKey, act }, decide) => {
      const held = await refusalOf(operator, caseKey)
      if (!held) return decide()
      await auditLog.recordRefusal({ operator, act, subject: caseKey, caseKey }, held)
      return held
    },
    all: async () =>
      new Map((await assigneeRows(queries).execute()).map((row) => [row.case_key, assigneeFrom(row)])),
    take: (operator, caseKey, from) =>
      move({ operator, caseKey, next: operator }, (holder) => {
        const isExpected = holder === null || holder.id === operator.id || holder.id === from
        return isExpected ? null : refuse('caseHeld', { name: holder.name })
      }),
    handOver: async (operator, caseKey, { operatorId, note }) => {
      const tooLong = note === null ? null : refusalOfReason(note)
      if (tooLong) return tooLong
      const next = await findOperator(queries, operatorId)
      if (next?.is_on !== 1n) return refuse('operatorUnknown')
      return move({ operator, caseKey, next, note }, onlyAssignee(operator))
    },
    release: (operator, caseKey) => move({ operator, caseKey, next: null }, onlyAssignee(operator)),
    clear: async (caseKey) => {
      await queries.deleteFrom('case_holder').where('case_key', '=', caseKey).execute()
    },
  }
}

/** Only the assignee may pass a case on. */
const onlyAssignee =
  ({ id }: DeskOperator): Rule =>
  (holder) =>
    holder?.id === id ? null : refuse('caseNotHeld')

/** Releases every case that an operator has taken. */
export async function releaseCases(within: Queries, operatorId: number): Promise<void> {
  await within.deleteFrom('case_holder').where('operator_id', '=', BigInt(operatorId)).execute()
}

const assigneeRows = (queries: Queries) =>
  queries
    .selectFrom('case_holder')
    .innerJoin('operator', 'operator.id', 'case_holder.operator_id')
    .select(['case_key', 'since', 'operator.id', 'operator.name', 'operator.role'])

type AssigneeRow = { id: bigint; name: string; role: string; since: bigint }

const assigneeFrom = ({ id, name, role, since }: AssigneeRow): Assignee => ({
  id: Number(id),
  name,
  role: role as OperatorRole,
  since: Number(since),
})

async function assigneeOf(queries: Queries, caseKey: string): Promise<Assignee | null> {
  const row = await assigneeRows(queries).where('case_key', '=', caseKey).executeTakeFirst()
  return row ? assigneeFrom(row) : null
}

async function assign(
  within: Transaction<Tables>,
  caseKey: string,
  next: NamedOperator | null,
  at: number,
): Promise<void> {
  await within.deleteFrom('case_holder').where('case_key', '=', caseKey).execute()
  if (next)
    await within
      .insertInto('case_holder')
      .values({ case_key: caseKey, operator_id: BigInt(next.id), since: BigInt(Math.floor(at)) })
      .execute()
}
