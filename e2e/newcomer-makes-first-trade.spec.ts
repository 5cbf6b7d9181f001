import type { Page } from '@playwright/test'
import { notice, openOrder, sideButton, startDemo, ticket, valueOf } from './support/app.ts'
import { expect, test } from './support/journey.ts'

const CLOSE_WITH = /^Close [+−]?[\d,.]+$/

test('a newcomer gets from the first page to the first closed order', async ({ page }) => {
  const main = page.getByRole('main')
  const tour = page.getByRole('region', { name: 'Your first trade' })

  await test.step('opens a demo and sets it to the money of a real beginning', async () => {
    await page.goto('/')
    await startDemo(page)
    await page.goto('/#/user')
    await setBalance(page, '99')
    await expect(page.getByRole('alertdialog').getByText('From 100.00 to 1,000,000.00.')).toBeVisible()
    await setBalance(page, '500')
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(valueOf(main, 'Balance')).toHaveText('500.00')
  })

  await test.step('is led to the ticket', async () => {
    await page.goto('/')
    await main.getByRole('button', { name: 'Start the tour' }).click()
    await expect(tour).toContainText('step 1 of 4')
    await ticket(page).getByRole('textbox', { name: 'Lots' }).fill('0.01')
    await tour.getByRole('button', { name: 'Next' }).click()
  })

  await test.step('looks up the terms, with its own figures', async () => {
    await expect(tour).toContainText('stopped out')
    await ticket(page).getByRole('button', { name: 'What do these terms mean?' }).click()
    const terms = page.getByRole('dialog', { name: 'The terms, with your figures' })
    await expect(terms).toContainText('Your 0.01 lots are 1,000 units.')
    await expect(terms).toContainText(/At or below 50\s% positions are closed/)
    await page.keyboard.press('Escape')
    await expect(terms).toBeHidden()
  })

  await test.step('leaves the tour in the middle, and finds it again', async () => {
    await page.goto('/#/news')
    await page.reload()
    await expect(tour).toContainText('step 2 of 4')
    await tour.getByRole('link', { name: 'To the ticket' }).click()
    await tour.getByRole('button', { name: 'Next' }).click()
    await expect(tour).toContainText('step 3 of 4')
  })

  await test.step('buys, and closes the position', async () => {
    await ticket(page).getByRole('textbox', { name: 'Lots' }).fill('0.01')
    await sideButton(page, 'Buy').click()
    await expect(tour).toContainText('step 4 of 4')
    await tour.getByRole('link', { name: 'To your orders' }).click()
    const opened = await openOrder(page, 'EUR/USD', 'Buy 0.01')
    await opened.getByRole('button', { name: CLOSE_WITH }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: CLOSE_WITH }).click()
    await expect(tour).toContainText('your first trade is closed')
    await tour.getByRole('button', { name: 'Finish' }).click()
    await expect(tour).toBeHidden()
    // The notice stays while the pointer is on it, and would lie over the log-out.
    await page.mouse.move(0, 0)
    await expect(notice(page, /^Closed at/)).toBeHidden()
  })

  await test.step('logs out, and opens the same demo again', async () => {
    await page.goto('/#/user')
    const number = await main.getByText(/^User \d+$/).innerText()
    await main.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
    await startDemo(page)
    await expect(main.getByRole('button', { name: 'Start the tour' })).toBeHidden()
    await page.goto('/#/user')
    await expect(main.getByText(number, { exact: true })).toBeVisible()
  })
})

/** Enters a starting balance in the dialog for resetting a demo, and confirms it. */
async function setBalance(page: Page, amount: string): Promise<void> {
  const dialog = page.getByRole('alertdialog')
  if (!(await dialog.isVisible())) await page.getByRole('button', { name: 'Reset demo account' }).click()
  await dialog.getByLabel('Starting balance').fill(amount)
  await dialog.getByRole('button', { name: 'Reset', exact: true }).click()
}
