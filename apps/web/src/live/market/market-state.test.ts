import type { InstrumentListing } from '@fairlot/contract'
import { describe, expect, it, test } from 'vitest'
import { haveHaltsChanged, msUntilNextSession, withHalts } from './market-state.ts'

const listing = (id: number, change: Partial<InstrumentListing> = {}): InstrumentListing =>
  ({
    id,
    isOpen: true,
    haltReason: null,
    nextOpenAt: null,
    nextCloseAt: null,
    ...change,
  }) as InstrumentListing

describe('halts', () => {
  const list = [listing(1), listing(2, { haltReason: 'Checking.', isOpen: false })]

  it('close the halted instrument and give the reason', () => {
    const [first] = withHalts(list, [{ instrumentId: 1, reason: 'Split.' }])
    expect(first).toMatchObject({ haltReason: 'Split.', isOpen: false })
  })

  it('that have ended leave no reason, and do not open the market: only the server knows', () => {
    const [, second] = withHalts(list, [])
    expect(second).toMatchObject({ haltReason: null, isOpen: false })
    expect(haveHaltsChanged(list, [])).toBe(true)
  })

  it('that the list already shows change nothing', () => {
    const halts = [{ instrumentId: 2, reason: 'Checking.' }]
    expect(withHalts(list, halts)).toBe(list)
    expect(haveHaltsChanged(list, halts)).toBe(false)
  })
})

test('the list is fetched again when the next market opens or closes', () => {
  const list = [listing(1, { nextCloseAt: 90_000 }), listing(2, { nextOpenAt: 60_000 }), listing(3)]
  expect(msUntilNextSession(list, 10_000)).toBe(50_000)
  expect(msUntilNextSession(list, 60_500)).toBe(2_000)
  expect(msUntilNextSession([listing(1, { nextCloseAt: 1e9 })], 0)).toBe(3_600_000)
  expect(msUntilNextSession([listing(3)], 0)).toBe(false)
})
