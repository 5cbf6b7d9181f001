import type { AccountFigures, Decimal } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import { withPulse } from './account.ts'

test('a push tells the booked figures as well as the moving ones; the others follow from them', () => {
  const figures: AccountFigures = {
    balance: money(99_000_000_000n),
    equity: money(99_000_000_000n),
    free: money(99_000_000_000n),
    margin: money(0n),
    level: null,
    profit: money(0n),
    reserved: money(0n),
    stopOuts: [],
  }
  const pulse = {
    level: 1382 as Decimal,
    margin: money(7_250_000_000n),
    profit: money(-214_302_114n),
    balance: money(100_000_000_000n),
    reserved: money(1_000_000_000n),
    positions: new Map(),
    receivedAt: 1,
  }
  expect(withPulse(figures, pulse)).toEqual({
    balance: 100_000_000_000n,
    equity: 99_785_697_886n,
    free: 91_535_697_886n,
    margin: 7_250_000_000n,
    level: 1382,
    profit: -214_302_114n,
    reserved: 1_000_000_000n,
    stopOuts: [],
  })
})
