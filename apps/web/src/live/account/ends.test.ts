import type { OrderView } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { endedSince } from './ends.ts'

const ended = (id: number, endedAt: number) => ({ id, endedAt }) as OrderView

/** A history, the latest end first, and which of its pages were asked for. */
function historyOf(...pages: OrderView[][]) {
  const asked: number[] = []
  const page = async (number: number) => {
    asked.push(number)
    return { orders: pages[number - 1] ?? [] }
  }
  return { asked, page }
}

test('an old position that ended while nobody listened is found, and no page beyond is asked for', async () => {
  const { asked, page } = historyOf([ended(2, 500), ended(900, 300)], [ended(901, 200)])
  expect((await endedSince(400, page)).map(({ id }) => id)).toEqual([2])
  expect(asked).toEqual([1])
})

test('more ends than a page holds are all found', async () => {
  const { asked, page } = historyOf([ended(1, 900), ended(2, 800)], [ended(3, 700), ended(4, 100)])
  expect((await endedSince(400, page)).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(asked).toEqual([1, 2])
})

test('a history that is all new, or empty, ends', async () => {
  expect(await endedSince(0, historyOf([ended(1, 5)]).page)).toHaveLength(1)
  expect(await endedSince(0, historyOf().page)).toEqual([])
})
