import type { ResetDemo } from '../command.ts'
import type { Event, PositionClosed } from '../event.ts'
import { availableOf, houseOf, transferBetween } from '../money/ledger.ts'
import { money, NO_MONEY } from '../money/number.ts'
import type { Order } from '../orders/order.ts'
import { quietReceipt } from '../receipt.ts'
import { reject, type Rejection } from '../rejection.ts'
import type { Account, State } from '../state.ts'

type Known = Pick<State, 'settings' | 'quotes' | 'termsVersion'>

/** Everything ends without a fill, and one transfer restores the starting balance (trading-rules §2). */
export function decideReset(state: Known, { at }: ResetDemo, account: Account): Event[] | Rejection {
  if (account.ledger !== 'demo') return reject('demoOnly')
  // By id: the order in memory is another one after a restart.
  const orders = [...account.orders.values()].toSorted((a, b) => a.id - b.id)
  const ended = orders.map((order) => resetEnd(state, order, at))
  const difference = money(state.settings.demoBalance - account.available.balance)
  const transfers = transferBetween(availableOf(account.id), houseOf('demo', 'demoIssue'), difference, {
    kind: 'demoReset',
    orderId: null,
  })
  return [...ended, { type: 'demoReset', accountId: account.id, transfers }]
}

function resetEnd(state: Known, order: Order, at: number): Event {
  const about = {
    quote: state.quotes.get(order.instrumentId),
    requestedPrice: null,
    at,
    terms: state.termsVersion,
  }
  const ended = { orderId: order.id, accountId: order.accountId, reason: 'demoReset' as const }
  return order.status === 'pending'
    ? { ...ended, type: 'orderCancelled', receipt: quietReceipt('cancel', 'user', about) }
    : {
        ...ended,
        type: 'positionClosed',
        closePrice: null,
        profit: NO_MONEY,
        receipt: quietReceipt('close', 'user', about),
        transfers: [] satisfies PositionClosed['transfers'],
      }
}
