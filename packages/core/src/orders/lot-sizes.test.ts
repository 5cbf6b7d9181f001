import { describe, expect, it } from 'vitest'
import { demoHarness, effects } from '../../scenarios/harness.ts'
import { INSTRUMENTS, lotsOf } from '../../scenarios/market.ts'

/** Euros in steps of 0.01 lots, from 0.05 to 0.50 lots. */
function steppedHarness() {
  const harness = demoHarness({
    instruments: INSTRUMENTS.map((instrument) =>
      instrument.code === 'EURUSD'
        ? { ...instrument, lotStep: lotsOf('0.01'), lotMin: lotsOf('0.05'), lotMax: lotsOf('0.5') }
        : instrument,
    ),
  })
  harness.tick('EURUSD', '1.00000', '1.00000')
  return harness
}

describe('the size of an order', () => {
  it.each([
    ['0.04', 'refused lotsBelowMinimum'],
    ['0.05', '1 positionOpened'],
    ['0.06', '1 positionOpened'],
    ['0.055', 'refused lotsOffStep'],
    ['0.49', '1 positionOpened'],
    ['0.5', '1 positionOpened'],
    ['0.51', 'refused lotsAboveMaximum'],
  ])('of %s lots between 0.05 and 0.5: %s', (lots, effect) => {
    expect(effects(steppedHarness().buy('EURUSD', { lots }))).toEqual([effect])
  })
})

describe('a part of 0.20 lots, of which none may be below 0.05', () => {
  it.each([
    ['0.01', 'refused lotsBelowMinimum'],
    ['0.04', 'refused lotsBelowMinimum'],
    ['0.05', '1 positionReduced'],
    ['0.15', '1 positionReduced'],
    ['0.16', 'refused remainderTooSmall'],
    ['0.19', 'refused remainderTooSmall'],
    ['0.2', '1 positionClosed'],
    ['0.21', 'refused lotsAboveMaximum'],
  ])('of %s lots: %s', (lots, effect) => {
    const harness = steppedHarness()
    harness.buy('EURUSD', { lots: '0.2' })
    expect(effects(harness.close(1, { lots }))).toEqual([effect])
  })
})
