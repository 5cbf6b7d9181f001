import { expect, test } from 'vitest'
import { closeBarOf } from './close-bar.ts'

const open = { haltReason: null, isOpen: true }
const calm = { isCancelOnly: false, isStale: false }

test('a position closes on an open market with a fresh price', () => {
  expect(closeBarOf(open, calm)).toBe(null)
})

test('nothing closes while the operator has paused trading', () => {
  expect(closeBarOf(open, { ...calm, isCancelOnly: true })).toBe('paused')
})

test('of several reasons the one that lasts longest is told', () => {
  const paused = { isCancelOnly: true, isStale: true }
  expect(closeBarOf({ haltReason: 'wrong price', isOpen: false }, paused)).toBe('halted')
  expect(closeBarOf({ ...open, isOpen: false }, paused)).toBe('closed')
  expect(closeBarOf(open, paused)).toBe('paused')
  expect(closeBarOf(open, { ...paused, isCancelOnly: false })).toBe('stalePrice')
})
