import type { Begun, PendingCommand } from './pending-command.ts'

/** Ticks cannot be refused. When so much waits, only the latest of each instrument are kept. */
const MAX_LENGTH = 100_000
/** Places at the front that may stand empty before they are given back. */
const MAX_TAKEN = 1_024

/** Commands in the order in which they came. */
export type Queue = {
  push(waiting: PendingCommand): void
  /** The next one; it waits no longer. */
  take(): PendingCommand | undefined
  /** Remembers a command that has more to do. It goes before everything else. */
  begin(begun: Begun): void
  takeBegun(): Begun | null
  /** Puts back what came to nothing; it is decided again before all others, and nothing is begun any more. */
  putBack(lost: readonly PendingCommand[]): void
  /** Takes out whatever fits, wherever it stands. */
  takeOut(isWanted: (waiting: PendingCommand) => boolean): readonly PendingCommand[]
  length(): number
}

export function createQueue(): Queue {
  let waiting: PendingCommand[] = []
  let taken = 0
  let begun: Begun | null = null

  const rest = () => waiting.slice(taken)
  const become = (next: PendingCommand[]) => {
    waiting = next
    taken = 0
  }

  return {
    push: (added) => {
      waiting.push(added)
      if (waiting.length - taken > MAX_LENGTH) become(latestTicks(rest()))
    },
    take: () => {
      const next = waiting[taken]
      if (next) taken += 1
      if (taken >= waiting.length || (taken > MAX_TAKEN && taken * 2 > waiting.length)) become(rest())
      return next
    },
    begin: (unfinished) => {
      begun = unfinished
    },
    takeBegun: () => {
      const unfinished = begun
      begun = null
      return unfinished
    },
    putBack: (lost) => {
      const unfinished = begun && isTick(begun.waiting) ? [begun.waiting] : []
      begun = null
      become([...lost, ...unfinished, ...rest()])
    },
    takeOut: (isWanted) => {
      const out = rest().filter(isWanted)
      if (out.length > 0) become(rest().filter((one) => !isWanted(one)))
      return out
    },
    length: () => waiting.length - taken + (begun ? 1 : 0),
  }
}

const isTick = ({ command }: PendingCommand): boolean => command.type === 'tick'

function latestTicks(waiting: readonly PendingCommand[]): PendingCommand[] {
  const latest = new Map<number, PendingCommand>()
  for (const one of waiting) {
    if (one.command.type === 'tick') latest.set(one.command.quote.instrumentId, one)
  }
  const kept = new Set(latest.values())
  return waiting.filter((one) => !isTick(one) || kept.has(one))
}
