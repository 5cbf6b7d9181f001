import { describe, expect, test } from 'vitest'
import { priceInTicks, readTick, type RawTick } from './feed.ts'
const EURUSD = { id: 1, priceDecimals: 5 }
const raw = (fields: object): RawTick => ({
  code: 'EURUSD',
  bid: '1.08500',
  ask: '1.08506',
  time: 1_000,
  source: 'test',
  ...fields,
})

test('reads text and JSON numbers as integer ticks', () => {
  expect(readTick(raw({ bid: '1.085', ask: 1.08506 }), EURUSD, 2_000)).toEqual({
    instrumentId: 1,
    bid: 108_500,
    ask: 108_506,
    time: 1_000,
    source: 'test',
  })
})

test('uses the time of arrival for a tick without a time', () => {
  expect(readTick(raw({ time: null }), EURUSD, 2_000)).toMatchObject({ time: 2_000 })
})

test('refuses an unknown instrument', () => {
  expect(readTick(raw({}), undefined, 2_000)).toBe('unknownInstrument')
})

test.each([
  '0x10',
  '',
  ' 1',
  '1e5',
  '1,5',
  '+1',
  '.5',
  '1.',
  'NaN',
  'Infinity',
  null,
  Number.NaN,
  1e309,
  [],
  ['1'],
  {},
  true,
])('refuses %j as a price', (bid) => expect(readTick(raw({ bid }), EURUSD, 2_000)).toBe('notANumber'))

test.each([Number.NaN, Infinity, 0.5])('refuses the time %d', (time) => {
  expect(readTick(raw({ time }), EURUSD, 2_000)).toBe('notANumber')
})

describe('digits beyond the precision', () => {
  test.each([
    ['1.085004', 108_500],
    ['1.085005', 108_501],
    ['-1.085005', -108_501],
    ['1.0850049999999999', 108_500],
    [0.123455, 12_346],
    [0.1 + 0.2, 30_000],
    [1e-7, 0],
    [5e-6, 1],
    [0.0012345678901234567, 123],
  ])('rounds %d half away from zero', (value, ticks) => {
    expect(priceInTicks(value, 5)).toBe(ticks)
  })

  test('rounds a price without decimals to an integer', () => {
    expect(priceInTicks('38900.5', 0)).toBe(38_901)
  })
})

test('refuses numbers past the safe integers', () => {
  expect(priceInTicks('999999999999.99999', 5)).toBeNull()
  expect(priceInTicks(1e21, 5)).toBeNull()
})
