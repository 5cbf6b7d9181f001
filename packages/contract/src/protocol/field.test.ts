import { describe, expect, it } from 'vitest'
import { type Codec } from './codec.ts'
import { decode } from './server.ts'
import {
  choice,
  id,
  lots,
  omittableOrBlank,
  money,
  price,
  priceOrZero,
  ratio,
  time,
  int,
  withDefault,
} from './field.ts'

const NOT_NUMBERS: readonly unknown[] = [
  '',
  '0x10',
  '1e5',
  'Infinity',
  'NaN',
  ' 1',
  '+1',
  null,
  undefined,
  true,
  false,
  [],
  [1],
  ['1'],
  {},
  NaN,
  Infinity,
  -Infinity,
  JSON.parse('1e309'),
]

const reasonOf = (codec: Codec, value: unknown): string | null => {
  const read = decode(codec, value)
  return read.ok ? null : read.reason
}

describe.each([
  ['lots', lots, 'lotsInvalid'],
  ['a price', price, 'priceMalformed'],
  ['money', money, 'notUnderstood'],
  ['a rate', ratio, 'notUnderstood'],
  ['an id', id, 'idInvalid'],
  ['a time', time, 'timeInvalid'],
  ['a page', int(1, 'pageInvalid'), 'pageInvalid'],
] as const)('%s', (_name, codec: Codec, reason) => {
  it.each(NOT_NUMBERS)('is not %j', (value) => {
    expect(reasonOf(codec, value)).toBe(reason)
  })
})

describe('lots', () => {
  it('are in units of 1e-4, from a number or from text', () => {
    expect(decode(lots, 0.01)).toEqual({ ok: true, value: 100 })
    expect(decode(lots, '0.0100')).toEqual({ ok: true, value: 100 })
  })

  it.each([-0.01, '-1', 0.00001, '0.01001', 1e12])('are not %j', (value) => {
    expect(reasonOf(lots, value)).toBe('lotsInvalid')
  })
})

describe('money', () => {
  it('is in units of 1e-6, exactly', () => {
    expect(decode(money, '-123456789012.123456')).toEqual({ ok: true, value: -123456789012123456n })
  })

  it.each([0.1 + 0.2, '0.0000001', 1234567890.1234567])('is not %j', (value) => {
    expect(reasonOf(money, value)).toBe('notUnderstood')
  })
})

describe('an id', () => {
  it.each([0, -1, 1.5, '1.5', '-1', '0', 2 ** 53, '9007199254740993', '99999999999999999999'])(
    'is not %j',
    (value) => {
      expect(reasonOf(id, value)).toBe('idInvalid')
    },
  )

  it('may come as digits', () => {
    expect(decode(id, '9007199254740991')).toEqual({ ok: true, value: Number.MAX_SAFE_INTEGER })
  })
})

describe('an optional price', () => {
  it.each([0, '0', '0.00', '-0', '', undefined])('is none for %j', (value) => {
    expect(decode(priceOrZero, value)).toEqual({ ok: true, value: null })
  })

  it.each([' ', null, [], '0x0'])('is refused for %j', (value) => {
    expect(reasonOf(priceOrZero, value)).toBe('priceMalformed')
  })
})

describe('a choice', () => {
  const side = choice({ buy: 1, sell: 2 })

  it('is decoded from a number or text', () => {
    expect(decode(side, 1)).toEqual({ ok: true, value: 'buy' })
    expect(decode(side, '2')).toEqual({ ok: true, value: 'sell' })
  })

  it.each([3, '01', 1.5, '', null, [1], true, 'toString', '__proto__'])('refuses %j', (value) => {
    expect(reasonOf(side, value)).toBe('notUnderstood')
  })

  it('decodes any other value as the default if there is one', () => {
    expect(decode(choice({ buy: 1, sell: 2 }, { otherwise: 'sell' }), 7)).toEqual({ ok: true, value: 'sell' })
  })
})

describe('a value that may be left out', () => {
  const page = withDefault(int(1, 'pageInvalid'), 1)

  it.each([undefined, ''])('is its default when it is %j', (value) => {
    expect(decode(page, value)).toEqual({ ok: true, value: 1 })
  })

  it.each([undefined, ''])('is none when it is %j', (value) => {
    expect(decode(omittableOrBlank(time), value)).toEqual({ ok: true, value: null })
  })

  it.each([0.5, ' ', '1e3', null])('is refused for its own reason when it is %j', (value) => {
    expect(reasonOf(omittableOrBlank(time), value)).toBe('timeInvalid')
    expect(reasonOf(omittableOrBlank(lots), [])).toBe('lotsInvalid')
    expect(reasonOf(omittableOrBlank(id, 'areaInvalid'), 'x')).toBe('areaInvalid')
  })

  it.each([0, 'x', null, ' '])('is still refused when it is %j', (value) => {
    expect(reasonOf(page, value)).toBe('pageInvalid')
  })
})
