import { expect, test } from 'vitest'
import { sourceOf } from './main-header.tsx'

test('the chip over a mixed list names the least real source', () => {
  expect(sourceOf([{ source: 'live' }, { source: 'simulated' }])).toBe('simulated')
  expect(sourceOf([{ source: 'live' }, { source: 'recorded' }])).toBe('recorded')
  expect(sourceOf([{ source: null }, { source: 'live' }])).toBe('live')
  expect(sourceOf([{ source: null }])).toBeNull()
})
