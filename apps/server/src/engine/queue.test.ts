import { expect, it } from 'vitest'
import { quoteAt } from '../../../../testing/test-world.ts'
import { createQueue, type PendingCommand } from './queue.ts'

/** More than the queue holds. */
const FLOOD = 100_001

const tick = (seq: number): PendingCommand => ({
  command: { type: 'tick', quote: quoteAt(108_469, 0, seq) },
  answer: null,
  arrivedAt: 0,
})
const seqOf = ({ command }: PendingCommand) => (command.type === 'tick' ? command.quote.seq : null)

it('keeps of a flood of ticks the latest of an instrument and the unfinished one', () => {
  const queue = createQueue()
  queue.begin({ waiting: tick(1), at: 7 })
  for (let seq = 2; seq <= FLOOD + 1; seq += 1) queue.push(tick(seq))
  expect(queue.length()).toBe(2)
  expect(queue.takeBegun()?.at).toBe(7)
  const next = queue.take()
  expect(next && seqOf(next)).toBe(FLOOD + 1)
  expect(queue.take()).toBeUndefined()
})

it('decides failed ticks again first, an unfinished one from its beginning', () => {
  const queue = createQueue()
  for (const seq of [1, 2, 3, 4]) queue.push(tick(seq))
  const failed = [queue.take(), queue.take()].filter((one) => one !== undefined)
  const begun = queue.take()
  if (begun) queue.begin({ waiting: begun, at: 7 })
  queue.putBack(failed)
  expect(queue.takeBegun()).toBeNull()
  const order = [1, 2, 3, 4].map(() => queue.take()).map((one) => one && seqOf(one))
  expect(order).toEqual([1, 2, 3, 4])
})

const order: PendingCommand = {
  command: { type: 'cancelOrder', accountId: 1, orderId: 2 },
  answer: () => undefined,
  arrivedAt: 0,
}

it('decides an unfinished command of a user again after a failure: its caller still waits', () => {
  const queue = createQueue()
  queue.begin({ waiting: order, at: 7 })
  queue.push(tick(2))
  queue.putBack([tick(1)])
  expect(queue.takeBegun()).toBeNull()
  expect([queue.take(), queue.take(), queue.take()].map((one) => one?.command.type)).toEqual([
    'tick',
    'cancelOrder',
    'tick',
  ])
})

it('takes an unfinished command out with the others, so that every caller is answered', () => {
  const queue = createQueue()
  queue.begin({ waiting: order, at: 7 })
  queue.push(tick(1))
  queue.push(order)
  expect(queue.takeOut(({ command }) => command.type === 'cancelOrder')).toEqual([order, order])
  expect(queue.takeBegun()).toBeNull()
  expect(queue.length()).toBe(1)
})
