import type { Page } from '@playwright/test'
import { DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const TITLE = 'Metals open later'

test('announcements and legal texts published at the desk are shown in the app', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const desk = await deskPage(browser)
  await openDesk(desk.page, server, await enrolAdministrator(server), '/content')
  await page.goto(`${server.url}/#/mine/announcement`)
  await announce(desk.page, page)
  await desk.page.goto(`${server.url}/desk/#/content/legal`)
  await rewordTerms(desk.page)
  await page.goto(`${server.url}/#/register`)
  await page.getByRole('button', { name: 'Read: Terms' }).click()
  await expect(page.getByRole('dialog')).toContainText('Be plain.')
  await desk.close()
})

/** Writes, previews, publishes, reads and withdraws an announcement. */
async function announce(desk: Page, phone: Page): Promise<void> {
  const text = desk.getByRole('textbox', { name: 'Text' })
  const listed = phone.getByRole('main').getByRole('link', { name: new RegExp(TITLE) })
  const expectListed = async (count: number) => {
    await phone.reload()
    // An announcement that every new server has.
    await expect(phone.getByRole('link', { name: /Where our services are not provided/ })).toBeVisible()
    await expect(listed).toHaveCount(count)
  }

  await test.step('it is written in two languages', async () => {
    await desk.getByRole('button', { name: 'Write' }).click()
    await desk.getByLabel('Title', { exact: true }).fill(TITLE)
    await text.click()
    await desk.keyboard.type('Gold opens at nine. ')
    await desk.getByRole('button', { name: 'Bold' }).click()
    await desk.keyboard.type('Silver too.')
    await desk.getByRole('button', { name: 'Chinese, missing' }).click()
    await desk.getByLabel('Title', { exact: true }).fill('金屬延遲開市')
    await text.click()
    await desk.keyboard.insertText('黃金九時開市。')
    await desk.getByRole('button', { name: 'Save' }).click()
    await expect(desk.getByText('Saved.').first()).toBeVisible()
    await expect(desk.getByText('Draft', { exact: true })).toBeVisible()
  })
  await test.step('the preview falls back to English for German', async () => {
    await desk.getByRole('button', { name: 'German, missing' }).click()
    const preview = desk.getByRole('region', { name: 'Preview' })
    await expect(preview.getByRole('heading', { name: TITLE })).toBeVisible()
    await expect(preview.getByText(/in English, because this text is missing/)).toBeVisible()
  })
  await test.step('it is visible only after it is published', async () => {
    await expectListed(0)
    await confirm(desk, 'Publish', 'opening hours')
    await expect(desk.getByText('Published', { exact: true })).toBeVisible()
    await expectListed(1)
    await listed.click()
    const article = phone.getByRole('article')
    await expect(article.getByText('Gold opens at nine. Silver too.')).toBeVisible()
    await expect(article.locator('strong')).toHaveText('Silver too.')
    await phone.goBack()
  })
  await test.step('it is hidden once withdrawn', async () => {
    await confirm(desk, 'Withdraw', 'the exchange opens in time')
    await expect(desk.getByText('Withdrawn', { exact: true })).toBeVisible()
    await expectListed(0)
  })
}

/** A new version is in force at once, and the old one is kept. */
async function rewordTerms(desk: Page): Promise<void> {
  await desk.getByRole('button', { name: 'New terms' }).click()
  await desk.getByLabel('English', { exact: true }).fill('Be fair.\nBe plain.')
  await desk.getByRole('button', { name: 'Publish version' }).click()
  const dialog = desk.getByRole('dialog').filter({ has: desk.getByLabel('Reason') })
  await dialog.getByLabel('Effective from (UTC)').fill(new Date().toISOString().slice(0, 16))
  await dialog.getByLabel('Reason').fill('plainer words')
  await dialog.getByRole('button', { name: 'Publish version' }).click()
  const terms = desk.getByRole('row', { name: /^Terms/ })
  await expect(terms.filter({ hasText: 'In force' })).toHaveCount(1)
  await expect(terms.filter({ hasText: 'Past' })).toHaveCount(1)
}

async function confirm(desk: Page, name: string, reason: string): Promise<void> {
  await desk.getByRole('button', { name, exact: true }).click()
  // Notices are dialogs too.
  const dialog = desk.getByRole('dialog', { name }).filter({ has: desk.getByLabel('Reason') })
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name, exact: true }).click()
  await expect(dialog).toBeHidden()
}
