import { expect, it } from 'vitest'
import { readChoice } from './chart-choice.ts'

const USUAL = { period: '5min', indicators: [] }

it('is five minutes without indicators until something was chosen', () => {
  expect(readChoice(null)).toEqual(USUAL)
})

it('comes back as it was kept', () => {
  const kept = { period: '1day', indicators: ['MA', 'RSI'] }
  expect(readChoice(JSON.stringify(kept))).toEqual(kept)
})

it('ignores what an older version or another hand has left', () => {
  for (const text of [
    '{',
    'null',
    '[]',
    '"x"',
    '{"period":"7min","indicators":["HAT",3]}',
    '{"indicators":{}}',
  ])
    expect(readChoice(text), text).toEqual(USUAL)
})
