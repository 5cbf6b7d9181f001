import { expect, test } from 'vitest'
import { readIds, shownWatched, watch, withWatched } from './watchlist.ts'

test.each([
  [null, []],
  ['', []],
  ['3,1', [3, 1]],
  ['3,x,-1,1.5,,7', [3, 7]],
])('a stored list of %j is %j', (text, ids) => expect(readIds(text)).toEqual(ids))

test('an instrument is on the list once', () => {
  expect(withWatched([1, 2], 2, true)).toEqual([1, 2])
  expect(withWatched([1, 2], 1, false)).toEqual([2])
  expect(withWatched([], 1, false)).toEqual([])
})

test('a visitor’s list is stored without a request', async () => {
  await watch(9, true)
  await watch(4, true)
  await watch(9, false)
  expect(shownWatched()).toEqual([4])
})
