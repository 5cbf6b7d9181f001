import { expect, test } from 'vitest'
import { isVerbatim } from './verbatim.ts'

test.each([
  '1.08439',
  '−1,204,300.00',
  '30 ×',
  '22 Nov, 09:00 UTC',
  '2026年11月3日',
  'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  'DE89 3704 0044 0532 0130 00',
  'HARBMTMT',
  'XAU/USD',
  '١٢٣',
  12,
])('is left alone by a translator: %s', (value) => expect(isVerbatim(value)).toBe(true))

test.each([
  '',
  'none',
  'at once',
  'Closed by you',
  'It takes effect in 3 days',
  '三天后生效的新条款 3',
  'لا شيء',
  null,
])('is translated: %s', (value) => expect(isVerbatim(value)).toBe(false))
