import type { CaseEvent } from '../model/event.ts'
import type { Transfer } from '../model/ledger.ts'
import { larger, money, NO_MONEY } from '../model/number.ts'
import { recordDecision } from '../operators/evolve-operators.ts'
import type { MoneyCase, Withdrawal } from '../model/money-case.ts'
import type { State } from '../state/state.ts'

type CaseState = Pick<State, 'cases' | 'lastCaseId' | 'recentCreditsAndPayouts'>

/** A case is opened by one event and ended by another; the money moves by the transfers of either. `at`: epoch ms. */
export function evolveCase(state: CaseState, event: CaseEvent, at: number): void {
  const { caseId: id, accountId } = event
  switch (event.type) {
    case 'depositOpened': {
      const { amount, sent } = event
      return openCase(state, {
        kind: 'deposit',
        id,
        accountId,
        amount,
        sent: sent ? { currency: sent.currency, amount: sent.amount, fixedRate: sent.fixedRate } : null,
        openedAt: at,
      })
    }
    case 'withdrawalHeld': {
      const { amount, fee, payout = null } = event
      return openCase(state, {
        kind: 'withdrawal',
        id,
        accountId,
        amount,
        fee,
        payout,
        status: 'held',
        approvedBy: null,
        protection: NO_MONEY,
        openedAt: at,
      })
    }
    case 'adjustmentAsked': {
      const { amount, askedBy } = event
      return openCase(state, { kind: 'adjustment', id, accountId, amount, askedBy, openedAt: at })
    }
    case 'withdrawalApproved':
    case 'withdrawalPaying': {
      const held = withdrawalOf(state, id)
      const { operatorId, amount, destination } = event
      if (event.type === 'withdrawalApproved') held.approvedBy = operatorId
      held.status = event.type === 'withdrawalApproved' ? 'approved' : 'paying'
      return recordDecision(state, { at, caseId: id, accountId, destination, operatorId, amount })
    }
    case 'withdrawalApprovalVoided':
      Object.assign(withdrawalOf(state, id), { status: 'held', approvedBy: null })
      return
    case 'depositEnded':
    case 'adjustmentEnded':
      for (const operatorId of event.operators ?? [])
        recordDecision(state, {
          at,
          caseId: id,
          accountId,
          destination: null,
          operatorId,
          amount: money(event.transfers.reduce((sum, { amount }) => sum + amount, 0n)),
        })
      return closeCase(state, id)
    case 'withdrawalEnded':
      closeCase(state, id)
      return noteProtection(state, accountId, event.transfers)
  }
}

function closeCase({ cases }: Pick<State, 'cases'>, id: number): void {
  if (!cases.delete(id)) throw new Error(`an event ends case ${id}, which is not open`)
}

function withdrawalOf({ cases }: Pick<State, 'cases'>, id: number): Withdrawal {
  const found = cases.get(id)
  if (found?.kind !== 'withdrawal') throw new Error(`an event names withdrawal ${id}, which is not open`)
  return found
}

/**
 * Records negative balance protection on every open withdrawal of its account, which repays it when it is released.
 * What one has repaid the others no longer owe.
 */
export function noteProtection(
  { cases }: Pick<State, 'cases'>,
  accountId: number,
  transfers: readonly Transfer[],
): void {
  for (const { kind, amount } of transfers) {
    if (kind !== 'protection' && kind !== 'protectionRepaid') continue
    const added = kind === 'protection' ? amount : -amount
    for (const each of cases.values())
      if (each.kind === 'withdrawal' && each.accountId === accountId)
        each.protection = larger(NO_MONEY, money(each.protection + added))
  }
}

/** Opens a case; also used by a host that loads open cases. */
export function openCase(state: Pick<State, 'cases' | 'lastCaseId'>, opened: MoneyCase): void {
  state.cases.set(opened.id, opened)
  state.lastCaseId = Math.max(state.lastCaseId, opened.id)
}
