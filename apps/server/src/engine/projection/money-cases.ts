/** Deposits, withdrawals and adjustments as rows of their tables. */
import type { Author, CaseEvent, Money } from '@fairlot/core'
import type { Written } from '../../platform/database/bulk.ts'
import type { MoneyCaseTable, MoneyDecisionTable } from '../../platform/database/schema.ts'
import { arrivalCodec, payoutQuoteCodec, sentCodec } from '../journal/event-codec.ts'

type CaseEnd = Written<
  Pick<MoneyCaseTable, 'id' | 'status' | 'credited' | 'ended_at' | 'ended_by' | 'ended_reason' | 'arrived'>
>

/** The steps of a withdrawal before its end. */
type CaseApproval = Written<Pick<MoneyCaseTable, 'id' | 'approved_at' | 'approved_by'>>
type CasePayment = Written<Pick<MoneyCaseTable, 'id' | 'paying_at' | 'paying_by'>>

export type CaseRows = {
  readonly opened: Written<MoneyCaseTable>[]
  readonly approvals: Map<number, CaseApproval>
  readonly payments: Map<number, CasePayment>
  readonly ends: Map<number, CaseEnd>
  readonly decisions: Written<MoneyDecisionTable>[]
}

export const emptyCaseRows = (): CaseRows => ({
  opened: [],
  approvals: new Map(),
  payments: new Map(),
  ends: new Map(),
  decisions: [],
})

export function projectCase(rows: CaseRows, event: CaseEvent, at: number, author: Author): void {
  switch (event.type) {
    case 'depositOpened':
      return openCase(rows, event, {
        kind: 'deposit',
        opened_at: at,
        sent: event.sent ? sentCodec.write(event.sent) : null,
      })
    case 'withdrawalHeld':
      return openCase(rows, event, {
        kind: 'withdrawal',
        fee: String(event.fee),
        opened_at: at,
        payout: event.payout ? payoutQuoteCodec.write(event.payout) : null,
      })
    case 'withdrawalApproved':
    case 'withdrawalApprovalVoided':
    case 'withdrawalPaying':
      return projectStep(rows, event, at)
    case 'adjustmentAsked':
      return openCase(rows, event, {
        kind: 'adjustment',
        opened_at: at,
        asked_by: event.askedBy,
        asked_reason: reasonOf(author),
      })
    case 'depositEnded':
    case 'withdrawalEnded':
    case 'adjustmentEnded':
      rows.ends.set(event.caseId, {
        id: event.caseId,
        status: event.outcome,
        ended_at: at,
        credited: event.type === 'depositEnded' ? String(event.amount) : 0,
        ended_by: author.type === 'operator' ? author.id : null,
        ended_reason: reasonOf(author),
        arrived: event.type === 'depositEnded' && event.arrived ? arrivalCodec.write(event.arrived) : null,
      })
      if (event.type !== 'withdrawalEnded')
        for (const operatorId of event.operators ?? [])
          rows.decisions.push({
            at,
            case_id: event.caseId,
            account_id: event.accountId,
            destination: null,
            operator_id: operatorId,
            amount: String(event.transfers.reduce((sum, { amount }) => sum + amount, 0n)),
          })
  }
}

type Step = Extract<
  CaseEvent,
  { type: 'withdrawalApproved' | 'withdrawalApprovalVoided' | 'withdrawalPaying' }
>

function projectStep(rows: CaseRows, event: Step, at: number): void {
  const { caseId: id } = event
  if (event.type === 'withdrawalApprovalVoided') {
    rows.approvals.set(id, { id, approved_at: null, approved_by: null })
    return
  }
  const { accountId, amount, destination, operatorId } = event
  if (event.type === 'withdrawalApproved')
    rows.approvals.set(id, { id, approved_at: at, approved_by: operatorId })
  else rows.payments.set(id, { id, paying_at: at, paying_by: operatorId })
  rows.decisions.push({
    at,
    case_id: id,
    account_id: accountId,
    destination,
    operator_id: operatorId,
    amount: String(amount),
  })
}

const reasonOf = (author: Author): string => (author.type === 'operator' ? author.reason : '')

type Opened = { readonly caseId: number; readonly accountId: number; readonly amount: Money }

function openCase(
  rows: CaseRows,
  { caseId, accountId, amount }: Opened,
  more: Pick<Written<MoneyCaseTable>, 'kind' | 'opened_at'> & Partial<Written<MoneyCaseTable>>,
): void {
  rows.opened.push({
    id: caseId,
    account_id: accountId,
    amount: String(amount),
    fee: 0,
    status: 'open',
    credited: 0,
    asked_by: null,
    asked_reason: '',
    ended_at: null,
    ended_by: null,
    ended_reason: '',
    payout: null,
    sent: null,
    arrived: null,
    approved_at: null,
    approved_by: null,
    paying_at: null,
    paying_by: null,
    ...more,
  })
}
