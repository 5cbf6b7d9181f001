import type { OrderView } from '@fairlot/contract'
import {
  DESK_PAGE_ROWS,
  USER_NUMBER_BEGINS_AT,
  type UserNote,
  userNumber,
  type UserProfile,
  type UserSearchRow,
} from '@fairlot/contract/desk'
import {
  figuresOf,
  fromUnits,
  LOTS_DECIMALS,
  money,
  type OperatorRole,
  percentOf,
  type State,
} from '@fairlot/core'
import { latinDigits } from '@fairlot/core/decimal'
import { sql } from 'kysely'
import type { DeskServices } from '../../desk/desk-services.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Database } from '../../platform/database/database.ts'
import type { UserNoteTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { readingsOf, ungrouped } from '../identity.ts'
import { findUser } from '../profile-routes.ts'

export type SearchResult = { readonly people: readonly UserSearchRow[]; readonly total: number }
type Match = { readonly id: bigint; readonly foundBy: UserSearchRow['foundBy'] }

/** A user's public number is their id plus this. */
const NUMBER_BEGINS_AT = BigInt(USER_NUMBER_BEGINS_AT)
/** The most digits of a row's id. */
const DIGITS_MAX = 18
/** Shorter prefixes would match too many users. */
const PHONE_DIGITS_MIN = 4

type SearchQuery = { readonly query: string; readonly page: number }

/** Finds users by number, contact, order or case; without a query it lists the newest. Pages count from 1. */
export async function searchUsers(
  database: Database,
  { query, page }: SearchQuery,
  limit = DESK_PAGE_ROWS,
): Promise<SearchResult> {
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

async function newest(queries: Queries, page: number, limit: number): Promise<SearchResult> {
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

/** Exact numbers come before prefixes. */
async function matchesOf(database: Database, wanted: string): Promise<Match[]> {
  const typed = latinDigits(wanted).replace(/^#/, '')
  const number = ungrouped(typed)
  if (!/^\+?\d+$/.test(number)) return byBeginning(database, 'email_key', wanted.toLowerCase(), 'email')
  const exact =
    /^\d+$/.test(number) && number.length <= DIGITS_MAX ? await byNumber(database.queries, number) : []
  return number.replace('+', '').length < PHONE_DIGITS_MIN
    ? exact
    : [...exact, ...(await byPhone(database, typed))]
}

/**
 * Users by a phone number or its beginning: in every way in which its owner may write it, see `readPhone`. A beginning
 * is compared without the zero that is dialled only within a country.
 */
async function byPhone(database: Database, typed: string): Promise<Match[]> {
  const whole = await byWholePhone(database.queries, typed)
  const plain = ungrouped(typed.replace(/\(0\)/, ''))
  if (plain.startsWith('+')) return [...whole, ...(await byBeginning(database, 'phone', plain, 'phone'))]
  const found = [...whole, ...(await byBeginning(database, 'national_number', plain, 'phone'))]
  const significant = plain.replace(/^0+/, '')
  if (significant.length < PHONE_DIGITS_MIN) return found
  if (significant !== plain)
    found.push(...(await byBeginning(database, 'national_number', significant, 'phone')))
  found.push(...(await byBeginning(database, 'phone', `+${significant}`, 'phone')))
  return found
}

/** Users whose number is a whole one as it is dialled in some country. */
async function byWholePhone(queries: Queries, typed: string): Promise<Match[]> {
  const numbers = readingsOf(typed)
  if (numbers.length === 0) return []
  const rows = await queries.selectFrom('member').select('user_id').where('phone', 'in', numbers).execute()
  return rows.map(({ user_id: id }) => ({ id, foundBy: 'phone' }))
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

/** Users whose contact begins with a text. Each database uses its index only for its own form of the query. */
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

/** The most matches of a search. */
const FOUND_MAX = 500

async function rowsOf(queries: Queries, ids: readonly bigint[]): Promise<Map<bigint, UserSearchRow>> {
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
        id: Number(row.id),
        uid: userNumber(row.id),
        isDemo: row.is_demo === 1n,
        contact: row.contact,
        registeredAt: Number(row.created_at),
        foundBy: 'newest',
        status: (row.status ?? 'active') as UserSearchRow['status'],
      },
    ]),
  )
}

type Services = Pick<DeskServices, 'deployment' | 'queries'>

/** A user's profile, with the account valued at current prices. */
export async function profileOf(
  { deployment, queries }: Services,
  id: number,
): Promise<UserProfile | Refusal> {
  const seen = await readEngine(deployment.engine, (state) => accountView(state, id))
  if (seen === null || isRefusal(seen)) return seen ?? refuse('accountNotFound')
  await deployment.engine.caughtUp()
  const user = await findUser(queries, id)
  if (!user) return refuse('accountNotFound')
  return { ...seen, user, ...(await userDetails(queries, id)), ...(await paidOf(queries, id)) }
}

/** The account in the engine's memory. */
function accountView(state: State, id: number) {
  const account = state.accounts.get(id)
  if (!account) return null
  const { level, ...figures } = figuresOf(state, account)
  return {
    status: account.status,
    statusReason: account.statusReason,
    freezeLapsesAt: state.freezes.get(id)?.lapsesAt ?? null,
    figures: {
      ...figures,
      frozen: account.frozen.balance,
      level: level && percentOf(level),
      openOrders: account.orders.size,
    },
  }
}

async function userDetails(queries: Queries, id: number) {
  const row = await queries
    .selectFrom('app_user')
    .leftJoin('member', 'member.user_id', 'app_user.id')
    .leftJoin('second_factor', 'second_factor.user_id', 'app_user.id')
    .select(['created_at', 'area', 'language', 'invited_by', 'second_factor.confirmed_at'])
    .select(({ selectFrom, fn }) =>
      selectFrom('passkey')
        .select(fn.countAll<bigint>().as('count'))
        .where('passkey.user_id', '=', BigInt(id))
        .as('passkeys'),
    )
    .where('app_user.id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  const { count } = await queries
    .selectFrom('person_note')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('account_id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  const inviter = row.invited_by === null ? null : await findUser(queries, Number(row.invited_by))
  return {
    area: row.area,
    language: row.language,
    registeredAt: Number(row.created_at),
    hasSecondFactor: row.confirmed_at !== null || (row.passkeys ?? 0n) > 0n,
    passkeys: Number(row.passkeys ?? 0n),
    invitedBy: inviter && { id: inviter.id, uid: inviter.uid },
    noteCount: Number(count),
  }
}

/** Credited deposits and paid withdrawals with their fees. */
async function paidOf(queries: Queries, id: number) {
  const { deposits, withdrawals } = await queries
    .selectFrom('money_case')
    .select([
      sql<bigint>`cast(coalesce(sum(case when kind = 'deposit' then credited else 0 end), 0) as bigint)`.as(
        'deposits',
      ),
      sql<bigint>`cast(coalesce(sum(case when kind = 'withdrawal' and status = 'paid' then amount else 0 end), 0) as bigint)`.as(
        'withdrawals',
      ),
    ])
    .where('account_id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  return { deposits: money(deposits), withdrawals: money(withdrawals) }
}

/** Pages count from 1. */
export type UserPage = { readonly id: number; readonly page: number }

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

export const noteView = (row: UserNoteTable): UserNote => ({
  id: Number(row.id),
  at: Number(row.at),
  operator: row.operator_name,
  text: row.text,
  role: row.role as OperatorRole,
})

export async function listNotes(queries: Queries, { id, page }: UserPage, limit = DESK_PAGE_ROWS) {
  const rows = await queries
    .selectFrom('person_note')
    .selectAll()
    .where('account_id', '=', BigInt(id))
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  return { notes: rows.map(noteView), total: await countOf(queries, 'person_note', id) }
}

/** A user's own activity: log-ins and changes. */
export async function listOwnActivity(queries: Queries, { id, page }: UserPage, limit = DESK_PAGE_ROWS) {
  const rows = await queries
    .selectFrom('user_activity')
    .selectAll()
    .where('user_id', '=', BigInt(id))
    .orderBy('at', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const acts = rows.map(({ at, times, kind, device, address }) => ({
    at: Number(at),
    kind,
    device,
    address,
    times: Number(times),
  }))
  return { acts, total: await countOf(queries, 'user_activity', id) }
}

/** When each known browser or network was first used, newest first. */
export async function listKnownLogins(queries: Queries, id: number): Promise<number[]> {
  const rows = await queries
    .selectFrom('known_login')
    .select('at')
    .where('user_id', '=', BigInt(id))
    .orderBy('at', 'desc')
    .limit(DESK_PAGE_ROWS)
    .execute()
  return rows.map(({ at }) => Number(at))
}

/** An order as a row of a CSV file. */
export const orderCells = (order: OrderView): object => ({
  ...order,
  instrument: order.instrument.showCode,
  lots: fromUnits(BigInt(order.lots), LOTS_DECIMALS),
  endedByRole: order.endedBy?.role,
  endedByReason: order.endedBy?.reason,
})
