/** Accounts that are copies, and the events by which strategies and copies end. */
import type { Copy, CopyEndReason, StrategyEndReason } from '../model/copying.ts'
import type { CopyEnded, CopyStopped, StrategyEnded } from '../model/event.ts'
import { brokerAccountOf, transferBetween, transferThrough } from '../model/ledger.ts'
import { money, NO_MONEY } from '../model/number.ts'
import { copiesEndWithReset, type RulesInForce } from '../model/rules.ts'
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

/**
 * The end of a copy whose owner resets the demo account: what it has returns whole, without a fee, and no loss is
 * carried. By earlier rules the balance had been restored before, and the money went back to the issue.
 */
export function endedByReset(rules: RulesInForce, { id, ownerId, available }: CopyAccount): CopyEnded {
  const { balance } = available
  const transfers = copiesEndWithReset(rules)
    ? transferThrough({ id, ledger: 'demo' }, { id: ownerId }, balance, 'copyOut')
    : transferBetween(available.id, brokerAccountOf('demo', 'demoIssue'), money(-balance), {
        kind: 'demoReset',
        orderId: null,
      })
  return {
    type: 'copyEnded',
    accountId: id,
    reason: 'ownerReset',
    fee: NO_MONEY,
    carriedLoss: NO_MONEY,
    transfers,
  }
}
