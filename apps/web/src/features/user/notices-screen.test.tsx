import {
  countUnreadNotices,
  getNoticeChoices,
  listNotices,
  readNotices,
  switchNotices,
  type NoticeRow,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sticksOut } from '../../../../../testing/sticks-out.ts'
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, hold, push, refuse } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const stopOut: NoticeRow = {
  ...{ kind: 'stopOut', group: 'stopOut', title: 'Stopped out', text: 'One position was closed.' },
  ...{ time: sample.NOON, isRead: false, orderId: null, newsId: null },
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

describe('the list behind the bell', () => {
  test('marks what is unread, leads to what it is about, and is read by opening', async () => {
    answer(listNotices, { notices: [stopOut, news], total: 2 })
    answer(readNotices, null)
    await open()
    await expect.element(link(/^New\.\s*Stopped out/)).toHaveAttribute('href', '#/order?list=history')
    await expect.element(link(/^Gold/)).toHaveAttribute('href', '#/news/detail?id=5')
    await expect.poll(() => asked(readNotices)).toEqual([{ upTo: sample.NOON }])
  })

  test('comes page by page', async () => {
    const ten = Array.from({ length: 10 }, () => ({ ...stopOut, isRead: true }))
    answer(listNotices, ({ page: wanted }) => ({ notices: wanted === 1 ? ten : [news], total: 11 }))
    await open()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(link(/^Gold/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
    await settled()
  })

  test('says when there is nothing, and not before that is known', async () => {
    const release = hold(listNotices)
    await open()
    await expect.element(link(/Choose what you hear of/)).toBeVisible()
    expect(main().element().textContent).not.toMatch(/Nothing to tell|could not/)
    release()
    await expect.element(main().getByText('Nothing to tell')).toBeVisible()
  })

  test('says when it could not be had, why where it is refused, and asks again', async () => {
    refuse(listNotices, 'tooManyRequests', 'Too many requests. Wait a minute.')
    await open()
    await expect.element(main().getByText('The notices could not be loaded')).toBeVisible()
    await expect.element(main().getByText('Too many requests. Wait a minute.')).toBeVisible()
    answer(listNotices, { notices: [news], total: 1 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(link(/^Gold/)).toBeVisible()
    expect(asked(readNotices)).toEqual([])
  })

  test('of long words fits a small phone', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'.repeat(3)
    answer(listNotices, { notices: [{ ...news, title: long, text: long }], total: 1 })
    await openApp('/mine/notices', { as: 'real', size: [320, 640] })
    await expect.element(link(/^Aktien/)).toBeVisible()
    expect(sticksOut()).toEqual([])
  })
})

test('the bell is marked as soon as the server tells of something, and what is grave stays', async () => {
  await openApp('/', { as: 'demo' })
  const bell = (name: string) => page.getByRole('link', { name, exact: true })
  await expect.element(bell('Notices')).toBeVisible()
  await settled()
  answer(countUnreadNotices, { count: 1 })
  const said = {
    id: 1,
    kind: 'marginWarning',
    title: 'Margin call',
    text: 'It has fallen.',
    time: sample.NOON,
  } as const
  push({ type: 'notice', userId: 7, seq: 2, notice: said })
  await expect.element(bell('Notices, some unread')).toBeVisible()
  await expect.element(notice(/It has fallen\./)).toBeVisible()
})

test('each group is switched in the app and by mail, security stays', async () => {
  const choices = [
    { group: 'deposit', app: true, mail: true },
    { group: 'orders', app: true, mail: null },
    { group: 'security', app: null, mail: null },
  ] as const
  answer(getNoticeChoices, { choices })
  answer(switchNotices, null)
  await openApp('/mine/system', { as: 'real' })
  const box = (name: string) => main().getByRole('checkbox', { name })
  await box('Deposits: Mail').click()
  await expect.poll(() => asked(switchNotices)).toEqual([{ group: 'deposit', way: 'mail', isOn: false }])
  await expect.element(box('Deposits: Mail')).not.toBeChecked()
  await expect.element(box('Deposits: App')).toBeChecked()
  await expect.element(box('Security: Mail')).toBeDisabled()
})

test('a choice that is refused is taken back and says why; choices that could not be had are asked for again', async () => {
  cut(getNoticeChoices)
  await openApp('/mine/system', { as: 'real' })
  await expect.element(page.getByText('Your choices could not be loaded.')).toBeVisible()
  const choices = [{ group: 'deposit', app: true, mail: true }] as const
  answer(getNoticeChoices, { choices })
  await page.getByRole('button', { name: 'Try again' }).click()
  const box = main().getByRole('checkbox', { name: 'Deposits: Mail' })
  await expect.element(box).toBeChecked()
  refuse(switchNotices, 'engineUnavailable', 'Not now. Try again in a minute.')
  const release = hold(switchNotices)
  await box.click()
  await expect.element(box).not.toBeChecked()
  release()
  await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
  await expect.element(box).toBeChecked()
})
