import { getUser, listOrders, submitOrder } from '@fairlot/contract'
import { decideApproval, listWaiting } from '@fairlot/contract/desk'
import type { Page } from '@playwright/test'
import { MARKET_BUY } from '../testing/traders.ts'
import { enterAs, openDemoAccount } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { notice, openOrder, tab } from './support/app.ts'
import { addOperator, DESK_PASSWORD, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

/** Carries out an action of the user menu, with its reason. */
async function runAction(desk: Page, item: string, send: string, reason: string): Promise<void> {
  await desk.getByRole('button', { name: 'Actions', exact: true }).click()
  await desk.getByRole('button', { name: item }).click()
  await desk.getByLabel('Account status', { exact: true }).selectOption('frozen')
  await desk.getByLabel('Reason').fill(reason)
  await desk.getByRole('button', { name: send }).click()
}

test('the trader sees role, time and reason of a freeze and of a close by operators', async ({
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
  const { id, uid } = await trader.request(getUser, null)
  const { id: orderId } = await trader.request(submitOrder, MARKET_BUY)

  await test.step('compliance finds the user by number and freezes the account', async () => {
    const desk = await context.newPage()
    await openDesk(desk, server, compliance, '/people')
    await desk.getByRole('searchbox').fill(uid)
    // The list may still be updating for the search text.
    await expect(async () => {
      await desk.getByText(uid, { exact: true }).first().click()
      await expect(desk).toHaveURL(/\/people\/\d+/, { timeout: 2_000 })
    }).toPass()
    await runAction(desk, 'Account status', 'Restrict', 'papers are missing')
    await expect(desk.getByText('frozen', { exact: true }).first()).toBeVisible()
    await desk.close()
  })
  await test.step('the trader sees the reason on the open screen', async () => {
    await expect(page.getByText(/Your account is frozen.*Reason: papers are missing/)).toBeVisible()
    await expect(notice(page, /Decided by compliance\. Reason: papers are missing/)).toBeVisible()
    expect(await trader.try(submitOrder, MARKET_BUY)).toMatchObject({ reason: 'accountFrozen' })
  })
  await test.step('dealing requests a close at the market price, and compliance approves it', async () => {
    const desk = await context.newPage()
    await openDesk(desk, server, dealing, `/people/${id}/orders`)
    await desk.getByText(/^buy 0.1 lots/).click()
    await desk.getByRole('button', { name: 'Close at market price' }).click()
    await desk.getByLabel('Ground for closing').selectOption('termsBroken')
    await desk.getByLabel('Reason', { exact: true }).fill('not offered in this country')
    await desk.getByRole('button', { name: 'Request closing' }).click()
    await expect(desk.getByText(/It waits for a second operator/).first()).toBeVisible()
    await desk.close()
    const { cases } = await compliance.request(listWaiting, {
      kind: 'closeOrder',
      held: null,
      search: null,
      before: null,
      page: 1,
    })
    const caseId = Number(cases[0]?.caseKey.split(':')[1])
    await compliance.request(decideApproval, { id: caseId, isApproved: true, reason: 'seen in the papers' })
  })
  await test.step('the trader sees role and reason in a notice and at the order', async () => {
    const closed = /Closed by the operator:.*By: Dealing desk\. Reason: not offered in this country/s
    await expect(notice(page, closed)).toBeVisible()
    const { orders } = await trader.request(listOrders, {
      list: 'history',
      page: 1,
      before: null,
      copyId: null,
    })
    expect(orders[0]).toMatchObject({ id: orderId, endReason: 'operator', endedBy: { role: 'dealing' } })
    await page.goto(`${server.url}/#/order`)
    await tab(page, 'Orders').click()
    await page.getByText('History', { exact: true }).click()
    const opened = await openOrder(page, 'EUR/USD')
    await expect(opened).toContainText('Dealing desk')
    await expect(opened).toContainText('not offered in this country')
    await page.keyboard.press('Escape')
  })
  await test.step("both actions are in the trader's activity list", async () => {
    await page.goto(`${server.url}/#/mine/activity`)
    const rows = page.getByRole('main').getByRole('listitem')
    await expect(rows.first()).toContainText(`Position ${orderId} closed at the market price`)
    await expect(rows.first()).toContainText('Dealing desk')
    await expect(rows.nth(1)).toContainText('Account frozen')
    await expect(rows.nth(1)).toContainText('papers are missing')
    await expect(rows.last()).toContainText('Logged in')
  })
})
