import type { Page } from '@playwright/test'
import { openAsRealUser } from './support/accounts.ts'
import { addOperator, DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

/** Adds a unique picture: a part of a screenshot. */
async function addPicture(page: Page, side: string, width: number): Promise<void> {
  const buffer = await page.screenshot({ clip: { x: 0, y: 0, width, height: 200 } })
  const field = page.getByRole('group', { name: side })
  await field
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: `${width}.png`,
      mimeType: 'image/png',
      buffer,
    })
  await expect(field.getByText('Sent', { exact: true })).toBeVisible()
}

test('a user submits documents, resubmits one side and is verified', async ({ page, browser, start }) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const compliance = await addOperator(server, administrator, { name: 'C. Compliance', role: 'compliance' })
  await openAsRealUser(page, server, 'auth')

  await test.step('the user sends name, number and both sides', async () => {
    await page.getByLabel('Name, as on the document').fill('Ann Heron')
    await page.getByLabel('Number of the ID card or passport').fill('P 1234567')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Add this picture.')).toHaveCount(2)
    await addPicture(page, 'Front of the document', 300)
    await addPicture(page, 'Back of the document', 310)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Your documents are under review')).toBeVisible()
    await expect(page.getByRole('main')).toContainText('••••••4567')
  })

  const { page: desk, close } = await deskPage(browser)
  await test.step('compliance compares both sides and requests the back again', async () => {
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
    await desk.getByRole('button', { name: 'Request these again' }).click()
    await expect(desk.getByText('No open cases')).toBeVisible()
  })

  await test.step('the app shows it at once and requests nothing else', async () => {
    await expect(page.getByText('One part could not be accepted')).toBeVisible()
    await expect(page.getByText('It cannot be read. Take the picture in good light').first()).toBeVisible()
    await expect(page.getByLabel('Name, as on the document')).toHaveCount(0)
    await addPicture(page, 'Back of the document', 320)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText('Your documents are under review')).toBeVisible()
  })

  await test.step('compliance receives it and verifies the user', async () => {
    await desk.getByRole('row', { name: /Identity 1/ }).click()
    await expect(desk.getByText('To verify, first open the back of the document.')).toBeVisible()
    await desk.getByRole('button', { name: 'Compare with the pictures' }).click()
    const dialog = desk.getByRole('dialog')
    await dialog.getByRole('region', { name: 'Back' }).getByRole('button').click()
    await expect(dialog.getByRole('img', { name: 'Back of the document' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await expect(desk.getByRole('button', { name: 'Verify…' })).toBeEnabled()
    await desk.keyboard.press('a')
    await desk.getByLabel('Reason').fill('Passport, name and number as on it.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByRole('main').getByText('Your identity is verified')).toBeVisible()
  })
  await close()
})
