import { expect, test } from 'vitest'
import { unbookableReport } from './operator-reports.ts'

test('reports orders with unbookable amounts once, with the number of further ones', () => {
  const core = { deferredOrders: new Set<number>() }
  expect(unbookableReport(core)).toBeNull()
  for (let id = 22; id >= 1; id -= 1) core.deferredOrders.add(id)
  expect(unbookableReport(core)).toContain('order 1, 2, 3,')
  expect(unbookableReport(core)).toBeNull()
  for (let id = 1; id <= 22; id += 1) core.deferredOrders.add(id)
  expect(unbookableReport(core)).toContain('19, 20 and 2 more;')
})
