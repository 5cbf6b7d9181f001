import { DESK_PAGE_ROWS, type PersonNote } from '@fairlot/contract/desk'
import type { OperatorRole } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import type { PersonNoteTable } from '../../database/desk-schema.ts'

/** Which page of which account; pages count from 1. */
export type Asked = { readonly id: number; readonly page: number }

async function countOf(
  queries: Queries,
  table: 'person_note' | 'user_activity',
  id: number,
): Promise<number> {
  const column = table === 'user_activity' ? 'user_id' : 'account_id'
  const { count } = await queries
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where(column as never, '=', BigInt(id) as never)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const noteOf = (row: PersonNoteTable): PersonNote => ({
  ...{ id: Number(row.id), at: Number(row.at), operator: row.operator_name, text: row.text },
  role: row.role as OperatorRole,
})

export async function listNotes(queries: Queries, asked: Asked, limit = DESK_PAGE_ROWS) {
  const rows = await queries
    .selectFrom('person_note')
    .selectAll()
    .where('account_id', '=', BigInt(asked.id))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((asked.page - 1) * limit)
    .execute()
  return { notes: rows.map(noteOf), total: await countOf(queries, 'person_note', asked.id) }
}

/** What somebody did about the own account: log-ins and changes. */
export async function listOwnActs(queries: Queries, asked: Asked, limit = DESK_PAGE_ROWS) {
  const rows = await queries
    .selectFrom('user_activity')
    .selectAll()
    .where('user_id', '=', BigInt(asked.id))
    .orderBy('at', 'desc')
    .limit(limit)
    .offset((asked.page - 1) * limit)
    .execute()
  const acts = rows.map(({ at, times, kind, device, address }) => ({
    ...{ at: Number(at), kind, device, address, times: Number(times) },
  }))
  return { acts, total: await countOf(queries, 'user_activity', asked.id) }
}

/** Since when browsers and networks are known, the latest first. */
export async function listKnown(queries: Queries, id: number): Promise<number[]> {
  const rows = await queries
    .selectFrom('known_login')
    .select('at')
    .where('user_id', '=', BigInt(id))
    .orderBy('at', 'desc')
    .limit(DESK_PAGE_ROWS)
    .execute()
  return rows.map(({ at }) => Number(at))
}
