import { describe, expect, it } from 'vitest'
import { encode, noun, toJsonSchema } from './codec.ts'
import { decode } from './decode.ts'
import { id, integer, listOf, lots, maybe, maybeBlank, oneOrMore, orNull, price, text } from './field.ts'

const sample = noun({
  id: ['Id', id],
  size: ['Size', lots],
  limit: ['Limit', price],
  note: ['Note', maybe(text)],
})

describe('a noun', () => {
  it('drops what it does not know', () => {
    const read = decode(sample, { Id: 1, Size: 1, Limit: 2, balance: 1e9, __proto__: { note: 'x' } })
    expect(read).toEqual({ ok: true, value: { id: 1, size: 10_000, limit: 2, note: null } })
  })

  it.each([null, undefined, [], [{}], 'x', 1, true])('is not %j', (value) => {
    expect(decode(noun({ note: ['Note', maybe(text)] }), value)).toMatchObject({
      ok: false,
      reason: 'notUnderstood',
    })
  })

  it('names the field that was not understood', () => {
    expect(decode(sample, { Id: 1, Size: '0x10', Limit: 2 })).toEqual({
      ok: false,
      reason: 'lotsInvalid',
      field: 'Size',
    })
  })

  it('gives the reason that outranks the others', () => {
    expect(decode(sample, { Id: 0, Size: -1, Limit: '' })).toMatchObject({ reason: 'idInvalid', field: 'Id' })
    expect(decode(sample, { Id: 1, Size: -1, Limit: '' })).toMatchObject({ reason: 'lotsInvalid' })
  })

  it('shows its wire side as a JSON schema', () => {
    expect(toJsonSchema(sample)).toMatchObject({
      type: 'object',
      properties: { Id: {}, Size: {}, Limit: {}, Note: { type: 'string' } },
      required: ['Id', 'Size', 'Limit'],
    })
    expect(toJsonSchema(noun({ note: ['Note', maybe(text)] }))).not.toHaveProperty('required')
    expect(toJsonSchema(orNull(text))).toMatchObject({ type: ['string', 'null'] })
    expect(toJsonSchema(orNull(listOf(text)))).toMatchObject({
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
    })
  })

  it('names a field inside a list inside it by the whole way there', () => {
    const page = noun({ rows: ['data', listOf(sample)] })
    const row = { Id: 1, Size: 1, Limit: 2 }
    expect(decode(page, { data: [row, { ...row, Limit: 'x' }] })).toEqual({
      ok: false,
      reason: 'priceMalformed',
      field: 'data.1.Limit',
    })
  })

  it('names itself where one of its parts may be blank and is neither', () => {
    const search = noun({ size: ['Size', maybeBlank(lots)] })
    expect(decode(search, { Size: -1 })).toEqual({ ok: false, reason: 'lotsInvalid', field: 'Size' })
  })
})

describe('a list', () => {
  it.each([null, undefined, {}, 'x', [1, 'x'], [undefined]])('of whole numbers is not %j', (value) => {
    expect(decode(listOf(integer), value)).toMatchObject({ ok: false, reason: 'notUnderstood' })
  })

  it('of one is written as the value itself where one or more may come', () => {
    expect(encode(oneOrMore(integer), [7])).toBe(7)
    expect(encode(oneOrMore(integer), [7, 8])).toEqual([7, 8])
    expect(decode(oneOrMore(integer), 7)).toEqual({ ok: true, value: [7] })
  })
})

describe('writing', () => {
  it.each([null, undefined, 1.5, NaN, '1', 2 ** 53])('a whole number that is %j is our own bug', (value) => {
    expect(() => encode(noun({ count: ['Count', integer] }), { count: value as never })).toThrow(TypeError)
  })
})
