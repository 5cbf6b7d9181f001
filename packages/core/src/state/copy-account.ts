/** Accounts that are copies, and the events by which strategies and copies end. */
import type { Copy, CopyEndReason, StrategyEndReason } from '../model/copying.ts'
import type { CopyStopped, StrategyEnded } from '../model/event.ts'
import type { Account, State } from './state.ts'

/** An account that is a copy. */
export type CopyAccount = Account & { readonly copy: Copy }

export const isCopy = (account: Account | undefined): account is CopyAccount => !!account?.copy

/** The copies among some accounts. */
export const copiesAmong = ({ accounts }: Pick<State, 'accounts'>, ids: readonly number[]): CopyAccount[] =>
  ids.flatMap((id) => {
    const account = accounts.get(id)
    return isCopy(account) ? account : []
  })

/** The end of an account's strategy; none where it publishes none. */
export const strategyEnd = ({ id, strategy }: Account, reason: StrategyEndReason): StrategyEnded[] =>
  strategy ? [{ type: 'strategyEnded', strategyId: strategy.id, accountId: id, reason }] : []

/** A copy begins to end. */
export const stoppedEvent = (
  { id }: Account,
  reason: CopyEndReason,
  proof?: CopyStopped['proof'],
): CopyStopped => ({ type: 'copyStopped', accountId: id, reason, ...(proof && { proof }) })
