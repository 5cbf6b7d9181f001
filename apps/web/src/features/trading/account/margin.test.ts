import type { Decimal } from '@fairlot/contract'
import { expect, it, test } from 'vitest'
import { filledPart, marginState } from './margin.tsx'

const limits = { warningLevel: 100 as Decimal, stopOutLevel: 50 as Decimal }

it.each([
  [null, 'calm'],
  [100.01, 'calm'],
  [100, 'warning'],
  [60.01, 'warning'],
  [60, 'near'],
  [-20, 'near'],
])('a level of %s is %s', (level, state) => {
  expect(marginState(level as Decimal | null, limits)).toBe(state)
})

const part = (level: number | null, warningLevel = 100) =>
  filledPart(level as Decimal | null, warningLevel as Decimal)

test('the bar is full without margin and empties towards the warning level', () => {
  expect(part(null)).toBe(1)
  expect(part(400)).toBe(0.75)
  expect(part(200)).toBe(0.5)
})

test('from the warning level down it shows what is left of that', () => {
  expect(part(100)).toBe(1)
  expect(part(60)).toBe(0.6)
  expect(part(-20)).toBe(0)
})

test('the warning level is the one of the deployment', () => {
  expect(part(240, 120)).toBe(0.5)
  expect(part(110, 120)).toBeCloseTo(0.9167, 4)
})
