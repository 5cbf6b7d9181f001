import { expect, test } from 'vitest'
import { fieldTextOf, fieldValueOf, type ValueFormat } from './terms-form.tsx'
import { blocksOf } from './week-view.tsx'

test.each<[ValueFormat, string, unknown]>([
  ['ratio', '0.001', 1_000],
  ['lots', '0.01', 100],
  ['money', '10000.5', 10_000_500_000n],
  ['integers', '1, 5, 30', [1, 5, 30]],
  ['texts', 'ws:one:1, ws:two:2', ['ws:one:1', 'ws:two:2']],
  ['texts', '', []],
  ['flag', 'yes', true],
  ['flag', 'no', false],
  ['hours', '24', 86_400_000],
  ['optionalInteger', '', null],
  ['integer', '-5', -5],
  ['price', '0.00006', 0.00006],
])('a field of %s reads "%s" and writes it back unchanged', (format, text, value) => {
  expect(fieldValueOf(format, text)).toEqual(value)
  expect(fieldTextOf(format, value as never)).toBe(text)
})

test.each<[ValueFormat, string]>([
  ['ratio', '0.0000001'],
  ['ratio', '1e-3'],
  ['lots', '0.00001'],
  ['integer', '1.5'],
  ['integers', '1, two'],
  ['money', 'much'],
  ['price', '1,5'],
])('a field of %s rejects "%s"', (format, text) => expect(fieldValueOf(format, text)).toBeUndefined())

test('windows are split at midnight into the days that they cover', () => {
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
