import type { OrderView } from '@fairlot/contract'

type Orders = readonly OrderView[]

/** What a closing of everything has left open. */
export type LeftOpen = {
  /** Of all positions, loaded or not. */
  readonly count: number
  /** Of those that were loaded. */
  readonly ids: ReadonlySet<number>
}

/** What stays open of the loaded positions when these have ended and `count` of all have not; null for nothing. */
export function leftOpen(loaded: Orders, ended: Orders, count: number): LeftOpen | null {
  if (count === 0) return null
  const endedIds = new Set(ended.map(({ id }) => id))
  return { count, ids: new Set(loaded.map(({ id }) => id).filter((id) => !endedIds.has(id))) }
}

/** What of it is open now still: some of it may have closed meanwhile. */
export function stillOpen({ count, ids }: LeftOpen, loaded: Orders): { count: number; orders: Orders } {
  const orders = loaded.filter(({ id }) => ids.has(id))
  return { count: count - (ids.size - orders.length), orders }
}
