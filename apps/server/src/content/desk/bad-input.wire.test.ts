import { findCompanies, getNews, valueOf } from '@fairlot/contract'
import {
  CONTENT_LENGTH,
  listCompanies,
  listContent,
  previewContent,
  publishContent,
  saveCompany,
  saveContent,
  saveNewsFeed,
  type ContentText,
} from '@fairlot/contract/desk'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { post } from '../../testing/accounts.ts'
import { badCases, expectOutcome, type FieldRow } from '../../testing/bad-forms.ts'
import { all, type Outcomes } from '../../testing/bad-values.ts'
import { call, dataOf } from '../../testing/calls.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const TEXT: ContentText = {
  language: 'en',
  title: 'Gold opens',
  summary: 'From Monday',
  body: '<p>At <a href="https://source.example/gold">eight</a>.</p>',
}

const missing = (outcome: string, at: string) => ({
  empty: `${outcome} at ${at}`,
  'only spaces': `${outcome} at ${at}`,
})
const long = (outcome: string, changes: Partial<Outcomes> = {}) =>
  all('taken', { '10,000 characters': outcome, ...changes })

const CONTENT = badCases([
  [
    'title',
    TEXT.title,
    TEXT.body,
    long('contentTooLong at en.title', missing('contentTextsMissing', 'en.title')),
  ],
  ['summary', TEXT.summary, TEXT.body, long('contentTooLong at en.summary')],
  [
    'body',
    TEXT.body,
    TEXT.title,
    all('taken', { '10,000 characters': 'taken', ...missing('contentTextsMissing', 'en.body') }),
  ],
])

const COMPANY = {
  version: 0,
  name: 'Harbour Ledger Ltd',
  subject: 'Brokerage',
  logo: '',
  url: 'https://harbour.example',
  registeredAddress: '1 Quay',
  location: 'Hong Kong',
  email: 'desk@harbour.example',
  isOn: true,
  lossUrl: '',
  // Checked last, so that nothing changes.
  reason: '',
}
/** Texts that nobody has to fill in; invisible marks are dropped. */
const FREE = long('contentTooLong')
const optional = (outcome: string) =>
  all(outcome, {
    '10,000 characters': 'contentTooLong',
    empty: 'taken',
    'only spaces': 'taken',
    NUL: 'taken',
    'a mark of direction': 'taken',
  })
const COMPANY_FIELDS: readonly FieldRow[] = [
  [
    'name',
    COMPANY.name,
    COMPANY.url,
    long('contentTooLong', {
      empty: 'companyInvalid',
      'only spaces': 'companyInvalid',
      NUL: 'nameInvalid',
      'a mark of direction': 'nameInvalid',
    }),
  ],
  ['subject', COMPANY.subject, COMPANY.url, FREE],
  [
    'logo',
    '/files/harbour.png',
    COMPANY.url,
    { ...optional('companyInvalid'), NUL: 'textUnstorable', 'a mark of direction': 'companyInvalid' },
  ],
  ['url', COMPANY.url, COMPANY.name, optional('companyInvalid')],
  ['registeredAddress', COMPANY.registeredAddress, COMPANY.url, FREE],
  ['location', COMPANY.location, COMPANY.url, FREE],
  ['email', COMPANY.email, COMPANY.name, { ...optional('companyInvalid'), 'both scripts mixed': 'taken' }],
  ['lossUrl', 'https://closed.example', COMPANY.name, optional('lossUrlRefused')],
]

const FEED = {
  version: 0,
  address: 'https://news.example/rss',
  name: 'Market news',
  language: 'en',
  category: 'market',
  itemState: 'draft',
  isOn: false,
  reason: '',
}
const FEED_FIELDS: readonly FieldRow[] = [
  [
    'address',
    FEED.address,
    FEED.name,
    all('feedAddressRefused', {
      '10,000 characters': 'feedAddressRefused',
      NUL: 'taken',
      'a mark of direction': 'taken',
    }),
  ],
  [
    'name',
    FEED.name,
    FEED.address,
    long('contentTooLong', { empty: 'contentTextsMissing', 'only spaces': 'contentTextsMissing' }),
  ],
]

describe.each(DATABASES)('a field of the content, %s', (kind) => {
  const env = { FEED: 'ws://127.0.0.1:9', APP_MODE: 'main', SETTING_LOSS_HOSTS: 'closed.example' }
  const server = serverOn(kind, { env })
  let support: AtDesk
  let administrator: AtDesk
  beforeAll(async () => {
    support = await atDesk(server(), 'support')
    administrator = await atDesk(server(), 'administrator')
  })

  test.each(CONTENT)('news: $field with $bad: $outcome, and is previewed as readers see it', async (bad) => {
    const texts = [{ ...TEXT, [bad.field]: bad.value }]
    const form = { version: 0, kind: 'news', category: 'market', isPinned: false, picture: null, texts }
    const answer = await post(server(), saveContent.path, form, support.token, { lang: bad.language })
    expectOutcome(answer, bad, null)
    const preview = await post(server(), previewContent.path, { language: 'en', texts }, support.token, {
      lang: bad.language,
    })
    expectOutcome(preview, bad, null)
    if (answer.body?.code !== 1) return
    const { shown } = dataOf<{ shown: ContentText }>(preview)
    const saved = dataOf<{ id: number; version: number }>(answer)
    await support.request(publishContent, { ...saved, publishAt: null, reason: 'news' })
    const read = valueOf(await clientOf(server().url).call(getNews, { id: saved.id }))
    expect(shown).toMatchObject({ title: read.title, summary: read.summary, body: read.content })
    for (const text of [read.title, read.summary, read.content]) expect(text).not.toMatch(/[\0\p{Cs}]/u)
    expect(read.title + read.summary).not.toMatch(/\p{Bidi_Control}/u)
    for (const name of ['title', 'summary', 'body'] as const)
      expect(shown[name].length).toBeLessThanOrEqual(CONTENT_LENGTH[name])
  })

  test.each(badCases(COMPANY_FIELDS))('a company: $field with $bad: $outcome', async (bad) => {
    const form = { ...COMPANY, [bad.field]: bad.value }
    const answer = await post(server(), saveCompany.path, form, administrator.token, { lang: bad.language })
    expectOutcome(answer, bad, 'reasonMissing at reason')
  })

  test.each(badCases(FEED_FIELDS))('a feed of news: $field with $bad: $outcome', async (bad) => {
    const form = { ...FEED, [bad.field]: bad.value }
    const answer = await post(server(), saveNewsFeed.path, form, administrator.token, { lang: bad.language })
    expectOutcome(answer, bad, 'reasonMissing at reason')
  })

  test.each(
    [listContent, listCompanies].flatMap(({ path }) =>
      badCases([['search', 'Harbour', 'Heron', all('taken')]]).map((bad) => ({ ...bad, path })),
    ),
  )('a search at $path with $bad: $outcome', async ({ path, ...bad }) => {
    const query = new URLSearchParams({ search: bad.value, page: '1' }).toString()
    const headers = { authorization: support.token, lang: bad.language }
    expectOutcome(await call(server(), `${path}?${query}`, { headers }), bad, null)
  })

  test.each(badCases([['name', 'Harbour', 'Heron', all('taken')]]))(
    'a search of companies with $bad: $outcome',
    async (bad) => {
      const query = new URLSearchParams({ name: bad.value }).toString()
      const headers = { lang: bad.language }
      expectOutcome(await call(server(), `${findCompanies.path}?${query}`, { headers }), bad, null)
    },
  )
})
