/** The choice of days in place of a month. */
export const OTHER = 'other'

/** A month by its first day, `2026-11-01`, or days (`YYYY-MM-DD`, of UTC, empty before they are chosen). */
export type PeriodChoice = { readonly month: string; readonly from: string; readonly to: string }

const MONTHS = 12

/** The month of a moment (epoch ms) and those before it, by their first days. */
export function monthsBefore(now: number): string[] {
  const today = new Date(now)
  return Array.from({ length: MONTHS }, (_, back) =>
    dayOf(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - back, 1)),
  )
}

/** The first moments of the first and the last day of a choice, epoch ms; null while it is none. */
export function periodOf({ month, from, to }: PeriodChoice): { from: number; to: number } | null {
  if (month !== OTHER) {
    const first = new Date(month)
    return { from: first.getTime(), to: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0) }
  }
  const days = { from: Date.parse(from), to: Date.parse(to) }
  return days.from <= days.to ? days : null
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
