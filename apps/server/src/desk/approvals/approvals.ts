import { mayDo, type CaseWords, type DeskAct } from '@fairlot/contract/desk'
import type { Entry, Request } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'
import type { ApprovalTable } from '../../database/desk-schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { createTurns } from '../../http/turns.ts'
import { refusalOfReason, type ActLog, type ApprovalEnd } from '../acts/act-log.ts'
import type { DeskOperator } from '../operator.ts'
import type { RiskSign } from '../waiting/waiting-source.ts'
import {
  askedBefore,
  askerOf,
  decidedOf,
  endApproval,
  findApproval,
  insertApproval,
  intendApproval,
  listIntended,
  type Asked,
  type Decided,
  type Ending,
} from './approval-rows.ts'

/** The two people behind an approved act, and its case. */
export type Approved = {
  readonly asked: DeskOperator
  readonly second: DeskOperator
  readonly reason: string
  readonly caseKey: string
  /** Belongs to the act that does it, so that neither is there without the other. */
  readonly approval: ApprovalEnd
}

/** What traders will read once it is approved, or in a sentence why they read nothing of it. */
type Told = readonly CaseWords[] | string

/** What approving one kind of act does. Its case shows what traders will read; that of what belongs to another case does so itself. */
export type ApprovalKind = ApprovalDoing & (AtItsSubject | OnItsOwn)
/** Its subject is a case, which it belongs to: it stands on the list with it, and not a second time. */
type AtItsSubject = { readonly isAtItsSubject: true }
type OnItsOwn = {
  readonly isAtItsSubject?: false
  /** From the same functions and catalogues that will say it then. `reason`: of whoever asked. */
  wordsOf(body: unknown, reason: string): Told | Promise<Told | Refusal>
}

type ApprovalDoing = {
  /** Who may ask for it, and who may approve or refuse it. */
  readonly askAct: DeskAct
  readonly decideAct: DeskAct
  /** How a filter of the list of what waits calls its cases; the kind in words where it is left out. */
  readonly name?: string
  /** Reasons to look at one before others. */
  signsOf?(body: unknown): readonly RiskSign[]
  /**
   * Does it. The act is written down by whoever does it, with both names and `approval`. A refusal leaves the case waiting; `formOutdated` where what it would
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
  /** The case that a request has made already; null for none. */
  askedBefore(request: Request | undefined): Promise<number | Refusal | null>
  /** Puts an act before a second person; answers the number of its case. */
  ask(operator: DeskOperator, asked: Asked): Promise<number | Refusal>
  /** Approves or refuses it. Never by whoever asked, never twice. */
  decide(operator: DeskOperator, id: number, isApproved: boolean, reason: string): Promise<Refusal | null>
  /** Takes it back, by whoever asked. */
  withdraw(operator: DeskOperator, id: number, reason: string): Promise<Refusal | null>
  /** After a crash: ends the cases of what the journal says is done. Answers how many there were. */
  endDone(): Promise<number>
}

export type ApprovalsOptions = {
  readonly queries: Queries
  readonly acts: ActLog
  readonly now: () => number
  /** What the journal has done for a request; null for nothing. */
  readonly journaled: (request: Request) => Promise<Entry | Refusal | null>
}

/** Four eyes: one asks, another one decides, and both names stand under what is done. */
export function createApprovals(options: ApprovalsOptions): Approvals {
  const { queries, acts, now } = options
  const kinds = new Map<string, ApprovalKind>()
  const underWay = new Set<number>()
  const inTurn = createTurns()

  /** Two at once: the first is under way, and decides. What was done before something went wrong is ended first. */
  const once = async (id: number, work: (row: ApprovalTable, kind: ApprovalKind) => Deciding): Deciding => {
    if (underWay.has(id)) return refuse('caseEnded')
    underWay.add(id)
    try {
      const row = await findApproval(queries, id)
      const kind = kinds.get(row?.kind ?? '')
      if (!row || !kind) return refuse('caseNotFound')
      const isDone = await endIfDone(options, row, kind)
      if (isRefusal(isDone)) return isDone
      return isDone ? refuse('caseEnded') : await work(row, kind)
    } finally {
      underWay.delete(id)
    }
  }

  const ask = async (operator: DeskOperator, asked: Asked): Promise<number | Refusal> => {
    const kind = kinds.get(asked.kind)
    if (!kind) throw new Error(`no approval is called ${asked.kind}`)
    const known = await askedBefore(queries, asked.request)
    if (known !== null) return known
    const { subject, reason, before, after } = asked
    return acts.perform(
      { operator, act: kind.askAct, subject, reason, before, after: { asked: after } },
      (within) => insertApproval(within, operator, asked, now()),
    )
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
    askedBefore: (request) => askedBefore(queries, request),
    ask: (operator, asked) => inTurn(() => ask(operator, asked)),
    decide: async (operator, id, isApproved, reason) =>
      refusalOfReason(reason) ??
      once(id, (row, kind) => decide(options, { row, kind, by: operator, isApproved, reason })),
    withdraw: async (operator, id, reason) =>
      once(id, async (row, { askAct }) =>
        Number(row.asked_by) === operator.id
          ? end(options, row, { act: askAct, status: 'withdrawn', by: operator, reason, at: now() })
          : refuse('caseNotFound'),
      ),
    endDone: async () => {
      let count = 0
      for (const row of await listIntended(queries)) {
        const kind = kinds.get(row.kind)
        if (kind && (await endIfDone(options, row, kind)) === true) count += 1
      }
      return count
    },
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
  const { acts, queries, now } = options
  const { decideAct: act } = kind
  const caseKey = approvalKey(Number(row.id))
  const barrier = barrierOf(row, kind, by)
  if (barrier) {
    await acts.tellRefused({ operator: by, act, subject: row.subject, reason, caseKey }, barrier)
    return barrier
  }
  const ended = { act, by, reason, at: now() }
  if (!isApproved) return end(options, row, { ...ended, status: 'refused' })
  await intendApproval(queries, row, ended)
  const { approval, hasEnded } = approvalEnd(row, { ...ended, status: 'approved' })
  const approved = { asked: askerOf(row), second: by, reason: row.reason, caseKey, approval }
  const refusal = await kind.execute(JSON.parse(row.body), approved)
  if (refusal || hasEnded()) return refusal
  // What wrote no act down, for there was nothing left to do.
  return end(options, row, { ...ended, status: 'approved' })
}

type End = Decided & { readonly act: DeskAct; readonly status: Ending }

const actOfEnd = (row: ApprovalTable, { by, act, status, reason }: End) => ({
  ...{ operator: by, act, subject: row.subject, reason, caseKey: approvalKey(Number(row.id)) },
  after: { approval: status },
})

const end = ({ acts }: ApprovalsOptions, row: ApprovalTable, ended: End): Deciding =>
  acts.perform(actOfEnd(row, ended), (within) => endApproval(within, row, ended.status, ended))

/** How an approved case ends together with the act it was about, and whether it has. */
function approvalEnd(row: ApprovalTable, ended: End) {
  let hasEnded = false
  const approval: ApprovalEnd = {
    request: requestOf(row),
    end: async (within, write) => {
      const refusal = await endApproval(within, row, ended.status, ended)
      if (refusal) return refusal
      await write(actOfEnd(row, ended))
      hasEnded = true
      return null
    },
  }
  return { approval, hasEnded: () => hasEnded }
}

/**
 * Ends a case whose act is in the journal, though the server died or lost its database before it could be written down. True where it was
 * so.
 */
async function endIfDone(
  { acts, journaled }: ApprovalsOptions,
  row: ApprovalTable,
  { askAct, decideAct }: ApprovalKind,
): Promise<boolean | Refusal> {
  const decided = decidedOf(row)
  if (row.status !== 'waiting' || !decided) return false
  const entry = await journaled(requestOf(row))
  if (entry === null || isRefusal(entry)) return entry ?? false
  const { approval } = approvalEnd(row, { ...decided, act: decideAct, status: 'approved' })
  const { subject, reason } = row
  await acts.tell(
    {
      ...{ operator: askerOf(row), second: decided.by, act: askAct, subject, reason, approval },
      accountId: row.account_id === null ? null : Number(row.account_id),
      ...{ before: valueOf(row.before), after: valueOf(row.after), caseKey: approvalKey(Number(row.id)) },
    },
    entry.at,
  )
  return true
}

const valueOf = (json: string | null): unknown => (json === null ? null : JSON.parse(json))

/** How a case of this kind is called in the list of acts and among those that are taken. */
export const approvalKey = (id: number): string => `approval:${id}`

/** What names the doing of an approved act in the journal, in the name of whoever asked for it. */
function requestOf({ id, asked_by }: ApprovalTable): Request {
  const key = approvalKey(Number(id))
  return { accountId: Number(asked_by), call: 'desk.approval', id: key, digest: key }
}

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
