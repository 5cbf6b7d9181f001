import type { Written } from '../database/bulk.ts'
import type { ProjectedRows } from '../engine/projection/projection-orders.ts'
import type { Queries } from '../database/open.ts'
import type { OrderTable } from '../database/schema.ts'
import { firstDifference } from './difference.ts'

type OrderRow = Written<OrderTable>

/** Finished orders compared in one query. */
const CHUNK = 500

/** What the rows of all orders should be: the living stay in memory, the finished are compared and forgotten. */
export type OrderRows = {
  /** Takes what a journal row does to orders. */
  take(rows: ProjectedRows): void
  /** Compares finished orders; `isLast` those of an unfilled chunk and the living too. Answers the first difference. */
  compare(queries: Queries, isLast: boolean): Promise<string | null>
  readonly counted: { orders: number }
}

export function createOrderRows(isWanted: (row: OrderRow) => boolean): OrderRows {
  const living = new Map<number, OrderRow>()
  const finished: OrderRow[] = []
  const counted = { orders: 0 }

  const take = (rows: ProjectedRows) => {
    for (const row of rows.newOrders) living.set(Number(row.id), { ...row })
    const changes = [rows.openings, rows.rests, rows.stops, rows.trails, rows.financings, rows.ends].flatMap(
      (map) => [...map.values()],
    )
    for (const change of changes) Object.assign(living.get(Number(change.id)) ?? {}, change)
    const over = [...rows.ends.keys(), ...rows.newOrders.map(({ id }) => Number(id))]
    for (const id of over) {
      const row = living.get(id)
      if (!row || row.status === 'pending' || row.status === 'holding') continue
      living.delete(id)
      if (isWanted(row)) finished.push(row)
    }
  }

  return {
    take,
    counted,
    compare: async (queries, isLast) => {
      if (isLast) finished.push(...[...living.values()].filter(isWanted))
      while (finished.length >= (isLast ? 1 : CHUNK)) {
        const chunk = finished.splice(0, CHUNK)
        const difference = await compareChunk(queries, chunk)
        if (difference !== null) return difference
        counted.orders += chunk.length
      }
      return null
    },
  }
}

async function compareChunk(queries: Queries, expected: readonly OrderRow[]): Promise<string | null> {
  const ids = expected.map(({ id }) => BigInt(id))
  const rows = await queries.selectFrom('trade_order').selectAll().where('id', 'in', ids).execute()
  const found = new Map(rows.map((row) => [String(row.id), row]))
  for (const row of expected) {
    const kept = found.get(String(row.id))
    const difference = kept ? firstDifference(kept, row, '') : 'it is missing from the table'
    if (difference !== null) return `order ${row.id}: ${difference}`
  }
  return null
}
