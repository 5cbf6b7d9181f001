/** The wire of the directory, news and invitations, pinned as in `samples.wire.test.ts`. */
import { expect, test } from 'vitest'
import { type Codec, encode } from '../protocol/codec.ts'
import { decode } from '../protocol/server.ts'
import { companies, companyStatus } from './company.wire.ts'
import { newsItem, newsPage, newsQuery } from './news.wire.ts'
import { invitedPage } from '../accounts/user.wire.ts'

const company = {
  id: 7,
  name: 'Harbour Ledger',
  subject: 'Brokerage',
  logo: '/files/abcdefgh.webp',
  url: 'https://harbour.example',
  registered_address: '1 Quay',
  location: 'Hong Kong',
  email: 'desk@harbour.example',
}

const row = {
  id: 7,
  category_id: 9,
  title: 'Gold opens later',
  desc: 'From Monday.',
  lang: 'en',
  logo: '/files/abcdefgh.webp',
  is_top: 1,
  created_at: '2026-01-07 12:00:00',
}
const friend = { name: 'a•••@m•••.example', created_at: 1_700_000_000_000 }

const SAMPLES: readonly (readonly [name: string, codec: Codec, sample: unknown])[] = [
  ['company/getCompany', companies, [company]],
  ['company/getCompanyStatus', companyStatus, { status: 0, type: 2, loss_url: '' }],
  ['a company that is left', companyStatus, { status: 1, type: 1, loss_url: 'https://closed.example' }],
  ['news/list', newsPage, { data: [row], total: 1 }],
  ['news/info', newsItem, { ...row, content: '<p>At eight.</p>' }],
  ['user/invited', invitedPage, { data: [friend], total: 1 }],
]

test.each(SAMPLES)('%s is read and written exactly', (_name, codec, sample) => {
  const read = decode(codec, sample)
  expect(read.ok && encode(codec, read.value)).toEqual(sample)
})

test.each([
  [{}, 'all', 1],
  [{ category_id: '9', page: '2' }, 'announcements', 2],
])('a query of %j requests %s, page %i', (query, category, page) => {
  expect(decode(newsQuery, query)).toEqual({ ok: true, value: { category, page } })
})

test.each([1, 2, -1, 999])('any status other than 0 sends the reader away: %i', (status) => {
  const answer = { status, type: 0, loss_url: 'https://closed.example' }
  expect(decode(companyStatus, answer)).toMatchObject({ ok: true, value: { mustLeave: true } })
})
