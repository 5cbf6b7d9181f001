import { expect, test } from 'vitest'
import { directionTo } from './alert-texts.ts'

const quote = { bid: 108_469, ask: 108_475 }

test.each([
  [108_470, 'bid', 'above'],
  [108_469, 'bid', null],
  [108_468, 'bid', 'below'],
  [108_475, 'ask', null],
  [108_474, 'ask', 'below'],
  [108_472, 'mid', null],
  [108_473, 'mid', 'above'],
  [108_471, 'mid', 'below'],
] as const)('a price of %i lies for the %s: %s', (ticks, side, direction) => {
  expect(directionTo(ticks, side, quote)).toBe(direction)
})
