import { userNumber } from '@fairlot/contract'
import {
  approveIdentity,
  type FoundFault,
  getIdentity,
  IDENTITY_FAULTS,
  type IdentityDetail,
  refuseIdentity,
  revealIdentityNumber,
  verifyPerson,
} from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import { textsForUser } from '../../desk/approvals/user-texts.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { DeskOperator } from '../../desk/operators/operators.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../../desk/waiting/waiting-list.ts'
import type { NoticeFact } from '../../engine/projection/notice-facts.ts'
import { paidFacts, step, textFact } from '../../funds/desk/money-cases.ts'
import {
  identityCase,
  type IdentityCheckTable,
  identityNumber,
} from '../../platform/database/identity-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { faultLines } from '../../platform/i18n/identity-faults.ts'
import { translatorFor } from '../../platform/i18n/translate.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { maskedNumber } from '../identity-checks.ts'
import { createUserVerification } from './user-verification.ts'

/** Identity checks, for compliance. Each view of a picture or a full number is recorded. */
export function registerIdentityDesk(services: DeskServices): void {
  const { api, queries, auditLog, waiting, deployment } = services
  waiting.register(identitySource(services))
  const decisions = createIdentityDecisions(services)
  const find = (accountId: number) =>
    queries
      .selectFrom('identity_check')
      .selectAll()
      .where('user_id', '=', BigInt(accountId))
      .executeTakeFirst()
  const numberOf = ({ user_id, number }: IdentityCheckTable) =>
    deployment.vault.open(number, identityNumber(user_id))

  api.operator(getIdentity, async ({ operator, input: { accountId } }) => {
    const row = await find(accountId)
    if (!row) return refuse('caseNotFound')
    const opened = await openedPictures(queries, operator.id, accountId)
    return shown(services, row, { number: maskedNumber(numberOf(row)), opened })
  })
  api.operator(revealIdentityNumber, async ({ operator, input: { accountId } }) => {
    const row = await find(accountId)
    if (!row) return refuse('caseNotFound')
    const caseKey = identityCase(accountId)
    const entry = { operator, act: 'viewIdentity', subject: caseKey, accountId, caseKey } as const
    return auditLog.performWithoutReason({ ...entry, after: { shown: 'number' } }, async () => ({
      number: numberOf(row),
    }))
  })
  api.operator(approveIdentity, ({ operator, input }) => decisions.approve(operator, input))
  api.operator(refuseIdentity, ({ operator, input }) => decisions.refuse(operator, input))
  api.operator(verifyPerson, createUserVerification(services))
}

async function shown(
  { queries }: DeskServices,
  row: IdentityCheckTable,
  { number, opened }: { readonly number: string; readonly opened: ReadonlySet<string> },
): Promise<IdentityDetail> {
  const sameNumber = await usersWithSameNumber(queries, [row])
  return {
    accountId: Number(row.user_id),
    name: row.name,
    number,
    front: row.front,
    reverse: row.reverse,
    sentAt: Number(row.sent_at),
    timesSent: Number(row.times_sent),
    isWaiting: row.status === 'waiting',
    sameNumber: sameNumber.get(row.user_id) ?? [],
    samePictures: await casesOfSamePictures(queries, row),
    opened: (['front', 'reverse'] as const).filter((side) => opened.has(row[side])),
  }
}

/** Other cases with the same bytes. All documents of one kind look similar, so similar pictures mean nothing. */
async function casesOfSamePictures(
  queries: Queries,
  { user_id: userId, front, reverse }: IdentityCheckTable,
): Promise<string[]> {
  const rows = await queries
    .selectFrom('stored_file as own')
    .innerJoin('stored_file as other', 'other.original_sha256', 'own.original_sha256')
    .select('other.used_by')
    .distinct()
    .where('own.key', 'in', [front, reverse])
    .where('other.used_by', 'is not', null)
    .where('other.used_by', '!=', identityCase(userId))
    .execute()
  return rows.flatMap(({ used_by: usedBy }) => usedBy ?? [])
}

/**
 * Submitted identities on the waiting list, by user. Every role sees the list, so it shows neither names nor document
 * numbers.
 */
function identitySource({ queries }: Pick<DeskServices, 'queries'>): WaitingSource {
  const itemsOf = async (rows: readonly IdentityCheckTable[]): Promise<WaitingItem[]> => {
    const sameNumber = await usersWithSameNumber(queries, rows)
    return rows.map((row) => itemOf(row, sameNumber.get(row.user_id) ?? []))
  }
  return {
    name: 'identity',
    list: async (most) => itemsOf(await waiting(queries).orderBy('sent_at').limit(most).execute()),
    count: async () => {
      const { count } = await waiting(queries)
        .clearSelect()
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    find: async (id) => {
      const rows = await waiting(queries).where('identity_check.user_id', '=', BigInt(id)).execute()
      return (await itemsOf(rows))[0] ?? null
    },
    contents: (item) => contentsOf(queries, item),
  }
}

/** Submissions that are neither decided nor verified in another way. */
const waiting = (queries: Queries) =>
  queries
    .selectFrom('identity_check')
    .leftJoin('verified_person', 'verified_person.user_id', 'identity_check.user_id')
    .selectAll('identity_check')
    .where('identity_check.status', '=', 'waiting')
    .where('verified_person.user_id', 'is', null)

/** Other users with the same document number. */
async function usersWithSameNumber(
  queries: Queries,
  rows: readonly IdentityCheckTable[],
): Promise<Map<bigint, readonly number[]>> {
  if (rows.length === 0) return new Map()
  const numberMarks = [...new Set(rows.map((row) => row.number_mark))]
  const same = await queries
    .selectFrom('identity_check')
    .select(['user_id', 'number_mark'])
    .where('number_mark', 'in', numberMarks)
    .orderBy('user_id')
    .execute()
  const byMark = Map.groupBy(same, (row) => row.number_mark)
  return new Map(
    rows.map((row) => {
      const others = (byMark.get(row.number_mark) ?? []).filter((each) => each.user_id !== row.user_id)
      return [row.user_id, others.map((each) => Number(each.user_id))]
    }),
  )
}

function itemOf(row: IdentityCheckTable, sameNumber: readonly number[]): WaitingItem {
  const id = Number(row.user_id)
  const times = Number(row.times_sent)
  const signs: RiskSign[] =
    sameNumber.length > 0
      ? [{ weight: 3, why: `same document as user ${sameNumber.map(userNumber).join(', ')}` }]
      : []
  return {
    id,
    kind: 'identity',
    kindName: 'Identities',
    title: `Identity ${userNumber(id)}`,
    accountId: id,
    amount: null,
    summary: times === 1 ? 'first submission' : `submission ${times}`,
    since: Number(row.sent_at),
    requestedBy: null,
    needsSecond: false,
    decidePermission: 'verifyPerson',
    signs,
  }
}

async function contentsOf(queries: Queries, { id, summary, since }: WaitingItem): Promise<CaseContents> {
  const example = [{ field: 'reverse', fault: 'unreadable', words: '' }] as const
  return {
    reason: '',
    changes: [],
    decision: 'identity',
    facts: [textFact('Documents', summary), ...(await paidFacts(queries, id))],
    steps: [
      step('Submitted by the user', 'done', { at: since }),
      step('Compared with the document', 'now', { note: 'name and number match it' }),
      step('Verified', 'next', { note: 'or rejected fields submitted again' }),
    ],
    texts: await textsForUser(queries, id, (translate) => [
      { when: 'approved', text: translate('mail.identityVerified.text') },
      {
        when: 'refused',
        text: translate('mail.identityRejected.text', { faults: faultLines(translate, example) }),
      },
    ]),
  }
}

type SeenCheck = { readonly accountId: number; readonly sentAt: number }

type Decision = {
  readonly operator: DeskOperator
  readonly seen: SeenCheck
  readonly reason: string
  /** Empty for an approval. */
  readonly faults: readonly FoundFault[]
}

/** Decides identity checks: approved, or returned with the faults to correct. */
const createIdentityDecisions = (services: DeskServices) => ({
  approve: (operator: DeskOperator, { reason, ...seen }: SeenCheck & { readonly reason: string }) =>
    decide(services, { operator, seen, reason, faults: [] }),

  refuse: async (
    operator: DeskOperator,
    { faults, ...seen }: SeenCheck & { readonly faults: readonly FoundFault[] },
  ) => {
    if (!areFaults(faults)) return refuse('identityFaultInvalid', { field: 'faults' })
    // For the audit log.
    const reason = shortened(faultLines(translatorFor('en'), faults))
    return decide(services, { operator, seen, reason, faults })
  },
})

async function decide(services: DeskServices, decision: Decision): Promise<null | Refusal> {
  const { auditLog, assignments, hub, notices, now } = services
  const { operator, seen, reason, faults } = decision
  const { accountId } = seen
  const caseKey = identityCase(accountId)
  const entry = { operator, act: 'verifyPerson', subject: caseKey, accountId, caseKey, reason } as const
  return assignments.decideUnlessTaken(operator, entry, async () => {
    const notice: NoticeFact =
      faults.length === 0 ? { kind: 'identityVerified' } : { kind: 'identityRejected', faults }
    const after = { identity: statusOf(decision), ...(faults.length > 0 && { faults }) }
    const done = await auditLog.perform(
      { ...entry, before: { identity: 'waiting' }, after },
      async (within) => {
        if (!(await end(within, decision, BigInt(now())))) return refuse('caseEnded')
        if (faults.length === 0 && !(await hasOpenedBoth(within, operator.id, accountId)))
          return refuse('documentsNotOpened')
        await notices.write(within, accountId, notice)
        return null
      },
    )
    if (isRefusal(done)) return done
    await assignments.clear(caseKey)
    notices.publish(accountId, notice)
    hub.changed('waiting', 'people')
    return null
  })
}

const statusOf = ({ faults }: Decision): 'approved' | 'rejected' =>
  faults.length === 0 ? 'approved' : 'rejected'

/** False if the submission that the operator saw no longer waits. */
async function end(within: Transaction<Tables>, decision: Decision, at: bigint): Promise<boolean> {
  const { operator, seen, reason, faults } = decision
  const userId = BigInt(seen.accountId)
  const { numUpdatedRows } = await within
    .updateTable('identity_check')
    .set({
      status: statusOf(decision),
      decided_at: at,
      faults: faults.length > 0 ? JSON.stringify(faults) : '',
    })
    .where('user_id', '=', userId)
    .where('status', '=', 'waiting')
    .where('sent_at', '=', BigInt(seen.sentAt))
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return false
  if (faults.length > 0) return true
  const row = { user_id: userId, at, operator_id: BigInt(operator.id), reason }
  await within.deleteFrom('verified_person').where('user_id', '=', userId).execute()
  await within.insertInto('verified_person').values(row).execute()
  return true
}

/** Only an operator who has opened both current pictures may verify them. */
async function hasOpenedBoth(
  within: Transaction<Tables>,
  operatorId: number,
  accountId: number,
): Promise<boolean> {
  const { front, reverse } = await within
    .selectFrom('identity_check')
    .select(['front', 'reverse'])
    .where('user_id', '=', BigInt(accountId))
    .executeTakeFirstOrThrow()
  const opened = await openedPictures(within, operatorId, accountId)
  return opened.has(front) && opened.has(reverse)
}

/** Each field at most once, with a fault that applies to it; "other" needs a text. */
function areFaults(faults: readonly FoundFault[]): boolean {
  const fields = new Set(faults.map(({ field }) => field))
  return (
    faults.length > 0 &&
    fields.size === faults.length &&
    faults.every(
      ({ field, fault, words }) =>
        (IDENTITY_FAULTS[field] as readonly string[]).includes(fault) && (fault !== 'other' || words !== ''),
    )
  )
}

const REASON_LENGTH_MAX = 500
const shortened = (text: string): string =>
  text.length <= REASON_LENGTH_MAX ? text : `${text.slice(0, REASON_LENGTH_MAX - 1)}…`

/** The keys of the pictures of a user's documents that an operator has opened, from the audit log. */
async function openedPictures(
  queries: Queries,
  operatorId: number,
  accountId: number,
): Promise<ReadonlySet<string>> {
  const views = await queries
    .selectFrom('desk_act')
    .select('after')
    .where('account_id', '=', BigInt(accountId))
    .where('operator_id', '=', BigInt(operatorId))
    .where('act', '=', 'viewIdentity')
    .where('outcome', '=', 'done')
    .execute()
  return new Set(views.flatMap(({ after }) => pictureIn(after) ?? []))
}

/** The key of the picture that was viewed; null if the document number was. */
function pictureIn(after: string | null): string | null {
  const { picture } = JSON.parse(after ?? '{}') as { readonly picture?: unknown }
  return typeof picture === 'string' ? picture : null
}
