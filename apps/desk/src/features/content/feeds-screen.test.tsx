import { askNewsFeed, listNewsFeeds, saveNewsFeed, type NewsFeed } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, refuse } from '../../testing/fake-server.ts'

withFakeServer()

const feed = (change: Partial<NewsFeed> = {}): NewsFeed => ({
  ...{ id: 3, version: 2, changedAt: Date.UTC(2026, 10, 22), address: 'https://news.example/feed' },
  ...{ name: 'The Example', language: 'en', category: 'market', itemState: 'draft', isOn: true },
  ...{ askedAt: Date.UTC(2026, 10, 22), taken: 12, problem: null },
  ...change,
})

test('a feed says what came of it, and is asked again', async () => {
  answer(listNewsFeeds, { feeds: [feed({ problem: 'addressRefused' })] })
  await openDesk('/content/feeds')
  await page.getByRole('row', { name: /The Example/ }).click()
  await expect.element(page.getByText(/leads to this machine or its network/)).toBeVisible()
  answer(askNewsFeed, { id: 3 })
  await page.getByRole('button', { name: 'Ask it now' }).click()
  await expect.poll(() => asked(askNewsFeed)).toEqual([{ id: 3 }])
})

test('one is set up with a reason; a refused address is said in the dialog', async () => {
  answer(listNewsFeeds, { feeds: [] })
  await openDesk('/content/feeds')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByLabelText('Address').fill('http://127.0.0.1/feed')
  await page.getByLabelText('Name').fill('Inward')
  await page.getByLabelText('Its items').selectOptions('Published at once')
  await page.getByLabelText('Reason').fill('more to read')
  refuse(saveNewsFeed, 'feedAddressRefused', 'This address cannot be asked.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('This address cannot be asked.')).toBeVisible()
  expect(asked(saveNewsFeed)).toMatchObject([
    { id: null, address: 'http://127.0.0.1/feed', itemState: 'live', reason: 'more to read' },
  ])
})

test('others than administrators only look', async () => {
  answer(listNewsFeeds, { feeds: [feed()] })
  await openDesk('/content/feeds', { as: self({ role: 'support' }) })
  await page.getByRole('row', { name: /The Example/ }).click()
  await expect.element(page.getByText('https://news.example/feed')).toBeVisible()
  expect(page.getByRole('button', { name: /Edit|Add|Ask it now/ }).elements()).toEqual([])
})
