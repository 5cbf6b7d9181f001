/** The outside shape of the directory, pinned as `samples.test.ts` does. */
import { expect, test } from 'vitest'
import { encode, type Codec } from '../codec.ts'
import { decode } from '../decode.ts'
import { companies, companyStatus } from './company.ts'

const company = {
  ...{ id: 7, name: 'Harbour Ledger', subject: 'Brokerage', logo: '/files/abcdefgh.webp' },
  ...{ url: 'https://harbour.example', registered_address: '1 Quay', location: 'Hong Kong' },
  email: 'desk@harbour.example',
}

const SAMPLES: readonly (readonly [name: string, codec: Codec, sample: unknown])[] = [
  ['company/getCompany', companies, [company]],
  ['company/getCompanyStatus', companyStatus, { status: 0, type: 2, loss_url: '' }],
  ['a company that is left', companyStatus, { status: 1, type: 1, loss_url: 'https://closed.example' }],
]

test.each(SAMPLES)('%s is read and written to the letter', (_name, codec, sample) => {
  const read = decode(codec, sample)
  expect(read.ok && encode(codec, read.value)).toEqual(sample)
})
