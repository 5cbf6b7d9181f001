/** What an account may do while an operator has restricted it (trading-rules §11). */
import type { Command, SetAccountStatus, UserCommand } from '../command.ts'
import type { Event } from '../event.ts'
import { reject, type Rejection } from '../rejection.ts'
import type { Account } from '../state.ts'

const OPENING: ReadonlySet<Command['type']> = new Set(['placeOrder', 'reversePosition'])
/** Money is never kept back for ever: a withdrawal may be asked for, and is decided like all others. */
const ALWAYS: ReadonlySet<Command['type']> = new Set(['requestWithdrawal', 'cancelWithdrawal'])

/** Why a user's command is refused for the account's status; null when it is not. The reason is the operator's. */
export function checkStatus(
  { status, statusReason }: Account,
  { type }: Pick<UserCommand, 'type'>,
): Rejection | null {
  if (status === 'closed') return reject('accountClosed')
  if (status === 'frozen' && !ALWAYS.has(type)) return reject('accountFrozen', { reason: statusReason })
  if (status === 'closeOnly' && OPENING.has(type)) return reject('accountCloseOnly', { reason: statusReason })
  return null
}

/** Pending orders of an account that may open nothing are withdrawn right after, as due work. */
export function decideStatus({ status, by }: SetAccountStatus, account: Account): Event[] | Rejection {
  // Only its owner closes an account, and nobody opens it again.
  if (account.status === 'closed') return reject('accountClosed')
  const reason = status === 'active' ? '' : by.reason
  return [{ type: 'accountStatusSet', accountId: account.id, status, reason }]
}
