import { getWatchList } from '@fairlot/contract'
import { apiAs } from './support/api.ts'
import { instrumentList, instrumentRow, startDemo } from './support/app.ts'
import { expect, test } from './support/journey.ts'
import type { Page } from '@playwright/test'

const star = (page: Page, name: string) =>
  instrumentList(page).getByRole('button', { name: `${name} on my watchlist`, exact: true })
const chip = (page: Page, name: string) =>
  page.getByRole('group', { name: 'Categories' }).getByRole('button', { name, exact: true })

test("a visitor's watchlist is taken over by their account", async ({ page, browser }) => {
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)

  await test.step('an empty list explains how to fill it', async () => {
    await chip(page, 'Watchlist').click()
    await expect(page.getByText('Your watchlist is empty')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
  })

  await test.step('the list is kept on the device', async () => {
    await star(page, 'GBP/USD').click()
    await star(page, 'EUR/USD').click()
    await expect(star(page, 'GBP/USD')).toHaveAttribute('aria-pressed', 'true')
    await page.reload()
    await chip(page, 'Watchlist').click()
    await expect(instrumentList(page).getByRole('link')).toHaveCount(2)
    await expect(instrumentRow(page, 'EUR/USD')).toBeVisible()
  })

  await test.step('an account takes the list over', async () => {
    await startDemo(page)
    const api = await apiAs(page)
    await expect.poll(async () => (await api.request(getWatchList, null)).instrumentIds).toEqual([1, 2])
    await expect(instrumentList(page).getByRole('link')).toHaveCount(2)
    expect(await page.evaluate(() => localStorage.getItem('fairlot.watched'))).toBeNull()
  })

  await test.step('a removal is shown on every device', async () => {
    const demoId = await page.evaluate(() => localStorage.getItem('fairlot.demo'))
    await star(page, 'GBP/USD').click()
    await expect(instrumentList(page).getByRole('link')).toHaveCount(1)
    const api = await apiAs(page)
    await expect.poll(async () => (await api.request(getWatchList, null)).instrumentIds).toEqual([1])
    const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin })).newPage()
    await other.goto('/')
    await other.evaluate((secret) => localStorage.setItem('fairlot.demo', secret ?? ''), demoId)
    await other.reload()
    await other.getByRole('button', { name: 'Open your demo again' }).click()
    await chip(other, 'Watchlist').click()
    await expect(instrumentList(other).getByRole('link')).toHaveCount(1)
    await other.context().close()
  })
})
