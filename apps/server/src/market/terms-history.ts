import {
  TERMS_VERSION_ROWS,
  type TermsChange as ShownChange,
  type TermsVersion,
  type TermsVersionPage,
} from '@fairlot/contract'
import { noticeEnd, type Author, type State, type TermsChange, type TermsSet } from '@fairlot/core'
import { readEngine } from '../engine/calls.ts'
import type { Engine } from '../engine/engine.ts'
import { authorCodec, decodeTermsChange } from '../engine/journal/event-codec.ts'
import type { Queries } from '../platform/database/open.ts'
import type { TermsChangeTable } from '../platform/database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import { changedFields, fieldsOf, termsBefore } from './terms-fields.ts'

/** Fields that users see in an announcement (trading-rules §10); the others only concern lists. */
const PUBLISHED_FIELDS: ReadonlySet<string> = new Set([
  'isEnabled',
  'baseCurrency',
  'quoteCurrency',
  'priceDecimals',
  'contractSize',
  'marginMode',
  'leverages',
  'lotMin',
  'lotStep',
  'lotMax',
  'feeRate',
  'swapBuy',
  'swapSell',
  'tripleSwapDay',
  'markUp',
  'sourceOrder',
  'minStopDistance',
  'session',
  'showCode',
  'category',
  'zone',
  'windows',
  'holidays',
  'feeType',
  'stopOutLevel',
  'warningLevel',
  'maxLivingOrders',
  'noticeMs',
  'freshnessMs',
  'suspectBand',
  'maxSpread',
  'allowsNegativePrice',
  'demoBalance',
  'fourEyesLimit',
  'isDemoCopyOn',
  'isRealCopyOn',
  'copyLegalBasis',
  'copyMinAmount',
  'providerMinEquity',
  'maxCopiesPerUser',
  'maxCopiesPerProvider',
  'typicalSpread',
  'referencePrice',
  'yearlyVolatility',
])

type Announced = Omit<ShownChange, 'announcedAt' | 'reason' | 'isUrgent' | 'isInForce' | 'withdrawnAt'> & {
  readonly noticeMs: number
}

/**
 * Announced changes, the next one first, then those of the last day that took effect at once or were withdrawn. `at`
 * is now.
 */
export async function listAnnounced(
  queries: Queries,
  engine: Engine,
  at: number,
): Promise<ShownChange[] | Refusal> {
  const announced = await listWaiting(queries, engine)
  if (isRefusal(announced)) return announced
  const [justSet, justWithdrawn] = [
    await listJustSet(queries, engine, at),
    await listJustWithdrawn(queries, engine, at),
  ]
  return [...announced, ...justSet, ...justWithdrawn]
}

/** How long a change that took effect at once, or was withdrawn, is shown. */
const SHOWN_MS = 24 * 3_600_000

/** Changes that took effect when they were decided, without an announcement. The first terms of a journal are left out. */
async function listJustSet(queries: Queries, engine: Engine, at: number): Promise<ShownChange[]> {
  await engine.caughtUp()
  const first = await queries
    .selectFrom('terms_change')
    .select(({ fn }) => fn.min('at').as('at'))
    .executeTakeFirst()
  const rows = await queries
    .selectFrom('terms_change')
    .selectAll()
    .where('in_effect_at', '>', BigInt(at - SHOWN_MS))
    .where('at', '>', BigInt(first?.at ?? 0))
    .where('kind', '<>', 'source')
    .whereRef('effective_at', '=', 'at')
    .orderBy('change_id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return shownRows(queries, engine.state(), rows)
}

/** Announced changes that were withdrawn, compared with the terms in force. */
async function listJustWithdrawn(queries: Queries, engine: Engine, at: number): Promise<ShownChange[]> {
  const rows = await queries
    .selectFrom('terms_change')
    .selectAll()
    .where('withdrawn_at', '>', BigInt(at - SHOWN_MS))
    .where('kind', '<>', 'source')
    .orderBy('withdrawn_at', 'desc')
    .orderBy('change_id', 'desc')
    .limit(MAX_SHOWN)
    .execute()
  return shownRows(queries, engine.state(), rows)
}

/** Changes that took effect at once or were withdrawn, as shown to users; those that do not concern them are left out. */
async function shownRows(
  queries: Queries,
  state: State,
  rows: readonly TermsChangeTable[],
): Promise<ShownChange[]> {
  const shown = rows.map(async (row): Promise<ShownChange[]> => {
    const change = decodeTermsChange(row.body)
    const fields = changedFields(await replacedBy(queries, row), change).filter(({ field }) =>
      PUBLISHED_FIELDS.has(field),
    )
    if (fields.length === 0 || change.kind === 'source') return []
    const author = authorCodec.read(JSON.parse(row.author)) as Author
    const withdrawnAt = row.withdrawn_at === null ? null : Number(row.withdrawn_at)
    return [
      {
        id: Number(row.change_id),
        kind: change.kind,
        instrumentIds: affectedBy(state, change),
        about: '',
        fields,
        effectiveAt: Number(row.effective_at),
        announcedAt: Number(row.at),
        reason: row.reason,
        isUrgent: withdrawnAt === null && author.type === 'operator' && author.second !== null,
        isInForce: withdrawnAt === null,
        withdrawnAt,
      },
    ]
  })
  return (await Promise.all(shown)).flat()
}

const MAX_SHOWN = 50

async function listWaiting(queries: Queries, engine: Engine): Promise<ShownChange[] | Refusal> {
  const announced = await readEngine(engine, (state) =>
    [...state.announced.values()].flatMap((event) => announcedOf(state, event) ?? []),
  )
  if (isRefusal(announced)) return announced
  if (announced.length === 0) return []
  // Clients request a change as soon as it is pushed, so the tables must hold it.
  await engine.caughtUp()
  const rows = await queries
    .selectFrom('terms_change')
    .select(['change_id', 'at', 'author', 'reason'])
    .where(
      'change_id',
      'in',
      announced.map(({ id }) => BigInt(id)),
    )
    .execute()
  const decided = new Map(rows.map((row) => [Number(row.change_id), row]))
  return announced
    .flatMap(({ noticeMs, ...change }): ShownChange[] => {
      const row = decided.get(change.id)
      if (!row) return []
      const author = authorCodec.read(JSON.parse(row.author)) as Author
      const isUrgent =
        author.type === 'operator' && author.second !== null && change.effectiveAt - Number(row.at) < noticeMs
      const [announcedAt, { reason }] = [Number(row.at), row]
      return [{ ...change, announcedAt, reason, isUrgent, isInForce: false, withdrawnAt: null }]
    })
    .toSorted((a, b) => a.effectiveAt - b.effectiveAt || a.id - b.id)
}

/** The announcement of a change to users; null if it does not concern them. */
export function announcedOf(
  state: State,
  { changeId, effectiveAt, change }: Pick<TermsSet, 'changeId' | 'effectiveAt' | 'change'>,
): Announced | null {
  if (change.kind === 'source') return null
  const before = termsBefore(state, change, effectiveAt, changeId)
  const fields = changedFields(before, change).filter(({ field }) => PUBLISHED_FIELDS.has(field))
  if (fields.length === 0) return null
  const { noticeMs } = state.settings
  return {
    id: changeId,
    kind: change.kind,
    instrumentIds: affectedBy(state, change),
    about: '',
    fields,
    effectiveAt,
    noticeMs,
  }
}

function affectedBy({ instruments }: State, change: TermsChange): number[] {
  if (change.kind === 'instrument') return [change.instrument.id]
  if (change.kind !== 'calendar') return []
  return [...instruments.values()]
    .filter(({ session }) => session === change.session.name)
    .map(({ id }) => id)
}

/** Terms by version, public so that anybody can read the terms that a receipt names (trading-rules §10). */
type Subject = Pick<TermsChangeTable, 'kind' | 'subject'>
type VersionsQuery = {
  readonly instrumentId: number | null
  readonly version: number | null
  readonly page: number
}

const SETTINGS: Subject = { kind: 'settings', subject: '' }

/** Versions of the settings and, if one is given, of an instrument with its hours and source. */
export async function readTermsVersions(
  { queries, engine }: { readonly queries: Queries; readonly engine: Engine },
  { instrumentId, version, page }: VersionsQuery,
): Promise<TermsVersionPage | Refusal> {
  // A new receipt may name a version that the tables do not hold yet.
  await engine.caughtUp()
  const subjects = instrumentId === null ? [SETTINGS] : await subjectsOf(queries, instrumentId, version)
  if (instrumentId !== null && !subjects.some(({ kind }) => kind === 'instrument'))
    return refuse('unknownInstrument')
  if (version !== null) {
    const rows = await Promise.all(subjects.map((subject) => lastOf(queries, subject, version)))
    const found = rows.filter((row) => row !== undefined)
    return {
      versions: await Promise.all(found.map((row) => shownVersion(queries, engine.state(), row))),
      total: found.length,
    }
  }
  const all = queries
    .selectFrom('terms_change')
    .where((where) => where.or(subjects.map(({ kind, subject }) => where.and({ kind, subject }))))
  const { total } = await all.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await all
    .selectAll()
    .orderBy('change_id', 'desc')
    .limit(TERMS_VERSION_ROWS)
    .offset((page - 1) * TERMS_VERSION_ROWS)
    .execute()
  return {
    versions: await Promise.all(rows.map((row) => shownVersion(queries, engine.state(), row))),
    total: Number(total),
  }
}

/** The subjects of an instrument's terms, with the hours of all its versions or of one. */
async function subjectsOf(
  queries: Queries,
  instrumentId: number,
  version: number | null,
): Promise<Subject[]> {
  const subject = String(instrumentId)
  const rows = await queries
    .selectFrom('terms_change')
    .select('body')
    .where('kind', '=', 'instrument')
    .where('subject', '=', subject)
    .$if(version !== null, (query) => query.where('version', '<=', BigInt(version ?? 0)))
    .orderBy('version', 'desc')
    .$if(version !== null, (query) => query.limit(1))
    .execute()
  if (rows.length === 0) return []
  const sessions = new Set(
    rows.flatMap(({ body }) => {
      const change = decodeTermsChange(body)
      return change.kind === 'instrument' ? change.instrument.session : []
    }),
  )
  return [
    { kind: 'instrument', subject },
    SETTINGS,
    ...[...sessions].map((session) => ({ kind: 'calendar', subject: session })),
    { kind: 'source', subject },
  ]
}

/** The last change of a subject that was in force at a version. */
const lastOf = (queries: Queries, { kind, subject }: Subject, version: number) =>
  queries
    .selectFrom('terms_change')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('version', '<=', BigInt(version))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The terms that a change replaced; for an announced one, those in force. */
export async function replacedBy(
  queries: Queries,
  { kind, subject, version }: Pick<TermsChangeTable, 'kind' | 'subject' | 'version'>,
) {
  const row = await queries
    .selectFrom('terms_change')
    .select('body')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('version', 'is not', null)
    .$if(version !== null, (query) => query.where('version', '<', version))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? decodeTermsChange(row.body) : null
}

async function shownVersion(queries: Queries, state: State, row: TermsChangeTable): Promise<TermsVersion> {
  const change = decodeTermsChange(row.body)
  const author = authorCodec.read(JSON.parse(row.author)) as Author
  const [decidedAt, effectiveAt] = [Number(row.at), Number(row.effective_at)]
  const isByTwo = author.type === 'operator' && author.second !== null
  return {
    id: Number(row.change_id),
    version: row.version === null ? null : Number(row.version),
    kind: change.kind,
    status: row.withdrawn_at !== null ? 'withdrawn' : row.in_effect_at === null ? 'announced' : 'inForce',
    decidedAt,
    effectiveAt,
    inForceAt: row.in_effect_at === null ? null : Number(row.in_effect_at),
    withdrawnAt: row.withdrawn_at === null ? null : Number(row.withdrawn_at),
    author: author.type === 'operator' ? 'operator' : 'deployment',
    isUrgent: isByTwo && effectiveAt < noticeEnd(state, change, decidedAt),
    reason: row.reason,
    changed: changedFields(await replacedBy(queries, row), change).map(({ field }) => field),
    values: Object.entries(fieldsOf(change)).map(([field, value]) => ({ field, value })),
  }
}
