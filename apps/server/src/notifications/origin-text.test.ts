import { expect, test } from 'vitest'
import { originText } from './origin-text.ts'

const address = '203.0.113.7'

test('where somebody came from is told by the browser and system they know, and the network', () => {
  const device = 'Mozilla/5.0 (Linux; Android 14; Pixel 7) Chrome/140.0.0.0 Mobile Safari/537.36'
  expect(originText({ device, address })).toBe('Chrome · Android, 203.0.113.7')
})

test('what said nothing of itself leaves no gap', () => {
  expect(originText({ device: '', address })).toBe(address)
})
