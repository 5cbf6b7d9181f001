import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Quote } from '@fairlot/core'
import { refuseBatch, type Waiting } from './batch.ts'

export type Queue = {
  /** Adds a command; a batch follows by itself. */
  push(waiting: Waiting): void
  /** Keeps a tick for the next batch, in place of an older one of its instrument. */
  hold(quote: Quote): void
  /** Refuses what waits. Of its ticks the latest are held. */
  refuse(): void
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
  const waiting: Waiting[] = []
  const held = new Map<number, Quote>()
  let running: Promise<void> | null = null
  let isStopped = false

  const takeBatch = (): Waiting[] => {
    const ticks = [...held.values()].map(asTick)
    held.clear()
    return [...ticks, ...waiting.splice(0, batchSize)]
  }

  const run = async () => {
    // A turn of the loop lets everything that has arrived into the batch, and everybody else have a turn.
    await nextTurn()
    for (let batch = takeBatch(); batch.length > 0; batch = isStopped ? [] : takeBatch()) {
      await runBatch(batch)
      await nextTurn()
    }
    running = null
    onRest()
  }

  const refuse = () => {
    const undecided = waiting.splice(0)
    refuseBatch(undecided)
    for (const { command } of undecided) {
      if (command.type === 'tick') held.set(command.quote.instrumentId, command.quote)
    }
  }

  return {
    push: (added) => {
      waiting.push(added)
      running ??= run()
    },
    hold: (quote) => held.set(quote.instrumentId, quote),
    refuse,
    length: () => waiting.length,
    isQuiet: () => running === null,
    stop: async () => {
      isStopped = true
      await running
      refuse()
    },
  }
}

export const asTick = (quote: Quote): Waiting => ({ command: { type: 'tick', quote }, answer: null })
