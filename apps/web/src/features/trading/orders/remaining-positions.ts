import type { OrderView } from '@fairlot/contract'

type Orders = readonly OrderView[]

/** Positions that "close all" has not closed. */
export type RemainingPositions = {
  /** Of all positions, loaded or not. */
  readonly count: number
  /** Of those that were loaded. */
  readonly ids: ReadonlySet<number>
}

/** What stays open of the loaded positions when these have ended and `count` of all have not; null for nothing. */
export function remainingPositions(loaded: Orders, ended: Orders, count: number): RemainingPositions | null {
  if (count === 0) return null
  const endedIds = new Set(ended.map(({ id }) => id))
  return { count, ids: new Set(loaded.map(({ id }) => id).filter((id) => !endedIds.has(id))) }
}

/** Those of them that are still open: some may have closed meanwhile. */
export function stillRemaining(
  { count, ids }: RemainingPositions,
  loaded: Orders,
): { count: number; orders: Orders } {
  const orders = loaded.filter(({ id }) => ids.has(id))
  return { count: count - (ids.size - orders.length), orders }
}
