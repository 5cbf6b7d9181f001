import { expect, test } from 'vitest'
import { unbookableReport } from './operator-reports.ts'

test('an operator is told once of what could not be booked, and of how many more there are', () => {
  const core = { withheld: new Set<number>() }
  expect(unbookableReport(core)).toBeNull()
  for (let id = 22; id >= 1; id -= 1) core.withheld.add(id)
  expect(unbookableReport(core)).toContain('order 1, 2, 3,')
  expect(unbookableReport(core)).toBeNull()
  for (let id = 1; id <= 22; id += 1) core.withheld.add(id)
  expect(unbookableReport(core)).toContain('19, 20 and 2 more;')
})
