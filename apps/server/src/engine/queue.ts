import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseBatch, type Waiting } from './batch.ts'

/** Ticks cannot be refused. When so much waits, only the latest of each instrument are kept. */
const MAX_LENGTH = 100_000

export type Queue = {
  /** Adds a command; a batch follows by itself. */
  push(waiting: Waiting): void
  /** Gives back what a batch has not come to; it goes before everything else. */
  giveBack(rest: readonly Waiting[]): void
  /** Refuses what users wait for. Ticks go on waiting, to be decided from the beginning. */
  refuse(): void
  /** Refuses a batch that came to nothing; its ticks are decided again before all others. */
  decideAgain(batch: readonly Waiting[]): void
  length(): number
  /** True while nothing waits and no batch is under way. */
  isQuiet(): boolean
  /** Ends with the batch under way and refuses the rest. */
  stop(): Promise<void>
}

type QueueOptions = {
  /** Most commands in one batch. */
  readonly batchSize: number
  /** Never rejects. */
  readonly runBatch: (batch: readonly Waiting[]) => Promise<void>
  /** Told when the queue comes to rest. */
  readonly onRest: () => void
}

/** Commands in the order in which they came. A batch is what arrived while the last one was under way. */
export function createQueue({ batchSize, runBatch, onRest }: QueueOptions): Queue {
  let waiting: Waiting[] = []
  let running: Promise<void> | null = null
  let isStopped = false

  const run = async () => {
    // A turn of the loop lets everything that has arrived into the batch, and everybody else have a turn.
    await nextTurn()
    while (waiting.length > 0 && !isStopped) {
      await runBatch(waiting.splice(0, batchSize))
      await nextTurn()
    }
    running = null
    onRest()
  }

  const refuse = () => {
    refuseBatch(waiting)
    waiting = asNewTicks(waiting)
  }

  return {
    push: (added) => {
      waiting.push(added)
      if (waiting.length > MAX_LENGTH) waiting = latestTicks(waiting)
      running ??= run()
    },
    giveBack: (rest) => void waiting.unshift(...rest),
    refuse,
    decideAgain: (batch) => {
      refuseBatch(batch)
      waiting.unshift(...asNewTicks(batch))
    },
    length: () => waiting.length,
    isQuiet: () => running === null,
    stop: async () => {
      isStopped = true
      await running
      refuse()
    },
  }
}

const isTick = ({ command }: Waiting): boolean => command.type === 'tick'

/** The ticks among what was lost, as if none had been begun: the memory it was begun in is gone. */
const asNewTicks = (lost: readonly Waiting[]): Waiting[] =>
  lost.filter(isTick).map(({ command, answer }) => ({ command, answer }))

function latestTicks(waiting: readonly Waiting[]): Waiting[] {
  const latest = new Map<number, Waiting>()
  for (const one of waiting) {
    if (one.command.type === 'tick') latest.set(one.command.quote.instrumentId, one)
  }
  const kept = new Set(latest.values())
  // What was begun has to be ended before anything else.
  return waiting.filter((one) => !isTick(one) || one.begunAt !== undefined || kept.has(one))
}
