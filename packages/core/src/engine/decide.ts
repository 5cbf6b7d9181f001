import { decideRemoveAlert, decideSetAlert } from '../alerts/decide-alert.ts'
import type {
  BindPayoutMethod,
  CancelOrder,
  Command,
  OpenAccount,
  OperatorCommand,
  SetRules,
  UserCommand,
} from '../model/command.ts'
import {
  checkOperator,
  decideAdoptOperators,
  decideAnnounceRecovery,
  decideCallOffRecovery,
  decideJoinOperator,
  decideSetOperator,
  decideUseRecovery,
} from '../operators/operators.ts'
import {
  decideApproveWithdrawal,
  decideRequestAdjustment,
  decideCancelWithdrawal,
  decideDeposit,
  decideEndAdjustment,
  decideEndDeposit,
  decideEndWithdrawal,
  decideStartPayment,
  decideWithdrawal,
} from '../payments/decide-case.ts'
import { decideOnCopy, decideStartCopy } from '../copying/decide-copy.ts'
import {
  checkVolume,
  decideEndStrategy,
  decidePublish,
  decideStrategyFee,
} from '../copying/decide-strategy.ts'
import { decideAdoption } from './first-terms.ts'
import { decideClose, decideCloseByOperator } from '../orders/decide-close.ts'
import { decidePlace } from '../orders/decide-place.ts'
import { checkStatus, decideClosing, decideReset, decideStatus } from '../accounts/decide-account.ts'
import { decideStops } from '../orders/decide-set-stops.ts'
import { decideTrailing } from '../orders/trailing-stop.ts'
import { decideTerms, decideWithdrawTerms } from '../terms/change-terms.ts'
import type { Event, PayoutMethodBound } from '../model/event.ts'
import { availableOf, brokerAccountOf, transferBetween } from '../model/ledger.ts'
import { NO_MONEY } from '../model/number.ts'
import type { Order } from '../model/order.ts'
import { quietReceipt } from '../model/receipt.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import { decideReference } from '../market/admitted-reference.ts'
import { decideHalt, decideMode } from '../market/halts.ts'
import type { DecisionContext } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import { hasEquityRanges, RULES } from '../model/rules.ts'

export type Decision = readonly Event[] | Rejection

/** Commands with a single decision; the others take several decisions, each based on the one before. */
export type SingleCommand = Exclude<Command, { type: 'tick' | 'clock' | 'closeAll' | 'reversePosition' }>

/** The events of a command, or its rejection. Changes nothing. */
export function decide(context: DecisionContext, command: SingleCommand): Decision {
  if (command.type === 'openAccount') return decideOpenAccount(context.state, command)
  return 'by' in command ? decideOperator(context, command) : decideUser(context, command)
}

function decideOperator(context: DecisionContext, command: OperatorCommand): Decision {
  const { state } = context
  const { by } = command
  const isJoining = command.type === 'joinOperator'
  const refused = by.type === 'operator' && !isJoining ? checkOperator(state, by) : null
  if (refused) return refused
  switch (command.type) {
    case 'haltInstrument':
      return decideHalt(state, command)
    case 'setTradingMode':
      return decideMode(state, command)
    case 'admitReference':
      return decideReference(state, command)
    case 'setRules':
      return decideRules(state, command)
    case 'setTerms':
      return decideTerms(state, command)
    case 'adoptTerms':
      return decideAdoption(state, command)
    case 'withdrawTerms':
      return decideWithdrawTerms(state, command)
    case 'endDeposit':
      return decideEndDeposit(context, command)
    case 'endWithdrawal':
      return decideEndWithdrawal(state, command)
    case 'endAdjustment':
      return decideEndAdjustment(context, command)
    case 'approveWithdrawal':
      return decideApproveWithdrawal(state, command)
    case 'startPayment':
      return decideStartPayment(state, command)
    case 'setOperator':
      return decideSetOperator(state, command)
    case 'joinOperator':
      return decideJoinOperator(state, command)
    case 'announceRecovery':
      return decideAnnounceRecovery(state, command)
    case 'callOffRecovery':
      return decideCallOffRecovery(state, command)
    case 'useRecovery':
      return decideUseRecovery(state, command)
    case 'adoptOperators':
      return decideAdoptOperators(state, command)
    case 'adoptPayoutMethods':
      return command.methods.map(payoutMethodBound)
    case 'askAdjustment':
    case 'setAccountStatus':
    case 'closeByOperator':
      return decideOnAccount(context, command)
  }
}

const payoutMethodBound = ({
  accountId,
  methodId,
  destination,
  digest,
}: Pick<BindPayoutMethod, 'accountId' | 'methodId' | 'destination' | 'digest'>): PayoutMethodBound => ({
  type: 'payoutMethodBound',
  accountId,
  methodId,
  destination,
  digest,
})

type AccountCommand = Extract<OperatorCommand, { accountId: number }>

function decideOnAccount(context: DecisionContext, command: AccountCommand): Decision {
  const account = context.state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  // Money and restrictions are the owner's; operators close a copy's position as they would any other.
  if (account.copy && command.type !== 'closeByOperator') return reject('copyClosesOnly')
  switch (command.type) {
    case 'askAdjustment':
      return decideRequestAdjustment(context.state, command, account)
    case 'setAccountStatus':
      return decideStatus(context.state, command, account)
    case 'closeByOperator':
      return decideCloseByOperator(context, command, account)
  }
}

type SingleUserCommand = Extract<SingleCommand, UserCommand>

function decideUser(context: DecisionContext, command: SingleUserCommand): Decision {
  const { state } = context
  const account = state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  const barred = checkStatus(state, account, command) ?? checkCopyAccount(account, command)
  if (barred) return barred
  switch (command.type) {
    case 'placeOrder':
      return checkVolume(account, command.at) ?? decidePlace(context, command, account)
    case 'publishStrategy':
      return decidePublish(state, command, account)
    case 'setStrategyFee':
      return decideStrategyFee(command, account)
    case 'endStrategy':
      return decideEndStrategy(account)
    case 'startCopy':
      return decideStartCopy(context, command, account)
    case 'pauseCopy':
    case 'resumeCopy':
    case 'addToCopy':
    case 'takeFromCopy':
    case 'setCopyStopLoss':
    case 'setCopyTerms':
    case 'stopCopy':
      return decideOnCopy(context, command, account)
    case 'resetDemo':
      return decideReset(state, command, account)
    case 'closeAccount':
      return decideClosing(state, command, account)
    case 'openDeposit':
      return decideDeposit(state, command, account)
    case 'requestWithdrawal':
      return decideWithdrawal(context, command, account)
    case 'cancelWithdrawal':
      return decideCancelWithdrawal(state, command, account)
    case 'setAlert':
      return decideSetAlert(state, command, account)
    case 'removeAlert':
      return decideRemoveAlert(state, command, account)
    case 'bindPayoutMethod':
      return [payoutMethodBound(command)]
    case 'removePayoutMethod':
      return [{ type: 'payoutMethodRemoved', accountId: account.id, methodId: command.methodId }]
    case 'closePosition':
    case 'cancelOrder':
    case 'setStops':
    case 'setTrailing':
      return decideOnOrder(context, command, account)
  }
}

/** The owner of a copy may close its whole positions; everything else happens through commands about the copy. */
function checkCopyAccount({ copy, orders }: Account, command: SingleUserCommand): Rejection | null {
  if (!copy) return null
  const isWholeClose =
    command.type === 'closePosition' &&
    (command.lots === undefined ||
      command.lots === null ||
      command.lots === orders.get(command.orderId)?.lots)
  return isWholeClose ? null : reject('copyClosesOnly')
}

function decideOpenAccount(
  state: Pick<State, 'lastAccountId' | 'settings'>,
  { ledger }: OpenAccount,
): Decision {
  const accountId = state.lastAccountId + 1
  const start = ledger === 'demo' ? state.settings.demoBalance : NO_MONEY
  const transfers = transferBetween(availableOf(accountId), brokerAccountOf(ledger, 'demoIssue'), start, {
    kind: 'demoIssue',
    orderId: null,
  })
  return [{ type: 'accountOpened', accountId, ledger, transfers }]
}

type OrderCommand = Extract<SingleUserCommand, { orderId: number }>

/** Another user's order is reported as not found; a closed one as closed. */
function decideOnOrder(context: DecisionContext, command: OrderCommand, account: Account): Decision {
  const { state } = context
  const order = account.orders.get(command.orderId)
  if (!order) return reject('orderNotFound', { orderId: command.orderId })
  switch (command.type) {
    case 'closePosition':
      return decideClose(context, command, account, order)
    case 'cancelOrder':
      return decideCancel(state, command, order)
    case 'setStops':
      return decideStops(state, command, account, order)
    case 'setTrailing':
      return decideTrailing(state, command, account, order)
  }
}

function decideCancel(
  state: Pick<State, 'quotes' | 'termsVersion' | 'rulesVersion'>,
  { at }: CancelOrder,
  order: Order,
): Decision {
  if (order.status !== 'pending') return reject('orderNotPending', { orderId: order.id })
  const about = {
    quote: state.quotes.get(order.instrumentId),
    requestedPrice: order.targetPrice,
    at,
    terms: state.termsVersion,
    rules: state.rulesVersion,
  }
  const receipt = quietReceipt('cancel', 'user', about)
  return [
    {
      type: 'orderCancelled',
      orderId: order.id,
      accountId: order.accountId,
      reason: 'cancelledByUser',
      receipt,
    },
  ]
}

type RulesState = Pick<State, 'rulesVersion' | 'equityRangesFrom' | 'strategies' | 'settings'>

/** Versions of the rules only ever rise. */
function decideRules(state: RulesState, { rules, at }: SetRules): Event[] | Rejection {
  if (rules <= state.rulesVersion || rules > RULES) return reject('termsFixed', { field: 'rules' })
  const rangesFrom = rangesAfter(state, rules, at)
  return [{ type: 'rulesSet', rules, ...(rangesFrom > 0 ? { rangesFrom } : {}) }]
}

/** Anybody who publishes a strategy learns of the new method before it counts. */
function rangesAfter(state: RulesState, rules: number, at: number): number {
  const isNew = hasEquityRanges({ rulesVersion: rules }) && !hasEquityRanges(state)
  if (!isNew) return state.equityRangesFrom
  return state.strategies.size > 0 ? at + state.settings.noticeMs : 0
}
