/** What the engine knows beyond accounts, orders and money, as rows of a small table. */
import { evolveEvent, type Event, type State } from '@fairlot/core'
import type { EngineFactTable } from '../database/schema.ts'

type Fact = Extract<Event, { type: 'rolledOver' | 'instrumentHalted' | 'tradingModeSet' }>

/** The newest event of each kind, and of each instrument, is the fact. */
export const factOf = (event: Fact): EngineFactTable => ({
  name: nameOf(event),
  value: JSON.stringify(event),
})

const nameOf = (event: Fact): string =>
  event.type === 'instrumentHalted' ? `${event.type} ${event.instrumentId}` : event.type

/** Facts are past events, and are applied as such. */
export function applyFact(state: State, { value }: EngineFactTable): void {
  evolveEvent(state, JSON.parse(value) as Fact, 0)
}
