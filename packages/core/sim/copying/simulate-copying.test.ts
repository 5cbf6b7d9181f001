import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { crowdOf, EXPECTED, FEW, simulateCopying } from './simulate-copying.ts'

const TIMEOUT_MS = 120_000
/** Seeds that reach every state within these steps. */
const SEED = 27
const CROWD_SEED = 29

test('copying agrees with its plain model, and every state is reached', { timeout: TIMEOUT_MS }, () => {
  const { problem, counts } = simulateCopying(2_500, SEED)
  expect(problem).toBeNull()
  expect(EXPECTED.few.filter((name) => !counts.has(name))).toEqual([])
})

test('so do copies of one provider, with real money and demo money', { timeout: TIMEOUT_MS }, () => {
  const { problem, counts } = simulateCopying(4_000, CROWD_SEED, crowdOf(20))
  expect(problem).toBeNull()
  expect(EXPECTED.crowd.filter((name) => !counts.has(name))).toEqual([])
})

test('copying agrees with its plain model from a random seed', { timeout: TIMEOUT_MS }, () => {
  const seed = randomInt(2 ** 31)
  console.log(`simulation of copying: seed ${seed}`)
  for (const cast of [FEW, crowdOf(12)]) expect(simulateCopying(700, seed, cast).problem).toBeNull()
})
