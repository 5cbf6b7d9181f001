/** What a receipt says it was made for: its action, what made the engine act, and by which rules. */
import { RULE_VERSION, type EndReason, type Receipt, type ReceiptTrigger, type State } from '@fairlot/core'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import type { Figure } from './figure.ts'

const ACTIONS: Readonly<Record<ProvenEvent['type'], Receipt['action']>> = {
  orderPlaced: 'place',
  positionOpened: 'open',
  orderCancelled: 'cancel',
  positionClosed: 'close',
  positionReduced: 'close',
  swapBooked: 'finance',
}

type Triggers = Partial<Record<EndReason, ReceiptTrigger>>

/** Why a pending order ends, and what makes the engine end it. */
const CANCELLED_BY: Triggers = {
  cancelledByUser: 'user',
  demoReset: 'user',
  expired: 'expiry',
  notEnoughAtTrigger: 'target',
  stopOut: 'stopOut',
  withdrawnByOperator: 'operator',
}

/** The same for a position. */
const CLOSED_BY: Triggers = {
  user: 'user',
  demoReset: 'user',
  takeProfit: 'takeProfit',
  stopLoss: 'stopLoss',
  stopOut: 'stopOut',
  operator: 'operator',
}

/** Nothing but the user closes a part. */
const REDUCED_BY: Triggers = { user: 'user' }

/** Receipts of the first rules name no version of terms. */
const FIRST_RULES = 1

export const occasionFigures = (state: State, event: ProvenEvent): Figure[] => [
  ['action', event.receipt.action, ACTIONS[event.type]],
  ['trigger', event.receipt.trigger, triggerOf(event)],
  ...termsFigures(state, event),
]

/** All is decided by the terms of now; only a night by its own, which `nightFigures` compares. */
function termsFigures({ termsVersion }: State, { type, receipt }: ProvenEvent): Figure[] {
  if (receipt.ruleVersion === FIRST_RULES) return [['terms', receipt.terms, 0]]
  return type === 'swapBooked' ? [] : [['terms', receipt.terms, termsVersion]]
}

/** The rules that an entry was decided by: each version of entries has its own. */
export const rulesFigures = (event: ProvenEvent, isFirstVersion: boolean): Figure[] => [
  ['rule version', event.receipt.ruleVersion, isFirstVersion ? FIRST_RULES : RULE_VERSION],
]

/** None where the event cannot end an order for the reason that it gives. */
function triggerOf(event: ProvenEvent): ReceiptTrigger | undefined {
  switch (event.type) {
    case 'orderPlaced':
      return 'user'
    case 'positionOpened':
      return event.kind === 'market' ? 'user' : 'target'
    case 'orderCancelled':
      return CANCELLED_BY[event.reason]
    case 'positionClosed':
      return CLOSED_BY[event.reason]
    case 'positionReduced':
      return REDUCED_BY[event.reason]
    case 'swapBooked':
      return 'rollover'
  }
}
