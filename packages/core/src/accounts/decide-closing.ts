/** Closing an account for good, by its owner: nothing may be open and nothing owed (trading-rules §11). */
import type { CloseAccount } from '../command.ts'
import type { Event } from '../event.ts'
import type { Money } from '../money/number.ts'
import { reject, type Rejection } from '../rejection.ts'
import type { Account, State } from '../state.ts'

/**
 * All that stands in the way, in the order in which it is refused. Nothing is owed without a position (invariant I4), and demo money
 * is nobody's, so none of it has to leave.
 */
export function closingObstacles(
  { cases }: Pick<State, 'cases'>,
  account: Account,
  leftMax: Money,
): readonly Rejection[] {
  const orders = [...account.orders.values()]
  const positions = orders.filter(({ status }) => status === 'holding').length
  const under = [...cases.values()].filter(({ accountId }) => accountId === account.id).length
  const { balance } = account.available
  const isReal = account.ledger === 'real'
  return [
    ...(positions > 0 ? [reject('positionsOpen', { count: positions })] : []),
    ...(orders.length > positions ? [reject('ordersPending', { count: orders.length - positions })] : []),
    ...(under > 0 ? [reject('casesOpen', { count: under })] : []),
    ...(isReal && balance > leftMax ? [reject('balanceLeft', { free: balance, limit: leftMax })] : []),
  ]
}

/** What is left stays on the account: the ledger moves nothing that nobody asked for. */
export function decideClosing(
  state: Pick<State, 'cases'>,
  { leftMax }: CloseAccount,
  account: Account,
): Event[] | Rejection {
  const [first] = closingObstacles(state, account, leftMax)
  return first ?? [{ type: 'accountClosed', accountId: account.id, left: account.available.balance }]
}
