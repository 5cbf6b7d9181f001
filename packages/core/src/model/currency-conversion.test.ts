import { describe, expect, it } from 'vitest'
import { INSTRUMENTS, instrumentOf, priceOf } from '../../scenarios/market.ts'
import { conversionPath, convert } from './currency-conversion.ts'
import { ONE } from './number.ts'
import type { Quote } from './quote.ts'

const legs = (from: string, to: string, instruments = INSTRUMENTS) =>
  conversionPath(instruments, from, to)?.map(({ instrument, isInverse }) =>
    isInverse ? `1 / ${instrument.code}` : instrument.code,
  )

const quote = (code: string, bid: string, ask: string): Quote => ({
  instrumentId: instrumentOf(code).id,
  bid: priceOf(code, bid),
  ask: priceOf(code, ask),
  time: 0,
  receivedAt: 0,
  seq: 1,
  source: 'recorded',
})

function rate(from: string, to: string, quotes: readonly Quote[]) {
  const path = conversionPath(INSTRUMENTS, from, to)
  return path && convert(path, (id) => quotes.find(({ instrumentId }) => instrumentId === id))
}

describe('the path from one currency to another', () => {
  it('is empty when they are equal', () => {
    expect(legs('USD', 'USD')).toEqual([])
  })

  it('is the pair of the two', () => {
    expect(legs('EUR', 'USD')).toEqual(['EURUSD'])
  })

  it('is the inverse of the pair quoted the other way round', () => {
    expect(legs('JPY', 'USD')).toEqual(['1 / USDJPY'])
  })

  it('prefers a direct pair to the path through the dollar', () => {
    expect(legs('GBP', 'EUR')).toEqual(['1 / EURGBP'])
  })

  it('goes through the dollar without a direct pair', () => {
    expect(legs('JPY', 'EUR')).toEqual(['1 / USDJPY', '1 / EURUSD'])
    expect(legs('GBP', 'CHF')).toEqual(['GBPUSD', 'USDCHF'])
  })

  it('is null for a currency without pairs', () => {
    expect(legs('XXX', 'USD')).toBeUndefined()
    expect(legs('USD', 'XXX')).toBeUndefined()
    expect(legs('EUR', 'XXX')).toBeUndefined()
  })
})

describe('the rate', () => {
  it('of equal currencies is exactly one, without quotes', () => {
    expect(rate('USD', 'USD', [])).toEqual({ rate: ONE, quotes: [] })
  })

  it('is the exact mid, half ticks and all', () => {
    const pair = quote('EURUSD', '1.38500', '1.38511')
    expect(rate('EUR', 'USD', [pair])).toEqual({
      rate: { numerator: 277_011n, denominator: 200_000n },
      quotes: [pair],
    })
  })

  it('is the inverse of the exact mid for an inverse pair', () => {
    const pair = quote('USDJPY', '151.196', '151.205')
    expect(rate('JPY', 'USD', [pair])?.rate).toEqual({ numerator: 2_000n, denominator: 302_401n })
  })

  it('is the product of both steps through the dollar, and names both quotes', () => {
    const yen = quote('USDJPY', '150.000', '150.000')
    const euro = quote('EURUSD', '1.25000', '1.25000')
    const found = rate('JPY', 'EUR', [yen, euro])
    expect(found?.quotes).toEqual([yen, euro])
    // 1 yen = 1 / 150 dollar = 1 / (150 x 1.25) euro = 1 / 187.5 euro
    const { numerator, denominator } = found?.rate ?? ONE
    expect(numerator * 375n).toBe(denominator * 2n)
  })

  it('is unknown until every pair of the path has a price', () => {
    expect(rate('JPY', 'EUR', [quote('USDJPY', '150.000', '150.000')])).toBeNull()
    expect(rate('EUR', 'USD', [])).toBeNull()
  })

  it.each(['0', '-1'])('is unknown while a pair is at %s', (level) => {
    expect(rate('EUR', 'USD', [quote('EURUSD', level, level)])).toBeNull()
  })
})
