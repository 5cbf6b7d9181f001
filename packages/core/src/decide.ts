import type {
  CancelOrder,
  Command,
  HaltInstrument,
  OpenAccount,
  OperatorCommand,
  UserCommand,
} from './command.ts'
import {
  decideAskAdjustment,
  decideCancelWithdrawal,
  decideDeposit,
  decideEndAdjustment,
  decideEndDeposit,
  decideEndWithdrawal,
  decideWithdrawal,
} from './payments/decide-case.ts'
import { decideAdoption } from './terms/decide-adoption.ts'
import { decideClose, decideCloseByOperator } from './orders/decide-close.ts'
import { decidePlace } from './orders/decide-place.ts'
import { decideClosing } from './accounts/decide-closing.ts'
import { decideReset } from './accounts/decide-reset.ts'
import { checkStatus, decideStatus } from './accounts/decide-status.ts'
import { decideStops, decideTrailing } from './orders/decide-stops.ts'
import { checkOperator, decideTerms, decideWithdrawTerms } from './terms/decide-terms.ts'
import type { Event } from './event.ts'
import { availableOf, houseOf, transferBetween } from './money/ledger.ts'
import { NO_MONEY } from './money/number.ts'
import type { Order } from './orders/order.ts'
import { quietReceipt } from './receipt.ts'
import { reject, type Rejection } from './rejection.ts'
import type { DecisionContext } from './core.ts'
import type { Account, State } from './state.ts'

export type Decision = readonly Event[] | Rejection

/** Commands that are decided in one go; the others take several decisions, each on what the one before left behind. */
export type SingleCommand = Exclude<Command, { type: 'tick' | 'clock' | 'closeAll' | 'reversePosition' }>

/** What a command leads to: the events that follow, or why it is refused. Reads the context and changes nothing. */
export function decide(context: DecisionContext, command: SingleCommand): Decision {
  if (command.type === 'openAccount') return decideOpenAccount(context.state, command)
  return 'by' in command ? decideOperator(context, command) : decideUser(context, command)
}

function decideOperator(context: DecisionContext, command: OperatorCommand): Decision {
  const { state } = context
  const { by } = command
  const refused = by.type === 'operator' ? checkOperator(by) : null
  if (refused) return refused
  switch (command.type) {
    case 'haltInstrument':
      return decideHalt(state, command)
    case 'setTradingMode':
      return [{ type: 'tradingModeSet', mode: command.mode }]
    case 'setTerms':
      return decideTerms(state, command)
    case 'adoptTerms':
      return decideAdoption(state, command)
    case 'withdrawTerms':
      return decideWithdrawTerms(state, command)
    case 'endDeposit':
      return decideEndDeposit(state, command)
    case 'endWithdrawal':
      return decideEndWithdrawal(state, command)
    case 'endAdjustment':
      return decideEndAdjustment(state, command)
    case 'askAdjustment':
    case 'setAccountStatus':
    case 'closeByOperator':
      return decideOnAccount(context, command)
  }
}

type AccountCommand = Extract<OperatorCommand, { accountId: number }>

function decideOnAccount(context: DecisionContext, command: AccountCommand): Decision {
  const account = context.state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  switch (command.type) {
    case 'askAdjustment':
      return decideAskAdjustment(context.state, command, account)
    case 'setAccountStatus':
      return decideStatus(command, account)
    case 'closeByOperator':
      return decideCloseByOperator(context, command, account)
  }
}

type SingleUserCommand = Extract<SingleCommand, UserCommand>

function decideUser(context: DecisionContext, command: SingleUserCommand): Decision {
  const { state } = context
  const account = state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  const barred = checkStatus(account, command)
  if (barred) return barred
  switch (command.type) {
    case 'placeOrder':
      return decidePlace(context, command, account)
    case 'resetDemo':
      return decideReset(state, command, account)
    case 'closeAccount':
      return decideClosing(state, command, account)
    case 'openDeposit':
      return decideDeposit(state, command, account)
    case 'requestWithdrawal':
      return decideWithdrawal(state, command, account)
    case 'cancelWithdrawal':
      return decideCancelWithdrawal(state, command, account)
    case 'closePosition':
    case 'cancelOrder':
    case 'setStops':
    case 'setTrailing':
      return decideOnOrder(context, command, account)
  }
}

function decideHalt(
  { instruments }: Pick<State, 'instruments'>,
  { instrumentId, reason }: HaltInstrument,
): Decision {
  if (!instruments.has(instrumentId)) return reject('unknownInstrument')
  return [{ type: 'instrumentHalted', instrumentId, reason }]
}

function decideOpenAccount(
  state: Pick<State, 'lastAccountId' | 'settings'>,
  { ledger }: OpenAccount,
): Decision {
  const accountId = state.lastAccountId + 1
  const start = ledger === 'demo' ? state.settings.demoBalance : NO_MONEY
  const transfers = transferBetween(availableOf(accountId), houseOf(ledger, 'demoIssue'), start, {
    kind: 'demoIssue',
    orderId: null,
  })
  return [{ type: 'accountOpened', accountId, ledger, transfers }]
}

type OrderCommand = Extract<SingleUserCommand, { orderId: number }>

/** Somebody else's order is answered as if it did not exist; a finished one says so. */
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
      return decideStops(state, command, order)
    case 'setTrailing':
      return decideTrailing(state, command, order)
  }
}

function decideCancel(
  state: Pick<State, 'quotes' | 'termsVersion'>,
  { at }: CancelOrder,
  order: Order,
): Decision {
  if (order.status !== 'pending') return reject('orderNotPending', { orderId: order.id })
  const about = {
    quote: state.quotes.get(order.instrumentId),
    requestedPrice: order.targetPrice,
    at,
    terms: state.termsVersion,
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
