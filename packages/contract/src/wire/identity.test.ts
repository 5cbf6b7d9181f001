/** The wire of identity checks, pinned: each sample is read to clean values and written again to the letter. */
import { describe, expect, it } from 'vitest'
import { encode, type Codec } from '../codec.ts'
import { decode } from '../decode.ts'
import { identityCheck, identityForm } from './identity.ts'

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
      ...{ review_status: 3, name: '陳大文', reason: 'It cannot be read.', card_id: '••••••6(7)' },
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

  it('takes only what is sent again, and what an older client sends empty', () => {
    expect(decode(identityForm, { reverse_pic: '/b', name: ' ', card_id: '' })).toMatchObject({
      ok: true,
      value: { name: null, number: null, front: null, reverse: '/b' },
    })
  })
})
