import { PAGE_ROWS, type Activity, type ActivityPage } from '@fairlot/contract'
import type { Event, OperatorRole } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../database/open.ts'
import { journaledActs } from '../engine/projection/operator-acts.ts'
import type { Translate } from '../i18n/translate.ts'

type Source = 'user' | 'engine' | 'desk'
type Place = { readonly source: Source; readonly key: string }

/**
 * What was done about an account, the latest first: what its user did, what operators did in the journal, and what they did in the tables.
 * Notes of operators and looks at the account are not among it.
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

/** A part of that list. */
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
    // Numbers as text: the longer is the larger.
    .orderBy(sql`length(key)`, 'desc')
    .orderBy('key', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return readAll(queries, userId, places, translate)
}

/** Nothing changes by them. */
const LOOKS_AND_NOTES = ['notePerson', 'viewProof', 'viewIdentity', 'viewChat', 'answerChat']

/** Where each of them stands, with its time. */
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
    // What the engine did is told from the journal.
    .where('journal_at', 'is', null)
    .where('outcome', '=', 'done')
    .where('act', 'not in', LOOKS_AND_NOTES)
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
    ...(await readDecided(queries, userId, keysOf('engine').map(BigInt), translate)),
    ...(await readDone(queries, keysOf('desk').map(BigInt), translate)),
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

async function readDecided(
  queries: Queries,
  userId: number,
  ids: readonly bigint[],
  translate: Translate,
): Promise<Read> {
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('operator_act').selectAll().where('id', 'in', ids).execute()
  const acts = await journaledActs(queries, userId, rows)
  return acts.map(({ id, at, role, reason, event }) => [
    `engine ${id}`,
    byOperator(at, translate(`activity.act.${event.type}`, valuesOf(event)), role, reason),
  ])
}

async function readDone(queries: Queries, ids: readonly bigint[], translate: Translate): Promise<Read> {
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('desk_act').selectAll().where('id', 'in', ids).execute()
  return rows.map(({ id, at, act, role, reason }) => [
    `desk ${id}`,
    byOperator(Number(at), translate('activity.done', { act }), role as OperatorRole, reason),
  ])
}

const byUser = (at: number, text: string) => ({ by: 'user' as const, at, text, role: null, reason: null })

const byOperator = (at: number, text: string, role: OperatorRole, reason: string): Activity => ({
  ...{ by: 'operator', at, text, role, reason },
  ...NOWHERE,
})

/** From where operators work is no business of the people they serve. */
const NOWHERE = { device: null, address: null } as const

/** What the sentence of an event needs; an event without a sentence of its own is not about an account. */
function valuesOf(event: Event): Record<string, string> {
  if (event.type === 'accountStatusSet') return { status: event.status }
  if ('outcome' in event) return { outcome: event.outcome }
  return 'orderId' in event ? { orderId: String(event.orderId) } : {}
}
