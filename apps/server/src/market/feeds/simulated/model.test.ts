import { expect, test } from 'vitest'
import { createRandom } from './model.ts'
const normals = (seed: string, stream: string) => {
  const random = createRandom(seed, stream)
  return Array.from({ length: 50_000 }, random.normal)
}
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

test('normal deviates have mean 0, deviation 1 and few far away', () => {
  const values = normals('seed', 'stream')
  expect(Math.abs(mean(values))).toBeLessThan(0.02)
  expect(Math.abs(mean(values.map((value) => value ** 2)) - 1)).toBeLessThan(0.03)
  const beyondTwo = values.filter((value) => Math.abs(value) > 2).length / values.length
  expect(beyondTwo).toBeGreaterThan(0.042)
  expect(beyondTwo).toBeLessThan(0.049)
})

test.each([
  ['seeds', normals('1', 'EUR'), normals('2', 'EUR')],
  ['streams', normals('1', 'EUR'), normals('1', 'EUS')],
])('%s are independent of each other', (_, a, b) => {
  expect(Math.abs(mean(a.map((value, index) => value * (b[index] ?? 0))))).toBeLessThan(0.02)
})

test('uniform numbers stay below one', () => {
  const random = createRandom('seed', 'stream')
  const values = Array.from({ length: 50_000 }, random.uniform)
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...values)).toBeLessThan(1)
  expect(Math.abs(mean(values) - 0.5)).toBeLessThan(0.01)
})
