let aheadMs = 0

/** The server's time, epoch ms: the desk's own clock may be wrong. */
export const serverNow = (): number => Date.now() + aheadMs

/** Learns the server's time from the `Date` of an answer, which is right to the second. */
export function learnTime(date: string | null): void {
  const told = date === null ? Number.NaN : Date.parse(date)
  if (Number.isFinite(told)) aheadMs = told - Date.now()
}
