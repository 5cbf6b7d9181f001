import type { CaseEvent } from '../event.ts'
import type { MoneyCase } from './money-case.ts'
import type { State } from '../state.ts'

/** A case is opened by one event and ended by one other; the money moves by the transfers of either. */
export function evolveCase(state: Pick<State, 'cases' | 'lastCaseId'>, event: CaseEvent, at: number): void {
  const { caseId: id, accountId } = event
  switch (event.type) {
    case 'depositOpened':
      return openCase(state, { kind: 'deposit', id, accountId, amount: event.amount, openedAt: at })
    case 'withdrawalHeld': {
      const { amount, fee } = event
      return openCase(state, { kind: 'withdrawal', id, accountId, amount, fee, openedAt: at })
    }
    case 'adjustmentAsked': {
      const { amount, askedBy } = event
      return openCase(state, { kind: 'adjustment', id, accountId, amount, askedBy, openedAt: at })
    }
    case 'depositEnded':
    case 'withdrawalEnded':
    case 'adjustmentEnded':
      if (!state.cases.delete(id)) throw new Error(`an event ends case ${id}, which is not open`)
  }
}

/** Opens a case; also for a host that loads those that were open. */
export function openCase(state: Pick<State, 'cases' | 'lastCaseId'>, opened: MoneyCase): void {
  state.cases.set(opened.id, opened)
  state.lastCaseId = Math.max(state.lastCaseId, opened.id)
}
