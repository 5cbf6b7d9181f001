import type { Queries } from '../../database/open.ts'
import type { ApprovalTable } from '../../database/desk-schema.ts'
import { subjectLabel } from '@fairlot/contract/desk'
import { subjectNames } from '../acts/act-subjects.ts'
import { differencesOf } from '../acts/differences.ts'
import { findApproval } from '../approvals/approval-rows.ts'
import type { Approvals } from '../approvals/approvals.ts'
import { isRefusal, refuse } from '../../http/refusal.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from './waiting-source.ts'

/** What one operator has asked another one for. */
export function approvalSource(queries: Queries, approvals: Approvals): WaitingSource {
  const itemOf = (row: ApprovalTable, whom: string): WaitingItem => {
    const kind = approvals.kindOf(row.kind)
    const name = kind?.name ?? inWords(row.kind)
    return {
      ...{ id: Number(row.id), kind: row.kind, kindName: name, title: `${inWords(row.kind)} ${row.id}` },
      ...{
        what: `${whom}: ${row.reason}`,
        amount: null,
        since: Number(row.asked_at),
      },
      accountId: row.account_id === null ? null : Number(row.account_id),
      asked: { id: Number(row.asked_by), name: row.asked_name },
      ...{ needsSecond: true, decideAct: kind?.decideAct ?? 'decideApproval' },
      signs: [NEEDS_SECOND, ...(kind?.signsOf?.(JSON.parse(row.body)) ?? [])],
    }
  }
  const waiting = () =>
    queries
      .selectFrom('approval')
      .where('status', '=', 'waiting')
      .where('kind', 'not in', ['', ...approvals.kindsAtTheirSubject()])
  const saidOf = async ({ kind, body, reason }: ApprovalTable) => {
    const how = approvals.kindOf(kind)
    if (!how || how.isAtItsSubject)
      return { words: [], noWords: 'What the person reads stands with what it is about.' }
    const told = await how.wordsOf(JSON.parse(body), reason)
    if (isRefusal(told)) return told
    return typeof told === 'string' ? { words: [], noWords: told } : { words: told }
  }
  return {
    name: 'approval',
    list: async (most) => {
      const rows = await waiting().selectAll().orderBy('id').limit(most).execute()
      return Promise.all(rows.map(async (row) => itemOf(row, await subjectOf(queries, row))))
    },
    count: async () => {
      const { count } = await waiting()
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    find: async (id) => {
      const row = await findApproval(queries, id)
      return row?.status === 'waiting' ? itemOf(row, await subjectOf(queries, row)) : null
    },
    contents: async ({ id }) => {
      const row = await findApproval(queries, id)
      if (!row) return refuse('caseEnded')
      const said = await saidOf(row)
      return isRefusal(said) ? said : { ...contentsOf(row, await subjectOf(queries, row)), ...said }
    },
  }
}

const NEEDS_SECOND: RiskSign = { weight: 1, why: 'needs a second person' }

/** `changeOperator` as `Change operator`. */
function inWords(kind: string): string {
  const text = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Whom or what it concerns: colleagues by their names, for nobody knows their numbers. */
async function subjectOf(queries: Queries, { subject, kind, body }: ApprovalTable): Promise<string> {
  if (kind === 'inviteOperator')
    return subjectLabel(subject, (JSON.parse(body) as { readonly name: string }).name)
  return (await subjectNames(queries))(subject)
}

function contentsOf(row: ApprovalTable, whom: string): Omit<CaseContents, 'words'> {
  const after = row.after === 'null' ? row.body : row.after
  return {
    ...{ reason: row.reason, decision: 'approval' },
    facts: [{ label: 'Concerns', format: 'text', value: whom, tone: 'plain' }],
    changes: differencesOf(row.before, after),
    steps: [
      {
        ...{ title: 'Asked', state: 'done', by: `${row.asked_name} (${row.asked_role})` },
        ...{ at: Number(row.asked_at), note: row.reason },
      },
      {
        ...{ title: 'A second person approves or refuses', state: 'now', by: null, at: null },
        note: 'never the one who asked',
      },
      {
        title: 'Done',
        state: 'next',
        by: null,
        at: null,
        note: 'in the same moment, with both names under it',
      },
    ],
  }
}
