import {
  getLatestNews,
  getNews,
  getNewsSeen,
  listNews,
  NEWS_PAGE_ROWS,
  reportNewsSeen,
  type NewsRow,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { queryClient } from '../../live/requests/query-client.ts'
import { answer, inputsOf, failConnection, hold, reject } from '../../testing/fake-server.ts'
import { newsItem, newsRow, PUBLISHED } from '../../testing/samples.ts'

withFakeServer()

const bell = (name: 'News' | 'News, some unread') => page.getByRole('link', { name, exact: true })
const row = (name: string | RegExp) => page.getByRole('main').getByRole('link', { name })
const publish = (...items: readonly NewsRow[]): void => {
  answer(listNews, { items, total: items.length })
  answer(getLatestNews, { at: Math.max(...items.map(({ publishedAt }) => publishedAt)) })
}

describe('the list', () => {
  test('marks new and pinned items, and names the language of untranslated ones', async () => {
    answer(getNewsSeen, { at: PUBLISHED - 1 })
    publish(
      newsRow({ id: 2, title: 'Where we serve', isPinned: true, publishedAt: PUBLISHED - 5_000 }),
      newsRow(),
    )
    await openApp('/news', { as: 'real', language: 'de' })
    await expect.element(row(/^Neu\. Gold opens later/)).toMatchTextContent('auf Englisch')
    await expect.element(row(/^Angeheftet\. Where we serve/)).toBeVisible()
  })

  test('loads one category, and the next page', async () => {
    const rows = Array.from({ length: NEWS_PAGE_ROWS }, (_, id) =>
      newsRow({ id: id + 1, title: `No. ${id + 1}` }),
    )
    answer(listNews, ({ page: number }) => ({
      items: number === 1 ? rows : [newsRow({ id: NEWS_PAGE_ROWS }), newsRow({ id: 99, title: 'The last' })],
      total: NEWS_PAGE_ROWS + 1,
    }))
    await openApp('/news')
    await page.getByRole('button', { name: 'Market' }).click()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(row(/The last/)).toBeVisible()
    expect(page.getByRole('listitem').elements()).toHaveLength(NEWS_PAGE_ROWS + 1)
    expect(inputsOf(listNews).at(-1)).toEqual({ category: 'market', page: 2 })
  })

  test('of 1,001 items loads ten at a time, to the last', async () => {
    const total = 1_001
    answer(listNews, ({ page: number }) => ({
      items: Array.from({ length: Math.min(10, total - (number - 1) * 10) }, (_, place) => {
        const id = (number - 1) * 10 + place + 1
        return newsRow({ id, title: `No. ${id}` })
      }),
      total,
    }))
    await openApp('/news')
    await expect.element(row(/\bNo\. 10\b/)).toBeVisible()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(row(/\bNo\. 20\b/)).toBeVisible()
    // As if the button had been pressed to the last page but one.
    const key = ['news', 'list', 'all']
    const loaded = queryClient.getQueryData<{ pages: unknown[]; pageParams: number[] }>(key)
    const filler = Array.from({ length: 98 }, () => ({ items: [], total }))
    queryClient.setQueryData(key, {
      pages: [...(loaded?.pages ?? []), ...filler],
      pageParams: Array.from({ length: 100 }, (_, place) => place + 1),
    })
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(row(/\bNo\. 1001\b/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
  })

  test('shows that it is empty, or that loading failed, and tries again', async () => {
    failConnection(listNews)
    await openApp('/mine/announcement')
    await expect.element(page.getByText('The news could not be loaded')).toBeVisible()
    answer(listNews, { items: [], total: 0 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('Nothing here yet')).toBeVisible()
    expect(inputsOf(listNews).at(-1)?.category).toBe('announcements')
  })
})

describe('the list', () => {
  test('shows neither emptiness nor failure while loading', async () => {
    const release = hold(listNews)
    await openApp('/news')
    await expect.element(page.getByRole('button', { name: 'Market' })).toBeVisible()
    expect(page.getByRole('main').element().textContent).not.toMatch(/Nothing here|could not/)
    release()
    await expect.element(page.getByText('Nothing here yet')).toBeVisible()
  })

  test('shows the server’s message when rejected', async () => {
    reject(listNews, 'tooManyRequests', 'Too many requests. Wait a minute.')
    await openApp('/news')
    await expect.element(page.getByText('The news could not be loaded')).toBeVisible()
    await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
  })

  test('stays as it was when a refresh fails', async () => {
    publish(newsRow())
    await openApp('/news')
    await expect.element(row(/Gold opens later/)).toBeVisible()
    failConnection(listNews)
    await queryClient.invalidateQueries({ queryKey: ['news', 'list'] })
    await settled()
    await expect.element(row(/Gold opens later/)).toBeVisible()
    await expect.element(page.getByText('The news could not be loaded')).not.toBeInTheDocument()
  })

  test('of another category does not show the items of the previous one', async () => {
    answer(listNews, ({ category }) =>
      category === 'all' ? { items: [newsRow()], total: 1 } : { items: [], total: 0 },
    )
    await openApp('/news')
    await expect.element(row(/Gold opens later/)).toBeVisible()
    const release = hold(listNews)
    await page.getByRole('button', { name: 'Policy' }).click()
    await expect.element(row(/Gold opens later/)).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText('Nothing here yet')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Policy' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('and an item fit a small phone with very long words, left to right and right to left', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'.repeat(3)
    publish(newsRow({ title: long, summary: long, isPinned: true }))
    const content = `<h2>${long}</h2><p>${long}</p><pre>${long}</pre><ul><li>${long}</li></ul>`
    answer(getNews, newsItem({ title: long, summary: long, content }))
    await openApp('/news', { size: [320, 640] })
    await expect.element(row(/Pinned/)).toBeVisible()
    expect(overflowing()).toEqual([])
    document.documentElement.dir = 'rtl'
    expect(overflowing()).toEqual([])
    await row(/Pinned/).click()
    await expect.element(page.getByRole('article')).toBeVisible()
    expect(overflowing()).toEqual([])
    document.documentElement.dir = 'ltr'
    expect(overflowing()).toEqual([])
  })
})

describe('the bell', () => {
  test('is marked until the list is opened; for a visitor, on this device', async () => {
    publish(newsRow())
    const visit = await openApp('/')
    await bell('News, some unread').click()
    await expect.element(row(/^New\. Gold/)).toBeVisible()
    await expect.element(bell('News')).toBeVisible()
    expect(localStorage.getItem('fairlot.newsSeen')).toBe(String(PUBLISHED))
    expect(inputsOf(reportNewsSeen)).toEqual([])
    await visit.unmount()
    await openApp('/news')
    await expect.element(row(/^Gold/)).toBeVisible()
  })

  test('is marked per account, by the server', async () => {
    localStorage.setItem('fairlot.newsSeen', String(PUBLISHED))
    publish(newsRow())
    await openApp('/news', { as: 'demo' })
    await expect.poll(() => inputsOf(reportNewsSeen)).toEqual([{ at: PUBLISHED }])
  })
})

describe('a news item', () => {
  test('is rendered as our own elements, and nothing in its text runs or loads', async () => {
    const content =
      '<h2>Hours</h2><p onclick="x()">At <strong>eight</strong>. <a href="https://ok.example/a">More</a> <a href="javascript:x()">bad</a></p>' +
      '<script>x()</script><img src="https://elsewhere.example/p.png"><iframe src="/"></iframe><form><input></form><img src="/logos/eurusd.svg" alt="Chart">'
    answer(getNews, newsItem({ content }))
    await openApp('/news/detail?id=1')
    const article = page.getByRole('article')
    await expect.element(article.getByText('eight')).toBeVisible()
    await expect
      .element(article.getByRole('link', { name: 'More' }))
      .toHaveAttribute('rel', 'noopener noreferrer nofollow')
    const found = article.element()
    expect(found.querySelectorAll('script, iframe, form, input, [onclick]')).toHaveLength(0)
    expect([...found.querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual(['More'])
    expect([...found.querySelectorAll('img')].map(({ alt }) => alt)).toEqual(['Chart'])
    expect(found.textContent).not.toContain('x()')
  })

  test('shows a table as a table, which scrolls sideways on a phone', async () => {
    const cells = Array.from({ length: 12 }, (_, at) => `<td>${at}500.50</td>`).join('\n')
    const content = `<table>\n<caption>Lots</caption><thead><tr><th colspan="12">Gold</th></tr></thead> <tbody><tr>${cells}</tr></tbody></table>`
    answer(getNews, newsItem({ content }))
    await openApp('/news/detail?id=1', { size: [320, 640] })
    const table = page.getByRole('table', { name: 'Lots' })
    await expect.element(table.getByRole('cell', { name: '0500.50', exact: true })).toBeVisible()
    const found = table.element()
    expect(found.querySelector('th')?.colSpan).toBe(12)
    expect(found.querySelectorAll('td')).toHaveLength(12)
    const box = found.parentElement
    expect(box && box.scrollWidth > box.clientWidth).toBe(true)
    expect(document.documentElement.scrollWidth).toBe(320)
  })

  test('in Arabic is set right to left, whatever the direction of the screen', async () => {
    answer(getNews, newsItem({ language: 'ar', title: 'الذهب' }))
    await openApp('/news/detail?id=1')
    await expect.element(page.getByRole('heading', { name: 'الذهب' })).toHaveAttribute('dir', 'rtl')
    await expect.element(page.getByText('in Arabic')).toBeVisible()
  })

  test.each(['/news/detail', '/news/detail?id=x', '/news/detail?id=-1'])(
    'of %s is not requested',
    async (path) => {
      await openApp(path)
      await expect.element(page.getByText('This article is no longer available')).toBeVisible()
      expect(inputsOf(getNews)).toEqual([])
    },
  )

  test('that was withdrawn leads back to the list; one that failed to load can be loaded again', async () => {
    failConnection(getNews)
    await openApp('/news/detail?id=7')
    await expect.element(page.getByText('The news could not be loaded')).toBeVisible()
    reject(getNews, 'contentNotFound', 'There is no such item.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'Go to news' }).click()
    await expect.poll(() => location.hash).toBe('#/news')
  })
})
