import { createState } from '@fairlot/core'
import { expect, test } from 'vitest'
import { withheldReport } from './withheld.ts'

test('an operator is told once of what could not be booked, and of how many more there are', () => {
  const state = createState()
  expect(withheldReport(state)).toBeNull()
  for (let id = 22; id >= 1; id -= 1) state.withheld.add(id)
  expect(withheldReport(state)).toContain('order 1, 2, 3,')
  expect(withheldReport(state)).toBeNull()
  for (let id = 1; id <= 22; id += 1) state.withheld.add(id)
  expect(withheldReport(state)).toContain('19, 20 and 2 more;')
})
