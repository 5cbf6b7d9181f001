/** Cases, the status of accounts and the acts of operators as rows of their tables. */
import type { AccountStatus, Author, CaseEvent, Entry, Money, Operator } from '@fairlot/core'
import type { Written } from '../../database/bulk.ts'
import type { AccountTable, MoneyCaseTable, OperatorActTable } from '../../database/schema.ts'

export type CaseEnd = Written<
  Pick<MoneyCaseTable, 'id' | 'status' | 'credited' | 'ended_at' | 'ended_by' | 'ended_reason'>
>

export type OperationRows = {
  readonly statuses: Map<number, Written<Pick<AccountTable, 'id' | 'status' | 'status_reason'>>>
  readonly newCases: Written<MoneyCaseTable>[]
  readonly caseEnds: Map<number, CaseEnd>
  readonly acts: Written<OperatorActTable>[]
}

export const emptyOperationRows = (): OperationRows => ({
  statuses: new Map(),
  newCases: [],
  caseEnds: new Map(),
  acts: [],
})

type NewStatus = { readonly accountId: number; readonly status: AccountStatus; readonly reason: string }

export function projectStatus(rows: OperationRows, { accountId, status, reason }: NewStatus): void {
  rows.statuses.set(accountId, { id: accountId, status, status_reason: reason })
}

export function projectCase(rows: OperationRows, event: CaseEvent, at: number, author: Author): void {
  switch (event.type) {
    case 'depositOpened':
      return openCase(rows, event, { kind: 'deposit', opened_at: at })
    case 'withdrawalHeld':
      return openCase(rows, event, { kind: 'withdrawal', fee: String(event.fee), opened_at: at })
    case 'adjustmentAsked':
      return openCase(rows, event, {
        ...{ kind: 'adjustment', opened_at: at },
        ...{ asked_by: event.askedBy, asked_reason: reasonOf(author) },
      })
    case 'depositEnded':
    case 'withdrawalEnded':
    case 'adjustmentEnded':
      rows.caseEnds.set(event.caseId, {
        ...{ id: event.caseId, status: event.outcome, ended_at: at },
        credited: event.type === 'depositEnded' ? String(event.amount) : 0,
        ended_by: author.type === 'operator' ? author.id : null,
        ended_reason: reasonOf(author),
      })
  }
}

const reasonOf = (author: Author): string => (author.type === 'operator' ? author.reason : '')

type Opened = { readonly caseId: number; readonly accountId: number; readonly amount: Money }

function openCase(
  rows: OperationRows,
  { caseId, accountId, amount }: Opened,
  more: Pick<Written<MoneyCaseTable>, 'kind' | 'opened_at'> & Partial<Written<MoneyCaseTable>>,
): void {
  rows.newCases.push({
    ...{ id: caseId, account_id: accountId, amount: String(amount), fee: 0, status: 'open', credited: 0 },
    ...{ asked_by: null, asked_reason: '', ended_at: null, ended_by: null, ended_reason: '' },
    ...more,
  })
}

/** Operators without a name are those of before entries had authors. */
export function projectActs(
  rows: OperationRows,
  numbers: { actId: number },
  seq: number,
  { at, events }: Pick<Entry, 'at' | 'events'>,
  { id, role, reason, second }: Operator,
): void {
  if (id === 0) return
  for (const event of events) {
    numbers.actId += 1
    rows.acts.push({
      ...{ id: numbers.actId, journal_seq: seq, at, operator_id: id, role, reason },
      ...{ second_id: second?.id ?? null, second_role: second?.role ?? null },
      ...{ account_id: 'accountId' in event ? event.accountId : null, event: event.type },
    })
  }
}
