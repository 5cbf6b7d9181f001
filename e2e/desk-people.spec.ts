import { getUser, listOrders, submitOrder } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { MARKET_BUY } from '../testing/traders.ts'
import { enterAs, openDemoAccount } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { notice, openOrder, tab } from './support/app.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

/** An act of the menu beside a person, with its reason. */
async function act(desk: Page, item: string, send: string, reason: string): Promise<void> {
  await desk.getByRole('button', { name: 'Act', exact: true }).click()
  await desk.getByRole('button', { name: item }).click()
  await desk.getByLabel('May do', { exact: true }).selectOption('frozen')
  await desk.getByLabel('Reason').fill(reason)
  await desk.getByRole('button', { name: send }).click()
}

test('a freeze and a close by operators are read by the trader with role, time and reason', async ({
  page,
  context,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const administrator = await enrolAdministrator(server)
  const compliance = await addOperator(server, administrator, { name: 'Mara', role: 'compliance' })
  const dealer = { name: 'Dee', role: 'dealing', second: compliance } as const
  const dealing = await addOperator(server, administrator, dealer)

  await enterAs(page, await openDemoAccount(server))
  await page.goto(server.url)
  const trader = await apiAs(page)
  const { id, uid } = await trader.ask(getUser, null)
  const { id: orderId } = await trader.ask(submitOrder, MARKET_BUY)

  await test.step('compliance finds the person by number and freezes the account', async () => {
    const desk = await context.newPage()
    await openDesk(desk, server, compliance, '/people')
    await desk.getByRole('searchbox').fill(uid)
    // The list may still be moving to what was typed.
    await expect(async () => {
      await desk.getByText(uid, { exact: true }).first().click()
      await expect(desk).toHaveURL(/\/people\/\d+/, { timeout: 2_000 })
    }).toPass()
    await act(desk, 'Restrict or free', 'Restrict it', 'papers are missing')
    await expect(desk.getByText('frozen', { exact: true }).first()).toBeVisible()
    await desk.close()
  })
  await test.step('the trader reads why on the screen that is open', async () => {
    await expect(page.getByText(/Your account is frozen.*Reason: papers are missing/)).toBeVisible()
    await expect(notice(page, /Decided by compliance\. Reason: papers are missing/)).toBeVisible()
    expect(await trader.try(submitOrder, MARKET_BUY)).toMatchObject({ reason: 'accountFrozen' })
  })
  await test.step("dealing closes the position at the market's price", async () => {
    const desk = await context.newPage()
    await openDesk(desk, server, dealing, `/people/${id}/orders`)
    await desk.getByText(/^buy 0.1 lots/).click()
    await desk.getByRole('button', { name: "Close at the market's price" }).click()
    await desk.getByLabel('Reason').fill('not offered in this country')
    await desk.getByRole('button', { name: 'Close it' }).click()
    await expect(desk.getByText("Closed at the market's price.").first()).toBeVisible()
    await desk.close()
  })
  await test.step('the trader is told role and reason, at the order too, with a receipt', async () => {
    const told = /Closed by the operator:.*By: Dealing desk\. Reason: not offered in this country/s
    await expect(notice(page, told)).toBeVisible()
    const { orders } = await trader.ask(listOrders, { list: 'history', page: 1 })
    expect(orders[0]).toMatchObject({ id: orderId, endReason: 'operator', endedBy: { role: 'dealing' } })
    await page.goto(`${server.url}/#/order`)
    await tab(page, 'Orders').click()
    await page.getByText('History', { exact: true }).click()
    const opened = await openOrder(page, 'EUR/USD')
    await expect(opened).toContainText('Dealing desk')
    await expect(opened).toContainText('not offered in this country')
    await page.keyboard.press('Escape')
  })
  await test.step('both acts stand in the own list', async () => {
    await page.goto(`${server.url}/#/mine/activity`)
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows.first()).toContainText(`Position ${orderId} closed at the market price`)
    await expect(rows.first()).toContainText('Dealing desk')
    await expect(rows.nth(1)).toContainText('Account frozen')
    await expect(rows.nth(1)).toContainText('papers are missing')
    await expect(rows.last()).toContainText('Logged in')
  })
})
