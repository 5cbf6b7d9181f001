import { getNews, listNews, type InputOf } from '@fairlot/contract'
import {
  CONTENT_LENGTH,
  getContent,
  listContent,
  listContentVersions,
  previewContent,
  publishContent,
  saveContent,
  withdrawContent,
  type ContentText,
} from '@fairlot/contract/desk'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { movablePace } from '../../testing/accounts.ts'
import { FIRST_ITEMS, firstWording } from '../news/first-news.ts'
import { atDesk, type AtDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'

const HOUR_MS = 3_600_000
const EN: ContentText = {
  language: 'en',
  title: 'Gold opens',
  summary: 'From Monday',
  body: '<p>At <b>eight</b>.</p>',
}
const HK: ContentText = { language: 'hk', title: '黃金開市', summary: '', body: '<p>星期一。</p>' }
const NEW: InputOf<typeof saveContent> = {
  id: null,
  version: 0,
  kind: 'news',
  category: 'market',
  isPinned: false,
  picture: null,
  texts: [EN],
}

describe.each(DATABASES)('news and announcements, %s', (kind) => {
  const { pace, pass } = movablePace()
  const server = serverOn(kind, { pace, env: { FEED: 'ws://127.0.0.1:9' } })
  let support: AtDesk
  // Sessions end while time passes in these tests.
  beforeEach(async () => {
    support = await atDesk(server(), 'support')
  })
  const reader = (language: string) => clientOf(server().url, null, { language })
  const titleFor = async (id: number, language: string) => {
    const read = await reader(language).call(getNews, { id })
    return read.ok ? read.value.title : read.reason
  }
  const save = (given: Partial<typeof NEW> = {}) => support.request(saveContent, { ...NEW, ...given })

  test('are drafts that readers cannot see until they are published', async () => {
    const saved = await save()
    expect(saved.version).toBe(1)
    expect(await titleFor(saved.id, 'en')).toBe('contentNotFound')
    const sent = await support.request(publishContent, { ...saved, publishAt: null, reason: 'opening hours' })
    expect(await titleFor(saved.id, 'en')).toBe('Gold opens')
    const item = await support.request(getContent, { id: saved.id })
    expect(item).toMatchObject({
      status: 'published',
      version: sent.version,
      texts: [{ body: '<p>At <strong>eight</strong>.</p>' }],
    })
  })

  test('are shown in the language of the reader, else in English, Traditional Chinese, or any other', async () => {
    const saved = await save({ texts: [EN, HK] })
    await support.request(publishContent, { ...saved, publishAt: null, reason: 'news' })
    expect(await titleFor(saved.id, 'hk')).toBe('黃金開市')
    expect(await titleFor(saved.id, 'de')).toBe('Gold opens')
    const only = await save({ texts: [{ ...EN, language: 'th', title: 'ทอง' }] })
    await support.request(publishContent, { ...only, publishAt: null, reason: 'news' })
    expect(await titleFor(only.id, 'fr')).toBe('ทอง')
  })

  test('are previewed as they would be shown', async () => {
    const dirty = { ...EN, body: '<p onclick="x()">Hi</p><script>x()</script>' }
    const { shown } = await support.request(previewContent, { language: 'jp', texts: [dirty] })
    expect(shown).toEqual({ ...EN, body: '<p>Hi</p>' })
    expect((await support.request(previewContent, { language: 'jp', texts: [] })).shown).toBeNull()
  })

  test('are shown from the scheduled time on', async () => {
    const saved = await save()
    const now = Math.floor(pace.wall())
    const publishAt = now + HOUR_MS
    const past = { ...saved, publishAt: now - 1_000, reason: 'news' }
    expect(await support.refusalOf(publishContent, past)).toBe('contentMomentPast')
    await support.request(publishContent, { ...saved, publishAt, reason: 'news' })
    expect(await titleFor(saved.id, 'en')).toBe('contentNotFound')
    expect(await support.request(getContent, { id: saved.id })).toMatchObject({ status: 'scheduled' })
    pass(HOUR_MS + 1)
    expect(await titleFor(saved.id, 'en')).toBe('Gold opens')
  })

  test('are hidden from readers but not from operators once withdrawn', async () => {
    const saved = await save()
    expect(await support.refusalOf(withdrawContent, { ...saved, reason: 'wrong' })).toBe('contentNotShown')
    const sent = await support.request(publishContent, { ...saved, publishAt: null, reason: 'news' })
    await support.request(withdrawContent, { ...sent, reason: 'wrong figures' })
    expect(await titleFor(saved.id, 'en')).toBe('contentNotFound')
    const { items } = await support.request(listContent, {
      kind: null,
      status: 'withdrawn',
      search: 'gold',
      page: 1,
    })
    expect(items.map(({ id }) => id)).toContain(saved.id)
  })

  test('are not changed by an outdated form', async () => {
    const saved = await save()
    const mine = { ...NEW, ...saved, texts: [{ ...EN, title: 'Mine' }] }
    await support.request(saveContent, mine)
    expect(await support.refusalOf(saveContent, { ...mine, texts: [{ ...EN, title: 'Late' }] })).toBe(
      'formOutdated',
    )
    expect(await support.refusalOf(publishContent, { ...saved, publishAt: null, reason: 'late' })).toBe(
      'formOutdated',
    )
    const { texts } = await support.request(getContent, { id: saved.id })
    expect(texts.map(({ title }) => title)).toEqual(['Mine'])
  })

  test('are saved by one of two concurrent operators', async () => {
    const saved = await save()
    const other = await atDesk(server(), 'administrator')
    const outcomes = await Promise.all(
      [support, other].map((operator) => operator.refusalOf(saveContent, { ...NEW, ...saved })),
    )
    expect(outcomes.filter(Boolean)).toEqual(['formOutdated'])
  })

  test('keep every version with its author; a language can be removed, but not the last one', async () => {
    const saved = await save({ texts: [EN, HK] })
    const next = await support.request(saveContent, {
      ...NEW,
      ...saved,
      texts: [
        { ...EN, title: 'Second' },
        { ...HK, title: '', body: '<p> </p>' },
      ],
    })
    const { texts } = await support.request(getContent, { id: saved.id })
    expect(texts.map(({ language }) => language)).toEqual(['en'])
    const { versions } = await support.request(listContentVersions, { id: saved.id, language: 'en' })
    expect(versions.map(({ title, version, author }) => [title, version, author])).toEqual([
      ['Second', 2, support.name],
      ['Gold opens', 1, support.name],
    ])
    const none = { ...NEW, ...next, texts: [{ ...EN, title: '', body: '' }] }
    expect(await support.refusalOf(saveContent, none)).toBe('contentTextsMissing')
    expect(await support.request(getContent, { id: saved.id })).toMatchObject({ version: 2 })
    const table = server().deployment.database.queries.updateTable('content_text').set({ title: 'forged' })
    await expect(table.execute()).rejects.toThrow()
  })

  test.each([
    [{ texts: [{ ...EN, body: '' }] }, 'contentTextsMissing'],
    [{ texts: [{ ...EN, title: ' ' }] }, 'contentTextsMissing'],
    [{ texts: [{ ...EN, body: '<script>x()</script>' }] }, 'contentTextsMissing'],
    [{ texts: [] }, 'contentTextsMissing'],
    [{ texts: [{ ...EN, title: 'x'.repeat(CONTENT_LENGTH.title + 1) }] }, 'contentTooLong'],
    [{ texts: [{ ...EN, body: 'x'.repeat(CONTENT_LENGTH.body + 1) }] }, 'contentTooLong'],
    [{ picture: '../../etc/passwd' }, 'pictureUnknown'],
    [{ id: 999_999, version: 1 }, 'contentNotFound'],
  ])('%j is refused', async (given, reason) => {
    expect(await support.refusalOf(saveContent, { ...NEW, ...given })).toBe(reason)
  })

  test('are listed with pinned items first, announcements apart from news', async () => {
    const pinned = await save({ isPinned: true, category: 'policy', texts: [{ ...EN, title: 'Pinned' }] })
    await support.request(publishContent, { ...pinned, publishAt: null, reason: 'news' })
    pass(1_000)
    const later = await save({ category: 'policy', texts: [{ ...EN, title: 'Later' }] })
    await support.request(publishContent, { ...later, publishAt: null, reason: 'news' })
    const announced = await save({ kind: 'announcement', texts: [{ ...EN, title: 'Where we serve' }] })
    await support.request(publishContent, { ...announced, publishAt: null, reason: 'policy' })
    const titles = async (category: 'policy' | 'announcements') => {
      const page = await reader('en').call(listNews, { category, page: 1 })
      return page.ok ? page.value.items.map(({ title }) => title) : page.reason
    }
    expect(await titles('policy')).toEqual(['Pinned', 'Later'])
    const [announcement] = FIRST_ITEMS.map((item) => firstWording(item, 'en').title)
    expect(await titles('announcements')).toEqual([announcement, 'Where we serve'])
  })
})
