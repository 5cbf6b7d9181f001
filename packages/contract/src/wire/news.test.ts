/** The outside shape of news and invitations, pinned as `samples.test.ts` does. */
import { expect, test } from 'vitest'
import { encode, type Codec } from '../codec.ts'
import { decode } from '../decode.ts'
import { invitedPage } from './invitation.ts'
import { newsItem, newsPage, newsQuery } from './news.ts'

const row = {
  ...{ id: 7, category_id: 9, title: 'Gold opens later', desc: 'From Monday.', lang: 'en' },
  ...{ logo: '/files/abcdefgh.webp', is_top: 1, created_at: '2026-01-07 12:00:00' },
}
const friend = { name: 'a•••@m•••.example', created_at: 1_700_000_000_000 }

const SAMPLES: readonly (readonly [name: string, codec: Codec, sample: unknown])[] = [
  ['news/list', newsPage, { data: [row], total: 1 }],
  ['news/info', newsItem, { ...row, content: '<p>At eight.</p>' }],
  ['user/invited', invitedPage, { data: [friend], total: 1 }],
]

test.each(SAMPLES)('%s is read and written to the letter', (_name, codec, sample) => {
  const read = decode(codec, sample)
  expect(read.ok && encode(codec, read.value)).toEqual(sample)
})

test.each([
  [{}, 'all', 1],
  [{ category_id: '9', page: '2' }, 'announcements', 2],
])('a query of %j asks for %s, page %i', (query, category, page) => {
  expect(decode(newsQuery, query)).toEqual({ ok: true, value: { category, page } })
})
