import { cancelOrder, listInstruments, submitOrder, type OrderTicket } from '@fairlot/contract'
import { lots, readDecimal } from '@fairlot/core'
import type { Browser, Locator, Page } from '@playwright/test'
import { enterAs } from './support/accounts.ts'
import { apiAs, tokenOf } from './support/api.ts'
import {
  choose,
  notice,
  openOrder,
  openTrade,
  sideButton,
  startDemo,
  tab,
  ticket,
  valueOf,
} from './support/app.ts'
import { listenForComplaints } from './support/complaints.ts'
import { expect as expectSoon, test } from './support/journey.ts'

/** Two browsers share the machine, so painting takes longer. */
const expect = expectSoon.configure({ timeout: 30_000 })

/** Long enough for both screens to show the order first. */
const EXPIRES_IN_MS = 10_000

test('changes on one device are shown on the other without a reload', async ({ page, browser, server }) => {
  test.slow()
  await page.goto('/')
  await startDemo(page)
  await openTrade(page, 'EUR/USD')
  const { desktop, complaints, close } = await openDesktop(browser, server.url, await tokenOf(page))
  const requested = requestsOf(desktop)

  await test.step('the phone opens a position', async () => {
    await ticket(page).getByRole('textbox', { name: 'Lots' }).fill('0.10')
    await sideButton(page, 'Buy').click()
    await expect(notice(page, /^Bought 0\.10 EUR\/USD/)).toBeVisible()
    await expect(row(desktop, '0.10')).toBeVisible()
    await expect(desktop.getByText('Positions 1')).toBeVisible()
  })
  await test.step('the phone closes half of it, and the desktop offers half of the rest', async () => {
    await tab(page, 'Orders').click()
    await page.getByRole('button', { name: 'Half: close Buy 0.05 of EUR/USD' }).click()
    await expect(row(desktop, '0.05')).toBeVisible()
    await expect(desktop.getByRole('button', { name: 'Half: close Buy 0.03 of EUR/USD' })).toBeVisible()
  })
  await test.step('the desktop moves stops, and the open order sheet on the phone shows them', async () => {
    const opened = await openOrder(page, 'EUR/USD', 'Buy 0.05')
    await expect(valueOf(opened, 'Stop loss')).toHaveText('none')
    await row(desktop, '0.05').getByRole('button', { name: 'Details' }).click()
    const sheet = desktop.getByRole('dialog', { name: 'EUR/USD', exact: true })
    await sheet.getByRole('button', { name: 'Set stops' }).click()
    await sheet.getByRole('textbox', { name: 'Stop loss' }).fill('0.9')
    await sheet.getByRole('button', { name: 'Save stops' }).click()
    await expect(valueOf(opened, 'Stop loss')).toHaveText('0.90000')
    await desktop.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect(opened).toBeHidden()
  })
  await test.step('the desktop cancels a pending order', async () => {
    await choose(page, 'Pending')
    const { id } = await (await apiAs(page)).request(submitOrder, await pending(page, null))
    await expect(card(page, 'Buy 0.01')).toBeVisible()
    await expect(desktop.getByText('Pending 1')).toBeVisible()
    await (await apiAs(desktop)).request(cancelOrder, { orderId: id })
    await expect(page.getByText('No pending order')).toBeVisible()
  })
  await test.step('a pending order expires, and both show the reason', async () => {
    await (await apiAs(page)).request(submitOrder, await pending(page, EXPIRES_IN_MS))
    await expect(card(page, 'Buy 0.01')).toBeVisible()
    await expect(desktop.getByText('Pending 1')).toBeVisible()
    const words = /Buy of 0\.01 EUR\/USD at 0\.95000: the price was not reached in time\./
    await Promise.all([page, desktop].map((device) => expect(notice(device, words)).toBeVisible()))
    await expect(page.getByText('No pending order')).toBeVisible()
    await expect(desktop.getByText('Pending 1')).toBeHidden()
  })
  await test.step('the desktop closes the position', async () => {
    await desktop.getByRole('button', { name: 'Close Buy 0.05 EUR/USD' }).click()
    await choose(page, 'Positions')
    await expect(page.getByText('No open position')).toBeVisible()
  })
  expect(requested.navigations).toBe(0)
  expect(complaints.received()).toEqual([])
  await close()
})

/** The desktop layout of the same user in a second browser context. */
async function openDesktop(browser: Browser, url: string, token: string) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: url })
  const complaints = listenForComplaints(context)
  const desktop = await context.newPage()
  await enterAs(desktop, token)
  await desktop.goto('/#/trade')
  await expect(desktop.getByText('No open position')).toBeVisible()
  return { desktop, complaints, close: () => context.close() }
}

/** Counts page loads from now on. */
function requestsOf(page: Page): { navigations: number } {
  const counted = { navigations: 0 }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) counted.navigations += 1
  })
  return counted
}

const row = (desktop: Page, size: string): Locator =>
  desktop.getByRole('row').filter({ hasText: 'EUR/USD' }).filter({ hasText: size })

const card = (page: Page, besides: string): Locator =>
  page.getByRole('main').getByRole('button', { name: 'EUR/USD' }).filter({ hasText: besides })

/** A buy order far below the market; with null it does not expire. */
async function pending(page: Page, expiresInMs: number | null): Promise<OrderTicket> {
  const [euro] = await (await apiAs(page)).request(listInstruments, { search: 'EURUSD' })
  if (!euro) throw new Error('EURUSD is not listed')
  return {
    side: 'buy',
    orderType: 'pending',
    lots: lots(100),
    instrumentId: euro.id,
    leverage: euro.leverages[0] ?? 1,
    targetPrice: readDecimal('0.95', 5),
    stopLoss: null,
    takeProfit: null,
    expiresAt: expiresInMs === null ? null : (euro.quoteTime ?? 0) + expiresInMs,
    kind: 'limit',
  }
}
