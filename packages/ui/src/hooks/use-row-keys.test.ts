import { expect, test } from 'vitest'
import { rowAfter } from './use-row-keys.ts'

test.each([
  ['ArrowDown', -1, 0],
  ['j', 0, 1],
  ['j', 2, 2],
  ['ArrowUp', 2, 1],
  ['k', 0, 0],
  ['Home', 2, 0],
  ['End', 0, 2],
  ['x', 1, null],
])('%s at row %d of three moves to %s', (key, at, next) => expect(rowAfter(key, at, 3)).toBe(next))

test('no key moves in an empty list', () => expect(rowAfter('j', -1, 0)).toBe(null))
