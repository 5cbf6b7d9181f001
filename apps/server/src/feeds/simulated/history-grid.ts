import type { Period } from '@fairlot/core'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** For each period, how many hours back it has bars: at least 300 bars each. Its bars are cut this fine from there on. */
const REACH: readonly { period: Period; lengthMs: number; hours: number }[] = [
  { period: '1day', lengthMs: HOUR_MS, hours: 302 * 24 },
  { period: '60min', lengthMs: HOUR_MS, hours: 310 },
  { period: '30min', lengthMs: 30 * MINUTE_MS, hours: 155 },
  { period: '15min', lengthMs: 15 * MINUTE_MS, hours: 78 },
  { period: '5min', lengthMs: 5 * MINUTE_MS, hours: 27 },
  { period: '1min', lengthMs: MINUTE_MS, hours: 6 },
]

/** The past, cut into slots: fine near its end, coarser further back. Every bar of every period is a run of slots. */
export type HistoryGrid = {
  /** Starts of the slots, epoch ms, ascending, and at last the end of the last one. */
  readonly edges: readonly number[]
  /** Index of the first slot that counts to a period's bars. */
  readonly firstSlot: Readonly<Record<Period, number>>
}

/** The grid that ends at `until` (epoch ms). Days begin on whole hours, so hours cut them at both kinds of day turn. */
export function createHistoryGrid(until: number): HistoryGrid {
  const edges: number[] = []
  const firstSlot = { '1min': 0, '5min': 0, '15min': 0, '30min': 0, '60min': 0, '1day': 0 }
  for (const [index, { period, lengthMs, hours }] of REACH.entries()) {
    firstSlot[period] = edges.length
    const end = startOfReach(until, REACH[index + 1]?.hours) ?? until
    for (let at = startOfReach(until, hours) ?? until; at < end; at += lengthMs) edges.push(at)
  }
  return { edges: [...edges, until], firstSlot }
}

const startOfReach = (until: number, hours: number | undefined): number | null =>
  hours === undefined ? null : Math.floor(until / HOUR_MS - hours) * HOUR_MS
