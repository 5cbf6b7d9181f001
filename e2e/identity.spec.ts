import type { Page } from '@playwright/test'
import { openOwn } from './support/accounts.ts'
import { addOperator, DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

/** A picture that no other is like: what the page shows, cut out anew. */
async function addPicture(page: Page, side: string, width: number): Promise<void> {
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width, height: 200 } })
  const field = page.getByRole('group', { name: side })
  await field
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      ...{ name: `${width}.png`, mimeType: 'image/png', buffer },
    })
  await expect(field.getByText('Sent', { exact: true })).toBeVisible()
}

test('shows who they are, sends one side again, and is verified', async ({ page, browser, start }) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const compliance = await addOperator(server, administrator, { name: 'C. Compliance', role: 'compliance' })
  await openOwn(page, server, 'auth')

  await test.step('sends name, number and both sides on the phone', async () => {
    await page.getByLabel('Name, as on the document').fill('Ann Heron')
    await page.getByLabel('Number of the ID card or passport').fill('P 1234567')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Add this picture.')).toHaveCount(2)
    await addPicture(page, 'Front of the document', 300)
    await addPicture(page, 'Back of the document', 310)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('We look at your documents')).toBeVisible()
    await expect(page.getByRole('main')).toContainText('••••••4567')
  })

  const { page: desk, close } = await deskPage(browser)
  await test.step('compliance compares both sides and asks for the back again', async () => {
    await openDesk(desk, server, compliance, '/waiting')
    await desk.getByRole('row', { name: /Identity 1/ }).click()
    await desk.getByRole('button', { name: 'Compare with the pictures' }).click()
    const dialog = desk.getByRole('dialog')
    for (const side of ['Front', 'Back']) {
      await dialog.getByRole('region', { name: side }).getByRole('button').click()
      await expect(dialog.getByRole('img', { name: `${side} of the document` })).toBeVisible()
    }
    await dialog.getByRole('button', { name: /^Show the number/ }).click()
    await expect(dialog.getByText('P 1234567')).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await desk.keyboard.press('r')
    await desk.getByLabel('Back', { exact: true }).selectOption('cannot be read')
    await desk.getByRole('button', { name: 'Ask for these again' }).click()
    await expect(desk.getByText('Nothing waits')).toBeVisible()
  })

  await test.step('the phone says so at once, and asks for nothing else', async () => {
    await expect(page.getByText('One part could not be taken')).toBeVisible()
    await expect(page.getByText('It cannot be read. Take it in good light').first()).toBeVisible()
    await expect(page.getByLabel('Name, as on the document')).toHaveCount(0)
    await addPicture(page, 'Back of the document', 320)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('We look at your documents')).toBeVisible()
  })

  await test.step('compliance sees it come, and verifies', async () => {
    await desk.getByRole('row', { name: /Identity 1/ }).click()
    await desk.keyboard.press('a')
    await desk.getByLabel('Reason').fill('Passport, name and number as on it.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Verified' }).click()
    await expect(page.getByRole('main').getByText('Your identity is verified')).toBeVisible()
  })
  await close()
})
