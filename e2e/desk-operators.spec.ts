import type { Browser, Page } from '@playwright/test'
import { shownByApp } from '../testing/authenticator.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, joinByInvitation, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

test('operators join with two keys, change roles by two operators, and can be disabled', async ({
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  // Added while there is no second operator yet.
  const dee = await addOperator(server, administrator, { name: 'Dee', role: 'support' })
  const desk = await newDeskPage(browser)
  await openDesk(desk, server, administrator, '/settings/operators')
  const mara = await newDeskPage(browser)
  const deesPage = await newDeskPage(browser)
  await openDesk(deesPage, server, dee, '/settings/operators')

  await test.step('a new operator joins with both keys and sets up a second factor', async () => {
    await desk.getByRole('button', { name: 'Invite' }).click()
    await desk.getByLabel('Name').fill('Mara')
    await desk.getByRole('combobox', { name: 'Role' }).selectOption('compliance')
    await send(desk, 'Invite', 'a second operator')
    const [link, confirmation] = await keysShown(desk, 'The two keys')
    await mara.goto(link ?? '')
    await mara.getByLabel('Confirmation key').fill('not this one')
    await mara.getByLabel('New password', { exact: true }).fill(DESK_PASSWORD)
    await mara.getByRole('button', { name: 'Join' }).click()
    await expect(mara.getByText(/The confirmation key is wrong/)).toBeVisible()
    await mara.getByLabel('Confirmation key').fill((confirmation ?? '').toUpperCase())
    await mara.getByLabel('New password', { exact: true }).fill(DESK_PASSWORD)
    await mara.getByRole('button', { name: 'Join' }).click()
    await expect(mara.getByRole('img', { name: /QR code/ })).toBeVisible()
    const secret = await mara.locator('code').innerText()
    await mara.getByRole('textbox', { name: 'Code' }).fill(shownByApp(secret, 0))
    await mara.getByRole('button', { name: 'Switch on' }).click()
    await expect(mara.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
    await mara.getByRole('button', { name: 'I have saved the codes' }).click()
    await expect(mara.getByText('No open cases')).toBeVisible()
  })
  await test.step('a change of role waits for the second operator, who sees both roles', async () => {
    await expect(deesPage.getByRole('link', { name: 'Risk' })).toBeHidden()
    await desk.getByRole('row', { name: /Dee/ }).click()
    await desk.getByRole('button', { name: 'Change role' }).click()
    await desk.getByRole('combobox', { name: 'Role' }).selectOption('dealing')
    await send(desk, 'Change role', 'new duties')
    await expect(desk.getByText(/waits for a second operator/).first()).toBeVisible()
    await approve(mara, /Change operator/, ['support', 'dealing'])
    await expect(desk.getByRole('row', { name: /Dee/ })).toContainText('Dealing')
    await deesPage.reload()
    await expect(deesPage.getByRole('link', { name: 'Risk' })).toBeVisible()
  })
  await test.step('two operators reset a lost log-in: the session ends, and a key from each lets the operator join again', async () => {
    await desk.getByRole('button', { name: 'Reset' }).click()
    await send(desk, 'Reset', 'the phone is gone')
    const [link = ''] = await keysShown(desk, 'The invitation')
    const invitation = new URL(link.replace('#/', '')).searchParams.get('invitation')
    await agree(mara, /Reset operator/, ['chosen', 'set up'])
    const [confirmation] = await keysShown(mara, 'The confirmation key')
    await expect(mara.getByText('No open cases')).toBeVisible()
    await expectOut(deesPage)
    const again = await joinByInvitation(server, { invitation, confirmation })
    await deesPage.goto('about:blank')
    await openDesk(deesPage, server, again, '/settings/operators')
    await expect(deesPage.getByRole('link', { name: 'Risk' })).toBeVisible()
  })
  await test.step('a disabled operator is logged out', async () => {
    await desk.getByRole('button', { name: 'Switch off' }).click()
    await send(desk, 'Switch off', 'left the company')
    await expectOut(deesPage)
  })
  for (const page of [desk, mara, deesPage]) await page.context().close()
})

const newDeskPage = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()

async function send(desk: Page, label: string, reason: string): Promise<void> {
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: label }).click()
}

async function keysShown(desk: Page, name: string): Promise<string[]> {
  const dialog = desk.getByRole('dialog', { name })
  await expect(dialog).toBeVisible()
  const keys = await dialog.locator('code').allInnerTexts()
  await dialog.getByRole('button', { name: 'Done' }).click()
  return keys
}

/** Approves the only waiting case. */
async function approve(desk: Page, title: RegExp, shown: readonly string[]): Promise<void> {
  await agree(desk, title, shown)
  await expect(desk.getByText('No open cases')).toBeVisible()
}

/** Opens the only waiting case, checks the changes shown, and approves it. */
async function agree(desk: Page, title: RegExp, shown: readonly string[]): Promise<void> {
  await desk.getByRole('row', { name: title }).click()
  for (const text of shown) await expect(desk.getByText(text, { exact: true }).first()).toBeVisible()
  await desk.getByRole('button', { name: /^Approve/ }).click()
  await send(desk, 'Approve', 'as agreed')
}

const expectOut = (desk: Page) => expect(desk.getByRole('button', { name: 'Log in' })).toBeVisible()
