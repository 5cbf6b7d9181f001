import { cancelOrder, listOrders, submitOrder } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { apiAs } from './support/api.ts'
import { choose, instrumentRow, notice, openTradeAsDemo, sideButton, tab, ticket } from './support/app.ts'
import { DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const REASON = 'All prices are in doubt.'
const SECOND_MS = 1_000

test('a halt of everything is on a trader’s phone within a second, its end after it', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const { page: desk, close } = await deskPage(browser)
  await openDesk(desk, server, await enrolAdministrator(server), '/market/halts')
  await openTradeAsDemo(page, server)
  const halted = ticket(page).getByText(`Trading is halted: ${REASON}`)

  await test.step('the big key asks why, and the phone knows', async () => {
    await desk.getByRole('button', { name: 'Halt everything' }).click()
    await desk.getByLabel('Reason').fill(REASON)
    const done = desk.waitForResponse(/\/market\/halt$/)
    await desk.getByRole('dialog').getByRole('button', { name: 'Halt everything' }).click()
    await done
    await expect(halted).toBeVisible({ timeout: SECOND_MS })
    for (const side of ['Buy', 'Sell'] as const) await expect(sideButton(page, side)).toBeDisabled()
    await expect(page.getByRole('main').getByText(`Halted: ${REASON}`, { exact: true })).toBeVisible()
    await expect(desk.getByText('55 of 55 halted')).toBeVisible()
  })
  await test.step('the drawer and the list say why', async () => {
    await page.getByRole('button', { name: 'Instruments' }).click()
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(`Halted: ${REASON}`)
    await page.keyboard.press('Escape')
    await tab(page, 'Markets').click()
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(`Halted: ${REASON}`)
  })
  await test.step('the end of it reaches the phone too, and orders are taken again', async () => {
    await desk.getByRole('button', { name: 'Let everything trade' }).click()
    await give(desk, 'Let it trade', 'Prices are right again.')
    await expect(instrumentRow(page, 'EUR/USD')).not.toContainText('Halted')
    await tab(page, 'Trade').click()
    await expect(halted).toBeHidden()
    await sideButton(page, 'Buy').click()
    await expect(notice(page, /^Bought 0.01 EUR\/USD/)).toBeVisible()
  })
  await pause(page, desk)
  await close()
})

/** Trading is paused and opened again; meanwhile a pending order can be cancelled, and nothing else. */
async function pause(page: Page, desk: Page): Promise<void> {
  const paused = page.getByText('Trading is paused. Pending orders can be cancelled and stops moved.')
  await choose(ticket(page), 'Pending')
  await ticket(page).getByRole('textbox', { name: 'Open at' }).fill('1.05')
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /waits for 1.05000/)).toBeVisible()
  await choose(ticket(page), 'Market')

  await test.step('every screen says so at once', async () => {
    await desk.getByRole('button', { name: 'Pause trading' }).click()
    await give(desk, 'Pause trading', 'A test of the key.')
    await expect(ticket(page).getByText(/^Trading is paused by the operator/)).toBeVisible()
    await expect(sideButton(page, 'Buy')).toBeDisabled()
    await expect(paused).toBeVisible()
    await tab(page, 'Markets').click()
    await expect(paused).toBeVisible()
  })
  await test.step('the pending order can be cancelled', async () => {
    const api = await apiAs(page)
    const { orders } = await api.ask(listOrders, { list: 'pending', page: 1 })
    const [order] = orders
    if (!order) throw new Error('nothing is pending')
    const again = { ...order, instrumentId: order.instrument.id, entry: 'market', targetPrice: null } as const
    expect(await api.try(submitOrder, again)).toMatchObject({ ok: false, reason: 'cancelOnly' })
    expect(await api.ask(cancelOrder, { orderId: order.id })).toMatchObject({ status: 'cancelled' })
  })
  await test.step('and when it goes on, the banner goes', async () => {
    await tab(page, 'Trade').click()
    await desk.getByRole('button', { name: 'Open trading' }).click()
    await give(desk, 'Open trading', 'The key works.')
    await expect(paused).toBeHidden()
    await expect(sideButton(page, 'Buy')).toBeEnabled()
  })
}

async function give(desk: Page, act: string, reason: string): Promise<void> {
  await desk.getByLabel('Reason').fill(reason)
  await desk.getByRole('dialog').getByRole('button', { name: act }).click()
}
