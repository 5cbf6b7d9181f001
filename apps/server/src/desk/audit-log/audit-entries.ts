import {
  auditEntriesFile,
  type AuditEntryRow,
  DESK_PAGE_ROWS,
  type DeskChange,
  getAuditEntry,
  getChainHeads,
  listAuditEntries,
  type OperatorRole,
  subjectLabel,
} from '@fairlot/contract/desk'
import { sql } from 'kysely'
import type { DeskActTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import { refuse } from '../../platform/refusal.ts'
import type { DeskServices } from '../desk-services.ts'
import { listOperatorRows } from '../operators/operators.ts'
import { isByDeployment } from './audit-log.ts'
import { lastMailed, readChainHeads } from './chain-mail.ts'

/** Filters of the audit log; null for any. Times in epoch ms, `until` exclusive. */
export type AuditFilter = {
  readonly operatorId: number | null
  readonly act: string | null
  readonly subject: string | null
  readonly accountId: number | null
  readonly outcome: 'done' | 'refused' | null
  readonly since: number | null
  readonly until: number | null
  readonly search: string | null
}

/** Entries shown with a case. */
const LATEST_ENTRIES = 5

/** A page of audit entries, newest first, and the number of matches. Pages count from 1. */
async function findEntries(queries: Queries, filter: AuditFilter, page: number) {
  const { rows, total } = await entryRows(queries, filter, page, DESK_PAGE_ROWS)
  const nameOf = await subjectNames(queries)
  return { acts: rows.map((row) => entryView(row, nameOf)), total }
}

/** The same as stored rows, at most `limit`. */
async function entryRows(queries: Queries, filter: AuditFilter, page: number, limit: number) {
  const matching = matchingEntries(queries, filter)
  const { total } = await matching
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { rows, total: Number(total) }
}

const findEntry = (queries: Queries, id: number): Promise<DeskActTable | undefined> =>
  queries.selectFrom('desk_act').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()

/** The latest audit entries about an account. */
export async function latestEntriesOn(queries: Queries, accountId: number): Promise<AuditEntryRow[]> {
  const rows = await queries
    .selectFrom('desk_act')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    .orderBy('id', 'desc')
    .limit(LATEST_ENTRIES)
    .execute()
  const nameOf = await subjectNames(queries)
  return rows.map((row) => entryView(row, nameOf))
}

function matchingEntries(queries: Queries, filter: AuditFilter) {
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

/** Matches any searched column; wildcard characters are literal. */
function occursIn(search: string) {
  const pattern = `%${search
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const places = SEARCHED.map((column) => sql`lower(${sql.ref(column)}) like ${pattern} escape '\\'`)
  return sql<boolean>`(${sql.join(places, sql` or `)})`
}

/** A row of the list. */
const entryView = (row: DeskActTable, nameOf: SubjectNames): AuditEntryRow => ({
  id: Number(row.id),
  at: Number(row.at),
  operatorId: isByDeployment(row) ? null : Number(row.operator_id),
  operator: row.operator_name,
  role: isByDeployment(row) ? null : (row.role as OperatorRole),
  second: row.second_name,
  act: row.act,
  subject: row.subject,
  reason: row.reason,
  caseKey: row.case_key,
  outcome: row.outcome,
  about: nameOf(row.subject),
  accountId: row.account_id === null ? null : Number(row.account_id),
  journalAt: row.journal_at === null ? null : Number(row.journal_at),
})

/** A subject as text, with operators by name. */
type SubjectNames = (subject: string) => string

export async function subjectNames(queries: Queries): Promise<SubjectNames> {
  const names = new Map((await listOperatorRows(queries)).map(({ id, name }) => [`operator:${id}`, name]))
  return (subject) => subjectLabel(subject, names.get(subject))
}

/** The values that differ in two JSON texts, each named by its path, such as `fee.rate`. */
export function differencesOf(before: string | null, after: string | null): DeskChange[] {
  const [oldValues, newValues] = [valuesByPath(before), valuesByPath(after)]
  const fields = [...new Set([...oldValues.keys(), ...newValues.keys()])]
  return fields
    .map((field) => ({ field, before: oldValues.get(field) ?? null, after: newValues.get(field) ?? null }))
    .filter((change) => change.before !== change.after)
}

function valuesByPath(json: string | null): Map<string, string> {
  const values = new Map<string, string>()
  const add = (value: unknown, path: string) => {
    if (value === null || value === undefined) return
    if (typeof value !== 'object' || isPlainList(value)) values.set(path, textOf(value))
    else for (const [name, inner] of Object.entries(value)) add(inner, path === '' ? name : `${path}.${name}`)
  }
  add(json === null ? null : (JSON.parse(json) as unknown), '')
  return values
}

/** Whether a value is a list of plain values, which is shown in one line. */
const isPlainList = (value: object): boolean =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null)

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.map(textOf).join(', ') : JSON.stringify(value)
}

/** The audit log, for operators and auditors. */
export function registerAuditLog({ api, queries }: DeskServices): void {
  api.operator(listAuditEntries, ({ input: { page, ...filter } }) => findEntries(queries, filter, page))
  api.operator(getAuditEntry, async ({ input: { id } }) => {
    const row = await findEntry(queries, id)
    if (!row) return refuse('actUnknown')
    const { before, after, previous_hash: previousHash, hash } = row
    return {
      act: entryView(row, await subjectNames(queries)),
      changes: differencesOf(before, after),
      previousHash,
      hash,
    }
  })
  api.operator(getChainHeads, async () => ({
    ...(await readChainHeads(queries)),
    lastMailed: await lastMailed(queries),
  }))
  // Includes what an auditor needs to recompute the chain.
  api.csv(auditEntriesFile, async ({ input: { page, ...filter } }, limit) => {
    const { rows, total } = await entryRows(queries, filter, page, limit)
    const nameOf = await subjectNames(queries)
    return { rows: rows.map((row) => ({ ...csvRow(row), about: nameOf(row.subject) })), total }
  })
}

/** The stored row, with integers as text, since CSV files show bigints as money. */
const csvRow = (row: DeskActTable): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )
