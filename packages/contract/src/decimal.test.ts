import type { Price } from '@fairlot/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fromTicks,
  fromUnits,
  percentChange,
  percentOf,
  readDecimal,
  toTicks,
  toUnits,
  withDecimals,
  writeDecimal,
  type Decimal,
} from './decimal.ts'

const LIMITS = { wholeDigits: 12, fractionDigits: 10 }
const read = (value: number | string): Decimal | null => readDecimal(value, LIMITS)
const decimal = (text: string): Decimal => {
  const value = read(text)
  if (value === null) throw new Error(`${text} is no decimal`)
  return value
}

describe('a decimal from the wire', () => {
  it.each([
    [1.08472, '1.08472'],
    ['1.08470', '1.0847'],
    ['007.50', '7.5'],
    [0, '0'],
    [-0, '0'],
    ['-0.0', '0'],
    [-37.63, '-37.63'],
    ['-0.5', '-0.5'],
    ['100', '100'],
    ['999999999999.9999999999', '999999999999.9999999999'],
  ])('reads %j as %s', (value, expected) => {
    expect(read(value)).toBe(expected)
  })

  it.each(
    [
      [
        '',
        ' ',
        ' 1',
        '1 ',
        '1\n',
        '+1',
        '1e5',
        '1E5',
        '0x10',
        '0b1',
        '1_000',
        '1,5',
        '.5',
        '5.',
        '-',
        '--1',
        '1.2.3',
      ],
      ['NaN', 'Infinity', 'null', 'true', '١', '１', '1.12345678901', '1234567890123', '0'.repeat(13)],
    ].flat(),
  )('refuses the text %j', (value) => {
    expect(read(value)).toBeNull()
  })

  it.each([NaN, Infinity, -Infinity, 1e309, 1e-7, 1e21, 1e12, 0.1 + 0.2, 123456789012.12346, 1.123456789012])(
    'refuses the number %s',
    (value) => {
      expect(read(value)).toBeNull()
    },
  )

  it('is canonical whatever zeros it came with', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
        fc.nat(3),
        fc.nat(3),
        (units, left, right) => {
          const plain = fromUnits(units, 6)
          const [whole = '', fraction = ''] = plain.replace('-', '').split('.')
          const padded = `${units < 0n ? '-' : ''}${'0'.repeat(left)}${whole}.${fraction}${'0'.repeat(right + 1)}`
          expect(read(padded)).toBe(plain)
        },
      ),
    )
  })
})

describe('a decimal for the wire', () => {
  it('is a JSON number up to 15 significant digits, else text', () => {
    expect(writeDecimal(decimal('123456789.012345'))).toBe(123456789.012345)
    expect(writeDecimal(decimal('1234567890.123456'))).toBe('1234567890.123456')
  })

  it('is text where a number would be written with an exponent', () => {
    expect(writeDecimal(decimal('0.0000001'))).toBe('0.0000001')
  })

  it('comes back as it was, through JSON', () => {
    const any = fc
      .bigInt({ min: -(10n ** 22n) + 1n, max: 10n ** 22n - 1n })
      .map((units) => fromUnits(units, 10))
    fc.assert(
      fc.property(any, (value) => {
        const sent = JSON.parse(JSON.stringify(writeDecimal(value))) as number | string
        expect(read(sent)).toBe(value)
      }),
    )
  })
})

describe('ticks', () => {
  it('count the last decimal of the instrument', () => {
    expect(toTicks(decimal('1.08472'), 5)).toBe(108472)
    expect(toTicks(decimal('1.1'), 5)).toBe(110000)
    expect(toTicks(decimal('-37.63'), 2)).toBe(-3763)
    expect(toTicks(decimal('-0.01'), 2)).toBe(-1)
    expect(toTicks(decimal('38900'), 0)).toBe(38900)
  })

  it('are refused for a price with more decimals than the instrument', () => {
    expect(toTicks(decimal('1.084721'), 5)).toBeNull()
    expect(toTicks(decimal('38900.5'), 0)).toBeNull()
  })

  it('are refused beyond what a number counts exactly', () => {
    expect(toTicks(decimal('999999999999'), 5)).toBeNull()
  })

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.nat(8), (ticks, decimals) => {
        expect(toTicks(fromTicks(ticks as Price, decimals), decimals)).toBe(ticks === 0 ? 0 : ticks)
      }),
    )
  })
})

describe('figures made of decimals', () => {
  it('shows so many decimals and never rounds', () => {
    expect(withDecimals(decimal('1.5'), 2)).toBe('1.50')
    expect(withDecimals(decimal('38900'), 0)).toBe('38900')
    expect(withDecimals(decimal('1.234'), 2)).toBe('1.234')
  })

  it('gives a change in percent, half away from zero', () => {
    expect(percentChange(decimal('1.08'), decimal('1.0854'))).toBe('0.5')
    expect(percentChange(decimal('80000'), decimal('80000.04'))).toBe('0.0001')
    expect(percentChange(decimal('80000'), decimal('79999.96'))).toBe('-0.0001')
    expect(percentChange(decimal('-10'), decimal('-5'))).toBe('50')
  })

  it('gives no change from zero', () => {
    expect(percentChange(decimal('0'), decimal('5'))).toBeNull()
  })

  it('gives a fraction in percent', () => {
    expect(percentOf({ numerator: 1n, denominator: 3n })).toBe('33.33')
    expect(percentOf({ numerator: -1n, denominator: 8n })).toBe('-12.5')
  })

  it('takes no unit apart', () => {
    expect(toUnits(decimal('0.0000001'), 6)).toBeNull()
  })
})
