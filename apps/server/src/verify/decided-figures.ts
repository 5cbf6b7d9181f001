/** What operators and money cases lead to: decided again, on the state just before, it is the same. */
import { decide, isRejection, type Entry, type Event, type SingleCommand, type State } from '@fairlot/core'
import type { Figure } from './derive.ts'

/** The event is the one that its command leads to. None for events that no such command causes. */
export function decidedFigures(state: State, event: Event, entry: Entry): Figure[] {
  const command = commandBehind(state, event, entry)
  if (!command) return []
  const decided = decide(state, command)
  if (isRejection(decided)) return [['decision', `refused: ${decided.rejected}`, 'accepted']]
  return [['', event, decided[0]]]
}

function commandBehind(state: State, event: Event, { at, author }: Entry): SingleCommand | null {
  if (author.type === 'operator' || author.type === 'deployment') {
    if (event.type === 'termsSet') {
      const effectiveAt = event.effectiveAt === at ? null : event.effectiveAt
      return { type: 'setTerms', at, by: author, change: event.change, effectiveAt }
    }
  }
  if (author.type !== 'operator') return caseOfUser(state, event, at)
  const asked = { at, by: author }
  switch (event.type) {
    case 'termsWithdrawn':
      return { type: 'withdrawTerms', ...asked, changeId: event.changeId }
    case 'accountStatusSet':
      return { type: 'setAccountStatus', ...asked, accountId: event.accountId, status: event.status }
    case 'instrumentHalted':
      return { type: 'haltInstrument', ...asked, instrumentId: event.instrumentId, reason: event.reason }
    case 'tradingModeSet':
      return { type: 'setTradingMode', ...asked, mode: event.mode }
    case 'depositEnded':
      return {
        type: 'endDeposit',
        ...asked,
        caseId: event.caseId,
        outcome: event.outcome,
        amount: event.amount,
      }
    case 'withdrawalEnded':
      return event.outcome === 'cancelled'
        ? null
        : { type: 'endWithdrawal', ...asked, caseId: event.caseId, outcome: event.outcome }
    case 'adjustmentAsked':
      return { type: 'askAdjustment', ...asked, accountId: event.accountId, amount: event.amount }
    case 'adjustmentEnded':
      // What positions were worth then the journal does not say.
      return isSettled(state, event.accountId)
        ? { type: 'endAdjustment', ...asked, caseId: event.caseId, outcome: event.outcome }
        : null
    default:
      return null
  }
}

function caseOfUser(state: State, event: Event, at: number): SingleCommand | null {
  switch (event.type) {
    case 'depositOpened':
      return { type: 'openDeposit', at, accountId: event.accountId, amount: event.amount }
    case 'withdrawalHeld': {
      const { accountId, amount, fee } = event
      return isSettled(state, accountId) ? { type: 'requestWithdrawal', at, accountId, amount, fee } : null
    }
    case 'withdrawalEnded':
      return { type: 'cancelWithdrawal', at, accountId: event.accountId, caseId: event.caseId }
    default:
      return null
  }
}

/** Without positions all that an account is worth is its balance. */
const isSettled = (state: State, accountId: number): boolean =>
  state.accounts.get(accountId)?.exposures.size === 0
