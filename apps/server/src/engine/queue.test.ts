import { expect, it } from 'vitest'
import { quoteAt } from '../../../../testing/test-world.ts'
import type { PendingCommand } from './pending-command.ts'
import { createQueue } from './queue.ts'

/** More than may wait. */
const FLOOD = 100_001

const tick = (seq: number): PendingCommand => ({
  command: { type: 'tick', quote: quoteAt(108_469, 0, seq) },
  answer: null,
  arrivedAt: 0,
})
const seqOf = ({ command }: PendingCommand) => (command.type === 'tick' ? command.quote.seq : null)

it('a flood of ticks leaves the latest of an instrument, and the one that was begun', () => {
  const queue = createQueue()
  queue.begin({ waiting: tick(1), at: 7 })
  for (let seq = 2; seq <= FLOOD + 1; seq += 1) queue.push(tick(seq))
  expect(queue.length()).toBe(2)
  expect(queue.takeBegun()?.at).toBe(7)
  const next = queue.take()
  expect(next && seqOf(next)).toBe(FLOOD + 1)
  expect(queue.take()).toBeUndefined()
})

it('what came to nothing is decided again first, what was begun anew among it', () => {
  const queue = createQueue()
  for (const seq of [1, 2, 3, 4]) queue.push(tick(seq))
  const lost = [queue.take(), queue.take()].filter((one) => one !== undefined)
  const begun = queue.take()
  if (begun) queue.begin({ waiting: begun, at: 7 })
  queue.putBack(lost)
  expect(queue.takeBegun()).toBeNull()
  const order = [1, 2, 3, 4].map(() => queue.take()).map((one) => one && seqOf(one))
  expect(order).toEqual([1, 2, 3, 4])
})
