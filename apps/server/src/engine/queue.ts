import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Quote } from '@fairlot/core'
import { refuseBatch, type Waiting } from './batch.ts'

export type Queue = {
  /** Adds a command; a batch follows by itself. */
  push(waiting: Waiting): void
  /** Gives back what a batch has not come to; it goes before everything else. */
  giveBack(rest: readonly Waiting[]): void
  /** Keeps a tick for the next batch, in place of an older one of its instrument. */
  hold(quote: Quote): void
  /** Refuses what waits. Of its ticks the latest are held, but none that was begun: the memory it was begun in is gone. */
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
  const returned: Waiting[] = []
  const held = new Map<number, Quote>()
  let running: Promise<void> | null = null
  let isStopped = false

  const takeBatch = (): Waiting[] => {
    const begun = returned.splice(0)
    const ticks = [...held.values()].map(asTick)
    held.clear()
    return [...begun, ...ticks, ...waiting.splice(0, Math.max(batchSize - begun.length, 0))]
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
    const undecided = [...returned.splice(0), ...waiting.splice(0)]
    refuseBatch(undecided)
    for (const { command, begunAt } of undecided) {
      if (command.type === 'tick' && begunAt === undefined)
        held.set(command.quote.instrumentId, command.quote)
    }
  }

  return {
    push: (added) => {
      waiting.push(added)
      running ??= run()
    },
    giveBack: (rest) => void returned.push(...rest),
    hold: (quote) => held.set(quote.instrumentId, quote),
    refuse,
    length: () => returned.length + waiting.length,
    isQuiet: () => running === null,
    stop: async () => {
      isStopped = true
      await running
      refuse()
    },
  }
}

export const asTick = (quote: Quote): Waiting => ({ command: { type: 'tick', quote }, answer: null })
