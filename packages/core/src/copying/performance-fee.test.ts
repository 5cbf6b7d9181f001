import { describe, expect, test } from 'vitest'
import { ratio } from '../model/number.ts'
import { RULES } from '../model/rules.ts'
import { usd } from '../../scenarios/market.ts'
import {
  baseAfterTaking,
  feeBasis,
  feeOn,
  feeOnTaking,
  isAtStopLoss,
  markAfterTaking,
} from './performance-fee.ts'

const SHARE = ratio(200_000)
const NOW = { rulesVersion: RULES }

describe('the performance fee', () => {
  test('is no fee after a loss: 1,000 falls to 500, 250 go out, equity is 300 later', () => {
    const copy = { feeShare: SHARE, mark: usd('1000') }
    expect(feeOnTaking(copy, usd('500'), usd('250'))).toBe(0n)
    const mark = markAfterTaking(copy, { basis: usd('500'), amount: usd('250') }, NOW)
    expect(mark).toBe(usd('750'))
    expect(feeOn({ feeShare: SHARE, mark }, usd('300'))).toBe(0n)
  })

  test('is no fee for somebody who still has a loss: 500 of 1,000 are lost, 250 go out, then 600 come back', () => {
    const taken = { basis: usd('500'), amount: usd('250') }
    const mark = markAfterTaking({ feeShare: SHARE, mark: usd('1000') }, taken, NOW)
    // 1,000 were put in and 250 taken out: up to 750 there is no profit.
    expect(feeOn({ feeShare: SHARE, mark }, usd('750'))).toBe(0n)
    expect(feeOn({ feeShare: SHARE, mark }, usd('850'))).toBe(usd('20'))
  })

  test('fell by a part of the mark by the rules before version 4', () => {
    const taken = { basis: usd('500'), amount: usd('250') }
    expect(markAfterTaking({ feeShare: SHARE, mark: usd('1000') }, taken, { rulesVersion: 3 })).toBe(
      usd('500'),
    )
  })

  test('is 100 in all at 20 % of 500: a third when a third goes out, the rest at the end', () => {
    const copy = { feeShare: SHARE, mark: usd('1000') }
    expect(feeOnTaking(copy, usd('1500'), usd('500'))).toBe(usd('33.333333'))
    const mark = markAfterTaking(copy, { basis: usd('1500'), amount: usd('500') }, NOW)
    expect(mark).toBe(usd('666.666667'))
    expect(feeOn({ feeShare: SHARE, mark }, usd('1000'))).toBe(usd('66.666667'))
  })

  test('counts an open loss at once, and an open profit only when it is booked', () => {
    expect(feeBasis({ balance: usd('1500'), equity: usd('1400') })).toBe(usd('1400'))
    expect(feeBasis({ balance: usd('1500'), equity: usd('1600') })).toBe(usd('1500'))
  })
})

describe('the copy stop loss', () => {
  test('is a part of the base, which shrinks with what is taken out', () => {
    const base = baseAfterTaking({ base: usd('1000') }, usd('1250'), usd('250'))
    expect(base).toBe(usd('800'))
    expect(isAtStopLoss({ base, stopLoss: 60 }, usd('480.000001'))).toBe(false)
    expect(isAtStopLoss({ base, stopLoss: 60 }, usd('480'))).toBe(true)
  })
})
