import type { Queries } from '../../database/open.ts'
import type { ApprovalTable } from '../../database/desk-schema.ts'
import { differencesOf } from '../acts/differences.ts'
import { findApproval } from '../approvals/approval-rows.ts'
import type { Approvals } from '../approvals/approvals.ts'
import { findOperator } from '../operators/operator-repository.ts'
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
      return contentsOf(row, row ? await subjectOf(queries, row) : '')
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
  const [what = '', key = ''] = subject.split(':', 2)
  if (what !== 'operator') return subject.replace(':', ' ')
  if (kind === 'inviteOperator') return `operator ${(JSON.parse(body) as { readonly name: string }).name}`
  return `operator ${(await findOperator(queries, Number(key)))?.name ?? key}`
}

function contentsOf(row: ApprovalTable | undefined, whom: string): CaseContents {
  const after = row?.after === 'null' ? row.body : (row?.after ?? null)
  return {
    ...{ reason: row?.reason ?? '', words: [], decision: 'approval' },
    facts: [{ label: 'Concerns', format: 'text', value: whom, tone: 'plain' }],
    changes: differencesOf(row?.before ?? null, after),
    steps: [
      {
        ...{ title: 'Asked', state: 'done', by: row ? `${row.asked_name} (${row.asked_role})` : null },
        ...{ at: row ? Number(row.asked_at) : null, note: row?.reason ?? '' },
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
