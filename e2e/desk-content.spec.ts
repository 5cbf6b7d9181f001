import { getNews, listNews } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { apiOf } from './support/api.ts'
import { DESK_PASSWORD, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

/** An operator sits at a desk. */
test.use({ viewport: { width: 1440, height: 900 }, isMobile: false, hasTouch: false })

const give = async (page: Page, name: string, reason: string): Promise<void> => {
  await page.getByRole('button', { name, exact: true }).click()
  // Notices are dialogs too.
  const dialog = page.getByRole('dialog', { name })
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog).toBeHidden()
}

test('an announcement is written, previewed, published, read and withdrawn', async ({ page, start }) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  await openDesk(page, server, administrator, '/content')
  const visitor = apiOf(server.url, null)
  const read = async () => {
    const { items } = await visitor.ask(listNews, { category: 'announcements', page: 1 })
    return items.filter(({ title }) => title === 'Metals open later')
  }
  const text = page.getByRole('textbox', { name: 'Text' })

  await test.step('it is written in two languages', async () => {
    await page.getByRole('button', { name: 'Write' }).click()
    await page.getByLabel('Title', { exact: true }).fill('Metals open later')
    await text.click()
    await page.keyboard.type('Gold opens at nine. ')
    await page.getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('Silver too.')
    await page.getByRole('button', { name: 'Chinese, missing' }).click()
    await page.getByLabel('Title', { exact: true }).fill('金屬延遲開市')
    await text.click()
    await page.keyboard.insertText('黃金九時開市。')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved.').first()).toBeVisible()
    await expect(page.getByText('Draft', { exact: true })).toBeVisible()
  })
  await test.step('the preview shows what a German reader gets: English', async () => {
    await page.getByRole('button', { name: 'German, missing' }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await expect(preview.getByRole('heading', { name: 'Metals open later' })).toBeVisible()
    await expect(preview.getByText(/in English, for want of a text/)).toBeVisible()
  })
  await test.step('nobody reads it before it is published, everybody after that', async () => {
    expect(await read()).toEqual([])
    await give(page, 'Publish', 'opening hours')
    await expect(page.getByText('Published', { exact: true })).toBeVisible()
    const [item] = await read()
    expect(item).toMatchObject({ title: 'Metals open later' })
    const { content } = await visitor.ask(getNews, { id: item?.id ?? 0 })
    expect(content).toBe('<p>Gold opens at nine. <strong>Silver too.</strong></p>')
  })
  await test.step('withdrawn it is read by nobody', async () => {
    await give(page, 'Withdraw', 'the exchange opens in time')
    await expect(page.getByText('Withdrawn', { exact: true })).toBeVisible()
    expect(await read()).toEqual([])
  })
})

test('a new wording of the terms holds at once, and the old one stays', async ({ page, start }) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  await openDesk(page, server, administrator, '/content/legal')
  await page.getByRole('button', { name: 'New terms' }).click()
  await page.getByLabel('English', { exact: true }).fill('Be fair.\nBe plain.')
  await page.getByRole('button', { name: 'Put in force' }).click()
  const dialog = page.getByRole('dialog').filter({ has: page.getByLabel('Reason') })
  await dialog.getByLabel('Holds from (UTC)').fill(new Date().toISOString().slice(0, 16))
  await dialog.getByLabel('Reason').fill('plainer words')
  await dialog.getByRole('button', { name: 'Put in force' }).click()
  const terms = page.getByRole('row', { name: /^Terms/ })
  await expect(terms.filter({ hasText: 'In force' })).toHaveCount(1)
  await expect(terms.filter({ hasText: 'Past' })).toHaveCount(1)
  await terms.filter({ hasText: 'In force' }).click()
  await expect(page.getByText('Be plain.')).toBeVisible()
})
