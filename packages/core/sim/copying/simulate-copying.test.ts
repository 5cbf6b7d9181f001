import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { EXPECTED, simulateCopying } from './simulate-copying.ts'

const TIMEOUT_MS = 120_000
/** A seed that reaches every state within these steps. */
const SEED = 36

test('copying agrees with its plain model, and every state is reached', { timeout: TIMEOUT_MS }, () => {
  const { problem, counts } = simulateCopying(2_000, SEED)
  expect(problem).toBeNull()
  expect(EXPECTED.filter((name) => counts.get(name) === 0)).toEqual([])
})

test('copying agrees with its plain model from a random seed', { timeout: TIMEOUT_MS }, () => {
  const seed = randomInt(2 ** 31)
  console.log(`simulation of copying: seed ${seed}`)
  expect(simulateCopying(1_000, seed).problem).toBeNull()
})
