import { PAGE_ROWS, type Activity, type ActivityPage } from '@fairlot/contract'
import type { Event, OperatorRole } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../platform/database/open.ts'
import { journaledActions } from '../engine/projection/operator-actions.ts'
import type { Translate } from '../platform/i18n/translate.ts'

type Source = 'user' | 'engine' | 'desk'
type Place = { readonly source: Source; readonly key: string }

/**
 * The activity of an account, newest first: what its user did, and what operators did, from the journal and the tables.
 * Operators' notes and views are not included.
 */
export async function listActivities(
  queries: Queries,
  userId: number,
  page: number,
  translate: Translate,
): Promise<ActivityPage> {
  const { total } = await queries
    .selectFrom(placesOf(queries, userId).as('place'))
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  const part = { offset: (page - 1) * PAGE_ROWS, limit: PAGE_ROWS }
  return { activities: await activitiesIn(queries, userId, part, translate), total: Number(total) }
}

/** A part of the activity, newest first. */
export async function activitiesIn(
  queries: Queries,
  userId: number,
  { offset, limit }: { readonly offset: number; readonly limit: number },
  translate: Translate,
): Promise<Activity[]> {
  const places = await queries
    .selectFrom(placesOf(queries, userId).as('place'))
    .select(['source', 'key'])
    .orderBy('at', 'desc')
    // The keys are numbers as text: the longer one is larger.
    .orderBy(sql`length(key)`, 'desc')
    .orderBy('key', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return readAll(queries, userId, places, translate)
}

/** Operators' actions that change nothing. */
const NOT_LISTED = [
  'notePerson',
  'viewProof',
  'viewIdentity',
  'viewChat',
  'answerChat',
  'exportStatement',
  'exportPerson',
]

/** The source, key and time of each activity. */
const placesOf = (queries: Queries, userId: number) => {
  const id = BigInt(userId)
  const own = queries
    .selectFrom('user_activity')
    .select([sql<Source>`'user'`.as('source'), 'id as key', 'at'])
    .where('user_id', '=', id)
  const decided = queries
    .selectFrom('operator_act')
    .select([sql<Source>`'engine'`.as('source'), sql<string>`cast(id as text)`.as('key'), 'at'])
    .where('account_id', '=', id)
  const done = queries
    .selectFrom('desk_act')
    .select([sql<Source>`'desk'`.as('source'), sql<string>`cast(id as text)`.as('key'), 'at'])
    .where('account_id', '=', id)
    // Decisions of the engine are read from the journal.
    .where('journal_at', 'is', null)
    .where('outcome', '=', 'done')
    .where('act', 'not in', NOT_LISTED)
  return own.unionAll(decided).unionAll(done)
}

async function readAll(
  queries: Queries,
  userId: number,
  places: readonly Place[],
  translate: Translate,
): Promise<Activity[]> {
  const keysOf = (wanted: Source) => places.filter(({ source }) => source === wanted).map(({ key }) => key)
  const found = new Map<string, Activity>([
    ...(await readOwn(queries, keysOf('user'), translate)),
    ...(await readEngineEntries(queries, userId, keysOf('engine').map(BigInt), translate)),
    ...(await readDeskEntries(queries, keysOf('desk').map(BigInt), translate)),
  ])
  return places.flatMap(({ source, key }) => found.get(`${source} ${key}`) ?? [])
}

type Read = readonly (readonly [place: string, activity: Activity])[]

async function readOwn(queries: Queries, ids: readonly string[], translate: Translate): Promise<Read> {
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('user_activity').selectAll().where('id', 'in', ids).execute()
  return rows.map(({ id, kind, at, device, address, times }) => [
    `user ${id}`,
    { ...byUser(Number(at), translate(`activity.own.${kind}`, { times: Number(times) })), device, address },
  ])
}

async function readEngineEntries(
  queries: Queries,
  userId: number,
  ids: readonly bigint[],
  translate: Translate,
): Promise<Read> {
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('operator_act').selectAll().where('id', 'in', ids).execute()
  const acts = await journaledActions(queries, userId, rows)
  return acts.map(({ id, at, role, reason, event }) => [
    `engine ${id}`,
    byOperator(at, translate(`activity.act.${event.type}`, valuesOf(event)), role, reason),
  ])
}

async function readDeskEntries(
  queries: Queries,
  ids: readonly bigint[],
  translate: Translate,
): Promise<Read> {
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('desk_act').selectAll().where('id', 'in', ids).execute()
  return rows.map((row) => [
    `desk ${row.id}`,
    byOperator(
      Number(row.at),
      translate('activity.done', {
        act: row.act,
        status: statusAfter(row.after),
        number: numberOf(row.case_key),
      }),
      row.role as OperatorRole,
      row.reason,
    ),
  ])
}

/** The status of a case after an entry; empty if the entry has none. */
function statusAfter(after: string | null): string {
  const { status } = JSON.parse(after ?? '{}') as { readonly status?: unknown }
  return typeof status === 'string' ? status : ''
}

/** The number in a key: 12 for `withdrawal:12`. */
const numberOf = (caseKey: string | null): string => caseKey?.split(':')[1] ?? ''

const byUser = (at: number, text: string) => ({ by: 'user' as const, at, text, role: null, reason: null })

const byOperator = (at: number, text: string, role: OperatorRole, reason: string): Activity => ({
  by: 'operator',
  at,
  text,
  role,
  reason,
  ...NO_ORIGIN,
})

/** Devices and addresses of operators are not shown to users. */
const NO_ORIGIN = { device: null, address: null } as const

/** The values that the text of an event needs. */
function valuesOf(event: Event): Record<string, string> {
  if (event.type === 'accountStatusSet') return { status: event.status }
  if ('outcome' in event) return { outcome: event.outcome }
  if ('caseId' in event) return { caseId: String(event.caseId) }
  return 'orderId' in event ? { orderId: String(event.orderId) } : {}
}
