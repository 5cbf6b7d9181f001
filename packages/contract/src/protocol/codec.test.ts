import { describe, expect, it } from 'vitest'
import { encode, object, toJsonSchema, type Codec } from './codec.ts'
import { decode } from './server.ts'
import {
  choice,
  id,
  int,
  integer,
  listOf,
  lots,
  money,
  omittable,
  omittableOrBlank,
  oneOrMore,
  nullable,
  price,
  text,
  withDefault,
} from './field.ts'

const sample = object({
  id: ['Id', id],
  size: ['Size', lots],
  limit: ['Limit', price],
  note: ['Note', omittable(text)],
})

describe('an object', () => {
  it('drops unknown fields', () => {
    const read = decode(sample, { Id: 1, Size: 1, Limit: 2, balance: 1e9, __proto__: { note: 'x' } })
    expect(read).toEqual({ ok: true, value: { id: 1, size: 10_000, limit: 2, note: null } })
  })

  it.each([null, undefined, [], [{}], 'x', 1, true])('is not %j', (value) => {
    expect(decode(object({ note: ['Note', omittable(text)] }), value)).toMatchObject({
      ok: false,
      reason: 'notUnderstood',
    })
  })

  it('names the invalid field', () => {
    expect(decode(sample, { Id: 1, Size: '0x10', Limit: 2 })).toMatchObject({
      ok: false,
      reason: 'lotsInvalid',
      field: 'Size',
    })
  })

  it.each([
    [text, 1, { expected: 'text' }],
    [money, '1,5', { expected: 'number' }],
    [money, true, { expected: 'number' }],
    [listOf(text), 'x', { expected: 'list' }],
    [int(2), '1', { expected: 'whole', least: '2' }],
    [int(2, 'notUnderstood', 9), [], { expected: 'range', least: '2', most: '9' }],
    [choice({ coin: 1, bank: 2 }), '3', { expected: 'choice', choices: '1, 2' }],
    [choice({ coin: 1, bank: 2 }), null, { expected: 'choice', choices: '1, 2' }],
    [omittableOrBlank(choice({ coin: 1 })), '3', { expected: 'choice', choices: '1' }],
    [withDefault(int(0), 5), ' ', { expected: 'whole', least: '0' }],
  ])('says what was expected of it, case %#', (codec: Codec, value: unknown, expected) => {
    expect(decode(object({ note: ['Note', codec] }), { Note: value })).toEqual({
      ok: false,
      reason: 'notUnderstood',
      field: 'Note',
      expected,
    })
  })

  it('returns the reason with the highest precedence', () => {
    expect(decode(sample, { Id: 0, Size: -1, Limit: '' })).toMatchObject({ reason: 'idInvalid', field: 'Id' })
    expect(decode(sample, { Id: 1, Size: -1, Limit: '' })).toMatchObject({ reason: 'lotsInvalid' })
  })

  it('has a JSON schema of its wire form', () => {
    expect(toJsonSchema(sample)).toMatchObject({
      type: 'object',
      properties: { Id: {}, Size: {}, Limit: {}, Note: { type: 'string' } },
      required: ['Id', 'Size', 'Limit'],
    })
    expect(toJsonSchema(object({ note: ['Note', omittable(text)] }))).not.toHaveProperty('required')
    expect(toJsonSchema(nullable(text))).toMatchObject({ type: ['string', 'null'] })
    expect(toJsonSchema(nullable(listOf(text)))).toMatchObject({
      anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
    })
  })

  it('names a field inside a nested list by its full path', () => {
    const page = object({ rows: ['data', listOf(sample)] })
    const row = { Id: 1, Size: 1, Limit: 2 }
    expect(decode(page, { data: [row, { ...row, Limit: 'x' }] })).toMatchObject({
      ok: false,
      reason: 'priceMalformed',
      field: 'data.1.Limit',
    })
  })

  it('names itself if an optional part is neither valid nor blank', () => {
    const search = object({ size: ['Size', omittableOrBlank(lots)] })
    expect(decode(search, { Size: -1 })).toEqual({ ok: false, reason: 'lotsInvalid', field: 'Size' })
  })
})

describe('a list', () => {
  it.each([null, undefined, {}, 'x', [1, 'x'], [undefined]])('of whole numbers is not %j', (value) => {
    expect(decode(listOf(integer), value)).toMatchObject({ ok: false, reason: 'notUnderstood' })
  })

  it('with one element is written as the value itself where one or more are allowed', () => {
    expect(encode(oneOrMore(integer), [7])).toBe(7)
    expect(encode(oneOrMore(integer), [7, 8])).toEqual([7, 8])
    expect(decode(oneOrMore(integer), 7)).toEqual({ ok: true, value: [7] })
  })
})

describe('writing', () => {
  it.each([null, undefined, 1.5, NaN, '1', 2 ** 53])('an integer that is %j throws', (value) => {
    expect(() => encode(object({ count: ['Count', integer] }), { count: value as never })).toThrow(TypeError)
  })
})
