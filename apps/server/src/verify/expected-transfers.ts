import {
  availableOf,
  houseOf,
  money,
  NO_MONEY,
  transferBetween,
  type Account,
  type Event,
  type LedgerKind,
  type Money,
  type State,
  type Transfer,
} from '@fairlot/core'
import type { Figure } from './figure.ts'

type Booked = Extract<Event, { receipt: unknown; transfers: unknown }>

/** The transfers of an event are exactly those that its figures ask for. */
export function expectedTransfers(state: State, event: Booked): Figure[] {
  const account = state.accounts.get(event.accountId)
  if (!account) return [['account', null, event.accountId]]
  return [['transfers', event.transfers, transfersOf(account, event)]]
}

function transfersOf(account: Account, event: Booked): Transfer[] {
  switch (event.type) {
    case 'positionOpened':
      return booked(account, 'fees', money(-event.fee), { kind: 'fee', orderId: event.orderId })
    case 'swapBooked':
      return booked(account, 'swap', event.amount, { kind: 'swap', orderId: event.orderId })
    case 'positionReduced':
      return booked(account, 'trading', event.profit, { kind: 'result', orderId: event.partId })
    case 'positionClosed':
      return closed(account, event)
  }
}

const booked = (
  account: Account,
  house: 'fees' | 'swap' | 'trading' | 'protection',
  amount: Money,
  reason: Pick<Transfer, 'kind' | 'orderId'>,
): Transfer[] => transferBetween(availableOf(account.id), houseOf(account.ledger, house), amount, reason)

/** A demo account starts with the setting's balance, a real one with nothing; ids count up. */
export function issueFigures(state: State, event: Extract<Event, { type: 'accountOpened' }>): Figure[] {
  const { accountId, ledger, transfers } = event
  const start = ledger === 'demo' ? state.settings.demoBalance : NO_MONEY
  return [
    ['account', accountId, state.lastAccountId + 1],
    ['transfers', transfers, issued(accountId, ledger, start, 'demoIssue')],
  ]
}

/** Money that moves on its own is a demo reset, which restores the starting balance once nothing lives any more. */
export function resetFigures(state: State, event: Extract<Event, { type: 'demoReset' }>): Figure[] {
  const { accountId, transfers } = event
  const account = state.accounts.get(accountId)
  if (!account) return [['account', null, accountId]]
  const { ledger, available, orders } = account
  const difference = money(state.settings.demoBalance - available.balance)
  return [
    ['ledger', ledger, 'demo'],
    ['living orders', orders.size, 0],
    ['transfers', transfers, issued(accountId, ledger, difference, 'demoReset')],
  ]
}

const issued = (
  accountId: number,
  ledger: LedgerKind,
  amount: Money,
  kind: 'demoIssue' | 'demoReset',
): Transfer[] =>
  transferBetween(availableOf(accountId), houseOf(ledger, 'demoIssue'), amount, { kind, orderId: null })

/** The result, and what lifts an account without positions back to zero. A demo reset books nothing here. */
function closed(
  account: Account,
  { orderId, profit, reason }: Extract<Event, { type: 'positionClosed' }>,
): Transfer[] {
  if (reason === 'demoReset') return []
  const result = booked(account, 'trading', profit, { kind: 'result', orderId })
  const others = [...account.orders.values()].filter(
    (order) => order.status === 'holding' && order.id !== orderId,
  )
  const balance = account.available.balance + profit
  if (others.length > 0 || balance >= 0n) return result
  return [...result, ...booked(account, 'protection', money(-balance), { kind: 'protection', orderId })]
}
