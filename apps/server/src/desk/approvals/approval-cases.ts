import type { Queries } from '../../platform/database/open.ts'
import type { ApprovalTable } from '../../platform/database/desk-schema.ts'
import { subjectLabel } from '@fairlot/contract/desk'
import { differencesOf, subjectNames } from '../audit-log/audit-entries.ts'
import { type Approvals, findApproval } from './approvals.ts'
import { isRefusal, refuse } from '../../platform/refusal.ts'
import type { CaseContents, RiskSign, WaitingItem, WaitingSource } from '../waiting/waiting-list.ts'

/** The pending approvals as cases of the waiting list. */
export function approvalSource(queries: Queries, approvals: Approvals): WaitingSource {
  const itemOf = (row: ApprovalTable, subjectText: string): WaitingItem => {
    const kind = approvals.kindOf(row.kind)
    const name = kind?.name ?? kindLabel(row.kind)
    return {
      id: Number(row.id),
      kind: row.kind,
      kindName: name,
      title: `${kindLabel(row.kind)} ${row.id}`,
      summary: `${subjectText}: ${row.reason}`,
      amount: null,
      since: Number(row.asked_at),
      accountId: row.account_id === null ? null : Number(row.account_id),
      requestedBy: { id: Number(row.asked_by), name: row.asked_name },
      needsSecond: true,
      decidePermission: kind?.decidePermission ?? 'decideApproval',
      signs: [NEEDS_SECOND, ...(kind?.signsOf?.(JSON.parse(row.body)) ?? [])],
    }
  }
  const waiting = () =>
    queries
      .selectFrom('approval')
      .where('status', '=', 'waiting')
      .where('kind', 'not in', ['', ...approvals.kindsDecidedAtSubject()])
  const textsOf = async ({ kind, body, reason }: ApprovalTable) => {
    const registered = approvals.kindOf(kind)
    if (!registered || registered.isDecidedAtSubject)
      return { texts: [], noTexts: 'The message to the user is shown with the case itself.' }
    const texts = await registered.textsOf(JSON.parse(body), reason)
    if (isRefusal(texts)) return texts
    return typeof texts === 'string' ? { texts: [], noTexts: texts } : { texts }
  }
  return {
    name: 'approval',
    list: async (limit) => {
      const rows = await waiting().selectAll().orderBy('id').limit(limit).execute()
      return Promise.all(rows.map(async (row) => itemOf(row, await subjectTextOf(queries, row))))
    },
    count: async () => {
      const { count } = await waiting()
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    find: async (id) => {
      const row = await findApproval(queries, id)
      return row?.status === 'waiting' ? itemOf(row, await subjectTextOf(queries, row)) : null
    },
    contents: async ({ id }) => {
      const row = await findApproval(queries, id)
      if (!row) return refuse('caseEnded')
      const texts = await textsOf(row)
      return isRefusal(texts) ? texts : { ...contentsOf(row, await subjectTextOf(queries, row)), ...texts }
    },
  }
}

const NEEDS_SECOND: RiskSign = { weight: 1, why: 'needs a second operator' }

/** `changeOperator` as `Change operator`, `verifyPerson` as `Verify user`. */
function kindLabel(kind: string): string {
  const text = kind.replace('Person', 'User').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What an approval concerns; operators appear by name. */
async function subjectTextOf(queries: Queries, { subject, kind, body }: ApprovalTable): Promise<string> {
  if (kind === 'inviteOperator')
    return subjectLabel(subject, (JSON.parse(body) as { readonly name: string }).name)
  return (await subjectNames(queries))(subject)
}

function contentsOf(row: ApprovalTable, subjectText: string): Omit<CaseContents, 'texts'> {
  const after = row.after === 'null' ? row.body : row.after
  return {
    reason: row.reason,
    decision: 'approval',
    facts: [{ label: 'Concerns', format: 'text', value: subjectText, tone: 'plain' }],
    changes: differencesOf(row.before, after),
    steps: [
      {
        title: 'Requested',
        state: 'done',
        by: `${row.asked_name} (${row.asked_role})`,
        at: Number(row.asked_at),
        note: row.reason,
      },
      {
        title: 'A second operator approves or rejects',
        state: 'now',
        by: null,
        at: null,
        note: 'never the operator who requested the change',
      },
      {
        title: 'Done',
        state: 'next',
        by: null,
        at: null,
        note: 'at once, recorded with both names',
      },
    ],
  }
}
