import { listOrders } from '@fairlot/contract'
import { decideApproval } from '@fairlot/contract/desk'
import type { Browser, Page } from '@playwright/test'
import type { ServerProcess } from '../testing/server-process.ts'
import { apiAs } from './support/api.ts'
import { notice, openTradeAsDemo, sideButton, ticket } from './support/app.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, openDesk, type OnDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const REASON = 'Our price sources have become more expensive.'

test('a change of terms is reviewed, approved, shown to traders and named in receipts', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const second = await addOperator(server, administrator, { name: 'C. Compliance', role: 'compliance' })
  const dealing = await addOperator(server, administrator, { name: 'D. Dealing', role: 'dealing', second })
  const desk = await deskOf(browser, server, dealing)
  await openTradeAsDemo(page, server)
  const before = await buy(page)

  await test.step('invalid terms are rejected at their field', async () => {
    await openForm(desk)
    const minimum = desk.getByLabel('Minimum lots', { exact: true })
    await minimum.fill('0.015')
    await desk.getByRole('button', { name: 'Review' }).click()
    await expect(minimum).toHaveAccessibleDescription(/whole number of steps/)
    await expect(minimum).toBeFocused()
    await minimum.fill('0.01')
    await desk.getByRole('button', { name: 'Review' }).click()
    await expect(desk.getByText(/there is nothing to change/)).toBeVisible()
  })
  await test.step('a higher fee never takes effect at once; other trading hours do with a second operator', async () => {
    await enterFee(desk, '0.002')
    await expect(desk.getByText('to their disadvantage')).toBeVisible()
    await desk.getByRole('radiogroup', { name: 'Takes effect' }).getByText('At once').click()
    await expect(desk.getByText(/must be announced 24 hours in advance/)).toBeVisible()
    await desk.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await desk.getByLabel('Fee', { exact: true }).fill('0.001')
    await desk.getByLabel('Trading hours', { exact: true }).selectOption('metal')
    await desk.getByRole('button', { name: 'Review' }).click()
    await desk.getByRole('radiogroup', { name: 'Takes effect' }).getByText('At once').click()
    await expect(desk.getByText(/needs a second operator/)).toBeVisible()
    await desk.getByLabel('Reason').fill(REASON)
    await desk.getByRole('button', { name: 'Request approval' }).click()
    await expect(desk.getByText(/It waits for a second operator/).first()).toBeVisible()
    expect((await buy(page)).rate).toBe(before.rate)
  })
  await test.step('once approved, the next receipt names the new terms and the instrument shows the change', async () => {
    const own = { id: 1, isApproved: true, reason: 'as agreed' }
    await expect(dealing.request(decideApproval, own)).rejects.toThrow()
    await approveOnScreen(browser, server, administrator)
    await expect.poll(async () => (await buy(page)).terms).toBe(before.terms + 1)
    await expect(ticket(page).getByText(/Its terms changed at short notice/)).toBeVisible()
  })
  await test.step('with full notice one operator is enough, and traders see the announced change', async () => {
    await openForm(desk)
    await enterFee(desk, '0.003')
    await desk.getByLabel('Reason').fill(REASON)
    await desk.getByRole('button', { name: 'Change', exact: true }).click()
    await expect(desk.getByText('Change recorded.').first()).toBeVisible()
    await ticket(page)
      .getByRole('link', { name: /Its terms change from/ })
      .click()
    const change = page.getByRole('article').filter({ hasText: 'Fee rate' })
    await expect(change).toContainText('EUR/USD')
    await expect(change).toContainText('Fee rate')
    await expect(change.getByRole('deletion')).toHaveText('0.1 %')
    await expect(change.getByRole('insertion')).toHaveText('0.3 %')
    await expect(change).toContainText(REASON)
  })
  await test.step('a withdrawn change is marked for the trader', async () => {
    await desk.goto(`${server.url}/desk/#/market/changes`)
    await desk.getByRole('row', { name: /EURUSD/ }).click()
    await desk.getByRole('button', { name: 'Withdraw' }).click()
    await desk.getByLabel('Reason').fill('Not needed after all.')
    await desk.getByRole('button', { name: 'Withdraw' }).last().click()
    await expect(page.getByRole('article').filter({ hasText: 'Fee rate' })).toContainText('Withdrawn ')
  })
  await desk.context().close()
})

/** The desk in a browser context of its own. */
async function deskOf(
  browser: Browser,
  server: ServerProcess,
  operator: OnDesk,
  path = '/market/instruments',
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const desk = await context.newPage()
  await openDesk(desk, server, operator, path)
  return desk
}

/** The second operator opens the waiting case, checks the new hours, and approves it. */
async function approveOnScreen(browser: Browser, server: ServerProcess, operator: OnDesk): Promise<void> {
  const desk = await deskOf(browser, server, operator, '/waiting')
  await desk.getByRole('row', { name: /EURUSD/ }).click()
  await expect(desk.getByText('metal').first()).toBeVisible()
  await desk.getByRole('button', { name: /^Approve/ }).click()
  await desk.getByLabel('Reason').fill('As agreed.')
  await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(desk.getByText('No open cases')).toBeVisible()
  await desk.context().close()
}

async function openForm(desk: Page): Promise<void> {
  await desk.getByRole('row', { name: /EUR\/USD/ }).click()
  await desk.getByRole('button', { name: 'Change terms' }).click()
}

async function enterFee(desk: Page, rate: string): Promise<void> {
  await desk.getByLabel('Fee', { exact: true }).fill(rate)
  await desk.getByRole('button', { name: 'Review' }).click()
}

/**
 * Buys 0.01 lots; returns the fee as a fraction of the margin in 1e-6, and the version of the terms in the receipt.
 */
async function buy(page: Page) {
  const api = await apiAs(page)
  const known = (await api.request(listOrders, { list: 'holding', page: 1, before: null, copyId: null }))
    .total
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 0.01 EUR\/USD/).first()).toBeVisible()
  const list = async () =>
    (await api.request(listOrders, { list: 'holding', page: 1, before: null, copyId: null })).orders
  await expect.poll(async () => (await list()).length).toBe(known + 1)
  const newest = (await list()).toSorted((a, b) => b.id - a.id)[0]
  if (!newest) throw new Error('nothing was bought')
  const { fee, margin, receipts } = newest
  const rate = (fee * 1_000_000n + margin / 2n) / margin
  return { rate, terms: receipts[0]?.terms ?? 0 }
}
