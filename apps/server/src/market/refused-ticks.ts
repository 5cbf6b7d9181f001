import { price, type Tick, TICK_REFUSALS, type TickRefusal } from '@fairlot/core'
import type { RawTick } from './feeds/feed.ts'
import type { Queries } from '../platform/database/open.ts'
import type { HeldPriceTable, RefusedPriceTable } from '../platform/database/market-schema.ts'
import type { InstrumentRegistry } from './instrument-registry.ts'

/** Most refused prices kept per instrument, the newest. */
export const RECORDS_KEPT = 50
/** Most characters kept of a price that was not a number. */
const RAW_LENGTH = 40

/** Reasons for which a price is held: an operator may admit it until a price of the instrument is accepted. */
const HELD_FOR: readonly TickRefusal[] = ['suspect', 'outOfBounds']

/** A refused price. */
export type TickRecord = {
  readonly instrumentId: number
  /** Running number among the refused prices of the instrument. */
  readonly number: number
  readonly source: string
  /** As the source sent them. */
  readonly bid: string
  readonly ask: string
  /** By the source's own clock, epoch ms; null if it sent none. */
  readonly time: number | null
  /** Time of arrival, epoch ms on the market clock. */
  readonly at: number
  readonly reason: TickRefusal
}

/** A held price, in ticks of its instrument at that time. */
export type HeldTick = Tick &
  Pick<TickRecord, 'number' | 'at' | 'reason'> & { readonly priceDecimals: number }

/** Records of earlier runs. */
export type KeptTickRecords = {
  /** The number of the last record by instrument. */
  readonly lastNumbers: ReadonlyMap<number, number>
  readonly held: readonly HeldTick[]
}

type Refused = {
  readonly instrument: { readonly id: number; readonly priceDecimals: number }
  readonly raw: RawTick
  /** Null if it could not be read. */
  readonly tick: Tick | null
  readonly at: number
  readonly reason: TickRefusal
}

/** The newest refused prices, and the held ones. */
export type TickRecords = {
  refused(refused: Refused): void
  /** Drops the held prices of an instrument, after an accepted price or an admission. */
  settle(instrumentId: number): void
  held(): readonly HeldTick[]
  /** The records since the last call, at most `RECORDS_KEPT` per instrument. */
  takeNew(): readonly TickRecord[]
  /** Increases with every change of the held prices. */
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

/** The slot of a record, in which it replaces an older one. */
const slotOf = ({ instrumentId, number }: Pick<TickRecord, 'instrumentId' | 'number'>): string =>
  `${instrumentId}:${number % RECORDS_KEPT}`

const textOf = (value: unknown): string => String(value).slice(0, RAW_LENGTH)

/** Rows in one statement. */
const ROWS_PER_STATEMENT = 200

export async function loadTickRecords(queries: Queries): Promise<KeptTickRecords> {
  const last = await queries
    .selectFrom('refused_price')
    .select((select) => ['instrument_id', select.fn.max('number').as('number')])
    .groupBy('instrument_id')
    .execute()
  const held = await queries.selectFrom('held_price').selectAll().execute()
  return {
    lastNumbers: new Map(last.map((row) => [Number(row.instrument_id), Number(row.number)])),
    held: held.map(heldOf),
  }
}

/** Returns a function that writes new refused prices and the held ones. */
export function createTickRecordSaving(
  queries: Queries,
  records: Pick<TickRecords, 'takeNew' | 'held' | 'heldVersion'>,
  onHeld: () => void,
): () => Promise<void> {
  const unsaved = new Map<string, TickRecord>()
  let savedVersion = records.heldVersion()
  return async () => {
    for (const record of records.takeNew()) unsaved.set(slotOf(record), record)
    const version = records.heldVersion()
    if (unsaved.size === 0 && version === savedVersion) return
    const [rows, held] = [[...unsaved.values()].map(rowOf), records.held().map(heldRowOf)]
    await queries.transaction().execute(async (within) => {
      for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT)
        await upsertRecords(within, rows.slice(from, from + ROWS_PER_STATEMENT))
      if (version === savedVersion) return
      await within.deleteFrom('held_price').execute()
      for (let from = 0; from < held.length; from += ROWS_PER_STATEMENT)
        await within
          .insertInto('held_price')
          .values(held.slice(from, from + ROWS_PER_STATEMENT))
          .execute()
    })
    unsaved.clear()
    if (version !== savedVersion) onHeld()
    savedVersion = version
  }
}

const upsertRecords = (within: Queries, rows: readonly RefusedPriceTable[]): Promise<unknown> =>
  within
    .insertInto('refused_price')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('slot').doUpdateSet((excluded) => ({
        number: excluded.ref('excluded.number'),
        source: excluded.ref('excluded.source'),
        bid: excluded.ref('excluded.bid'),
        ask: excluded.ref('excluded.ask'),
        time: excluded.ref('excluded.time'),
        at: excluded.ref('excluded.at'),
        reason: excluded.ref('excluded.reason'),
      })),
    )
    .execute()

/** A source's time may be any number; unsafe integers are stored as null. */
const timeOf = (time: number | null): bigint | null =>
  time !== null && Number.isSafeInteger(time) ? BigInt(time) : null

const rowOf = (record: TickRecord): RefusedPriceTable => ({
  slot: slotOf(record),
  instrument_id: BigInt(record.instrumentId),
  number: BigInt(record.number),
  source: record.source,
  bid: record.bid,
  ask: record.ask,
  reason: record.reason,
  time: timeOf(record.time),
  at: BigInt(record.at),
})

const heldRowOf = (tick: HeldTick): HeldPriceTable => ({
  key: `${tick.instrumentId}:${tick.source}`,
  instrument_id: BigInt(tick.instrumentId),
  number: BigInt(tick.number),
  source: tick.source,
  bid: BigInt(tick.bid),
  ask: BigInt(tick.ask),
  price_decimals: BigInt(tick.priceDecimals),
  time: BigInt(tick.time),
  at: BigInt(tick.at),
  reason: tick.reason,
})

const heldOf = (row: HeldPriceTable): HeldTick => ({
  instrumentId: Number(row.instrument_id),
  number: Number(row.number),
  source: row.source,
  bid: price(Number(row.bid)),
  ask: price(Number(row.ask)),
  priceDecimals: Number(row.price_decimals),
  time: Number(row.time),
  at: Number(row.at),
  reason: row.reason as TickRefusal,
})

/** Ticks of unlisted instruments are counted under this id, which no instrument has. */
const NO_INSTRUMENT = 0
const UNKNOWN = 'unknownInstrument'

/** Counts of refused ticks of earlier runs. */
export type RefusedTicks = {
  readonly byInstrument: ReadonlyMap<number, Readonly<Partial<Record<TickRefusal, number>>>>
  readonly unknownCount: number
}

export async function loadRefusedTicks(queries: Queries): Promise<RefusedTicks> {
  const rows = await queries.selectFrom('refused_tick').selectAll().execute()
  const byInstrument = new Map<number, Partial<Record<TickRefusal, number>>>()
  let unknownCount = 0
  for (const { instrument_id: id, reason, count } of rows) {
    const known = TICK_REFUSALS.find((one) => one === reason)
    if (known) byInstrument.set(Number(id), { ...byInstrument.get(Number(id)), [known]: Number(count) })
    else if (reason === UNKNOWN) unknownCount = Number(count)
  }
  return { byInstrument, unknownCount }
}

/** Returns a function that writes the counts that have changed since its last call. */
export function createRefusedTickSaving(
  queries: Queries,
  registry: InstrumentRegistry,
  intake: {
    refusals(instrumentId: number): Readonly<Record<TickRefusal, number>>
    unknownCount(): number
  },
): () => Promise<void> {
  const saved = new Map<string, number>()
  const keyOf = (id: number, reason: string) => `${id} ${reason}`
  const counts = (): [id: number, reason: string, count: number][] => [
    ...registry.instruments.flatMap(({ instrument: { id } }) => {
      const refusals = intake.refusals(id)
      return TICK_REFUSALS.map((reason) => [id, reason, refusals[reason]] satisfies [number, string, number])
    }),
    [NO_INSTRUMENT, UNKNOWN, intake.unknownCount()],
  ]
  for (const [id, reason, count] of counts()) saved.set(keyOf(id, reason), count)
  return async () => {
    const changed = counts().filter(([id, reason, count]) => (saved.get(keyOf(id, reason)) ?? 0) !== count)
    if (changed.length === 0) return
    await queries
      .insertInto('refused_tick')
      .values(
        changed.map(([id, reason, count]) => ({ instrument_id: BigInt(id), reason, count: BigInt(count) })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(['instrument_id', 'reason'])
          .doUpdateSet((excluded) => ({ count: excluded.ref('excluded.count') })),
      )
      .execute()
    for (const [id, reason, count] of changed) saved.set(keyOf(id, reason), count)
  }
}
