import { expect, type Locator, type Page } from '@playwright/test'
import type { ServerProcess } from '../../testing/server-process.ts'
import { enterAs, openDemoAccount } from './accounts.ts'

/** Acts and places that several journeys share, named as the reader of the screen would name them. */

export const instrumentList = (page: Page): Locator => page.getByRole('list', { name: 'Instruments' })

export const instrumentRow = (page: Page, name: string): Locator =>
  instrumentList(page).getByRole('link', { name })

export const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main screens' }).getByRole('link', { name, exact: true })

export const ticket = (page: Page): Locator => page.getByRole('region', { name: 'Order ticket' })

/** "Buy 0.10 lots at 1.08504", or of a pending order "Buy limit: ...". */
export const sideButton = (page: Page, side: 'Buy' | 'Sell'): Locator =>
  ticket(page).getByRole('button', { name: new RegExp(`^${side} `) })

export const notice = (page: Page, text: RegExp | string): Locator =>
  page.getByRole('region', { name: 'Notifications' }).getByText(text)

const exactly = (text: string): RegExp => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)

/** The value beside a term, as in "Margin 36.168". Of several the last. */
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

/** Picks one of a few that stand side by side. */
export async function choose(inside: Page | Locator, choice: string | RegExp): Promise<void> {
  const groups = inside.getByRole('radiogroup')
  await groups.getByText(choice, { exact: true }).click()
  await expect(groups.getByRole('radio', { name: choice, exact: true })).toBeChecked()
}

/** Opens a demo account; done once its user is logged in, and nobody is invited any more, by whatever words. */
export async function startDemo(page: Page): Promise<void> {
  const invitations = page.getByRole('button', { name: /^(Try the demo|Open your demo again)$/ })
  await invitations.first().click()
  await expect(invitations).toHaveCount(0)
  // The card of the account takes its place above the list: whoever taps a row meanwhile may lose the tap.
  const isPhone = (page.viewportSize()?.width ?? 0) < 1024
  if (isPhone && ['', '#/'].includes(new URL(page.url()).hash))
    await expect(
      page
        .getByRole('main')
        .getByText(/^Stop-out at/)
        .first(),
    ).toBeVisible()
}

/** Opens the trade screen on an instrument by a tap on its row. */
export async function openTrade(page: Page, name: string): Promise<void> {
  await instrumentRow(page, name).click()
  await expect(sideButton(page, 'Buy')).toBeEnabled()
}

/** Opens the trade screen on EUR/USD as the user of a demo account that was opened past the browser. */
export async function openTradeAsDemo(page: Page, server: ServerProcess): Promise<void> {
  await enterAs(page, await openDemoAccount(server))
  await page.goto(`${server.url}/#/trade?code=EURUSD`)
  await expect(sideButton(page, 'Buy')).toBeEnabled()
}

/** Opens an order of the list shown, by its instrument and what its row says besides: "Buy 1.00". */
export async function openOrder(page: Page, instrument: string, besides = ''): Promise<Locator> {
  const row = page.getByRole('main').getByRole('button', { name: instrument }).filter({ hasText: besides })
  await row.first().click()
  const opened = page.getByRole('dialog', { name: instrument, exact: true })
  await expect(opened).toBeVisible()
  return opened
}

/** Waits until a text reads otherwise than now. */
export async function expectMoving(text: Locator): Promise<void> {
  const before = await text.textContent()
  await expect(text).not.toHaveText(before ?? '')
}
