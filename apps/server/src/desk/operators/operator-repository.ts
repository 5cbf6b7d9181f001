import type { OperatorRole } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { OperatorTable } from '../../database/desk-schema.ts'
import type { Tables } from '../../database/schema.ts'

/** An operator as the desk knows them; the row has what their log-in is checked by. */
export type OperatorRow = Omit<OperatorTable, 'id' | 'role'> & {
  readonly id: number
  readonly role: OperatorRole
}

const fromRow = (row: OperatorTable): OperatorRow => ({
  ...row,
  id: Number(row.id),
  role: row.role as OperatorRole,
})

/** Names are told apart without regard to case or how letters are composed. */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

export async function findOperator(queries: Queries, id: number): Promise<OperatorRow | null> {
  const row = await queries.selectFrom('operator').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()
  return row ? fromRow(row) : null
}

export async function findOperatorByName(queries: Queries, name: string): Promise<OperatorRow | null> {
  const row = await queries
    .selectFrom('operator')
    .selectAll()
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst()
  return row ? fromRow(row) : null
}

/** Whoever an invitation is for; null once it has been taken or its time is over. `at`: epoch ms. */
export async function findInvited(queries: Queries, hash: string, at: number): Promise<OperatorRow | null> {
  const row = await queries
    .selectFrom('operator')
    .selectAll()
    .where('invitation_hash', '=', hash)
    .where('invited_until', '>', BigInt(Math.floor(at)))
    .where('is_on', '=', 1n)
    .executeTakeFirst()
  return row ? fromRow(row) : null
}

/** Everybody, in the order in which they came. */
export const listOperatorRows = async (queries: Queries): Promise<OperatorRow[]> =>
  (await queries.selectFrom('operator').selectAll().orderBy('id').execute()).map(fromRow)

type NewOperator = Pick<OperatorTable, 'name' | 'role'> &
  Partial<Pick<OperatorTable, 'password_hash' | 'invitation_hash' | 'invited_until'>>

/** Adds an operator and answers their number. Writers of the desk take turns, so the next number is free. */
export async function addOperator(
  within: Transaction<Tables>,
  operator: NewOperator,
  at: number,
): Promise<number> {
  const { most } = await within
    .selectFrom('operator')
    .select((select) => select.fn.max('id').as('most'))
    .executeTakeFirstOrThrow()
  const id = ((most as bigint | null) ?? 0n) + 1n
  await within
    .insertInto('operator')
    .values({
      ...{ password_hash: null, invitation_hash: null, invited_until: null },
      ...{ totp_secret: null, totp_confirmed_at: null, totp_last_step: 0n, last_seen_at: null },
      ...{ id, name_key: nameKey(operator.name), is_on: 1n, created_at: BigInt(Math.floor(at)) },
      ...operator,
    })
    .execute()
  return Number(id)
}

export const changeOperatorRow = async (
  within: Queries,
  id: number,
  change: Partial<Omit<OperatorTable, 'id'>>,
): Promise<void> => {
  await within.updateTable('operator').set(change).where('id', '=', BigInt(id)).execute()
}

/** True for somebody who can log in and do all there is to do. */
export const canAdminister = (row: Pick<OperatorRow, 'role' | 'is_on' | 'password_hash'>): boolean =>
  row.role === 'administrator' && row.is_on === 1n && row.password_hash !== null
