import { money } from '@fairlot/core'
import { expect, it } from 'vitest'
import { usd } from '../testing/copying-setup.ts'
import { sizeFigures } from './copied-size.ts'

/** Half of 2.00 lots at a tenth of the equity is 0.10, that is 1,000. */
const TENTH = {
  lots: 1_000,
  providerLots: 20_000,
  multiplier: 500_000,
  equity: usd(1_000),
  providerEquity: usd(10_000),
  instrument: { lotStep: 100, lotMax: 1_000_000 },
  isNearCounted: true,
}

const faultsOf = (change: Partial<typeof TENTH>) =>
  sizeFigures({ ...TENTH, ...change }).flatMap(([name, found, expected]) =>
    found === expected ? [] : [name],
  )

it.each([
  ['the exact proportion', {}],
  ['the step below it', { equity: usd(1_099) }],
  ['a step that lacks less than a millionth', { equity: money(usd(1_000) - 999n) }],
  ['the maximum lot, however much more is due', { lots: 500, instrument: { lotStep: 100, lotMax: 500 } }],
])('finds no fault in %s', (_, change) => {
  expect(faultsOf(change)).toEqual([])
})

it.each([
  ['a step too much', { lots: 1_100 }, ['lots within the proportion']],
  ['a step too little', { lots: 900 }, ['another step within the proportion']],
  ['half a step', { lots: 950 }, ['lots beyond whole steps']],
  ['a step that lacks a millionth', { equity: money(usd(1_000) - 1_000n) }, ['lots within the proportion']],
  [
    'a step that lacks less, by the rules before version 4',
    { equity: money(usd(1_000) - 999n), isNearCounted: false },
    ['lots within the proportion'],
  ],
])('names %s', (_, change, faults) => {
  expect(faultsOf(change)).toEqual(faults)
})
