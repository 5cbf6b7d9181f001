/** What the engine knows beyond its other tables, as rows of a small one. */
import { evolveEvent, type Event, type State } from '@fairlot/core'
import type { EngineFactTable } from '../database/schema.ts'
import { decodeEvent, encodeEvent } from './entry-codec.ts'

type Fact = Extract<Event, { type: 'instrumentHalted' | 'tradingModeSet' }>

/** The newest event of each kind, and of each instrument, is the fact. */
export const factOf = (event: Fact): EngineFactTable => ({
  name: nameOf(event),
  value: encodeEvent(event),
})

const nameOf = (event: Fact): string =>
  event.type === 'instrumentHalted' ? `${event.type} ${event.instrumentId}` : event.type

/** Facts are past events, and are applied as such. The first version kept its last rollover here. */
export function applyFact(state: State, { value }: EngineFactTable): void {
  evolveEvent(state, decodeEvent(value), 0)
}
