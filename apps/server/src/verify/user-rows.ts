import { CONSENT_DOCUMENTS } from '@fairlot/contract'
import type { Account, Event, State } from '@fairlot/core'
import type { DeskActTable, UserNoteTable } from '../platform/database/desk-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { RegisteredUserTable, UserTable } from '../platform/database/user-schema.ts'
import { defaultOf } from '../platform/config/app-settings.ts'
import { firstDifference } from './figure.ts'
import { createPager } from './pager.ts'

/** Rows of one transaction have times of this distance at most, ms. */
const TOGETHER_MS = 600_000
/** Activities are recorded from their first row on; the first registration has its own a moment later, ms. */
const BEFORE_FIRST_MS = 1_000

/** Users per query. */
const PAGE = 500

const INVITE_CODE = /^[0-9A-F]{16}$/

type Values = Readonly<Record<string, unknown>>
type Note = Pick<DeskActTable, 'id' | 'at' | 'account_id' | 'operator_id' | 'operator_name' | 'role'>
type Staff = { readonly userId: bigint; readonly isStaff: boolean }

/** What the audit log and the journal say about users. */
type Known = {
  /** Credit scores set by operators. */
  readonly scores: Map<bigint, string>
  /** Credit scores that new users have got. */
  readonly firstScores: Set<string>
  /** Resets of a second factor by operators. */
  readonly resets: Map<bigint, number>
  readonly notes: Note[]
  readonly staff: Staff[]
  /** When accounts were closed, epoch ms on the market clock, and in which run of the engine. */
  readonly closings: Map<number, { readonly at: number; readonly run: number }>
}

/** Users and what belongs to them, compared with the journal, the audit log and each other. */
export function createUserRows(queries: Queries) {
  const known: Known = {
    scores: new Map(),
    firstScores: new Set([defaultOf('credit_score')]),
    resets: new Map(),
    notes: [],
    staff: [],
    closings: new Map(),
  }
  const runs: { readonly writer: string; readonly firstAt: number; lastAt: number }[] = []

  return {
    /** Events of the journal, in their order. `at`: epoch ms on the market clock. */
    take: (event: Event, at: number, writer: string) => {
      const last = runs.at(-1)
      if (last?.writer === writer) last.lastAt = at
      else runs.push({ writer, firstAt: at, lastAt: at })
      if (event.type === 'accountClosed') known.closings.set(event.accountId, { at, run: runs.length })
    },
    observe: (row: DeskActTable) => {
      if (row.outcome !== 'done') return
      if (row.act === 'notePerson') known.notes.push(row)
      const [before, after] = [row.before, row.after].map((json) => JSON.parse(json ?? '{}') as Values)
      if (!after || Object.hasOwn(after, 'asked') || Object.hasOwn(after, 'approval')) return
      if (row.act === 'changeSettings' && row.subject === 'setting:credit_score')
        for (const value of [before?.['value'], after['value']])
          if (typeof value === 'string') known.firstScores.add(value)
      const { account_id: userId } = row
      if (userId === null) return
      if (row.act === 'setCreditScore') known.scores.set(userId, String(after['creditScore']))
      if (row.act === 'resetPersonSecondFactor') known.resets.set(userId, (known.resets.get(userId) ?? 0) + 1)
      if (row.act === 'recordStaff') known.staff.push({ userId, isStaff: after['worksForBroker'] === true })
    },
    finish: async function* ({ accounts }: State): AsyncGenerator<string> {
      const lastRun = runs.at(-1)
      const isLasting = lastRun !== undefined && lastRun.lastAt - lastRun.firstAt > TOGETHER_MS
      /** Erasing the data of a closed account is completed by the next start. */
      const isErased = (id: number) => isLasting && (known.closings.get(id)?.run ?? Infinity) < runs.length
      yield* userFaults(queries, { known, accounts, isErased })
      yield* ownerFaults(queries)
      yield* noteFaults(queries, known.notes)
      yield* staffFaults(queries, known.staff)
    },
  }
}

/** What belongs to a user, and how often each activity was recorded. */
type Belongings = {
  readonly logIn: RegisteredUserTable | undefined
  /** When the user who invited it closed their account. */
  readonly inviterClosedAt: bigint | null
  readonly consents: readonly { readonly version: string; readonly at: bigint }[]
  /** When its app was confirmed; null without one. */
  readonly appSince: bigint | null
  /** When its passkeys were added. */
  readonly passkeys: readonly bigint[]
  readonly activities: readonly { readonly kind: string; readonly at: bigint }[]
}

type UserContext = {
  readonly known: Known
  readonly accounts: ReadonlyMap<number, Account>
  readonly isErased: (id: number) => boolean
}

async function* userFaults(queries: Queries, context: UserContext): AsyncGenerator<string> {
  const { first } = await queries
    .selectFrom('user_activity')
    .select(({ fn }) => fn.min('at').as('first'))
    .executeTakeFirstOrThrow()
  const recordedFrom = first === null ? Infinity : Number(first) - BEFORE_FIRST_MS
  const versionsAt = await consentVersions(queries)
  const firstScores = createFirstScores(context.known)
  for (let after = 0n; ;) {
    const users = await queries
      .selectFrom('app_user')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    const last = users.at(-1)
    if (!last) return
    const belongings = await readBelongings(
      queries,
      users.map(({ id }) => id),
    )
    for (const user of users) {
      const its = belongings(user.id)
      const fault =
        userFault(user, its, context) ??
        logInFault(user, its, context) ??
        consentFault(user, its, versionsAt) ??
        (Number(user.created_at) >= recordedFrom ? activityFault(user, its, context) : null)
      if (fault !== null) yield `user ${user.id}${fault}`
      const scoreFault = firstScores.fault(user)
      if (scoreFault !== null) yield scoreFault
    }
    after = last.id
  }
}

/** The activities that verify counts. */
const COUNTED = [
  'registered',
  'secondFactorOn',
  'secondFactorOff',
  'passkeyAdded',
  'passkeyRemoved',
  'accountClosed',
] as const

async function readBelongings(queries: Queries, ids: readonly bigint[]): Promise<(id: bigint) => Belongings> {
  const logIns = await queries
    .selectFrom('member')
    .leftJoin('app_user as inviter', 'inviter.id', 'member.invited_by')
    .selectAll('member')
    .select('inviter.closed_at as inviter_closed_at')
    .where('user_id', 'in', ids)
    .execute()
  const consents = await queries
    .selectFrom('consent')
    .select(['user_id', 'version', 'at'])
    .where('user_id', 'in', ids)
    .execute()
  const apps = await queries
    .selectFrom('second_factor')
    .select(['user_id', 'confirmed_at'])
    .where('user_id', 'in', ids)
    .execute()
  const passkeys = await queries
    .selectFrom('passkey')
    .select(['user_id', 'created_at'])
    .where('user_id', 'in', ids)
    .execute()
  const activities = await queries
    .selectFrom('user_activity')
    .select(['user_id', 'kind', 'at'])
    .where('user_id', 'in', ids)
    .where('kind', 'in', COUNTED)
    .execute()
  const byUser = <Row extends { readonly user_id: bigint | null }>(rows: readonly Row[]) =>
    Map.groupBy(rows, (row) => row.user_id)
  const [consentsOf, passkeysOf, activitiesOf] = [byUser(consents), byUser(passkeys), byUser(activities)]
  const logInOf = new Map(logIns.map((row) => [row.user_id, row]))
  const appOf = new Map(apps.map((row) => [row.user_id, row.confirmed_at]))
  return (id) => ({
    logIn: logInOf.get(id),
    inviterClosedAt: logInOf.get(id)?.inviter_closed_at ?? null,
    consents: consentsOf.get(id) ?? [],
    appSince: appOf.get(id) ?? null,
    passkeys: (passkeysOf.get(id) ?? []).map(({ created_at: at }) => at),
    activities: activitiesOf.get(id) ?? [],
  })
}

/** A user agrees with their account in id, ledger and closing. */
function userFault(
  row: UserTable,
  { logIn }: Belongings,
  { known, accounts, isErased }: UserContext,
): string | null {
  const account = accounts.get(Number(row.id))
  if (!account) return ' has no account in the journal'
  const isClosed = row.closed_at !== null
  const isDemo = account.ledger === 'demo'
  const score = known.scores.get(row.id)
  const expectedCode = isClosed ? `closed ${row.id}` : row.invite_code
  return (
    firstDifference(row.is_demo, isDemo ? 1n : 0n, ': is_demo') ??
    (score === undefined ? null : firstDifference(row.credit_score, score, ': credit_score')) ??
    (isClosed ? firstDifference(account.status, 'closed', ' is closed, account') : null) ??
    (!isClosed && isErased(account.id) ? ': closed_at is null, the journal closed the account' : null) ??
    (isClosed && logIn ? ' is closed, and can still log in' : null) ??
    firstDifference(row.invite_code, expectedCode, ': invite_code') ??
    (!isClosed && !INVITE_CODE.test(row.invite_code) ? `: invite_code is no code` : null) ??
    firstDifference(row.demo_hash !== null, isDemo && !isClosed, ': whether it has a demo_hash')
  )
}

/**
 * A score that nobody set is that of new users at that time. A start may have given that setting, which leaves no
 * record: then it is the score of the user before or after it too.
 */
function createFirstScores({ scores, firstScores }: Pick<Known, 'scores' | 'firstScores'>) {
  const last: Pick<UserTable, 'id' | 'credit_score'>[] = []
  return {
    /** Takes the users in their order; returns the fault of the one before. */
    fault: (user: UserTable): string | null => {
      if (scores.has(user.id)) return null
      last.push(user)
      const [before, found, after] = last.slice(-3)
      if (!before || !found || !after) return null
      last.splice(0, last.length - 2)
      const isAlone = before.credit_score === after.credit_score && found.credit_score !== after.credit_score
      return isAlone && !firstScores.has(String(found.credit_score))
        ? `user ${found.id}: credit_score is "${found.credit_score}", no audit entry set it, and others have got "${after.credit_score}"`
        : null
    },
  }
}

/** Real users log in with an e-mail address or a phone number; nobody else does. */
function logInFault(
  { id, is_demo, created_at, closed_at }: UserTable,
  { logIn, inviterClosedAt }: Belongings,
  { accounts }: UserContext,
): string | null {
  const isRegistered = is_demo === 0n && closed_at === null
  if (!logIn) return isRegistered ? ': its log-in is missing' : null
  if (!isRegistered) return ' is a demo user, and has a log-in'
  const { email, email_key, phone, calling_code, national_number, invited_by } = logIn
  const difference =
    firstDifference(email_key, email?.toLowerCase() ?? null, ': email_key') ??
    firstDifference(phone, calling_code === null ? null : `+${calling_code}${national_number}`, ': phone') ??
    ((email === null) === (phone === null) ? ': it needs either an e-mail address or a phone number' : null)
  if (difference !== null || invited_by === null) return difference
  // An account's number is that of its user, and counts up.
  const inviter = accounts.get(Number(invited_by))
  const isInviter = inviter?.ownerId === inviter?.id && inviter?.ledger === 'real' && invited_by < id
  const hasClosed = inviterClosedAt !== null && created_at - inviterClosedAt > TOGETHER_MS
  return isInviter && !hasClosed ? null : `: invited_by is "${invited_by}", who could not invite`
}

type VersionsAt = (at: number) => ReadonlySet<string>

/** The versions of the legal texts that a user could consent to about a moment (epoch ms); the first start writes the first. */
async function consentVersions(queries: Queries): Promise<VersionsAt> {
  const rows = await queries
    .selectFrom('legal_version')
    .select(['version', 'effective_at'])
    .where('document', 'in', CONSENT_DOCUMENTS)
    .orderBy('effective_at')
    .orderBy('id')
    .execute()
  return (at) => {
    const before = rows.filter(({ effective_at: from }) => Number(from) <= at - TOGETHER_MS).slice(-1)
    const about = rows.filter(({ effective_at: from }) => Math.abs(Number(from) - at) < TOGETHER_MS)
    return new Set([...before, ...about].map(({ version }) => version))
  }
}

/** A registration records the consent to the legal texts in force. */
function consentFault(
  { is_demo, created_at }: UserTable,
  { consents }: Belongings,
  versionsAt: VersionsAt,
): string | null {
  if (is_demo === 1n) return null
  const consent = consents.find(({ at }) => isTogether(at, created_at))
  if (!consent) return ': no consent was given when it was created'
  for (const { version, at } of consents) {
    const versions = versionsAt(Number(at))
    if (versions.size > 0 && !versions.has(version))
      return `: consent is to version "${version}", in force was ${[...versions].join(' or ')}`
  }
  return null
}

const isTogether = (one: bigint, other: bigint): boolean => Math.abs(Number(one - other)) <= TOGETHER_MS

/** Registration, second factor and closing are among the activities that the user can read. */
function activityFault(
  { id, is_demo, created_at, closed_at }: UserTable,
  { appSince, passkeys, activities }: Belongings,
  { known }: UserContext,
): string | null {
  const count = (wanted: string) => activities.filter(({ kind }) => kind === wanted).length
  const isRecorded = (wanted: string, moment: bigint) =>
    activities.some(({ kind, at }) => kind === wanted && isTogether(at, moment))
  if (is_demo === 0n && !isRecorded('registered', created_at))
    return ': no activity says that it registered when it was created'
  if (closed_at !== null)
    return isRecorded('accountClosed', closed_at)
      ? null
      : ': no activity says that it was closed at its closed_at'
  const resets = known.resets.get(id) ?? 0
  const apps = count('secondFactorOn') - count('secondFactorOff')
  const added = count('passkeyAdded') - count('passkeyRemoved')
  if (appSince !== null && (apps < 1 || !isRecorded('secondFactorOn', appSince)))
    return ': no activity says that its second factor was set up at its confirmed_at'
  if (appSince === null && apps > resets) return ': its second factor is missing, its activities say it is on'
  if (passkeys.length > added || passkeys.some((at) => !isRecorded('passkeyAdded', at)))
    return ': no activity says that each of its passkeys was added'
  return resets === 0 && passkeys.length < added
    ? ': a passkey is missing, its activities say it is on'
    : null
}

/** Nobody who has traded or moved money is without a user. */
async function* ownerFaults(queries: Queries): AsyncGenerator<string> {
  const some = await queries.selectFrom('app_user').select('id').limit(1).executeTakeFirst()
  // Only tests have none.
  if (!some) return
  const missing = await queries
    .selectFrom('account')
    .leftJoin('app_user', 'app_user.id', 'account.owner_id')
    .select('account.owner_id')
    .where('app_user.id', 'is', null)
    .where(({ or, exists, selectFrom }) =>
      or([
        exists(selectFrom('receipt').select('receipt.id').whereRef('receipt.account_id', '=', 'account.id')),
        exists(
          selectFrom('money_case')
            .select('money_case.id')
            .whereRef('money_case.account_id', '=', 'account.id'),
        ),
      ]),
    )
    .orderBy('account.owner_id')
    .limit(1)
    .execute()
  for (const { owner_id: id } of missing) yield `user ${id} is missing, its account has traded or moved money`
}

/** Notes are never changed or deleted: each was written with its audit entry, in the same order. */
async function* noteFaults(queries: Queries, entries: readonly Note[]): AsyncGenerator<string> {
  const pager = createPager<UserNoteTable>((after, limit) =>
    queries
      .selectFrom('person_note')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for (const entry of entries) {
    const note = await pager.next()
    if (!note)
      return yield `audit entry ${entry.id} is about a note on user ${entry.account_id}, which is missing`
    const name = `note ${note.id}`
    const difference =
      firstDifference(note.account_id, entry.account_id, `${name}: account_id`) ??
      firstDifference(note.operator_id, entry.operator_id, `${name}: operator_id`) ??
      firstDifference(note.operator_name, entry.operator_name, `${name}: operator_name`) ??
      firstDifference(note.role, entry.role, `${name}: role`) ??
      (isTogether(note.at, entry.at) ? null : `${name}: at is "${note.at}", it should be "${entry.at}"`)
    if (difference !== null) yield `${difference}, as audit entry ${entry.id} says`
  }
  const further = await pager.next()
  if (further) yield `note ${further.id}: no audit entry says that it was written`
}

/** Who works for the broker. An entry about one account of a person replaces those about the others. */
async function* staffFaults(queries: Queries, entries: readonly Staff[]): AsyncGenerator<string> {
  const owners = await queries.selectFrom('demo_owner').selectAll().orderBy('demo_id').execute()
  const ownerOf = new Map(owners.map(({ demo_id: demo, user_id: user }) => [demo, user]))
  const publisherOf = (id: bigint) => ownerOf.get(id) ?? id
  const found = new Set(
    (await queries.selectFrom('staff_user').select('user_id').execute()).map((row) => row.user_id),
  )
  for (const id of found)
    if (entries.findLast(({ userId }) => userId === id)?.isStaff !== true)
      yield `user ${id}: no audit entry says that it works for the broker`
  for (const [index, { userId, isStaff }] of entries.entries()) {
    const isLast = !entries
      .slice(index + 1)
      .some((other) => publisherOf(other.userId) === publisherOf(userId))
    if (isLast && isStaff && !found.has(userId))
      yield `user ${userId} works for the broker by the audit log, not by the tables`
  }
}
