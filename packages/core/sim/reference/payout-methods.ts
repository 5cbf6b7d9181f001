/** Payout methods in the reference model (trading-rules §11). */
import type { BindPayoutMethod, RejectionCode, RemovePayoutMethod } from '../../src/index.ts'
import type { PlainEvent } from '../plain-types.ts'
import { firstOf, statusFaults } from './refusals.ts'
import type { ReferenceModel } from './state.ts'

/** Binds or removes an address or bank account for payouts; not while the account is frozen. */
export function changePayoutMethod(
  model: ReferenceModel,
  command: BindPayoutMethod | RemovePayoutMethod,
  events: PlainEvent[],
): RejectionCode | null {
  const { accountId, methodId } = command
  const refused = firstOf({
    accountNotFound: !model.accounts.some(({ id }) => id === accountId),
    ...statusFaults(model, command),
  })
  if (refused) return refused
  if (command.type === 'removePayoutMethod') {
    events.push({ type: 'payoutMethodRemoved', accountId, methodId })
    return null
  }
  const { destination, digest } = command
  events.push({ type: 'payoutMethodBound', accountId, methodId, destination, digest })
  return null
}
