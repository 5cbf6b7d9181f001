/** State of the engine that has no table of its own, stored as the events that set it. */
import {
  evolveEvent,
  noteFreeze,
  type AccountStatusSet,
  type Core,
  type Event,
  type OperatorEvent,
} from '@fairlot/core'
import type { EngineFactTable } from '../../platform/database/schema.ts'
import { decodeEvent, encodeEvent } from '../journal/entry-codec.ts'

/** Events whose latest state is kept as a row of `engine_fact`. */
type Fact =
  | OperatorEvent
  | Extract<
      Event,
      {
        type:
          | 'instrumentHalted'
          | 'tradingModeSet'
          | 'rulesSet'
          | 'accountStatusSet'
          | 'referenceAdmitted'
          | 'referenceSettled'
          | 'monthFeesCharged'
      }
    >

/** The newest event of a kind, per instrument, account or operator where it has one, is the fact. */
export const factOf = (event: Fact): EngineFactTable => ({
  name: nameOf(event),
  value: encodeEvent(event),
})

function nameOf(event: Fact): string {
  switch (event.type) {
    case 'instrumentHalted':
      return `${event.type} ${event.instrumentId}`
    case 'accountStatusSet':
      return `${event.type} ${event.accountId}`
    case 'operatorSet':
    case 'operatorJoined':
      return `${event.type} ${event.operatorId}`
    case 'recoveryAnnounced':
    case 'recoveryCalledOff':
    case 'recoveryUsed':
      return 'recovery'
    // One ends the other: the later is the fact.
    case 'referenceAdmitted':
    case 'referenceSettled':
      return `reference ${event.instrumentId}`
    default:
      return event.type
  }
}

/** Applies a fact as the event that it is. The first version kept its last rollover here. */
export function applyFact(core: Core, { value }: EngineFactTable): void {
  const event = decodeEvent(value)
  // Only its time counts, and `restore` has read it.
  if (event.type === 'monthFeesCharged') return
  if (event.type === 'accountStatusSet') applyFreeze(core, event)
  else evolveEvent(core, event, 0)
}

/** The account's row already has its status; only the times of freezes are taken from here. */
function applyFreeze({ state }: Core, { accountId, alone, recentFreeze }: AccountStatusSet): void {
  const account = state.accounts.get(accountId)
  if (!account || account.status === 'closed') return
  if (alone && account.status === 'frozen') state.freezes.set(accountId, alone)
  if (!recentFreeze) return
  state.recentFreezes.set(accountId, recentFreeze)
  noteFreeze(state, account, recentFreeze.since)
}
