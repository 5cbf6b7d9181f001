import { expect, test } from 'vitest'
import { closeBlockOf } from './close-blocked.ts'

const open = { haltReason: null, isOpen: true }
const calm = { isCancelOnly: false, isStale: false }

test('a position closes on an open market with a fresh price', () => {
  expect(closeBlockOf(open, calm)).toBe(null)
})

test('nothing closes while the operator has paused trading', () => {
  expect(closeBlockOf(open, { ...calm, isCancelOnly: true })).toBe('paused')
})

test('of several reasons the one that lasts longest is told', () => {
  const paused = { isCancelOnly: true, isStale: true }
  expect(closeBlockOf({ haltReason: 'wrong price', isOpen: false }, paused)).toBe('halted')
  expect(closeBlockOf({ ...open, isOpen: false }, paused)).toBe('closed')
  expect(closeBlockOf(open, paused)).toBe('paused')
  expect(closeBlockOf(open, { ...paused, isCancelOnly: false })).toBe('stalePrice')
})
