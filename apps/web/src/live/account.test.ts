import type { AccountFigures, Decimal } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import { withPulse } from './account.ts'

test('a push moves equity and what is free; what is booked stays', () => {
  const figures: AccountFigures = {
    balance: money(100_000_000_000n),
    equity: money(100_000_000_000n),
    free: money(99_000_000_000n),
    margin: money(0n),
    level: null,
    profit: money(0n),
    reserved: money(1_000_000_000n),
    stopOuts: [],
  }
  const pulse = { level: '1382' as Decimal, margin: money(7_250_000_000n), profit: money(-214_302_114n) }
  expect(withPulse(figures, pulse)).toMatchObject({
    balance: 100_000_000_000n,
    equity: 99_785_697_886n,
    free: 91_535_697_886n,
    margin: 7_250_000_000n,
    level: '1382',
  })
})
