import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { money } from '../model/number.ts'
import { payoutOf } from './payout.ts'

const ONE = 10_000_000_000n
const units = (whole: number) => money(BigInt(whole * 1_000_000))

describe('a withdrawal', () => {
  it('of fee type 1 costs a fixed amount, whatever its size', () => {
    const terms = { feeType: 'fixed', feeRate: 12_000_000n, price: ONE } as const
    expect(payoutOf(units(12_400), terms)).toEqual({ fee: 12_000_000n, received: 1_238_800_000_000n })
    expect(payoutOf(units(100), terms).fee).toBe(12_000_000n)
  })

  it('of any other fee type costs a share of the amount, rounded once', () => {
    const terms = { feeType: 'rate', feeRate: 15_000n, price: ONE } as const
    expect(payoutOf(units(200), terms).fee).toBe(3_000_000n)
    expect(payoutOf(money(33n), terms).fee).toBe(0n)
    expect(payoutOf(money(34n), terms).fee).toBe(1n)
  })

  it('pays out (amount - fee) x price', () => {
    const terms = { feeType: 'fixed', feeRate: 1_000_000n, price: 78_000_000_000n } as const
    expect(payoutOf(units(11), terms).received).toBe(7_800_000_000n)
  })

  it('never pays out less than zero', () => {
    const terms = { feeType: 'fixed', feeRate: 5_000_000n, price: ONE } as const
    expect(payoutOf(units(5), terms).received).toBe(0n)
    expect(payoutOf(units(3), terms).received).toBe(0n)
  })

  it('is exact: fee and rest add up to the amount, and the payout is rounded to the nearest unit', () => {
    const terms = fc.record({
      feeType: fc.constantFrom('fixed', 'rate'),
      feeRate: fc.bigInt({ min: 0n, max: 999_999n }),
      price: fc.bigInt({ min: 1n, max: 10n ** 16n }),
    })
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 18n }), terms, (amount, given) => {
        const { fee, received } = payoutOf(money(amount), given)
        const size = (value: bigint) => (value < 0n ? -value : value)
        // Half of the last digit is the most that rounding may take or give.
        const million = 1_000_000n
        const off = given.feeType === 'fixed' ? fee - given.feeRate : fee * million - amount * given.feeRate
        expect(2n * size(off) <= (given.feeType === 'fixed' ? 0n : million)).toBe(true)
        const rest = amount > fee ? amount - fee : 0n
        expect(2n * size(received * 10n ** 8n - rest * given.price) <= 10n ** 8n).toBe(true)
      }),
    )
  })
})
