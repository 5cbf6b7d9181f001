import { describe, expect, it } from 'vitest'
import { decode, noun, toJsonSchema } from './codec.ts'
import { id, lots, maybe, price, text } from './field.ts'

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
  })
})
