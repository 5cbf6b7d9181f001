import fc from 'fast-check'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  decimalText,
  formatDecimal,
  fractionDigits,
  fromTicks,
  fromUnits,
  latinDigits,
  parseDecimal,
  parseRounded,
  readDecimal,
  toTicks,
  toUnits,
  type Decimal,
} from './decimal.ts'
import { rescale } from './rounding.ts'
import { absolute, type Price } from './number.ts'

const DECIMALS = 10
const read = (value: number | string): Decimal | null => readDecimal(value, DECIMALS)
const decimal = (value: number | string): Decimal => {
  const found = read(value)
  if (found === null) throw new Error(`${value} is no decimal`)
  return found
}

/** Texts that are not plain decimals. */
const NO_DECIMALS = [
  ['', ' ', ' 1', '1 ', '1\n', '+1', '-', '--1', '.5', '5.', '1.', '1.2.3', '1,5', '1_000'],
  ['1e5', '1E309', '0x10', '0b1', 'NaN', 'Infinity', 'null', 'true', '١', '１', '٣'],
  ['1000000000000', '0'.repeat(13), '9'.repeat(1_000_000), `1.${'1'.repeat(19)}`],
  [NaN, Infinity, -Infinity, 1e309, 1e21, 1e12],
].flat()

/** A plain decimal with its sign, digits and decimals: up to 12 before the point and 10 after it. */
const plain = fc
  .record({ units: fc.bigInt({ min: -(10n ** 22n) + 1n, max: 10n ** 22n - 1n }), decimals: fc.nat(DECIMALS) })
  .filter(({ units, decimals }) => absolute(units) < 10n ** BigInt(12 + decimals))
const price = fc.maxSafeInteger().map((ticks) => (ticks === 0 ? 0 : ticks) as Price)

describe('a parsed decimal', () => {
  it.each([
    [1.08472, 1.08472],
    ['1.08470', 1.0847],
    ['007.50', 7.5],
    ['0.10', 0.1],
    ['1.00000000000', 1],
    [0, 0],
    [-0, 0],
    ['-0', 0],
    ['-0.0', 0],
    [-37.63, -37.63],
    ['-0.5', -0.5],
    ['100', 100],
    ['0.000001', 0.000001],
  ])('from %j is the number %d', (value, expected) => {
    expect(read(value)).toBe(expected)
  })

  it.each([
    ['0.0000001', '0.0000001'],
    ['-0.00000010', '-0.0000001'],
    ['999999999999.9999999999', '999999999999.9999999999'],
    ['001234567890.1234567', '1234567890.1234567'],
  ])('from %s is the text %s where a number would be inexact', (value, expected) => {
    expect(read(value)).toBe(expected)
  })

  it.each(NO_DECIMALS)('is null for %j', (value) => {
    expect(read(value)).toBeNull()
    expect(parseDecimal(value, 4)).toBeNull()
  })

  it.each([1e-7, 0.1 + 0.2, 123456789012.12346, 1.123456789012, '1.12345678901'])(
    'is nothing for %s: it may have been another one, or has more digits than ten',
    (value) => {
      expect(read(value)).toBeNull()
    },
  )

  it('accepts more digits where requested', () => {
    expect(readDecimal('1234567890123', 2)).toBeNull()
    expect(readDecimal('1234567890123', 2, 30)).toBe(1234567890123)
    expect(readDecimal(1e12, 0, 13)).toBe(1e12)
  })

  it('is the same with or without superfluous zeros, as a number or as text', () => {
    fc.assert(
      fc.property(plain, fc.nat(3), fc.nat(3), ({ units, decimals }, left, right) => {
        const value = fromUnits(units, decimals)
        const [whole = '', fraction = ''] = formatDecimal(absolute(units), decimals).split('.')
        const zeros = '0'.repeat(Math.min(left, 12 - whole.length))
        const padded = `${units < 0n ? '-' : ''}${zeros}${whole}.${fraction}${'0'.repeat(right + 1)}`
        expect(read(padded)).toBe(value)
        expect(read(value)).toBe(value)
      }),
    )
  })

  it('of equal value is equal', () => {
    fc.assert(
      fc.property(plain, fc.nat(3), ({ units, decimals }, more) => {
        expect(fromUnits(units * 10n ** BigInt(more), decimals + more)).toBe(fromUnits(units, decimals))
      }),
    )
  })

  it('survives JSON unchanged, and is a number only within the precision of a double', () => {
    fc.assert(
      fc.property(plain, ({ units, decimals }) => {
        const sent = JSON.stringify(fromUnits(units, decimals))
        expect(toUnits(decimal(JSON.parse(sent) as number | string), decimals)).toBe(units)
        if (!sent.startsWith('"'))
          expect(sent.replace(/[-.]/g, '').replace(/^0+/, '').length).toBeLessThanOrEqual(15)
        expect(sent).not.toContain('e')
      }),
    )
  })

  it('cannot be used in arithmetic, and must be parsed', () => {
    expectTypeOf<number>().not.toExtend<Decimal>()
    expectTypeOf<string>().not.toExtend<Decimal>()
    // @ts-expect-error only units can be added up
    const sum = () => decimal(1) + decimal(2)
    // @ts-expect-error only units can be multiplied
    const product = () => decimal(1) * 2
    expect([sum, product]).toHaveLength(2)
  })
})

describe('units of a decimal', () => {
  it.each([
    ['1.38510', 5, 138_510n],
    [1.3851, 5, 138_510n],
    ['-0.5', 2, -50n],
    ['0', 4, 0n],
    ['-0', 4, 0n],
    ['7', 0, 7n],
    ['0.10', 2, 10n],
    ['0.10', 1, 1n],
    ['0.000001', 6, 1n],
    ['999999999999.999999', 6, 999_999_999_999_999_999n],
    ['1.50', 1, 15n],
  ])('of %j with %d decimals are %d', (value, decimals, expected) => {
    expect(parseDecimal(value, decimals)).toBe(expected)
  })

  it.each(['1.385101', '0.0000001', '38900.000001'])('are null with surplus digits: %s', (text) => {
    expect(parseDecimal(text, 5)).toBeNull()
    expect(parseDecimal(Number(text), 5)).toBeNull()
  })

  it('are the same for a JSON number as for its text', () => {
    const number = fc.oneof(
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      plain.map(({ units, decimals }) => Number(units) / 10 ** decimals),
    )
    fc.assert(
      fc.property(number, fc.nat(DECIMALS), (value, decimals) => {
        const digits = String(value).replace(/[-.]/g, '').replace(/^0+/, '').length
        const expected = digits <= 15 ? parseDecimal(String(value), decimals) : null
        expect(parseDecimal(value, decimals)).toBe(expected)
        const same = readDecimal(value, decimals)
        expect(same === null ? null : toUnits(same, decimals)).toBe(expected)
      }),
    )
  })
})

describe('a rounded number', () => {
  it.each([
    ['1.085004', 108_500n],
    ['1.085005', 108_501n],
    ['-1.085005', -108_501n],
    ['1.0850049999999999', 108_500n],
    [0.123455, 12_346n],
    [0.1 + 0.2, 30_000n],
    [1e-7, 0n],
    [5e-6, 1n],
    [0.0012345678901234567, 123n],
    ['1.5', 150_000n],
  ])('of %j with five decimals is %d', (value, expected) => {
    expect(parseRounded(value, 5)).toBe(expected)
  })

  it.each(NO_DECIMALS)('is null for %j', (value) => {
    expect(parseRounded(value, 4)).toBeNull()
  })

  it('is within half a unit, and exact where nothing is rounded', () => {
    fc.assert(
      fc.property(plain, fc.nat(DECIMALS), ({ units, decimals }, kept) => {
        const rounded = parseRounded(formatDecimal(units, decimals), kept) ?? 0n
        expect(rounded).toBe(rescale(units, decimals, kept))
        const apart = absolute(rescale(rounded, kept, DECIMALS) - rescale(units, decimals, DECIMALS))
        expect(2n * apart).toBeLessThanOrEqual(kept >= decimals ? 0n : 10n ** BigInt(DECIMALS - kept))
      }),
    )
  })
})

describe('a formatted decimal', () => {
  it.each([
    [138_510n, 5, '1.38510'],
    [-50n, 2, '-0.50'],
    [-1n, 6, '-0.000001'],
    [0n, 2, '0.00'],
    [12, 0, '12'],
    [-12, 0, '-12'],
    [12_345, 2, '123.45'],
  ])('of %d with %d decimals is %s', (value, decimals, expected) => {
    expect(formatDecimal(value, decimals)).toBe(expected)
  })

  it('is parsed back unchanged', () => {
    const units = fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n })
    fc.assert(
      fc.property(units, fc.integer({ min: 6, max: 18 }), (value, decimals) => {
        expect(parseDecimal(formatDecimal(value, decimals), decimals)).toBe(value)
        expect(toUnits(fromUnits(value, decimals), decimals)).toBe(value)
      }),
    )
  })

  it.each([
    [1.5, 2, '1.50'],
    [38900, 0, '38900'],
    [38900, 1, '38900.0'],
    [1.234, 2, '1.234'],
    ['0.0000001', 2, '0.0000001'],
  ])('shows at least the decimals requested, and never rounds: %s, %d, %s', (value, least, expected) => {
    expect(decimalText(decimal(value), least)).toBe(expected)
  })

  it('has a known number of decimals', () => {
    expect(['1.50', '7', ''].map(fractionDigits)).toEqual([2, 0, 0])
  })
})

describe('ticks', () => {
  it.each([
    [1.08472, 5, 108_472],
    ['1.1', 5, 110_000],
    ['-37.63', 2, -3763],
    ['-0.01', 2, -1],
    ['38900', 0, 38_900],
    ['0.0000001', 8, 10],
  ])('of %j with %d decimals are %d', (value, decimals, ticks) => {
    expect(toTicks(decimal(value), decimals)).toBe(ticks)
  })

  it('are null for a price with more decimals than the instrument', () => {
    expect(toTicks(decimal('1.084721'), 5)).toBeNull()
    expect(toTicks(decimal('38900.5'), 0)).toBeNull()
    expect(toTicks(decimal('0.0000001'), 5)).toBeNull()
  })

  it('are null above the safe integers', () => {
    expect(toTicks(decimal('999999999999'), 5)).toBeNull()
  })

  it('convert back unchanged', () => {
    fc.assert(
      fc.property(price, fc.nat(8), (ticks, decimals) => {
        expect(toTicks(fromTicks(ticks, decimals), decimals)).toBe(ticks)
        expect(decimalText(fromTicks(ticks, decimals), decimals)).toBe(formatDecimal(ticks, decimals))
      }),
    )
  })
})

describe('digits', () => {
  it.each([
    ['\u0661\u0662', '12'],
    ['\u06f0\u06f9', '09'],
    ['\u0967\u096f', '19'],
    ['\u09e7\u09ef', '19'],
    ['\u1041\u1049', '19'],
    ['\uff10\uff19', '09'],
    ['\u{1d7ce}\u{1d7d8}\u{1d7ff}', '009'],
    ['a\u0967.5', 'a1.5'],
    ['\u00bd\u2167\u4e09', '\u00bd\u2167\u4e09'],
  ])('of every script are read: %s', (typed, read) => expect(latinDigits(typed)).toBe(read))

  it('of every script are ten', () => {
    const points = Array.from({ length: 0x110000 }, (_, code) => code).filter(
      (code) => code < 0xd800 || code > 0xdfff,
    )
    const digits = points.map((code) => String.fromCodePoint(code)).filter((each) => /\p{Nd}/u.test(each))
    const counts = new Map<string, number>()
    for (const each of digits) counts.set(latinDigits(each), (counts.get(latinDigits(each)) ?? 0) + 1)
    expect([...counts.keys()].toSorted()).toEqual(Array.from('0123456789'))
    expect(new Set(counts.values())).toEqual(new Set([digits.length / 10]))
  })
})
