import type { Decimal } from '@fairlot/contract'
import { expect, it, test } from 'vitest'
import { filledPart, marginState, nearestStopOut } from './account-figures.tsx'

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

test('below the warning level the bar shows the level as a part of it', () => {
  expect(part(100)).toBe(1)
  expect(part(60)).toBe(0.6)
  expect(part(-20)).toBe(0)
})

test('the warning level is the one of the deployment', () => {
  expect(part(240, 120)).toBe(0.5)
  expect(part(110, 120)).toBeCloseTo(0.9167, 4)
})

const order = (id: number, currentPrice: number) => ({ id, currentPrice: currentPrice as Decimal })

const prices = (...pairs: [id: number, price: number][]) => new Map(pairs as [number, Decimal][])

test('the nearest stop-out is the one at the smallest relative distance from its price', () => {
  const orders = [order(1, 1.1), order(2, 2000.0), order(3, 150.0)]
  const stopOuts = prices([1, 1.0], [2, 1900.0], [3, 100.0])
  expect(nearestStopOut(orders, stopOuts)).toEqual({ order: orders[1], price: 1900.0 })
})

test('a position without a stop-out price is left out', () => {
  const orders = [order(1, 1.1), order(2, 2000.0)]
  expect(nearestStopOut(orders, prices([1, 0.5]))?.order.id).toBe(1)
  expect(nearestStopOut(orders, prices())).toBeNull()
  expect(nearestStopOut([], prices([1, 0.5]))).toBeNull()
})
