import { expect, test } from 'vitest'
import { offsetAbove } from './toast-obstacle.ts'

const TAB_BAR = { top: 583, height: 57 }
const BUTTONS = { top: 511, height: 60 }

test('a toast is shown above the tab bar, and above a ticket on top of it', () => {
  expect(offsetAbove([TAB_BAR], 640)).toBe(57)
  expect(offsetAbove([TAB_BAR, { top: 463, height: 120 }, BUTTONS], 640)).toBe(177)
})

test('a toast is shown above the buttons of a tall ticket, where it does not hide the price', () => {
  expect(offsetAbove([TAB_BAR, { top: 120, height: 463 }, BUTTONS], 640)).toBe(129)
})

test('ignores hidden elements', () => {
  expect(offsetAbove([TAB_BAR, { top: 0, height: 0 }], 640)).toBe(57)
  expect(offsetAbove([], 640)).toBe(0)
})
