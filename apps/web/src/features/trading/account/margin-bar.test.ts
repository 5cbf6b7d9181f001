import type { Decimal } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { freePart } from './margin-bar.tsx'

test('the bar is full without margin and empties towards the warning level', () => {
  expect(freePart(null)).toBe(1)
  expect(freePart('400' as Decimal)).toBe(0.75)
  expect(freePart('100' as Decimal)).toBe(0)
  expect(freePart('60' as Decimal)).toBe(0)
})
