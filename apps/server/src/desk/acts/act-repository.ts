import { DESK_PAGE_ROWS, type DeskActRow, type OperatorRole } from '@fairlot/contract/desk'
import { sql } from 'kysely'
import type { DeskActTable } from '../../database/desk-schema.ts'
import type { Queries } from '../../database/open.ts'
import { subjectNames, type SubjectNames } from './act-subjects.ts'

/** What narrows the list of acts; null where it does not. Times in epoch ms, `until` without its own moment. */
export type ActFilter = {
  readonly operatorId: number | null
  readonly act: string | null
  readonly subject: string | null
  readonly accountId: number | null
  readonly outcome: 'done' | 'refused' | null
  readonly since: number | null
  readonly until: number | null
  readonly search: string | null
}

/** Shown beside a case. */
const LAST_ACTS = 5

/** A page of the acts, the latest first, and how many there are. Pages count from 1. */
export async function findActs(queries: Queries, filter: ActFilter, page: number) {
  const { rows, total } = await exportedActs(queries, filter, page, DESK_PAGE_ROWS)
  const nameOf = await subjectNames(queries)
  return { acts: rows.map((row) => shownAct(row, nameOf)), total }
}

/** The same page as the table has it, of `limit` rows. */
export async function exportedActs(queries: Queries, filter: ActFilter, page: number, limit: number) {
  const fitting = actsThatFit(queries, filter)
  const { total } = await fitting
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await fitting
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, total: Number(total) }
}

export const findAct = (queries: Queries, id: number): Promise<DeskActTable | undefined> =>
  queries.selectFrom('desk_act').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()

/** What operators did to an account last. */
export async function lastActsOn(queries: Queries, accountId: number): Promise<DeskActRow[]> {
  const rows = await queries
    .selectFrom('desk_act')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    .orderBy('id', 'desc')
    .limit(LAST_ACTS)
    .execute()
  const nameOf = await subjectNames(queries)
  return rows.map((row) => shownAct(row, nameOf))
}

/** The last act there is. */
export const lastAct = (queries: Queries): Promise<DeskActTable | undefined> =>
  queries.selectFrom('desk_act').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

function actsThatFit(queries: Queries, filter: ActFilter) {
  const { operatorId, act, subject, accountId, outcome, since, until, search } = filter
  return queries
    .selectFrom('desk_act')
    .$if(operatorId !== null, (q) => q.where('operator_id', '=', BigInt(operatorId ?? 0)))
    .$if(act !== null, (q) => q.where('act', '=', act ?? ''))
    .$if(subject !== null, (q) => q.where('subject', '=', subject ?? ''))
    .$if(accountId !== null, (q) => q.where('account_id', '=', BigInt(accountId ?? 0)))
    .$if(outcome !== null, (q) => q.where('outcome', outcome === 'done' ? '=' : '<>', 'done'))
    .$if(since !== null, (q) => q.where('at', '>=', BigInt(since ?? 0)))
    .$if(until !== null, (q) => q.where('at', '<', BigInt(until ?? 0)))
    .$if(search !== null && search.trim() !== '', (q) => q.where(occursIn(search ?? '')))
}

const SEARCHED = ['operator_name', 'second_name', 'subject', 'reason', 'before', 'after', 'case_key'] as const

/** In any of what people look for; letters of the pattern language stand for themselves. */
function occursIn(search: string) {
  const pattern = `%${search
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const places = SEARCHED.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`)
  return sql<boolean>`(${sql.join(places, sql` or `)})`
}

/** A row of the list. */
export const shownAct = (row: DeskActTable, nameOf: SubjectNames): DeskActRow => ({
  ...{ id: Number(row.id), at: Number(row.at), operatorId: Number(row.operator_id) },
  ...{ operator: row.operator_name, role: row.role as OperatorRole, second: row.second_name },
  ...{ act: row.act, subject: row.subject, reason: row.reason, caseKey: row.case_key, outcome: row.outcome },
  about: nameOf(row.subject),
  accountId: row.account_id === null ? null : Number(row.account_id),
  journalAt: row.journal_at === null ? null : Number(row.journal_at),
})
