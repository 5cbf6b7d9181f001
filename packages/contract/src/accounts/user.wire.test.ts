/** The wire of identity checks, pinned: each sample is read to clean values and written again to the letter. */
/** The wire of one's own data, pinned: each sample is read to clean values and written again to the letter. */
import { describe, expect, it } from 'vitest'
import { type Codec, encode } from '../protocol/codec.ts'
import { decode } from '../protocol/server.ts'
import { identityCheck, identityForm, closing, ownProof } from './user.wire.ts'

const SAMPLES: readonly (readonly [name: string, codec: Codec, sample: unknown])[] = [
  [
    'real_name',
    identityForm,
    { name: '陳大文', card_id: 'A123456(7)', front_pic: '/api/a', reverse_pic: '/b' },
  ],
  [
    'user_real/center',
    identityCheck,
    {
      review_status: 3,
      name: '陳大文',
      reason: 'It cannot be read.',
      card_id: '••••••6(7)',
      faults: [{ field: 'reverse_pic', reason: 'It cannot be read.' }],
      sent_time: 1_700_000_000_000,
    },
  ],
]

describe('identity checks on the wire', () => {
  it.each(SAMPLES)('%s', (_name, codec, sample) => {
    const read = decode(codec, sample)
    if (!read.ok) expect.fail(`${read.field}: ${read.reason}`)
    expect(JSON.parse(JSON.stringify(encode(codec, read.value)))).toEqual(sample)
  })

  it('accepts a partial form, and empty fields of older clients', () => {
    expect(decode(identityForm, { reverse_pic: '/b', name: ' ', card_id: '' })).toMatchObject({
      ok: true,
      value: { name: null, number: null, front: null, reverse: '/b' },
    })
  })
})

it('reads and writes the obstacles to closing an account', () => {
  const sample = {
    obstacles: [
      { what: 'positionsOpen', count: 2, amount: null },
      { what: 'balanceLeft', count: null, amount: 12.34 },
    ],
    left_max: 1,
    balance: 12.34,
  }
  const read = decode(closing, sample)
  expect(read).toMatchObject({ ok: true, value: { leftMax: 1_000_000n, balance: 12_340_000n } })
  if (read.ok) expect(encode(closing, read.value)).toEqual(sample)
})

it('accepts a proof with either field or neither', () => {
  const none = { password: null, authCode: null }
  expect(decode(ownProof, { password: 'quiet otter' })).toEqual({
    ok: true,
    value: { ...none, password: 'quiet otter' },
  })
  expect(decode(ownProof, { auth_code: ' 123456 ', password: '' })).toEqual({
    ok: true,
    value: { ...none, authCode: '123456' },
  })
  expect(decode(ownProof, { auth_code: 'x'.repeat(6_001) })).toMatchObject({
    ok: false,
    reason: 'textTooLong',
  })
})
