import { createHash } from 'node:crypto'
import {
  type ApprovalName,
  type CaseNotice,
  type DeskPermission,
  mayDo,
  type OperatorRole,
  TWO_OPERATORS,
} from '@fairlot/contract/desk'
import { type Request, requestKey } from '@fairlot/core'
import type { Transaction } from 'kysely'
import { createMutex } from '../../platform/concurrency.ts'
import type { ApprovalTable } from '../../platform/database/desk-schema.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { type ApprovalEnd, type AuditLog, refusalOfReason } from '../audit-log/audit-log.ts'
import type { DeskOperator } from '../operators/operators.ts'
import type { RiskSign } from '../waiting/waiting-list.ts'

/** A change approved by a second operator. Its audit entry has both names and ends the approval in the same transaction. */
export type Approved = {
  /** The operator who requested it, as the author of the change. */
  readonly operator: DeskOperator
  /** The operator who approved it. */
  readonly second: DeskOperator
  /** Why it was requested. */
  readonly reason: string
  readonly caseKey: string
  readonly approval: ApprovalEnd
}

/** Who makes a change, and why: one operator, or two through an approval. */
export type MadeBy = Pick<Approved, 'operator' | 'reason'> & Partial<Approved>

/** A change that needs a second operator. */
export type ApprovalRequest = {
  readonly kind: ApprovalName
  readonly subject: string
  readonly accountId?: number | null
  /** The change as plain JSON, which `execute` reads when it is approved. */
  readonly body: unknown
  readonly before?: unknown
  readonly after?: unknown
  readonly reason: string
  /** Identifies the request, so that a repeat opens no second case. */
  readonly request?: Request | undefined
}

/** The case opened by a request. */
export type RequestedApproval = { readonly approvalId: number }

/** What users will read once it is approved, or why they read nothing. */
type UserTexts = readonly CaseNotice[] | string

/** A kind of approval. An area registers one for each of its changes that need two operators. */
export type ApprovalKind = Execution & (OwnCase | PartOfSubjectCase)

type Execution = {
  /**
   * Carries out the approved change, with an audit entry that names `approved.approval`. A refusal leaves the case
   * open; it is `formOutdated` if the subject has changed since the request.
   */
  execute(body: unknown, approved: Approved): Promise<Refusal | null>
}

/** The approval is a case of its own on the waiting list. */
type OwnCase = {
  readonly isDecidedAtSubject?: false
  /** The name of these cases on the waiting list; by default made from the kind. */
  readonly name?: string
  /** Reasons to decide a case before others. */
  signsOf?(body: unknown): readonly RiskSign[]
  /** What users will read, made by the same functions and catalogues. `reason`: of the request. */
  textsOf(body: unknown, reason: string): UserTexts | Promise<UserTexts | Refusal>
}

/** The subject is a case itself, such as a deposit: the approval is decided there and not listed separately. */
type PartOfSubjectCase = {
  readonly isDecidedAtSubject: true
  readonly name?: never
  readonly signsOf?: never
}

/** A kind with the permissions to request it and to decide it. */
type RegisteredKind = ApprovalKind & {
  readonly requestPermission: DeskPermission
  readonly decidePermission: DeskPermission
}

/** Changes that need two operators: one requests, another decides, and the audit entry of the change has both names. */
export type Approvals = {
  register(name: ApprovalName, kind: ApprovalKind): void
  kindOf(name: string): RegisteredKind | null
  kindsDecidedAtSubject(): readonly string[]
  /** The key of the case where an approval is decided. */
  caseKeyOf(id: number): Promise<string>
  /** Pending approvals of a kind, by subject. */
  waitingFor(kind: ApprovalName, subjects: readonly string[]): Promise<ReadonlyMap<string, ApprovalTable>>
  /** The case that the same request opened before; null for a new request. Refused if its id was used for another change. */
  repeated(request: Request | undefined): Promise<RequestedApproval | Refusal | null>
  /** Opens a case for a second operator. Refused while the desk has a single operator, unless the kind may wait. */
  request(operator: DeskOperator, change: ApprovalRequest): Promise<RequestedApproval | Refusal>
  /** Approves or refuses a case: once, and never by the operator who requested it. */
  decide(operator: DeskOperator, id: number, isApproved: boolean, reason: string): Promise<Refusal | null>
  /** Withdraws a case, by the operator who requested it. */
  withdraw(operator: DeskOperator, id: number, reason: string): Promise<Refusal | null>
  /** How an approval in progress ends; null if nobody has begun to decide it. */
  endOf(id: number): Promise<ApprovalEnd | null>
}

export type ApprovalsOptions = {
  readonly queries: Queries
  readonly auditLog: AuditLog
  /** Real time, epoch ms. */
  readonly now: () => number
  /** Completes earlier decisions that a crash or a lost database interrupted. */
  readonly settle: () => Promise<unknown>
  /** Whether no second operator has joined. */
  readonly isSingleOperator: () => boolean
}

export function createApprovals(options: ApprovalsOptions): Approvals {
  const { queries, auditLog, now, settle } = options
  const kinds = new Map<string, RegisteredKind>()
  const withLock = createMutex()
  /** Claims of this process whose outcome was unknown when the database went away. */
  const orphans = new Set<number>()
  /** Approvals that ended in the transaction of their audit entry. */
  const ended = new Set<number>()

  const find = async (id: number): Promise<{ row: ApprovalTable; kind: RegisteredKind } | Refusal> => {
    await settle()
    if (orphans.has(id)) {
      await releaseApproval(queries, { id: BigInt(id) })
      orphans.delete(id)
    }
    const row = await findApproval(queries, id)
    const kind = kinds.get(row?.kind ?? '')
    return row && kind ? { row, kind } : refuse('caseNotFound')
  }

  const request = async (
    operator: DeskOperator,
    change: ApprovalRequest,
  ): Promise<RequestedApproval | Refusal> => {
    const kind = kinds.get(change.kind)
    if (!kind) throw new Error(`no approval of kind ${change.kind} is registered`)
    const known = await caseOfRequest(queries, change.request)
    if (known) return known
    const { subject, reason, before, after, body } = change
    const entry = { operator, act: kind.requestPermission, subject, reason }
    if (options.isSingleOperator() && TWO_OPERATORS[change.kind].alone === 'secondOperatorNeeded') {
      const refusal = refuse('secondOperatorNeeded')
      await auditLog.recordRefusal(entry, refusal)
      return refusal
    }
    return auditLog.perform(
      { ...entry, before, after: { asked: after, bodyHash: bodyHash(jsonOf(body)) } },
      async (within) => ({ approvalId: await insertApproval(within, operator, change, now()) }),
    )
  }

  /** Ends a case without a change. */
  const end = (row: ApprovalTable, decision: Decision): Promise<Refusal | null> =>
    auditLog.perform(entryOfEnd(row, decision), (within) => endApproval(within, row, decision))

  /** Ends a case in the transaction that records the approved change. */
  const endWithEntry = (row: ApprovalTable, decision: Decision): ApprovalEnd => ({
    id: Number(row.id),
    request: requestOf(row),
    end: async (within, write) => {
      const refusal = await endApproval(within, row, decision)
      if (refusal) return refusal
      await write(entryOfEnd(row, decision))
      ended.add(Number(row.id))
      return null
    },
  })

  const decide = async (
    { row, kind }: { readonly row: ApprovalTable; readonly kind: RegisteredKind },
    decision: Decision,
  ): Promise<Refusal | null> => {
    const id = Number(row.id)
    const { by, act, reason } = decision
    const caseKey = approvalKey(id)
    const recordRefusal = async (refusal: Refusal) => {
      await auditLog.recordRefusal({ operator: by, act, subject: row.subject, reason, caseKey }, refusal)
      return refusal
    }
    const notAllowed = reasonNotToDecide(row, kind, by) ?? (await refusalUnlessEntitled(queries, by, kind))
    if (notAllowed) return recordRefusal(notAllowed)
    if (!(await isStillEntitled(queries, row, kind)))
      return (await end(row, { ...decision, status: 'void' })) ?? refuse('operatorNotEntitled')
    // Another operator decides it at this moment.
    if (!(await claimApproval(queries, row, decision))) return recordRefusal(refuse('caseEnded'))
    if (decision.status !== 'approved') return end(row, decision)
    try {
      const refusal = await kind.execute(JSON.parse(row.body), {
        operator: requesterOf(row),
        second: by,
        reason: row.reason,
        caseKey,
        approval: endWithEntry(row, decision),
      })
      // Whether it was done is unknown: the claim stays until that is known.
      if (refusal?.rejected === 'engineUnavailable') orphans.add(id)
      else if (refusal) await releaseApproval(queries, row)
      if (refusal) return refusal
    } catch (error) {
      // A decided change ends with its follow-up; otherwise the claim is released.
      await settle()
        .then(() => releaseApproval(queries, row))
        .catch(() => orphans.add(id))
      throw error
    }
    // If there was nothing left to change, no audit entry was written and the case is still open.
    return ended.delete(id) ? null : end(row, decision)
  }

  return {
    register: (name, kind) => {
      const { first: requestPermission, second: decidePermission } = TWO_OPERATORS[name]
      kinds.set(name, { ...kind, requestPermission, decidePermission })
    },
    kindOf: (name) => kinds.get(name) ?? null,
    kindsDecidedAtSubject: () =>
      [...kinds].flatMap(([name, kind]) => (kind.isDecidedAtSubject ? [name] : [])),
    caseKeyOf: async (id) => {
      const row = await findApproval(queries, id)
      return row && kinds.get(row.kind)?.isDecidedAtSubject ? row.subject : approvalKey(id)
    },
    waitingFor: (kind, subjects) => findWaiting(queries, kind, subjects),
    repeated: (repeat) => caseOfRequest(queries, repeat),
    request: (operator, change) => withLock(() => request(operator, change)),
    decide: async (by, id, isApproved, reason) => {
      const blank = refusalOfReason(reason)
      if (blank) return blank
      const found = await find(id)
      if (isRefusal(found)) return found
      const status = isApproved ? 'approved' : 'refused'
      return decide(found, { by, act: found.kind.decidePermission, status, reason, at: now() })
    },
    withdraw: async (by, id, reason) => {
      const found = await find(id)
      if (isRefusal(found)) return found
      const { row, kind } = found
      if (Number(row.asked_by) !== by.id) return refuse('caseNotFound')
      const decision: Decision = { by, act: kind.requestPermission, status: 'withdrawn', reason, at: now() }
      return (await claimApproval(queries, row, decision)) ? end(row, decision) : refuse('caseEnded')
    },
    endOf: async (id) => {
      const row = await findApproval(queries, id)
      const kind = kinds.get(row?.kind ?? '')
      const claim = row && claimOf(row)
      if (!row || !kind || !claim) return null
      return endWithEntry(row, { ...claim, act: kind.decidePermission, status: 'approved' })
    },
  }
}

/** Who decides, why, and when (epoch ms). */
type Claim = { readonly by: DeskOperator; readonly reason: string; readonly at: number }

type Decision = Claim & {
  readonly act: DeskPermission
  /** `void`: the operator who requested it was switched off or lost the role before it was decided. */
  readonly status: 'approved' | 'refused' | 'withdrawn' | 'void'
}

const entryOfEnd = (row: ApprovalTable, { by, act, status, reason }: Decision) => ({
  operator: by,
  act,
  subject: row.subject,
  reason,
  caseKey: approvalKey(Number(row.id)),
  after: { approval: status },
})

/** The key of an approval that is a case of its own. */
export const approvalKey = (id: number): string => `approval:${id}`

/** Identifies the approved change in the journal, so that it is made once. */
function requestOf({ id, asked_by }: ApprovalTable): Request {
  const key = approvalKey(Number(id))
  return { accountId: Number(asked_by), call: 'desk.approval', id: key, digest: key }
}

/** Why an operator may not decide a case; null if nothing forbids it. */
function reasonNotToDecide(row: ApprovalTable, kind: RegisteredKind, by: DeskOperator): Refusal | null {
  if (row.status !== 'waiting') return refuse('caseEnded')
  if (!mayDo(by.role, kind.decidePermission)) return refuse('roleRefused')
  return Number(row.asked_by) === by.id ? refuse('sameOperator') : null
}

/** Whether an operator is active now, in a role that has a permission. */
async function isEntitled(queries: Queries, id: bigint, act: DeskPermission): Promise<boolean> {
  const row = await queries
    .selectFrom('operator')
    .select(['role', 'is_on'])
    .where('id', '=', id)
    .executeTakeFirst()
  return row !== undefined && row.is_on === 1n && mayDo(row.role as OperatorRole, act)
}

/** The refusal of an operator who was switched off or demoted after the call was admitted: its body may come late. */
const refusalUnlessEntitled = async (
  queries: Queries,
  by: DeskOperator,
  { decidePermission }: RegisteredKind,
): Promise<Refusal | null> =>
  (await isEntitled(queries, BigInt(by.id), decidePermission)) ? null : refuse('operatorNotEntitled')

/**
 * Whether the operator who requested it is active, in the role of the request, and has been ever since, with the same
 * log-in: a reset or a recovery voids what may have been requested with a stolen one.
 */
async function isStillEntitled(
  queries: Queries,
  { asked_by: requesterId, asked_at: since, asked_role: role }: ApprovalTable,
  { requestPermission }: RegisteredKind,
): Promise<boolean> {
  if (!(await isEntitled(queries, requesterId, requestPermission))) return false
  const changes = await queries
    .selectFrom('desk_act')
    .select('after')
    .where('act', 'in', ['changeOperators', 'ownAccess'])
    .where('subject', '=', `operator:${requesterId}`)
    .where('outcome', '=', 'done')
    .where('at', '>=', since)
    .execute()
  return !changes.some(({ after }) => {
    const { isOn, role: newRole, password, joined } = JSON.parse(after ?? '{}') as Standing
    const hasNewLogIn = password === 'none' || joined === true
    return hasNewLogIn || (isOn !== undefined && (!isOn || newRole !== role))
  })
}

/** What a change of an operator may set. Joining is by keys of an invitation or of a recovery. */
type Standing = {
  readonly role?: string
  readonly isOn?: boolean
  readonly password?: string
  readonly joined?: boolean
}

export const findApproval = (queries: Queries, id: number): Promise<ApprovalTable | undefined> =>
  queries.selectFrom('approval').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()

async function findWaiting(
  queries: Queries,
  kind: string,
  subjects: readonly string[],
): Promise<ReadonlyMap<string, ApprovalTable>> {
  if (subjects.length === 0) return new Map()
  const rows = await queries
    .selectFrom('approval')
    .selectAll()
    .where('kind', '=', kind)
    .where('status', '=', 'waiting')
    .where('subject', 'in', subjects)
    .execute()
  return new Map(rows.map((row) => [row.subject, row]))
}

async function caseOfRequest(
  queries: Queries,
  request: Request | undefined,
): Promise<RequestedApproval | Refusal | null> {
  if (!request) return null
  const row = await queries
    .selectFrom('approval')
    .select(['id', 'request_digest'])
    .where('request_key', '=', requestKey(request))
    .executeTakeFirst()
  if (!row) return null
  return row.request_digest === request.digest
    ? { approvalId: Number(row.id) }
    : refuse('requestIdReused', { requestId: request.id })
}

async function insertApproval(
  within: Transaction<Tables>,
  operator: DeskOperator,
  { kind, subject, body, before, after, reason, accountId = null, request }: ApprovalRequest,
  at: number,
): Promise<number> {
  const id = await nextId(within, 'approval')
  await within
    .insertInto('approval')
    .values({
      id,
      kind,
      subject,
      account_id: accountId === null ? null : BigInt(accountId),
      body: jsonOf(body),
      before: jsonOf(before ?? null),
      after: jsonOf(after ?? null),
      reason: reason.trim(),
      asked_by: BigInt(operator.id),
      asked_name: operator.name,
      asked_role: operator.role,
      asked_at: BigInt(Math.floor(at)),
      status: 'waiting',
      ...NO_CLAIM,
      request_key: request ? requestKey(request) : null,
      request_digest: request?.digest ?? null,
    })
    .execute()
  return Number(id)
}

/** A claim expires after this time, ms: no decision takes so long. */
const CLAIM_MS = 30_000

/** Reserves an open case for one decision. False if another decision has reserved it, or if it has ended. */
async function claimApproval(
  queries: Queries,
  { id }: Pick<ApprovalTable, 'id'>,
  claim: Claim,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('approval')
    .set(claimColumns(claim))
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .where((row) =>
      row.or([
        row('decided_by', 'is', null),
        row('decided_at', '<', BigInt(Math.floor(claim.at) - CLAIM_MS)),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Releases a claim whose change was refused or failed. */
async function releaseApproval(queries: Queries, { id }: Pick<ApprovalTable, 'id'>): Promise<void> {
  await queries
    .updateTable('approval')
    .set(NO_CLAIM)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .execute()
}

async function endApproval(
  within: Transaction<Tables>,
  { id }: Pick<ApprovalTable, 'id'>,
  decision: Decision,
): Promise<Refusal | null> {
  const { numUpdatedRows } = await within
    .updateTable('approval')
    .set({ status: decision.status, ...claimColumns(decision) })
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows === 1n ? null : refuse('caseEnded')
}

const NO_CLAIM = {
  decided_by: null,
  decided_name: null,
  decided_role: null,
  decided_at: null,
  decided_reason: '',
} as const

const claimColumns = ({ by, reason, at }: Claim) => ({
  decided_by: BigInt(by.id),
  decided_name: by.name,
  decided_role: by.role,
  decided_at: BigInt(Math.floor(at)),
  decided_reason: reason.trim(),
})

const requesterOf = (row: ApprovalTable): DeskOperator => ({
  id: Number(row.asked_by),
  name: row.asked_name,
  role: row.asked_role as DeskOperator['role'],
})

const claimOf = (row: ApprovalTable): Claim | null =>
  row.decided_by === null
    ? null
    : {
        by: {
          id: Number(row.decided_by),
          name: row.decided_name ?? '',
          role: (row.decided_role ?? row.asked_role) as DeskOperator['role'],
        },
        reason: row.decided_reason,
        at: Number(row.decided_at),
      }

/** SHA-256 of a stored change, in hex. The audit entry of the request contains it, so that the row cannot be altered unnoticed. */
export const bodyHash = (body: string): string => createHash('sha256').update(body).digest('hex')

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
