import { describe, expect, it } from 'vitest'
import { money } from '../money/number.ts'
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

  it('brings (amount - fee) x price', () => {
    const terms = { feeType: 'fixed', feeRate: 1_000_000n, price: 78_000_000_000n } as const
    expect(payoutOf(units(11), terms).received).toBe(7_800_000_000n)
  })

  it('never brings less than nothing', () => {
    const terms = { feeType: 'fixed', feeRate: 5_000_000n, price: ONE } as const
    expect(payoutOf(units(5), terms).received).toBe(0n)
    expect(payoutOf(units(3), terms).received).toBe(0n)
  })
})
