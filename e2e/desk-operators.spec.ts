import type { Browser, Page } from '@playwright/test'
import { shownByApp } from '../testing/authenticator.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, joinByInvitation, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

test('operators are invited, change roles by two people, are switched off, and let in anew', async ({
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  // Before there is anybody who could agree.
  const dee = await addOperator(server, administrator, { name: 'Dee', role: 'support' })
  const desk = await pageOf(browser)
  await openDesk(desk, server, administrator, '/settings/operators')
  const mara = await pageOf(browser)
  const deesPage = await pageOf(browser)
  await openDesk(deesPage, server, dee, '/settings/operators')

  await test.step('who is invited comes in by the link, and sets up a second factor first', async () => {
    await desk.getByRole('button', { name: 'Invite' }).click()
    await desk.getByLabel('Name').fill('Mara')
    await desk.getByRole('combobox', { name: 'Role' }).selectOption('compliance')
    await send(desk, 'Invite', 'a second person')
    await mara.goto(await linkShown(desk))
    await mara.getByLabel('New password', { exact: true }).fill(DESK_PASSWORD)
    await mara.getByRole('button', { name: 'Join' }).click()
    await expect(mara.getByRole('img', { name: /QR code/ })).toBeVisible()
    const secret = await mara.locator('code').innerText()
    await mara.getByRole('textbox', { name: 'Code' }).fill(shownByApp(secret, 0))
    await mara.getByRole('button', { name: 'Switch on' }).click()
    await expect(mara.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10)
    await mara.getByRole('button', { name: 'I have kept them' }).click()
    await expect(mara.getByText('Nothing waits')).toBeVisible()
  })
  await test.step('another role waits for that second person, who sees both', async () => {
    await expect(deesPage.getByRole('link', { name: 'Risk' })).toBeHidden()
    await desk.getByRole('row', { name: /Dee/ }).click()
    await desk.getByRole('button', { name: 'Change role' }).click()
    await desk.getByRole('combobox', { name: 'Role' }).selectOption('dealing')
    await send(desk, 'Change role', 'new duties')
    await expect(desk.getByText(/waits for a second person/).first()).toBeVisible()
    await approve(mara, /Change operator/, ['support', 'dealing'])
    await expect(desk.getByRole('row', { name: /Dee/ })).toContainText('Dealing')
    await deesPage.reload()
    await expect(deesPage.getByRole('link', { name: 'Risk' })).toBeVisible()
  })
  await test.step('a lost log-in is reset by two: out at once, in again by a new link', async () => {
    await desk.getByRole('button', { name: 'Reset' }).click()
    await send(desk, 'Reset', 'the phone is gone')
    await approve(mara, /Reset operator/, ['chosen', 'set up'])
    await expectOut(deesPage)
    await desk.getByRole('button', { name: 'New invitation' }).click()
    await send(desk, 'Make it', 'called back')
    const invitation = new URL((await linkShown(desk)).replace('#/', '')).searchParams.get('invitation') ?? ''
    const again = await joinByInvitation(server, invitation)
    await deesPage.goto('about:blank')
    await openDesk(deesPage, server, again, '/settings/operators')
    await expect(deesPage.getByRole('link', { name: 'Risk' })).toBeVisible()
  })
  await test.step('who is switched off is out', async () => {
    await desk.getByRole('button', { name: 'Switch off' }).click()
    await send(desk, 'Switch off', 'left the house')
    await expectOut(deesPage)
  })
  for (const page of [desk, mara, deesPage]) await page.context().close()
})

const pageOf = async (browser: Browser): Promise<Page> =>
  (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()

async function send(desk: Page, label: string, reason: string): Promise<void> {
  const dialog = desk.getByRole('dialog')
  await dialog.getByLabel('Reason').fill(reason)
  await dialog.getByRole('button', { name: label }).click()
}

async function linkShown(desk: Page): Promise<string> {
  const link = await desk.getByRole('dialog', { name: 'The invitation' }).locator('code').innerText()
  await desk.getByRole('button', { name: 'Done' }).click()
  return link
}

/** Opens the one case that waits, sees what would change, and agrees. */
async function approve(desk: Page, title: RegExp, shown: readonly string[]): Promise<void> {
  await desk.getByRole('row', { name: title }).click()
  for (const text of shown) await expect(desk.getByText(text, { exact: true }).first()).toBeVisible()
  await desk.getByRole('button', { name: /^Approve/ }).click()
  await send(desk, 'Approve', 'as agreed')
  await expect(desk.getByText('Nothing waits')).toBeVisible()
}

const expectOut = (desk: Page) => expect(desk.getByRole('button', { name: 'Log in' })).toBeVisible()
