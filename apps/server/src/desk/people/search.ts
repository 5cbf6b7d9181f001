import { DESK_PAGE_ROWS, type PersonRow } from '@fairlot/contract/desk'
import { sql } from 'kysely'
import type { Database, Queries } from '../../database/database.ts'

export type Found = { readonly people: readonly PersonRow[]; readonly total: number }
type Match = { readonly id: bigint; readonly foundBy: PersonRow['foundBy'] }

/** A public number is the id and so much. */
const NUMBER_BEGINS_AT = 100_000n
/** Digits that a row's number has at most. */
const DIGITS_MAX = 18
/** Beginnings shorter than this would be half the country. */
const PHONE_DIGITS_MIN = 4

type Asked = { readonly query: string; readonly page: number }

/** People by whatever they may be named by; the newest where nothing is looked for. Pages count from 1. */
export async function searchPeople(
  database: Database,
  { query, page }: Asked,
  limit = DESK_PAGE_ROWS,
): Promise<Found> {
  const wanted = query.trim()
  if (wanted === '') return newest(database.queries, page, limit)
  const matches = await matchesOf(database, wanted)
  const foundBy = new Map<bigint, Match['foundBy']>()
  for (const match of matches) if (!foundBy.has(match.id)) foundBy.set(match.id, match.foundBy)
  const ids = [...foundBy.keys()]
  const shown = ids.slice((page - 1) * limit, page * limit)
  const rows = await rowsOf(database.queries, shown)
  const people = shown.flatMap((id) => {
    const row = rows.get(id)
    return row ? { ...row, foundBy: foundBy.get(id) ?? row.foundBy } : []
  })
  return { people, total: ids.length }
}

async function newest(queries: Queries, page: number, limit: number): Promise<Found> {
  const { total } = await queries
    .selectFrom('app_user')
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  const ids = await queries
    .selectFrom('app_user')
    .select('id')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const rows = await rowsOf(
    queries,
    ids.map(({ id }) => id),
  )
  return { people: [...rows.values()], total: Number(total) }
}

/** Exact numbers come before beginnings. */
async function matchesOf(database: Database, wanted: string): Promise<Match[]> {
  const digits = wanted.replace(/[\s()-]/g, '').replace(/^#/, '')
  if (!/^\+?\d+$/.test(digits)) return byBeginning(database, 'email_key', wanted.toLowerCase(), 'email')
  const exact =
    /^\d+$/.test(digits) && digits.length <= DIGITS_MAX ? await byNumber(database.queries, digits) : []
  if (digits.replace('+', '').length < PHONE_DIGITS_MIN) return exact
  const column = digits.startsWith('+') ? 'phone' : 'national_number'
  return [...exact, ...(await byBeginning(database, column, digits, 'phone'))]
}

async function byNumber(queries: Queries, digits: string): Promise<Match[]> {
  const n = BigInt(digits)
  const users = await queries
    .selectFrom('app_user')
    .select('id')
    .where('id', 'in', [n - NUMBER_BEGINS_AT, n])
    .execute()
  const has = (id: bigint) => users.some((user) => user.id === id)
  const ownerOf = async (table: 'trade_order' | 'transfer' | 'money_case') =>
    (await queries.selectFrom(table).select('account_id').where('id', '=', n).executeTakeFirst())?.account_id
  const owners = [
    { id: has(n - NUMBER_BEGINS_AT) ? n - NUMBER_BEGINS_AT : null, foundBy: 'number' },
    { id: has(n) ? n : null, foundBy: 'id' },
    { id: await ownerOf('trade_order'), foundBy: 'order' },
    { id: await ownerOf('transfer'), foundBy: 'transfer' },
    { id: await ownerOf('money_case'), foundBy: 'case' },
  ] as const
  return owners.flatMap(({ id, foundBy }) => (id === null || id === undefined ? [] : { id, foundBy }))
}

/** People whose address or number begins so. Each database finds beginnings in another way. */
async function byBeginning(
  { kind, queries }: Database,
  column: 'email_key' | 'phone' | 'national_number',
  beginning: string,
  foundBy: 'email' | 'phone',
): Promise<Match[]> {
  const rows = await queries
    .selectFrom('member')
    .select('user_id')
    .where((where) =>
      kind === 'postgres'
        ? where(column, 'like', `${beginning.replace(/[\\%_]/g, '\\$&')}%`)
        : where.and([where(column, '>=', beginning), where(column, '<', `${beginning}\u{10FFFF}`)]),
    )
    .orderBy(column)
    .limit(FOUND_MAX)
    .execute()
  return rows.map(({ user_id: id }) => ({ id, foundBy }))
}

/** Whoever looks for more than this has to name more of it. */
const FOUND_MAX = 500

async function rowsOf(queries: Queries, ids: readonly bigint[]): Promise<Map<bigint, PersonRow>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('app_user')
    .leftJoin('member', 'member.user_id', 'app_user.id')
    .leftJoin('account', 'account.id', 'app_user.id')
    .select(['app_user.id', 'is_demo', 'created_at', 'account.status'])
    .select(sql<string | null>`coalesce(member.email, member.phone)`.as('contact'))
    .where('app_user.id', 'in', ids)
    .orderBy('app_user.id', 'desc')
    .execute()
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...{ id: Number(row.id), uid: String(row.id + NUMBER_BEGINS_AT), isDemo: row.is_demo === 1n },
        ...{ contact: row.contact, registeredAt: Number(row.created_at), foundBy: 'newest' },
        status: (row.status ?? 'active') as PersonRow['status'],
      },
    ]),
  )
}
