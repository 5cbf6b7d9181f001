/** Progress of the round over all accounts. In memory only: a start begins a new round, which finds what is left. */
export type Sweep = {
  /** The account to look at next. */
  next: number
  isNeeded: boolean
  /** The oldest night that this round has found without a price, epoch ms. */
  waiting: number
}

/** A round that nobody has asked for. */
export const newSweep = (): Sweep => ({ next: 1, isNeeded: false, waiting: Infinity })

/** New work is due on accounts that the round may have passed: it begins anew. */
export function needSweep(sweep: Sweep): void {
  Object.assign(sweep, newSweep(), { isNeeded: true })
}

/** The round is over. */
export function endSweep(sweep: Sweep): void {
  Object.assign(sweep, newSweep())
}
