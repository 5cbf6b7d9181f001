import type { Decimal } from '@fairlot/contract'
import { expect, it } from 'vitest'
import { marginState } from './margin-state.ts'

const limits = { warningLevel: '100' as Decimal, stopOutLevel: '50' as Decimal }

it.each([
  [null, 'calm'],
  ['100.01', 'calm'],
  ['100', 'warning'],
  ['60.01', 'warning'],
  ['60', 'near'],
  ['-20', 'near'],
])('a level of %s is %s', (level, state) => {
  expect(marginState(level as Decimal | null, limits)).toBe(state)
})
