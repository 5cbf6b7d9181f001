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
import { notice, openApp, settled, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, push } from '../../testing/fake-server.ts'
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

  test('comes page by page, says when there is nothing, and when it could not be had', async () => {
    const ten = Array.from({ length: 10 }, () => ({ ...stopOut, isRead: true }))
    answer(listNotices, ({ page: wanted }) => ({ notices: wanted === 1 ? ten : [news], total: 11 }))
    await open()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(link(/^Gold/)).toBeVisible()
    await settled()
  })

  test('says when there is nothing', async () => {
    await open()
    await expect.element(main().getByText('Nothing to tell')).toBeVisible()
  })

  test('says when it could not be had', async () => {
    cut(listNotices)
    await open()
    await expect.element(main().getByText('The notices could not be loaded')).toBeVisible()
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
