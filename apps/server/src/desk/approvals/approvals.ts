import type { Transaction } from 'kysely'
import { mayDo, type DeskAct } from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import type { ApprovalTable } from '../../database/desk-schema.ts'
import type { Tables } from '../../database/schema.ts'
import { refuse, type Refusal } from '../../http/refusal.ts'
import { refusalOfReason, type ActLog } from '../acts/act-log.ts'
import type { DeskOperator } from '../operator.ts'
import type { RiskSign } from '../waiting/waiting-source.ts'

/** An act that waits for a second person, as it was asked for. */
export type Asked = {
  /** A kind that was registered. */
  readonly kind: string
  readonly subject: string
  readonly accountId?: number | null
  /** What is to be done: plain JSON, read again by the kind when it is approved. */
  readonly body: unknown
  readonly before?: unknown
  readonly after?: unknown
  readonly reason: string
}

/** The two people behind an approved act, and its case. */
export type Approved = {
  readonly asked: DeskOperator
  readonly second: DeskOperator
  readonly reason: string
  readonly caseKey: string
}

/** What approving one kind of act does. */
export type ApprovalKind = {
  /** Who may ask for it, and who may approve or refuse it. */
  readonly askAct: DeskAct
  readonly decideAct: DeskAct
  /** How a filter of the list of what waits calls its cases; the kind in words where it is left out. */
  readonly name?: string
  /** Its subject is a case, which it belongs to: it stands on the list with it, and not a second time. */
  readonly isAtItsSubject?: boolean
  /** Reasons to look at one before others. */
  signsOf?(body: unknown): readonly RiskSign[]
  /**
   * Does it. The act is written down by whoever does it, with both names. A refusal leaves the case waiting; `formOutdated` where what it would
   * change is not what it was when it was asked for.
   */
  execute(body: unknown, approved: Approved): Promise<Refusal | null>
}

export type Approvals = {
  register(kind: string, how: ApprovalKind): void
  kindOf(kind: string): ApprovalKind | null
  kindsAtTheirSubject(): readonly string[]
  /** The case at which it is decided. */
  caseKeyOf(id: number): Promise<string>
  /** Those of a kind that wait, by their subject. */
  waitingAt(kind: string, subjects: readonly string[]): Promise<ReadonlyMap<string, ApprovalTable>>
  /** Puts an act before a second person; answers the number of its case. */
  ask(operator: DeskOperator, asked: Asked): Promise<number | Refusal>
  /** Approves or refuses it. Never by whoever asked, never twice. */
  decide(operator: DeskOperator, id: number, isApproved: boolean, reason: string): Promise<Refusal | null>
  /** Takes it back, by whoever asked. */
  withdraw(operator: DeskOperator, id: number, reason: string): Promise<Refusal | null>
}

export type ApprovalsOptions = {
  readonly queries: Queries
  readonly acts: ActLog
  readonly now: () => number
}

/** Four eyes: one asks, another one decides, and both names stand under what is done. */
export function createApprovals(options: ApprovalsOptions): Approvals {
  const { queries, acts, now } = options
  const kinds = new Map<string, ApprovalKind>()
  const underWay = new Set<number>()

  /** Two at once: the first is under way, and decides. */
  const once = async (id: number, work: (row: ApprovalTable, kind: ApprovalKind) => Deciding): Deciding => {
    if (underWay.has(id)) return refuse('caseEnded')
    underWay.add(id)
    try {
      const row = await findApproval(queries, id)
      const kind = kinds.get(row?.kind ?? '')
      return row && kind ? await work(row, kind) : refuse('caseNotFound')
    } finally {
      underWay.delete(id)
    }
  }

  return {
    register: (kind, how) => void kinds.set(kind, how),
    kindOf: (kind) => kinds.get(kind) ?? null,
    kindsAtTheirSubject: () => [...kinds].flatMap(([name, kind]) => (kind.isAtItsSubject ? [name] : [])),
    caseKeyOf: async (id) => {
      const row = await findApproval(queries, id)
      return row && kinds.get(row.kind)?.isAtItsSubject ? row.subject : approvalKey(id)
    },
    waitingAt: (kind, subjects) => findWaiting(queries, kind, subjects),
    ask: async (operator, asked) => {
      const kind = kinds.get(asked.kind)
      if (!kind) throw new Error(`no approval is called ${asked.kind}`)
      const { subject, reason, before, after, accountId = null } = asked
      return acts.perform(
        { operator, act: kind.askAct, subject, reason, before, after: { asked: after } },
        (within) => insert(within, operator, asked, accountId, now()),
      )
    },
    decide: async (operator, id, isApproved, reason) =>
      refusalOfReason(reason) ??
      once(id, (row, kind) => decide(options, { row, kind, by: operator, isApproved, reason })),
    withdraw: async (operator, id, reason) =>
      once(id, async (row, { askAct }) =>
        Number(row.asked_by) === operator.id
          ? end(options, { row, act: askAct, by: operator, status: 'withdrawn', reason })
          : refuse('caseNotFound'),
      ),
  }
}

type Deciding = Promise<Refusal | null>

type Decision = {
  readonly row: ApprovalTable
  readonly kind: ApprovalKind
  readonly by: DeskOperator
  readonly isApproved: boolean
  readonly reason: string
}

async function decide(options: ApprovalsOptions, { row, kind, by, isApproved, reason }: Decision): Deciding {
  const { decideAct: act } = kind
  const caseKey = approvalKey(Number(row.id))
  const barrier = barrierOf(row, kind, by)
  if (barrier) {
    await options.acts.tellRefused({ operator: by, act, subject: row.subject, reason, caseKey }, barrier)
    return barrier
  }
  if (isApproved) {
    const approved = { asked: askerOf(row), second: by, reason: row.reason, caseKey }
    const refusal = await kind.execute(JSON.parse(row.body), approved)
    if (refusal) return refusal
  }
  return end(options, { row, act, by, status: isApproved ? 'approved' : 'refused', reason })
}

type End = {
  readonly row: ApprovalTable
  readonly act: DeskAct
  readonly by: DeskOperator
  readonly status: Ending
  readonly reason: string
}

const end = ({ acts, now }: ApprovalsOptions, { row, act, by, status, reason }: End): Deciding =>
  acts.perform(
    {
      ...{ operator: by, act, subject: row.subject, reason, caseKey: approvalKey(Number(row.id)) },
      after: { approval: status },
    },
    async (within) => {
      const ended = await within
        .updateTable('approval')
        .set({
          ...{ status, decided_by: BigInt(by.id), decided_name: by.name, decided_role: by.role },
          ...{ decided_at: BigInt(Math.floor(now())), decided_reason: reason.trim() },
        })
        .where('id', '=', row.id)
        .where('status', '=', 'waiting')
        .executeTakeFirst()
      return ended.numUpdatedRows === 1n ? null : refuse('caseEnded')
    },
  )

type Ending = 'approved' | 'refused' | 'withdrawn'

/** How a case of this kind is called in the list of acts and among those that are taken. */
const approvalKey = (id: number): string => `approval:${id}`

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

function barrierOf(row: ApprovalTable, kind: ApprovalKind, by: DeskOperator): Refusal | null {
  if (row.status !== 'waiting') return refuse('caseEnded')
  if (!mayDo(by.role, kind.decideAct)) return refuse('roleRefused')
  return Number(row.asked_by) === by.id ? refuse('sameOperator') : null
}

const askerOf = (row: ApprovalTable): DeskOperator => ({
  id: Number(row.asked_by),
  name: row.asked_name,
  role: row.asked_role as DeskOperator['role'],
})

async function insert(
  within: Transaction<Tables>,
  operator: DeskOperator,
  { kind, subject, body, before, after, reason }: Asked,
  accountId: number | null,
  at: number,
): Promise<number> {
  const { most } = await within
    .selectFrom('approval')
    .select((select) => select.fn.max('id').as('most'))
    .executeTakeFirstOrThrow()
  const id = ((most as bigint | null) ?? 0n) + 1n
  await within
    .insertInto('approval')
    .values({
      ...{ id, kind, subject, account_id: accountId === null ? null : BigInt(accountId) },
      ...{ body: jsonOf(body), before: jsonOf(before ?? null), after: jsonOf(after ?? null) },
      ...{ reason: reason.trim(), asked_by: BigInt(operator.id), asked_name: operator.name },
      ...{ asked_role: operator.role, asked_at: BigInt(Math.floor(at)), status: 'waiting' },
      ...{ decided_by: null, decided_name: null, decided_role: null, decided_at: null, decided_reason: '' },
    })
    .execute()
  return Number(id)
}

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
