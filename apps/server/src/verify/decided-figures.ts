/** What operators and money cases lead to: decided again, on the state just before, it is the same. */
import {
  decide,
  isRejection,
  NO_MONEY,
  type Account,
  type DecisionContext,
  type Entry,
  type Event,
  type SingleCommand,
  type State,
} from '@fairlot/core'
import type { Figure } from './figure.ts'

/** The event is the one that its command leads to. None for events that no such command causes. */
export function decidedFigures({ state, isOpen }: DecisionContext, event: Event, entry: Entry): Figure[] {
  const command = commandBehind(event, entry)
  if (!command) return []
  const decided = decide({ state: viewFor(state, command), isOpen }, command)
  if (isRejection(decided)) return [['decision', `refused: ${decided.rejected}`, 'accepted']]
  return [['', event, decided[0]]]
}

function commandBehind(event: Event, { at, author }: Entry): SingleCommand | null {
  if (author.type === 'operator' || author.type === 'deployment') {
    if (event.type === 'termsSet') {
      const effectiveAt = event.effectiveAt === at ? null : event.effectiveAt
      return { type: 'setTerms', at, by: author, change: event.change, effectiveAt }
    }
  }
  if (author.type !== 'operator') return caseOfUser(event, at)
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
      return { type: 'endAdjustment', ...asked, caseId: event.caseId, outcome: event.outcome }
    default:
      return null
  }
}

function caseOfUser(event: Event, at: number): SingleCommand | null {
  switch (event.type) {
    case 'depositOpened':
      return { type: 'openDeposit', at, accountId: event.accountId, amount: event.amount }
    case 'withdrawalHeld': {
      const { accountId, amount, fee } = event
      return { type: 'requestWithdrawal', at, accountId, amount, fee }
    }
    case 'accountClosed':
      return { type: 'closeAccount', at, accountId: event.accountId, leftMax: event.left }
    case 'withdrawalEnded':
      return { type: 'cancelWithdrawal', at, accountId: event.accountId, caseId: event.caseId }
    default:
      return null
  }
}

/**
 * What positions were worth then the journal does not say: they are left out of the view, with the margin they hold, so that no
 * more than the balance is asked for.
 */
function viewFor(state: State, command: SingleCommand): State {
  const account = ownerOf(state, command)
  if (!account || account.exposures.size === 0) return state
  const free = { ...account, exposures: new Map(), margin: NO_MONEY, reserved: NO_MONEY }
  return { ...state, accounts: new Map([[account.id, free]]) }
}

function ownerOf({ accounts, cases }: State, command: SingleCommand): Account | undefined {
  if ('accountId' in command) return accounts.get(command.accountId)
  return 'caseId' in command ? accounts.get(cases.get(command.caseId)?.accountId ?? 0) : undefined
}
