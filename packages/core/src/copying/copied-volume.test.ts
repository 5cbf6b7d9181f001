import { describe, expect, test } from 'vitest'
import { lots, ratio } from '../model/number.ts'
import { RULES } from '../model/rules.ts'
import { lotsOf, usd } from '../../scenarios/market.ts'
import { copiedVolume, isRoundedDown, lotsLeft } from './copied-volume.ts'

const LOTS = { lotMin: lots(100), lotMax: lots(1_000_000), lotStep: lots(100) }

const volume = (provider: string, equity: string, providerEquity: string, multiplier = 1_000_000) =>
  copiedVolume(
    LOTS,
    {
      multiplier: ratio(multiplier),
      lots: lotsOf(provider),
      equity: usd(equity),
      providerEquity: usd(providerEquity),
    },
    { rulesVersion: RULES },
  )

describe('the lots of a copy', () => {
  test('are in proportion to both equities', () => {
    expect(volume('1', '1000', '100000')).toEqual({ lots: lotsOf('0.01'), isLowered: false })
    expect(volume('1', '1000', '100000', 2_000_000)?.lots).toBe(lotsOf('0.02'))
  })

  test('are rounded down to the step, never up', () => {
    expect(volume('1', '1999.99', '100000')?.lots).toBe(lotsOf('0.01'))
    expect(volume('1', '999.99', '100000')).toBeNull()
  })

  test('count as the next step where less than a millionth of the size is missing', () => {
    expect(volume('1', '999.999999', '100000')?.lots).toBe(lotsOf('0.01'))
    expect(volume('1', '999.999', '100000')).toBeNull()
    expect(volume('10', '4999.999999', '100000')?.lots).toBe(lotsOf('0.50'))
  })

  test('are called rounded where a millionth or more of the size is lost', () => {
    const order = (equity: string) => ({
      multiplier: ratio(1_000_000),
      lots: lotsOf('1'),
      equity: usd(equity),
      providerEquity: usd('100000'),
    })
    expect(isRoundedDown(lotsOf('0.01'), order('1000'))).toBe(false)
    expect(isRoundedDown(lotsOf('0.01'), order('1000.0005'))).toBe(false)
    expect(isRoundedDown(lotsOf('0.01'), order('999.999999'))).toBe(false)
    expect(isRoundedDown(lotsOf('0.01'), order('1000.01'))).toBe(true)
  })

  test('are at most the maximum', () => {
    expect(volume('100', '1000000', '10000')).toEqual({ lots: lotsOf('100'), isLowered: true })
  })

  test('are none for an equity of zero or less', () => {
    expect(volume('1', '0', '1000')).toBeNull()
    expect(volume('1', '-5', '1000')).toBeNull()
    expect(volume('1', '1000', '0')).toBeNull()
  })
})

describe('what a copy keeps after a reduction', () => {
  const left = (opened: string, providerLots: string, rest: string) =>
    lotsLeft(LOTS, { lots: lotsOf(opened), providerLots: lotsOf(providerLots) }, lotsOf(rest))

  test('is the nearest step, a half down', () => {
    expect(left('0.05', '1', '0.9')).toBe(lotsOf('0.04'))
    expect(left('0.05', '1', '0.91')).toBe(lotsOf('0.05'))
    expect(left('0.05', '1', '0.71')).toBe(lotsOf('0.04'))
  })

  test('follows the whole way from its opening: six closes of 10 % leave 0.02 of 0.05', () => {
    const rests = ['0.9', '0.8', '0.7', '0.6', '0.5', '0.4'].map((rest) => left('0.05', '1', rest))
    expect(rests).toEqual(['0.04', '0.04', '0.03', '0.03', '0.02', '0.02'].map(lotsOf))
  })

  test('is nothing below the minimum lot', () => {
    expect(left('0.05', '1', '0.1')).toBe(0)
    expect(
      lotsLeft({ ...LOTS, lotMin: lots(500) }, { lots: lots(500), providerLots: lots(10_000) }, lots(8_000)),
    ).toBe(0)
  })
})
