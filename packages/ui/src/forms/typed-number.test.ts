import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatDecimal, latinDigits, parseDecimal } from '@fairlot/core/decimal'
import { type DecimalPoint, readingsOf, readTyped, writtenNumber } from './typed-number.ts'

const POINTS = ['.', ','] as const
const TAGS = 'zh-HK en ja ko th vi fr de ru es pt ar it tr id de-CH'.split(' ')

describe('a number as typed', () => {
  test.each([
    ['1234.5', '1234.5'],
    [' 1,234.50 ', '1234.50'],
    ['1,234,567', '1234567'],
    ['0,25', '0.25'],
    ['12,5', '12.5'],
    ['1234,567', '1234.567'],
    ['0,123', '0.123'],
    ['1.234,56', '1234.56'],
    ["1'234.5", '1234.5'],
    ['1\u202f234,5', '1234.5'],
    ['−5', '-5'],
    ['+5.0', '5.0'],
    ['١٬٢٣٤٫٥', '1234.5'],
    ['٠٫٥', '0.5'],
    ['۱۲٫۵', '12.5'],
    ['๑๒.๕', '12.5'],
    ['１２．５', '12.5'],
    ['\u200e-12.5\u200f', '-12.5'],
    ['.5', '0.5'],
    ['-.5', '-0.5'],
    ['5.', '5'],
    ['1,234.', '1234'],
    ['$1,234.50', '1234.50'],
    ['67000 USD', '67000'],
    ['1.234,56 €', '1234.56'],
    ['US$5', '5'],
    ['-US$5.50', '-5.50'],
    ['R$ 5', '5'],
    ['67 000,50 $US', '67000.50'],
    ['kr 1 234,50', '1234.50'],
    ['Rp67.000,50', '67000.50'],
    ['1,234.50円', '1234.50'],
  ])('%j is read as %s in English', (typed, value) => {
    expect(readTyped(typed, '.')).toBe(value)
  })

  test.each([
    ['1,234', '.'],
    ['151.234', ','],
    ['١,٢٣٤', '.'],
    ['-1.234', ','],
  ] as const)('%j is asked about where "%s" separates decimals', (typed, point) => {
    const value = readTyped(typed, point)
    const digits = latinDigits(typed).replace(/[.,]/, '')
    expect(parseDecimal(value, 6)).toBeNull()
    expect(readingsOf(value)?.thousands).toBe(digits)
    expect(readingsOf(value)?.decimals).toBe(latinDigits(typed).replace(',', '.'))
  })

  test.each([
    ['1.234', '.', '1.234'],
    ['1,234', ',', '1.234'],
    ['1 234', ',', '1234'],
    ['1.234.567', ',', '1234567'],
    ['12.34', ',', '12.34'],
  ] as const)('%j is certain where "%s" separates decimals', (typed, point, value) => {
    expect(readTyped(typed, point)).toBe(value)
  })

  test.each([
    '',
    'abc',
    '1e3',
    '67k',
    '5 M',
    '5 lots',
    '.',
    '5.,',
    'USD',
    '1,2.3',
    '1.2.3',
    '1,23,456.7',
    '12,34.5',
    '1 23',
    '1,,000',
    '--5',
    '1٫2٫3',
    '٫',
  ])('%j stays as it is, and is no number', (typed) => {
    for (const point of POINTS) {
      expect(readTyped(typed, point)).toBe(typed)
      expect(parseDecimal(readTyped(typed, point), 6)).toBeNull()
    }
  })
})

describe('a price with two readings', () => {
  test.each([
    ['67,000', '.', 67_500, '67000'],
    ['67.000', ',', 67_500, '67000'],
    ['1,085', '.', 1.0847, '1.085'],
    ['1.085', ',', 1.0847, '1.085'],
    ['$67,000', '.', 67_500, '67000'],
    // The point of the app's own language is never asked about.
    ['1.085', '.', 1085, '1.085'],
  ] as const)(
    '%j where "%s" separates decimals is the one near the market of %d',
    (typed, point, market, value) => {
      expect(readTyped(typed, point, market)).toBe(value)
    },
  )

  test.each([
    ['67,000', null],
    // Both lie within ten times, or none does.
    ['1,000', 0],
    ['-1,000', 1_000],
    ['5,000', 50_000_000],
  ] as const)('%j is asked about near %s', (typed, market) => {
    expect(readingsOf(readTyped(typed, '.', market))).not.toBeNull()
  })
})

const decimal = fc
  .tuple(fc.bigInt(-999_999_999_999n, 999_999_999_999n), fc.integer({ min: 0, max: 6 }))
  .map(([units, decimals]) => ({ units, decimals, plain: formatDecimal(units, decimals) }))

test('what Intl writes in any language, digits and grouping is read back, or asked about', () => {
  const language = fc.constantFrom(...TAGS)
  const digits = fc.constantFrom('latn', 'arab', 'arabext', 'thai', 'fullwide')
  fc.assert(
    fc.property(
      decimal,
      language,
      digits,
      fc.boolean(),
      ({ units, decimals, plain }, tag, nu, useGrouping) => {
        const formatter = (numbers: string) =>
          new Intl.NumberFormat(`${tag}-u-nu-${numbers}`, {
            useGrouping,
            minimumFractionDigits: decimals,
            maximumFractionDigits: decimals,
          })
        const latin = formatter('latn').formatToParts(1.5)
        const point = latin.find(({ type }) => type === 'decimal')?.value as DecimalPoint
        const read = readTyped(formatter(nu).format(plain as Intl.StringNumericLiteral), point)
        const readings = readingsOf(read)
        if (readings) expect([readings.thousands, readings.decimals]).toContain(plain)
        else expect(parseDecimal(read, decimals)).toBe(units)
      },
    ),
  )
})

test('what Intl writes with a currency is read back, or asked about', () => {
  const currency = fc.constantFrom(
    ...'USD EUR GBP JPY HKD BRL KRW THB VND IDR TRY RUB MXN AED SEK PLN CZK'.split(' '),
  )
  const currencyDisplay = fc.constantFrom('symbol', 'narrowSymbol', 'code')
  fc.assert(
    fc.property(
      decimal,
      fc.constantFrom(...TAGS),
      currency,
      currencyDisplay,
      ({ units, decimals, plain }, tag, code, shown) => {
        const formatter = new Intl.NumberFormat(`${tag}-u-nu-latn`, {
          style: 'currency',
          currency: code,
          currencyDisplay: shown,
          minimumFractionDigits: decimals,
          maximumFractionDigits: decimals,
        })
        const point = formatter.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.'
        const written = formatter.format(plain as Intl.StringNumericLiteral)
        const read = readTyped(written, point as DecimalPoint)
        const readings = readingsOf(read)
        if (readings) expect([readings.thousands, readings.decimals]).toContain(plain)
        else expect([written, parseDecimal(read, decimals)]).toEqual([written, units])
      },
    ),
    { numRuns: 1_000 },
  )
})

test('what a field writes it also reads, whatever the language', () => {
  fc.assert(
    fc.property(decimal, fc.constantFrom(...POINTS), ({ plain }, point) => {
      expect(readTyped(writtenNumber(plain, point), point)).toBe(plain)
    }),
  )
})

test('no text is read as a number in two ways', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'0123456789.,-+ ٫٬٣۴๕５’'.split('')), maxLength: 14 })
  fc.assert(
    fc.property(typed, (text) => {
      const [first, second] = POINTS.map((point) => readTyped(text, point)).map((value) =>
        parseDecimal(value, 18),
      )
      if (first !== null && second !== null) expect(first).toBe(second)
    }),
    { numRuns: 2_000 },
  )
})

test('any text at all is read without failing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...POINTS), (text, point) => {
      const read = readTyped(text, point)
      expect(parseDecimal(read, 18) !== null || readingsOf(read) !== null || read === text.trim()).toBe(true)
    }),
  )
})
