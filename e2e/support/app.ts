import { expect, type Locator, type Page } from '@playwright/test'
import type { ServerProcess } from '../../testing/server-process.ts'
import { enterAs, openDemoAccount } from './accounts.ts'

/** Actions and locators that several tests share, named as on the screen. */

export const instrumentList = (page: Page): Locator => page.getByRole('list', { name: 'Instruments' })

export const instrumentRow = (page: Page, name: string): Locator =>
  instrumentList(page).getByRole('link', { name })

export const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main screens' }).getByRole('link', { name, exact: true })

export const ticket = (page: Page): Locator => page.getByRole('region', { name: 'Order ticket' })

/** "Buy 0.10 lots at 1.08504", or for a pending order "Buy limit: ...". */
export const sideButton = (page: Page, side: 'Buy' | 'Sell'): Locator =>
  ticket(page).getByRole('button', { name: new RegExp(`^${side} `) })

export const notice = (page: Page, text: RegExp | string): Locator =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

const exactly = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)

/** The value of a term, as in "Margin 36.168"; the last one where there are several. */
export const valueOf = (inside: Locator, term: string): Locator =>
  inside
    .locator('div', {
      has: inside
        .page()
        .getByRole('term')
        .filter({ hasText: exactly(term) }),
    })
    .last()
    .getByRole('definition')

/** Chooses an option of a radio group. */
export async function choose(inside: Page | Locator, choice: string | RegExp): Promise<void> {
  const groups = inside.getByRole('radiogroup')
  await groups.getByText(choice, { exact: true }).click()
  await expect(groups.getByRole('radio', { name: choice, exact: true })).toBeChecked()
}

/** Opens a demo account, and waits until its user is logged in. */
export async function startDemo(page: Page): Promise<void> {
  const invitations = page.getByRole('button', { name: /^(Try the demo|Open your demo again)$/ })
  await invitations.first().click()
  await expect(invitations).toHaveCount(0)
  // The account card moves the list down, which could misdirect the next tap.
  const isPhone = (page.viewportSize()?.width ?? 0) < 1024
  if (isPhone && ['', '#/'].includes(new URL(page.url()).hash))
    await expect(
      page
        .getByRole('main')
        .getByText(/^Stop-out at/)
        .first(),
    ).toBeVisible()
}

/** Opens the trade screen of an instrument by its row. */
export async function openTrade(page: Page, name: string): Promise<void> {
  await instrumentRow(page, name).click()
  await expect(sideButton(page, 'Buy')).toBeEnabled()
}

/** Opens the trade screen of EUR/USD as a new demo user. */
export async function openTradeAsDemo(page: Page, server: ServerProcess): Promise<void> {
  await enterAs(page, await openDemoAccount(server))
  await page.goto(`${server.url}/#/trade?code=EURUSD`)
  await expect(sideButton(page, 'Buy')).toBeEnabled()
}

/** Opens an order in the list by its instrument and other text of its row, such as "Buy 1.00". */
export async function openOrder(page: Page, instrument: string, besides = ''): Promise<Locator> {
  // Of the list: the trade screen, which may be shown a moment longer, has the instrument on a button of its own.
  const rows = page.getByRole('main').getByRole('listitem').getByRole('button', { name: instrument })
  const row = rows.filter({ hasText: besides })
  await row.first().click()
  const opened = page.getByRole('dialog', { name: instrument, exact: true })
  await expect(opened).toBeVisible()
  return opened
}

/** Waits until a text changes. */
export async function expectMoving(text: Locator): Promise<void> {
  const before = await text.textContent()
  await expect(text).not.toHaveText(before ?? '')
}
