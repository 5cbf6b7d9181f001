/** Applies events of operators, and the sums that limit them. */
import type { OperatorEvent } from '../model/event.ts'
import type { MoneyDecision } from '../model/money-case.ts'
import type { State } from '../state/state.ts'

/** Time window of the sums of credits and payouts, ms. */
export const SUM_WINDOW_MS = 24 * 3_600_000

/** Adds a decision to the sums and drops those outside the window. `at`: epoch ms on the engine's clock. */
export function recordDecision(
  { recentCreditsAndPayouts }: Pick<State, 'recentCreditsAndPayouts'>,
  decision: MoneyDecision,
): void {
  recentCreditsAndPayouts.push(decision)
  let old = 0
  while ((recentCreditsAndPayouts[old]?.at ?? Infinity) <= decision.at - SUM_WINDOW_MS) old += 1
  if (old > 0) recentCreditsAndPayouts.splice(0, old)
}

export function evolveOperators(state: State, event: OperatorEvent): void {
  switch (event.type) {
    case 'operatorsAdopted':
      state.hasOperators = true
      state.mayPayAlone = event.mayPayAlone
      return
    case 'singleOperatorEnded':
      state.hasSecondOperator = true
      return
    case 'recoveryAnnounced':
      state.recovery = event
      return
    case 'recoveryCalledOff':
    case 'recoveryUsed':
      state.recovery = null
      return
    case 'operatorSet': {
      const { operatorId, role, isActive } = event
      const hasJoined = state.operators.get(operatorId)?.hasJoined ?? false
      state.operators.set(operatorId, { role, isActive, hasJoined })
      return
    }
    case 'operatorJoined': {
      const before = state.operators.get(event.operatorId)
      if (!before) throw new Error(`an event names operator ${event.operatorId}, who was never set`)
      state.operators.set(event.operatorId, { ...before, hasJoined: true })
    }
  }
}
