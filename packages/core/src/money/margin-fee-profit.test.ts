import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { instrumentOf, lotsOf, priceOf, usd } from '../../scenarios/market.ts'
import {
  exactProfit,
  exposureProfit,
  feeOf,
  marginOf,
  profitOf,
  type ProfitTerms,
} from './margin-fee-profit.ts'
import { addFractions, lots, ONE, price, ratio, type Fraction } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'

const rate = (numerator: bigint, denominator: bigint): Fraction => ({ numerator, denominator })

function margin(code: string, size: string, at: string, leverage: number, q = ONE) {
  return marginOf(instrumentOf(code), { lots: lotsOf(size), leverage, price: priceOf(code, at), rate: q })
}

describe('margin of a leveraged instrument', () => {
  it('is lots x units x price / leverage', () => {
    // 1 x 100,000 x 1.38510 / 30
    expect(margin('EURUSD', '1', '1.38510', 30)).toBe(usd('4617'))
  })

  it('is rounded to a millionth', () => {
    // 0.01 x 100,000 x 1.08503 / 30 = 36.1676666…
    expect(margin('EURUSD', '0.01', '1.08503', 30)).toBe(usd('36.167667'))
    // 0.01 x 100,000 x 1.08502 / 30 = 36.1673333…
    expect(margin('EURUSD', '0.01', '1.08502', 30)).toBe(usd('36.167333'))
  })

  it('rounds a half up: 0.000001 x 1 x 0.5 is half a millionth', () => {
    const tiny = { ...instrumentOf('EURUSD'), contractSize: 1, priceDecimals: 3 }
    const position = { lots: lots(1), leverage: 10, price: price(50), rate: ONE }
    // 0.0001 x 1 x 0.050 / 10 = 0.0000005
    expect(marginOf(tiny, position)).toBe(usd('0.000001'))
  })

  it('takes the size of a price below zero', () => {
    // 1 x 1,000 x |-37.63| / 10
    expect(margin('WTI', '1', '-37.63', 10)).toBe(usd('3763'))
  })

  it('is converted from the quote currency, directly', () => {
    // 1 x 1 x 18,350.0 euro x 1.085 / 20
    expect(margin('GER40', '1', '18350.0', 20, rate(1085n, 1000n))).toBe(usd('995.4875'))
  })

  it('is converted by an inverse rate without rounding it first', () => {
    // 1 x 100,000 x 151.204 yen / 151.2 / 30
    expect(margin('USDJPY', '1', '151.204', 30, rate(10n, 1512n))).toBe(usd('3333.421517'))
    // 1 x 100,000 x 0.957 franc / 0.882 / 30
    expect(margin('EURCHF', '1', '0.95700', 30, rate(1000n, 882n))).toBe(usd('3616.780045'))
  })

  it('is converted through a third currency', () => {
    // 1 x 100 x 38,900 yen / 151.2 dollar / 1.085 euro / 20
    expect(margin('JPN225', '1', '38900', 20, rate(10_000n, 1512n * 1085n))).toBe(usd('1185.599688'))
  })

  it('is exact for the largest order', () => {
    // 100 x 100,000 x 9.99997 / 30 = 3,333,323.3333333…; the integers on the way are above 10^23
    expect(margin('EURUSD', '100', '9.99997', 30)).toBe(usd('3333323.333333'))
  })
})

describe('margin in fixed mode', () => {
  it('is lots x units per lot, whatever price, leverage and rate', () => {
    expect(margin('FIXED', '2.5', '123.45', 10)).toBe(usd('2500'))
    expect(margin('FIXED', '2.5', '1.00', 30, rate(7n, 3n))).toBe(usd('2500'))
  })
})

describe('the fee', () => {
  const euro = instrumentOf('EURUSD')

  it('of type rate is the rounded margin x fee rate', () => {
    expect(feeOf(euro, 'rate', { lots: lotsOf('1'), margin: usd('4617') })).toBe(usd('4.617'))
    // 4616.666667 x 0.001 = 4.616666667
    expect(feeOf(euro, 'rate', { lots: lotsOf('1'), margin: usd('4616.666667') })).toBe(usd('4.616667'))
  })

  it('rounds a half away from zero', () => {
    // 36.1665 x 0.001 = 0.0361665
    expect(feeOf(euro, 'rate', { lots: lotsOf('1'), margin: usd('36.1665') })).toBe(usd('0.036167'))
    expect(feeOf(euro, 'rate', { lots: lotsOf('1'), margin: usd('36.166499') })).toBe(usd('0.036166'))
  })

  it('of type fixed is lots x fee rate, whatever the margin', () => {
    const perLot = { ...euro, feeRate: ratio(7_500_000) }
    expect(feeOf(perLot, 'fixed', { lots: lotsOf('0.03'), margin: usd('1') })).toBe(usd('0.225'))
    expect(feeOf(perLot, 'fixed', { lots: lotsOf('0.03'), margin: usd('999999') })).toBe(usd('0.225'))
    // 0.0001 lots x 0.005 = 0.0000005
    const cheap = { ...euro, feeRate: ratio(5_000) }
    expect(feeOf(cheap, 'fixed', { lots: lots(1), margin: usd('1') })).toBe(usd('0.000001'))
  })

  it('of rate zero is nothing', () => {
    const free = { ...euro, feeRate: ratio(0) }
    expect(feeOf(free, 'rate', { lots: lotsOf('1'), margin: usd('4617') })).toBe(0n)
    expect(feeOf(free, 'fixed', { lots: lotsOf('1'), margin: usd('4617') })).toBe(0n)
  })
})

function profit(code: string, side: 'buy' | 'sell', size: string, move: [string, string], q = ONE) {
  const [from, to] = move
  const terms = { side, lots: lotsOf(size), leverage: 10, margin: usd('0'), openPrice: priceOf(code, from) }
  return profitOf(instrumentOf(code), terms, priceOf(code, to), q)
}

describe('profit of a leveraged instrument', () => {
  it('is (close - open) x lots x units for a buy, and its negative for a sell', () => {
    expect(profit('EURUSD', 'buy', '1', ['1.38510', '1.38600'])).toBe(usd('90'))
    expect(profit('EURUSD', 'sell', '1', ['1.38510', '1.38600'])).toBe(usd('-90'))
    expect(profit('EURUSD', 'buy', '0.01', ['1.38510', '1.38509'])).toBe(usd('-0.01'))
  })

  it('does not depend on the leverage', () => {
    const terms = { side: 'buy', lots: lotsOf('1'), margin: usd('1'), openPrice: price(138_510) } as const
    const euro = instrumentOf('EURUSD')
    expect(profitOf(euro, { ...terms, leverage: 1 }, price(138_600), ONE)).toBe(
      profitOf(euro, { ...terms, leverage: 30 }, price(138_600), ONE),
    )
  })

  it('runs on below zero', () => {
    // (-37.63 - 1.20) x 1,000
    expect(profit('WTI', 'buy', '1', ['1.20', '-37.63'])).toBe(usd('-38830'))
    expect(profit('WTI', 'sell', '1', ['1.20', '-37.63'])).toBe(usd('38830'))
  })

  it('is converted at the rate of the moment, rounded once', () => {
    // 0.096 x 100,000 yen / 151.304 = 63.4484217…
    expect(profit('USDJPY', 'buy', '1', ['151.204', '151.300'], rate(1000n, 151_304n))).toBe(usd('63.448422'))
    // -0.104 x 100,000 yen / 151.104 = -68.8267683…
    expect(profit('USDJPY', 'buy', '1', ['151.204', '151.100'], rate(1000n, 151_104n))).toBe(
      usd('-68.826768'),
    )
    // -0.00014 x 100,000 franc / 0.882 = -15.8730158…
    expect(profit('EURCHF', 'buy', '1', ['0.95714', '0.95700'], rate(1000n, 882n))).toBe(usd('-15.873016'))
  })
})

describe('profit in fixed mode', () => {
  const instrument = instrumentOf('FIXED')
  const terms: ProfitTerms = {
    side: 'buy',
    lots: lotsOf('2'),
    leverage: 10,
    margin: usd('2000'),
    openPrice: priceOf('FIXED', '120.00'),
  }

  it('is exposure x (close - open) / open: margin x leverage grows as the price does', () => {
    // 20,000 x 6 / 120
    expect(profitOf(instrument, terms, priceOf('FIXED', '126.00'), ONE)).toBe(usd('1000'))
    expect(profitOf(instrument, { ...terms, side: 'sell' }, priceOf('FIXED', '126.00'), ONE)).toBe(
      usd('-1000'),
    )
  })

  it('needs no conversion', () => {
    expect(profitOf(instrument, terms, priceOf('FIXED', '126.00'), rate(1n, 151n))).toBe(usd('1000'))
  })

  it('rounds half a millionth away from zero on both sides', () => {
    // 1 x 1 x 0.01 / 20,000.00 = 0.0000005
    const half = { ...terms, leverage: 1, margin: usd('1'), openPrice: priceOf('FIXED', '20000.00') }
    expect(profitOf(instrument, half, priceOf('FIXED', '20000.01'), ONE)).toBe(usd('0.000001'))
    expect(profitOf(instrument, half, priceOf('FIXED', '19999.99'), ONE)).toBe(usd('-0.000001'))
    expect(profitOf(instrument, { ...half, side: 'sell' }, priceOf('FIXED', '20000.01'), ONE)).toBe(
      usd('-0.000001'),
    )
  })
})

describe('profit of many positions', () => {
  const anyTerms = fc.record({
    side: fc.constantFrom('buy' as const, 'sell' as const),
    lots: fc.integer({ min: 1, max: 50_000_000 }).map(lots),
    leverage: fc.integer({ min: 1, max: 1_000 }),
    margin: fc.constant(usd('1')),
    openPrice: fc.integer({ min: 1, max: 10_000_000 }).map(price),
  })
  const anyRate = fc.record({
    numerator: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    denominator: fc.bigInt({ min: 1n, max: 10n ** 12n }),
  })
  const anyPrice = fc.integer({ min: -10_000_000, max: 10_000_000 })

  it('is the exact sum of the single ones, rounded once', () => {
    const wti = instrumentOf('WTI')
    fc.assert(
      fc.property(fc.array(anyTerms), anyPrice, fc.nat(10_000), anyRate, (list, bid, spread, q) => {
        const quote = { bid: price(bid), ask: price(bid + spread) }
        const exposure = { longLots: 0n, longCost: 0n, shortLots: 0n, shortCost: 0n }
        let sum = rate(0n, 1n)
        for (const terms of list) {
          const way = terms.side === 'buy' ? 'long' : 'short'
          exposure[`${way}Lots`] += BigInt(terms.lots)
          exposure[`${way}Cost`] += BigInt(terms.lots) * BigInt(terms.openPrice)
          sum = addFractions(sum, exactProfit(wti, terms, terms.side === 'buy' ? quote.bid : quote.ask, q))
        }
        expect(exposureProfit(wti, exposure, quote, q)).toBe(divideRounded(sum.numerator, sum.denominator))
      }),
    )
  })

  it('of a buy and a sell of the same size at the same prices is nothing, in both modes', () => {
    fc.assert(
      fc.property(anyTerms, fc.integer({ min: 1, max: 10_000_000 }), anyRate, (terms, close, q) => {
        for (const code of ['EURUSD', 'FIXED']) {
          const gain = (side: 'buy' | 'sell') =>
            profitOf(instrumentOf(code), { ...terms, side }, price(close), q)
          expect(gain('buy') + gain('sell')).toBe(0n)
        }
      }),
    )
  })
})
