/** The wire of one's own data, pinned: each sample is read to clean values and written again to the letter. */
import { expect, it } from 'vitest'
import { encode } from '../codec.ts'
import { decode } from '../decode.ts'
import { closing, ownProof } from './own-data.ts'

it('reads and writes what stands in the way of a closing', () => {
  const sample = {
    obstacles: [
      { what: 'positionsOpen', count: 2, amount: null },
      { what: 'balanceLeft', count: null, amount: 12.34 },
    ],
    ...{ left_max: 1, balance: 12.34 },
  }
  const read = decode(closing, sample)
  expect(read).toMatchObject({ ok: true, value: { leftMax: 1_000_000n, balance: 12_340_000n } })
  if (read.ok) expect(encode(closing, read.value)).toEqual(sample)
})

it('takes a proof with one of both, or with none', () => {
  const none = { password: null, authCode: null }
  expect(decode(ownProof, { password: 'quiet otter' })).toEqual({
    ok: true,
    value: { ...none, password: 'quiet otter' },
  })
  expect(decode(ownProof, { auth_code: ' 123456 ', password: '' })).toEqual({
    ok: true,
    value: { ...none, authCode: '123456' },
  })
  expect(decode(ownProof, { auth_code: 'x'.repeat(21) })).toMatchObject({ ok: false, reason: 'textTooLong' })
})
