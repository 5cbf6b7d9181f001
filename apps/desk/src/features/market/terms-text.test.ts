import { expect, test } from 'vitest'
import { blocksOf } from './week-view.tsx'
import { lineOf, valueOf, type Reading } from './terms-text.ts'

test.each<[Reading, string, unknown]>([
  ['ratio', '0.001', 1_000],
  ['lots', '0.01', 100],
  ['money', '10000.5', 10_000_500_000n],
  ['wholes', '1, 5, 30', [1, 5, 30]],
  ['texts', 'ws:one:1, ws:two:2', ['ws:one:1', 'ws:two:2']],
  ['texts', '', []],
  ['flag', 'yes', true],
  ['flag', 'no', false],
  ['hours', '24', 86_400_000],
  ['optionalWhole', '', null],
  ['whole', '-5', -5],
  ['price', '0.00006', 0.00006],
])('a line of %s, "%s", is read and written as it is', (reading, line, value) => {
  expect(valueOf(reading, line)).toEqual(value)
  expect(lineOf(reading, value as never)).toBe(line)
})

test.each<[Reading, string]>([
  ['ratio', '0.0000001'],
  ['ratio', '1e-3'],
  ['lots', '0.00001'],
  ['whole', '1.5'],
  ['wholes', '1, two'],
  ['money', 'much'],
  ['price', '1,5'],
])('a line of %s cannot be "%s"', (reading, line) => expect(valueOf(reading, line)).toBeUndefined())

test('windows fall on the days that they touch, midnight parting them', () => {
  const days = blocksOf('UTC', 'Fri 22:00-Sat 02:00; Sat 23:00-Sun 01:00')
  expect(days?.[5]).toEqual([{ from: 1_320, to: 1_440 }])
  expect(days?.[6]).toEqual([
    { from: 0, to: 120 },
    { from: 1_380, to: 1_440 },
  ])
  expect(days?.[0]).toEqual([{ from: 0, to: 60 }])
  expect(blocksOf('Moon/Base', 'always')).toBeNull()
  expect(blocksOf('UTC', 'whenever')).toBeNull()
})
