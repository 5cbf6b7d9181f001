import { fetchNewsFeed, listNewsFeeds, saveNewsFeed, type NewsFeed } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, reject } from '../../testing/fake-server.ts'

withFakeServer()

const feed = (change: Partial<NewsFeed> = {}): NewsFeed => ({
  id: 3,
  version: 2,
  changedAt: Date.UTC(2026, 10, 22),
  address: 'https://news.example/feed',
  name: 'The Example',
  language: 'en',
  category: 'market',
  itemState: 'draft',
  isOn: true,
  askedAt: Date.UTC(2026, 10, 22),
  taken: 12,
  problem: null,
  ...change,
})

test('a feed shows why it failed, and can be fetched again', async () => {
  answer(listNewsFeeds, { feeds: [feed({ problem: 'addressRefused' })] })
  await openDesk('/content/feeds')
  await page.getByRole('row', { name: /The Example/ }).click()
  await expect.element(page.getByText(/points to this server or its network/)).toBeVisible()
  answer(fetchNewsFeed, { id: 3 })
  await page.getByRole('button', { name: 'Fetch now' }).click()
  await expect.poll(() => inputsOf(fetchNewsFeed)).toEqual([{ id: 3 }])
})

test('a feed is added with a reason, and a rejected address is shown in the dialog', async () => {
  answer(listNewsFeeds, { feeds: [] })
  await openDesk('/content/feeds')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabelText('Address').fill('http://127.0.0.1/feed')
  await page.getByLabelText('Name').fill('Inward')
  await page.getByLabelText('Items').selectOptions('Published at once')
  await page.getByLabelText('Reason').fill('more to read')
  reject(saveNewsFeed, 'feedAddressRefused', 'This address is not allowed.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('This address is not allowed.')).toBeVisible()
  expect(inputsOf(saveNewsFeed)).toMatchObject([
    { id: null, address: 'http://127.0.0.1/feed', itemState: 'live', reason: 'more to read' },
  ])
})

test('feeds are read-only for roles other than administrator', async () => {
  answer(listNewsFeeds, { feeds: [feed()] })
  await openDesk('/content/feeds', { as: self({ role: 'support' }) })
  await page.getByRole('row', { name: /The Example/ }).click()
  await expect.element(page.getByText('https://news.example/feed')).toBeVisible()
  expect(page.getByRole('button', { name: /Edit|Add|Fetch now/ }).elements()).toEqual([])
})
