import { expect, test } from 'vitest'
import { highestFloor } from './notice-floor.ts'

const TAB_BAR = { top: 583, height: 57 }
const BUTTONS = { top: 511, height: 60 }

test('a notice stands above the tab bar, and above the ticket that stands on it', () => {
  expect(highestFloor([TAB_BAR], 640)).toBe(57)
  expect(highestFloor([TAB_BAR, { top: 463, height: 120 }, BUTTONS], 640)).toBe(177)
})

test('above a ticket that reaches up to the price it would hide the price: it stands above its buttons', () => {
  expect(highestFloor([TAB_BAR, { top: 120, height: 463 }, BUTTONS], 640)).toBe(129)
})

test('what is hidden is no floor', () => {
  expect(highestFloor([TAB_BAR, { top: 0, height: 0 }], 640)).toBe(57)
  expect(highestFloor([], 640)).toBe(0)
})
