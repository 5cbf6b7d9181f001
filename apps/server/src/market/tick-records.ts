import type { Tick, TickRefusal } from '@fairlot/core'
import type { RawTick } from '../feeds/feed.ts'

/** Newest refused prices of one instrument that are kept. */
export const RECORDS_KEPT = 50
/** Characters of a price that was no number. */
const RAW_LENGTH = 40

/** Refused for what an operator may know better: it waits until a sound price of the instrument comes. */
const HELD_FOR: readonly TickRefusal[] = ['suspect', 'outOfBounds']

/** A price that was not let in. */
export type TickRecord = {
  readonly instrumentId: number
  /** Counts the refused prices of the instrument. */
  readonly number: number
  readonly source: string
  /** As the source wrote them. */
  readonly bid: string
  readonly ask: string
  /** By the source's own clock, epoch ms; null where it gave none. */
  readonly time: number | null
  /** When it came, epoch ms on the market clock. */
  readonly at: number
  readonly reason: TickRefusal
}

/** A price that waits for an operator's word, in ticks of its instrument as they were then. */
export type HeldTick = Tick &
  Pick<TickRecord, 'number' | 'at' | 'reason'> & { readonly priceDecimals: number }

/** What the runs before have kept. */
export type KeptTickRecords = {
  /** By instrument, the number of its last record. */
  readonly lastNumbers: ReadonlyMap<number, number>
  readonly held: readonly HeldTick[]
}

type Refused = {
  readonly instrument: { readonly id: number; readonly priceDecimals: number }
  readonly raw: RawTick
  /** Null where it could not be read. */
  readonly tick: Tick | null
  readonly at: number
  readonly reason: TickRefusal
}

/** The newest prices that were refused, and those that are held. */
export type TickRecords = {
  refused(refused: Refused): void
  /** Nothing of this instrument waits any more: a sound price has come, or an operator has spoken. */
  settle(instrumentId: number): void
  held(): readonly HeldTick[]
  /** What came since the last taking, at most as many of each instrument as are kept. */
  takeNew(): readonly TickRecord[]
  /** Rises with every change of what is held. */
  heldVersion(): number
}

export function createTickRecords(kept: KeptTickRecords): TickRecords {
  const numbers = new Map(kept.lastNumbers)
  const held = new Map<number, Map<string, HeldTick>>()
  let fresh = new Map<string, TickRecord>()
  let version = 0

  const hold = (tick: HeldTick) => {
    const ofInstrument = held.get(tick.instrumentId) ?? new Map<string, HeldTick>()
    held.set(tick.instrumentId, ofInstrument.set(tick.source, tick))
    version += 1
  }
  for (const tick of kept.held) hold(tick)

  return {
    refused: ({ instrument: { id, priceDecimals }, raw, tick, at, reason }) => {
      const number = (numbers.get(id) ?? 0) + 1
      numbers.set(id, number)
      const record = { instrumentId: id, number, source: raw.source, time: raw.time, at, reason }
      fresh.set(slotOf(record), { ...record, bid: textOf(raw.bid), ask: textOf(raw.ask) })
      if (tick && HELD_FOR.includes(reason)) hold({ ...tick, number, at, reason, priceDecimals })
    },
    settle: (instrumentId) => {
      if (held.delete(instrumentId)) version += 1
    },
    held: () => [...held.values()].flatMap((ofInstrument) => [...ofInstrument.values()]),
    takeNew: () => {
      const taken = [...fresh.values()]
      fresh = new Map()
      return taken
    },
    heldVersion: () => version,
  }
}

/** Where a record is kept: the one of so many before it makes room. */
export const slotOf = ({ instrumentId, number }: Pick<TickRecord, 'instrumentId' | 'number'>): string =>
  `${instrumentId}:${number % RECORDS_KEPT}`

const textOf = (value: unknown): string => String(value).slice(0, RAW_LENGTH)
