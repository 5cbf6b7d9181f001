import { TICK_REFUSALS, type TickRefusal } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { InstrumentRegistry } from './instrument-registry.ts'

/** Where ticks of instruments that nobody offers are counted: no instrument has this id. */
const NOBODYS = 0
const UNKNOWN = 'unknownInstrument'

/** What was refused in the runs before. */
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

/** Answers how to write the counts that have changed since they were written last. */
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
    [NOBODYS, UNKNOWN, intake.unknownCount()],
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
