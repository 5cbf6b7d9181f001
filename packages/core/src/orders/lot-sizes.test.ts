import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoHarness, effects } from '../../scenarios/harness.ts'
import { INSTRUMENTS, lotsOf } from '../../scenarios/market.ts'
import { lots } from '../model/number.ts'
import { checkPart, partRange } from './order-rules.ts'

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
  ])('of %s lots between 0.05 and 0.5: %s', (size, effect) => {
    expect(effects(steppedHarness().buy('EURUSD', { lots: size }))).toEqual([effect])
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
  ])('of %s lots: %s', (size, effect) => {
    const harness = steppedHarness()
    harness.buy('EURUSD', { lots: '0.2' })
    expect(effects(harness.close(1, { lots: size }))).toEqual([effect])
  })
})

describe('the size that the refusal of a part names', () => {
  const positions = fc
    .record({
      lotStep: fc.integer({ min: 1, max: 300 }),
      smallest: fc.integer({ min: 1, max: 40 }),
      held: fc.integer({ min: 1, max: 40_000 }),
      part: fc.integer({ min: -10, max: 45_000 }),
    })
    .map(({ lotStep, smallest, held, part }) => ({
      rules: { lotStep: lots(lotStep), lotMin: lots(lotStep * smallest) },
      held: lots(held),
      part: lots(part),
    }))

  it('is accepted, whatever the position; where none would be, only the whole is named', () => {
    fc.assert(
      fc.property(positions, ({ rules, held, part }) => {
        const { rejected, details } = checkPart(rules, held, part) ?? {}
        const named = details?.['minimum'] ?? details?.['maximum']
        if (rejected === 'closableOnlyWhole') expect(partRange(rules, held)).toBeNull()
        // As many lots as the position has close it as a whole.
        else if (named !== undefined && named !== held)
          expect(checkPart(rules, held, lots(Number(named)))).toBeNull()
      }),
    )
  })

  it.each([
    ['0.08', '0.05', 'closableOnlyWhole', { minimum: lotsOf('0.05') }],
    ['0.08', '0.01', 'closableOnlyWhole', { minimum: lotsOf('0.05') }],
    ['0.10', '0.06', 'remainderTooSmall', { maximum: lotsOf('0.05') }],
    ['0.13', '0.1', 'remainderTooSmall', { maximum: lotsOf('0.08') }],
  ])('of %s lots, for a part of %s: %s', (held, part, rejected, details) => {
    const harness = steppedHarness()
    harness.buy('EURUSD', { lots: held })
    expect(harness.close(1, { lots: part })).toMatchObject({ rejected, details })
  })
})
