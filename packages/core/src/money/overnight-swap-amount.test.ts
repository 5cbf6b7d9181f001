import { describe, expect, it } from 'vitest'
import { instrumentOf, lotsOf, priceOf, usd } from '../../scenarios/market.ts'
import { ONE, type Fraction } from '../model/number.ts'
import { swapOf } from './overnight-swap.ts'

describe('the swap of one rollover', () => {
  const swap = (code: string, size: string, yearly: { buy: number; sell: number }, rate: Fraction = ONE) => {
    const instrument = instrumentOf(code)
    const position = { lots: lotsOf(size), leverage: 20, margin: usd('1000'), rate }
    return (side: 'buy' | 'sell', bid: string, ask: string, nights = 1) =>
      swapOf(
        instrument,
        { ...position, yearlyRate: yearly[side], nights },
        { bid: priceOf(code, bid), ask: priceOf(code, ask) },
      )
  }

  it('is the notional at the mid, times the yearly rate of the side, over 360', () => {
    const euro = swap('EURUSD', '1', { buy: -6_500_000, sell: 2_250_000 })
    // 108,505 x -6.5 % / 360 = -19.59118055…; x 2.25 % / 360 = 6.7815625
    expect(euro('buy', '1.08500', '1.08510')).toBe(usd('-19.591181'))
    expect(euro('sell', '1.08500', '1.08510')).toBe(usd('6.781563'))
  })

  it('counts three rollovers before it rounds', () => {
    const euro = swap('EURUSD', '1', { buy: -6_500_000, sell: 2_250_000 })
    // -58.77354166…, not three times -19.591181; 20.3446875
    expect(euro('buy', '1.08500', '1.08510', 3)).toBe(usd('-58.773542'))
    expect(euro('sell', '1.08500', '1.08510', 3)).toBe(usd('20.344688'))
  })

  it('takes an exact mid between two ticks', () => {
    // (1.00000 + 1.00001) / 2 x 100,000 = 100,000.5, x 3.6 % / 360 = 10.00005
    expect(swap('EURUSD', '1', { buy: 3_600_000, sell: 0 })('buy', '1.00000', '1.00001')).toBe(
      usd('10.00005'),
    )
  })

  it('is converted by the rate', () => {
    // 1,500,000 JPY at 1/150 are 10,000 USD
    expect(
      swap(
        'USDJPY',
        '0.1',
        { buy: 3_600_000, sell: 0 },
        { numerator: 1n, denominator: 150n },
      )('buy', '150.000', '150.000'),
    ).toBe(usd('1'))
  })

  it('takes the size of a price below zero', () => {
    // 37.50 x 1,000 x 3.6 % / 360
    expect(swap('WTI', '1', { buy: -3_600_000, sell: 3_600_000 })('sell', '-38.00', '-37.00')).toBe(
      usd('3.75'),
    )
    expect(swap('WTI', '1', { buy: -3_600_000, sell: 3_600_000 })('buy', '-38.00', '-37.00')).toBe(
      usd('-3.75'),
    )
  })

  it('in fixed margin mode takes the exposure instead, whatever the price', () => {
    // 1,000 x 20 x 3.6 % / 360
    expect(swap('FIXED', '1', { buy: 3_600_000, sell: 0 })('buy', '10.00', '12.00')).toBe(usd('2'))
  })

  it('rounds half away from zero, once', () => {
    const tiny = swap('EURUSD', '0.01', { buy: 180_000, sell: -180_000 })
    // 1,000 x 0.00100 x 0.18 / 36,000 = 0.000005; x 0.00030: 0.0000015
    expect(tiny('buy', '0.00100', '0.00100')).toBe(usd('0.000005'))
    expect(tiny('buy', '0.00030', '0.00030')).toBe(usd('0.000002'))
    expect(tiny('sell', '0.00030', '0.00030')).toBe(usd('-0.000002'))
    expect(tiny('buy', '0.00009', '0.00009')).toBe(usd('0'))
  })
})
