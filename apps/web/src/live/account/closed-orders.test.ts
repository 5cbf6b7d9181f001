import type { OrderView } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { closedSince } from './closed-orders.ts'

const ended = (id: number, endedAt: number) => ({ id, endedAt }) as OrderView

/** A history, the latest end first, and after which of its orders rows were requested. */
function historyOf(...pages: OrderView[][]) {
  const requested: (number | null)[] = []
  const page = async (before: number | null) => {
    requested.push(before)
    return { orders: pages[pages.findIndex((rows) => rows.at(-1)?.id === before) + 1] ?? [] }
  }
  return { requested, page }
}

test('an old position that ended during a lost connection is found, and no further page is requested', async () => {
  const { requested, page } = historyOf([ended(2, 500), ended(900, 300)], [ended(901, 200)])
  expect((await closedSince(400, page)).map(({ id }) => id)).toEqual([2])
  expect(requested).toEqual([null])
})

test('finds more ended orders than fit on a page', async () => {
  const { requested, page } = historyOf([ended(1, 900), ended(2, 800)], [ended(3, 700), ended(4, 100)])
  expect((await closedSince(400, page)).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(requested).toEqual([null, 2])
})

test('an order that ended at the time of the last price counts as new', async () => {
  const { page } = historyOf([ended(1, 500), ended(2, 400), ended(3, 399)])
  expect((await closedSince(400, page)).map(({ id }) => id)).toEqual([1, 2])
})

test('stops at the end of a history that is all new, or empty', async () => {
  expect(await closedSince(0, historyOf([ended(1, 5)]).page)).toHaveLength(1)
  expect(await closedSince(0, historyOf().page)).toEqual([])
})
