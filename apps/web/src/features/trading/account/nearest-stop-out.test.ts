import type { Decimal } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { nearestStopOut } from './nearest-stop-out.ts'

const order = (id: number, currentPrice: number) => ({ id, currentPrice: currentPrice as Decimal })

const prices = (...pairs: [id: number, price: number][]) => new Map(pairs as [number, Decimal][])

test('the nearest stop-out is the one that the smallest part of its price leads to', () => {
  const orders = [order(1, 1.1), order(2, 2000.0), order(3, 150.0)]
  const stopOuts = prices([1, 1.0], [2, 1900.0], [3, 100.0])
  expect(nearestStopOut(orders, stopOuts)).toEqual({ order: orders[1], price: 1900.0 })
})

test('a position that no price would stop out is not asked', () => {
  const orders = [order(1, 1.1), order(2, 2000.0)]
  expect(nearestStopOut(orders, prices([1, 0.5]))?.order.id).toBe(1)
  expect(nearestStopOut(orders, prices())).toBeNull()
  expect(nearestStopOut([], prices([1, 0.5]))).toBeNull()
})
