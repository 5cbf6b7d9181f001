import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  countUnreadNotices,
  getNoticeChoices,
  listNotices,
  readNotices,
  switchNotices,
  type NoticeRow,
} from '@fairlot/contract'
import { overflowing } from '../../../../../testing/overflow.ts'
import { aliasOf, routeOf } from '../../app/routes.ts'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, push, reject } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'
import { noticePath } from '../../live/account/notice-path.ts'

withFakeServer()

const stopOut: NoticeRow = {
  kind: 'stopOut',
  group: 'stopOut',
  title: 'Stopped out',
  text: 'One position was closed.',
  time: sample.NOON,
  isRead: false,
  orderId: null,
  newsId: null,
}
const news: NoticeRow = {
  ...stopOut,
  kind: 'news',
  group: 'news',
  title: 'Gold',
  text: '',
  isRead: true,
  newsId: 5,
}

const main = () => page.getByRole('main')
const link = (name: RegExp) => main().getByRole('link', { name })
const open = () => openApp('/mine/notices', { as: 'real' })

describe('the list of notices', () => {
  test('marks unread notices, links to the details, and marks all as read when opened', async () => {
    answer(listNotices, { notices: [stopOut, news], total: 2, next: null })
    answer(readNotices, null)
    await open()
    await expect.element(link(/^New\.\s*Stopped out/)).toHaveAttribute('href', '#/order?list=history')
    await expect.element(link(/^Gold/)).toHaveAttribute('href', '#/news/detail?id=5')
    await expect.poll(() => inputsOf(readNotices)).toEqual([{ upTo: sample.NOON }])
  })

  test('is loaded page by page', async () => {
    const ten = Array.from({ length: 10 }, () => ({ ...stopOut, isRead: true }))
    answer(listNotices, ({ before }) =>
      before === null
        ? { notices: ten, total: 11, next: '1700 17' }
        : { notices: before === '1700 17' ? [news] : [], total: 11, next: null },
    )
    await open()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(link(/^Gold/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
    await settled()
  })

  test('shows that it is empty, but not while it is loading', async () => {
    const release = hold(listNotices)
    await open()
    await expect.element(link(/Notice settings/)).toBeVisible()
    expect(main().element().textContent).not.toMatch(/No notices yet|could not/)
    release()
    await expect.element(main().getByText('No notices yet')).toBeVisible()
  })

  test('shows a failure, with the reason where the server rejects it, and loads again', async () => {
    reject(listNotices, 'tooManyRequests', 'Too many requests. Wait a minute.')
    await open()
    await expect.element(main().getByText('The notices could not be loaded')).toBeVisible()
    await expect.element(main().getByText('Too many requests. Wait a minute.')).toBeVisible()
    answer(listNotices, { notices: [news], total: 1, next: null })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(link(/^Gold/)).toBeVisible()
    expect(inputsOf(readNotices)).toEqual([])
  })

  test('fits a small phone with long words', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'.repeat(3)
    answer(listNotices, { notices: [{ ...news, title: long, text: long }], total: 1, next: null })
    await openApp('/mine/notices', { as: 'real', size: [320, 640] })
    await expect.element(link(/^Aktien/)).toBeVisible()
    expect(overflowing()).toEqual([])
  })
})

test('the bell is marked as soon as a notice is pushed, and an urgent notice stays on screen', async () => {
  await openApp('/', { as: 'demo' })
  const bell = (name: string) => page.getByRole('link', { name, exact: true })
  await expect.element(bell('Notices')).toBeVisible()
  await settled()
  answer(countUnreadNotices, { count: 1 })
  const marginCall = {
    id: 1,
    kind: 'marginWarning',
    title: 'Margin call',
    text: 'It has fallen.',
    time: sample.NOON,
  } as const
  push({ type: 'notice', userId: 7, seq: 2, notice: marginCall })
  await expect.element(bell('Notices, some unread')).toBeVisible()
  await expect.element(notice(/It has fallen\./)).toBeVisible()
})

test('each group can be switched in the app and by e-mail, except security', async () => {
  const choices = [
    { group: 'deposit', app: true, mail: true, push: true },
    { group: 'orders', app: true, mail: null, push: true },
    { group: 'security', app: null, mail: null, push: null },
  ] as const
  answer(getNoticeChoices, { choices })
  answer(switchNotices, null)
  await openApp('/mine/system', { as: 'real' })
  const box = (name: string) => main().getByRole('checkbox', { name })
  await box('Deposits: E-mail').click()
  await expect.poll(() => inputsOf(switchNotices)).toEqual([{ group: 'deposit', way: 'mail', isOn: false }])
  await expect.element(box('Deposits: E-mail')).not.toBeChecked()
  await expect.element(box('Deposits: App')).toBeChecked()
  await expect.element(box('Security: E-mail')).toBeDisabled()
})

test('a rejected switch is reverted with its reason; choices that failed to load can be loaded again', async () => {
  failConnection(getNoticeChoices)
  await openApp('/mine/system', { as: 'real' })
  await expect.element(page.getByText('Your notice settings could not be loaded.')).toBeVisible()
  const choices = [{ group: 'deposit', app: true, mail: true, push: true }] as const
  answer(getNoticeChoices, { choices })
  await page.getByRole('button', { name: 'Try again' }).click()
  const box = main().getByRole('checkbox', { name: 'Deposits: E-mail' })
  await expect.element(box).toBeChecked()
  reject(switchNotices, 'engineUnavailable', 'Not now. Try again in a minute.')
  const release = hold(switchNotices)
  await box.click()
  await expect.element(box).not.toBeChecked()
  release()
  await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
  await expect.element(box).toBeChecked()
})

const noticeRow = (change: Partial<NoticeRow>): NoticeRow => ({
  ...stopOut,
  kind: 'depositEnded',
  group: 'deposit',
  ...change,
})

const GROUPS = [
  ...(['margin', 'stopOut', 'alerts', 'orders', 'account', 'deposit', 'withdrawal'] as const),
  ...(['identity', 'news', 'support', 'security'] as const),
]

test('a notice leads to its news item or order', () => {
  expect(noticePath(noticeRow({ newsId: 5, orderId: 41 }))).toBe('/news/detail?id=5')
  expect(noticePath(noticeRow({ orderId: 41 }))).toBe('/order?list=history&order=41')
})

test.each([
  ['stopOut', 'stopOut', '/order?list=history'],
  ['withdrawalRequested', 'withdrawal', '/mine/withdraw'],
  ['payoutMethodAdded', 'security', '/mine/wallet'],
  ['passwordChanged', 'security', '/mine/activity'],
  ['marginWarning', 'margin', '/order'],
  ['alertFired', 'alerts', '/mine/notices?tab=alerts'],
] as const)('a notice of kind %s (group %s) leads to %s', (kind, group, path) =>
  expect(noticePath(noticeRow({ kind, group }))).toBe(path),
)

test.each(GROUPS)('a notice of group %s leads to an existing screen', (group) => {
  const [pathname = ''] = noticePath(noticeRow({ group })).split('?')
  expect(routeOf(pathname) ?? aliasOf(pathname)).not.toBeNull()
})
