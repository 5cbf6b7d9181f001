/** What the engine knows beyond its other tables, as rows of a small one. */
import { evolveEvent, type Core, type Event } from '@fairlot/core'
import type { EngineFactTable } from '../../database/schema.ts'
import { decodeEvent, encodeEvent } from '../journal/entry-codec.ts'

type Fact = Extract<Event, { type: 'instrumentHalted' | 'tradingModeSet' }>

/** The newest event of each kind, and of each instrument, is the fact. */
export const factOf = (event: Fact): EngineFactTable => ({
  name: nameOf(event),
  value: encodeEvent(event),
})

const nameOf = (event: Fact): string =>
  event.type === 'instrumentHalted' ? `${event.type} ${event.instrumentId}` : event.type

/** Facts are past events, and are applied as such. The first version kept its last rollover here. */
export function applyFact(core: Core, { value }: EngineFactTable): void {
  evolveEvent(core, decodeEvent(value), 0)
}
