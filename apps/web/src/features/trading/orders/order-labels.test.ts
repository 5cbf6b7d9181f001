import { expect, test } from 'vitest'
import { closeBlockOf } from './order-labels.tsx'

const open = { haltReason: null, isOpen: true }
const calm = { marketHalt: null, isStale: false }

test('a position closes on an open market with a fresh price', () => {
  expect(closeBlockOf(open, calm)).toBe(null)
})

test('nothing closes while the whole market is halted', () => {
  expect(closeBlockOf(open, { ...calm, marketHalt: 'a storm' })).toBe('halted')
})

test('of several reasons the one that lasts longest is shown', () => {
  const stale = { ...calm, isStale: true }
  expect(closeBlockOf({ haltReason: 'wrong price', isOpen: false }, stale)).toBe('halted')
  expect(closeBlockOf({ ...open, isOpen: false }, { ...stale, marketHalt: 'a storm' })).toBe('halted')
  expect(closeBlockOf({ ...open, isOpen: false }, stale)).toBe('closed')
  expect(closeBlockOf(open, stale)).toBe('stalePrice')
})
