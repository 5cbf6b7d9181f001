import { expect, test } from 'vitest'
import { originText } from './notice-text.ts'

const address = '203.0.113.7'

test('names the origin of a log-in by browser, system and address', () => {
  const device = 'Mozilla/5.0 (Linux; Android 14; Pixel 7) Chrome/140.0.0.0 Mobile Safari/537.36'
  expect(originText({ device, address })).toBe('Chrome · Android, 203.0.113.7')
})

test('names an origin without a known browser by its address alone', () => {
  expect(originText({ device: '', address })).toBe(address)
})
