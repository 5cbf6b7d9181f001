import { type Decimal, formatDecimal, parseDecimal } from '@fairlot/core/decimal'
import { readingsOf, readTyped } from '@fairlot/ui/forms/typed-number.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalPoint, figureFormat } from './number-format.ts'
import { LANGUAGES } from './language.ts'

const en = figureFormat('en')

describe('figures', () => {
  test('show every decimal of an exact integer', () => {
    expect(en.figure(108472, 5)).toBe('1.08472')
    expect(en.figure(100_000_000_000n, 6)).toBe('100,000.000000')
    expect(en.figure(5, 3)).toBe('0.005')
  })
  test('round half away from zero when fewer decimals are shown', () => {
    expect(en.figure(214_305_000n, 6, { shown: 2 })).toBe('214.31')
    expect(en.figure(-214_305_000n, 6, { shown: 2 })).toBe('−214.31')
    expect(en.figure(214_304_999n, 6, { shown: 2 })).toBe('214.30')
  })
  test('stay exact where a double would not', () => {
    expect(en.figure(999_999_999_999_999_999n, 6)).toBe('999,999,999,999.999999')
  })
  test('have a real minus sign, a plus only on request, and no sign for zero', () => {
    expect(en.figure(-29_880_000n, 6, { shown: 2 })).toBe('−29.88')
    expect(en.figure(42_100_000n, 6, { shown: 2, sign: 'always' })).toBe('+42.10')
    expect(en.figure(-1n, 6, { shown: 2, sign: 'always' })).toBe('0.00')
  })
  test('show balances with two decimals, profits and margins with six', () => {
    expect(en.money(100_214_302_114n)).toBe('100,214.30')
    expect(en.exact(214_302_114n, { sign: 'always' })).toEqual({ main: '+214.30', rest: '2114' })
    expect(en.exactText(-214_302_114n)).toBe('−214.302114')
  })
  test('hide every amount of the account, and nothing else', () => {
    const hiding = figureFormat('en', true)
    expect(hiding.money(100_214_302_114n)).toBe('••••••')
    expect(hiding.exactText(-214_302_114n, { sign: 'always' })).toBe('••••••')
    expect(hiding.exact(214_302_114n)).toEqual({ main: '••••••', rest: '' })
    expect(hiding.paidOut('388.00099' as Decimal)).toBe('••••••')
    expect(hiding.publicMoney(100_000_000_000n)).toBe('100,000.00')
    expect(hiding.decimal('1.08472', { shown: 5 })).toBe('1.08472')
  })
  test('take the decimals of the contract, or as many as requested', () => {
    expect(en.decimal('1382')).toBe('1,382')
    expect(en.decimal('-1.5', { shown: 5 })).toBe('−1.50000')
    expect(en.parts('1.085', 5)).toEqual({ lead: '1.08', bold: '50', raised: '0' })
  })
  test('show what is paid out in a coin to its last digit', () => {
    expect(en.paidOut('0.00099' as Decimal, { shown: 5 })).toBe('0.00099')
  })
  test('follow the separators of the language', () => {
    expect(figureFormat('de').figure(1_234_567, 2)).toBe('12.345,67')
    expect(figureFormat('zh-HK').figure(1_234_567, 2)).toBe('12,345.67')
  })
  test.each(Object.values(LANGUAGES))('use Latin digits and no hidden marks in $name', ({ tag }) => {
    expect(figureFormat(tag).figure(-1_234_567, 2, { sign: 'always' })).toMatch(/^−[0-9.,\u00a0\u202f\s]+$/)
  })
  test('put the percent sign before the digits in Turkish, behind the sign', () => {
    const tr = figureFormat('tr')
    expect(tr.percent('0.21')).toBe('%0,21')
    expect(tr.percent('-0.21')).toBe('−%0,21')
    expect(tr.percent('0.21', { sign: 'always' })).toBe('+%0,21')
  })
  test('put a narrow space before the percent sign', () => {
    expect(en.percent('0.21', { sign: 'always' })).toBe('+0.21\u202f%')
  })
})

describe('a price split for display', () => {
  test('raises the tenth of a pip and sets the two digits before it bold', () => {
    expect(en.parts('1.08472', 5)).toEqual({ lead: '1.08', bold: '47', raised: '2' })
    expect(en.parts('151.243', 3)).toEqual({ lead: '151.', bold: '24', raised: '3' })
  })
  test('sets the last two digits bold where there is no tenth', () => {
    expect(en.parts('2341.85', 2)).toEqual({ lead: '2,341.', bold: '85', raised: '' })
  })
  test('highlights nothing where two digits would straddle the point', () => {
    expect(en.parts('18204.6', 1)).toEqual({ lead: '', bold: '18,204.6', raised: '' })
    expect(en.parts('38900', 0)).toEqual({ lead: '', bold: '38,900', raised: '' })
  })
})

test('every figure that the app shows is read back by a field of its language, or asked about', () => {
  const shown = fc.record({
    language: fc.constantFrom(...Object.values(LANGUAGES)),
    units: fc.bigInt(-999_999_999_999n, 999_999_999_999n),
    decimals: fc.integer({ min: 0, max: 9 }),
  })
  fc.assert(
    fc.property(shown, ({ language: { tag }, units, decimals }) => {
      const figures = figureFormat(tag)
      for (const text of [figures.figure(units, decimals), figures.decimal(formatDecimal(units, decimals))]) {
        const read = readTyped(text, decimalPoint(tag))
        const readings = readingsOf(read)
        const plain = formatDecimal(units, decimals)
        if (readings) expect([readings.thousands, readings.decimals]).toContain(plain)
        else expect([text, parseDecimal(read, decimals)]).toEqual([text, units])
      }
    }),
    { numRuns: 2_000 },
  )
})
