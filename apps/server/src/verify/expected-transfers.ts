import {
  availableOf,
  houseOf,
  money,
  transferBetween,
  type Account,
  type Event,
  type Money,
  type State,
  type Transfer,
} from '@fairlot/core'
import type { Figure } from './derive.ts'

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
