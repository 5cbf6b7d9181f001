import { listOrders } from '@fairlot/contract'
import { decideApproval } from '@fairlot/contract/desk'
import type { Browser, Page } from '@playwright/test'
import type { ServerProcess } from '../testing/server-process.ts'
import { apiAs } from './support/api.ts'
import { notice, openTradeAsDemo, sideButton, ticket } from './support/app.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, openDesk, type OnDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const REASON = 'The house pays more for its prices.'

test('a fee goes from the desk over a second person to the trader and into a receipt', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const dealing = await addOperator(server, administrator, { name: 'D. Dealing', role: 'dealing' })
  const desk = await deskOf(browser, server, dealing)
  await openTradeAsDemo(page, server)
  const before = await buy(page)

  await test.step('terms that make no sense are refused at their field', async () => {
    await openForm(desk)
    const least = desk.getByLabel('Least lots', { exact: true })
    await least.fill('0.015')
    await desk.getByRole('button', { name: 'Review' }).click()
    await expect(least).toHaveAccessibleDescription(/whole number of steps/)
    await expect(least).toBeFocused()
    await least.fill('0.01')
    await desk.getByRole('button', { name: 'Review' }).click()
    await expect(desk.getByText(/there is nothing to change/)).toBeVisible()
  })
  await test.step('what traders dislike needs a second person where it is to hold at once', async () => {
    await askForFee(desk, '0.002')
    await expect(desk.getByText('to their disadvantage')).toBeVisible()
    await desk.getByRole('radiogroup', { name: 'Holds' }).getByText('At once').click()
    await expect(desk.getByText(/needs a second person/)).toBeVisible()
    await desk.getByLabel('Reason').fill(REASON)
    await desk.getByRole('button', { name: 'Ask a second person' }).click()
    await expect(desk.getByText(/It waits for a second person/).first()).toBeVisible()
    expect((await buy(page)).rate).toBe(before.rate)
  })
  await test.step('once they agree, the trader’s next order pays it, and its receipt names the new terms', async () => {
    const own = { id: 1, isApproved: true, reason: 'as agreed' }
    await expect(dealing.ask(decideApproval, own)).rejects.toThrow()
    await approveOnScreen(browser, server, administrator)
    await expect.poll(async () => (await buy(page)).rate).toBe(before.rate * 2n)
    expect((await buy(page)).terms).toBe(before.terms + 1)
  })
  await test.step('with its notice nobody else is needed, and traders see beforehand what will hold', async () => {
    await openForm(desk)
    await askForFee(desk, '0.003')
    await desk.getByLabel('Reason').fill(REASON)
    await desk.getByRole('button', { name: 'Change', exact: true }).click()
    await expect(desk.getByText('The change is written down.').first()).toBeVisible()
    await ticket(page)
      .getByRole('link', { name: /Its terms change from/ })
      .click()
    const change = page.getByRole('article')
    await expect(change).toContainText('EUR/USD')
    await expect(change).toContainText('Fee rate')
    await expect(change.getByRole('deletion')).toHaveText('0.2 %')
    await expect(change.getByRole('insertion')).toHaveText('0.3 %')
    await expect(change).toContainText(REASON)
  })
  await test.step('withdrawn at the desk, it is gone for the trader too', async () => {
    await desk.goto(`${server.url}/desk/#/market/changes`)
    await desk.getByRole('row', { name: /EURUSD/ }).click()
    await desk.getByRole('button', { name: 'Withdraw' }).click()
    await desk.getByLabel('Reason').fill('Not needed after all.')
    await desk.getByRole('button', { name: 'Withdraw' }).last().click()
    await expect(page.getByText('Nothing is announced')).toBeVisible()
  })
  await desk.context().close()
})

/** The desk on a screen of its own. */
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

/** The second person opens the one case that waits, sees both rates, and agrees. */
async function approveOnScreen(browser: Browser, server: ServerProcess, operator: OnDesk): Promise<void> {
  const desk = await deskOf(browser, server, operator, '/waiting')
  await desk.getByRole('row', { name: /EURUSD/ }).click()
  await expect(desk.getByText('0.002').first()).toBeVisible()
  await desk.getByRole('button', { name: /^Approve/ }).click()
  await desk.getByLabel('Reason').fill('As agreed.')
  await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
  await expect(desk.getByText('Nothing waits')).toBeVisible()
  await desk.context().close()
}

async function openForm(desk: Page): Promise<void> {
  await desk.getByRole('row', { name: /EUR\/USD/ }).click()
  await desk.getByRole('button', { name: 'Change terms' }).click()
}

async function askForFee(desk: Page, rate: string): Promise<void> {
  await desk.getByLabel('Fee', { exact: true }).fill(rate)
  await desk.getByRole('button', { name: 'Review' }).click()
}

/** What a buy of 0.01 lots paid, as a part of its margin in 1e-6, and the version of the terms in its receipt. */
async function buy(page: Page) {
  const api = await apiAs(page)
  const known = (await api.ask(listOrders, { list: 'holding', page: 1 })).total
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 0.01 EUR\/USD/).first()).toBeVisible()
  const list = async () => (await api.ask(listOrders, { list: 'holding', page: 1 })).orders
  await expect.poll(async () => (await list()).length).toBe(known + 1)
  const newest = (await list()).toSorted((a, b) => b.id - a.id)[0]
  if (!newest) throw new Error('nothing was bought')
  const { fee, margin, receipts } = newest
  const rate = (fee * 1_000_000n + margin / 2n) / margin
  return { rate, terms: receipts[0]?.terms ?? 0 }
}
