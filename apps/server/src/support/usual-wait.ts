import type { Queries } from '../database/open.ts'

/** So many of the latest answers are looked at, and so few say nothing yet. */
const LOOKED_AT = 50
const LEAST = 5
const MINUTE_MS = 60_000
/** What is said is one of these, minutes; a longer wait is said in whole days. */
const STEPS = [5, 10, 15, 30, 60, 120, 240, 480, 720]
const DAY = 1_440

/** Within how many minutes three of four recent questions were answered; null while too few were. */
export async function usualWait(queries: Queries): Promise<number | null> {
  const rows = await queries
    .selectFrom('chat_answer')
    .select('waited_ms')
    .orderBy('message_id', 'desc')
    .limit(LOOKED_AT)
    .execute()
  return usualMinutes(rows.map(({ waited_ms }) => Number(waited_ms)))
}

/** The same of waits in ms. */
export function usualMinutes(waits: readonly number[]): number | null {
  if (waits.length < LEAST) return null
  const sorted = waits.toSorted((one, other) => one - other)
  const minutes = (sorted[Math.ceil(sorted.length * 0.75) - 1] ?? 0) / MINUTE_MS
  return STEPS.find((step) => minutes <= step) ?? Math.ceil(minutes / DAY) * DAY
}
