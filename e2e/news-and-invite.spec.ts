import type { Page } from '@playwright/test'
import {
  agree,
  choosePassword,
  codeSentTo,
  enterAs,
  newAddress,
  openRealAccount,
} from './support/accounts.ts'
import { DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { readByCamera } from './support/qr-code.ts'

/** Writes and publishes an item in English at the desk. */
async function publish(desk: Page, title: string, text: string): Promise<void> {
  await desk.getByRole('button', { name: 'Write' }).click()
  await desk.getByLabel('Title', { exact: true }).fill(title)
  await desk.getByRole('textbox', { name: 'Text' }).click()
  await desk.keyboard.type(text)
  await desk.getByRole('button', { name: 'Save' }).click()
  await desk.getByRole('button', { name: 'Publish', exact: true }).click()
  // Notices are dialogs too.
  const dialog = desk.getByRole('dialog', { name: 'Publish' }).filter({ has: desk.getByLabel('Reason') })
  await dialog.getByLabel('Reason').fill('a journey')
  await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(desk.getByText('Published', { exact: true })).toBeVisible()
}

test('news published at the desk is shown as unread, and a friend registers by invitation', async ({
  page,
  start,
  browser,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const main = page.getByRole('main')
  const bell = (name: string) => page.getByRole('link', { name, exact: true })

  await test.step('opening the list marks everything as seen', async () => {
    await enterAs(page, (await openRealAccount(server)).token)
    await page.goto(`${server.url}/#/news`)
    await expect(main.getByRole('link', { name: /Where our services are not provided/ })).toBeVisible()
  })

  await test.step('a new item is unread until it is opened', async () => {
    const desk = await deskPage(browser)
    await openDesk(desk.page, server, await enrolAdministrator(server), '/content')
    await publish(desk.page, 'Gold opens later', 'At nine, and not before.')
    await desk.close()
    await page.goto(`${server.url}/#/`)
    await page.reload()
    await bell('Notices, some unread').click()
    await main.getByRole('link', { name: /^New\. Gold opens later/ }).click()
    await expect(page.getByRole('article').getByText('At nine, and not before.')).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.reload()
    await expect(main.getByRole('link', { name: /^Gold opens later/ })).toBeVisible()
    await page.goto(`${server.url}/#/`)
    await expect(bell('Notices')).toBeVisible()
  })

  const link = await test.step('the invitation is a link and a QR code of it', async () => {
    await page.goto(`${server.url}/#/mine/invite`)
    const shown = main.locator('p', { hasText: '/#/register?invite_code=' })
    const text = (await shown.textContent()) ?? ''
    expect(await readByCamera(main.getByRole('img', { name: 'QR code of your invitation link' }))).toBe(text)
    await expect(main.getByText('No one has joined yet')).toBeVisible()
    return text
  })

  await test.step('a friend registers by it and is listed', async () => {
    const context = await browser.newContext()
    const friend = await context.newPage()
    const address = newAddress()
    await friend.goto(link)
    await expect(friend.getByRole('textbox', { name: /^Invitation code/ })).toHaveValue(/^[0-9A-F]{16}$/)
    await friend.getByRole('textbox', { name: 'E-mail address' }).fill(address)
    await friend.getByRole('button', { name: 'Send code' }).click()
    await friend
      .getByRole('textbox', { name: 'Code', exact: true })
      .fill(await codeSentTo(server, address, 'Your code to register'))
    await choosePassword(friend, 'Choose a password')
    await agree(friend)
    await friend.getByRole('main').getByRole('button', { name: 'Open an account' }).click()
    await expect(friend).toHaveURL(/#\/$/)
    await context.close()
    await page.reload()
    await expect(main.getByText('1 person has joined')).toBeVisible()
    await expect(main.getByRole('listitem')).toContainText('a•••@e•••.com')
  })
})
