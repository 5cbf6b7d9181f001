import { expect, it } from 'vitest'
import { quoteAt } from '../testing/test-world.ts'
import type { Waiting } from './batch.ts'
import { createQueue, type Queue } from './queue.ts'

/** More than may wait. */
const FLOOD = 100_001

const tick = (seq: number): Waiting => ({
  command: { type: 'tick', quote: quoteAt(108_469, 0, seq) },
  answer: null,
})
const seqsOf = (batch: readonly Waiting[]) =>
  batch.map(({ command }) => (command.type === 'tick' ? command.quote.seq : null))

it('a flood of ticks leaves the latest of an instrument, and the one that was begun', async () => {
  const batches: (readonly Waiting[])[] = []
  const rested = Promise.withResolvers<void>()
  const runBatch = async (batch: readonly Waiting[]) => {
    batches.push(batch)
    if (batches.length > 1) return
    queue.giveBack(batch.map((one) => ({ ...one, begunAt: 7 })))
    for (let seq = 2; seq <= FLOOD; seq += 1) queue.push(tick(seq))
  }
  const queue: Queue = createQueue({ batchSize: 500, runBatch, onRest: rested.resolve })
  queue.push(tick(1))
  await rested.promise
  expect(batches.map(seqsOf)).toEqual([[1], [1, FLOOD]])
  expect(batches[1]?.[0]?.begunAt).toBe(7)
})
