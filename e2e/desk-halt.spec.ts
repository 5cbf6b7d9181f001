import { cancelOrder, closeOrder, listOrders, submitOrder } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { apiAs } from './support/api.ts'
import { choose, instrumentRow, notice, openTradeAsDemo, sideButton, tab, ticket } from './support/app.ts'
import { DESK_PASSWORD, deskPage, enrolAdministrator, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'

const REASON = 'All prices are in doubt.'
const SECOND_MS = 1_000

test('a halt of all instruments reaches traders within a second, and so does its end', async ({
  page,
  browser,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1', DESK_PASSWORD })
  const { page: desk, close } = await deskPage(browser)
  await openDesk(desk, server, await enrolAdministrator(server), '/market/halts')
  await openTradeAsDemo(page, server)
  const halted = ticket(page).getByText(`Trading is halted: ${REASON}`)

  await test.step('the halt needs a reason, which the trader sees', async () => {
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
  await test.step('the instrument lists show the reason', async () => {
    await page.getByRole('button', { name: 'Instruments' }).click()
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(`Halted: ${REASON}`)
    await page.keyboard.press('Escape')
    await tab(page, 'Markets').click()
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(`Halted: ${REASON}`)
  })
  await test.step('lifting the halt allows orders again', async () => {
    await desk.getByRole('button', { name: 'Resume everything' }).click()
    await confirm(desk, 'Resume', 'Prices are right again.')
    await expect(instrumentRow(page, 'EUR/USD')).not.toContainText('Halted')
    await tab(page, 'Trade').click()
    await expect(halted).toBeHidden()
    await sideButton(page, 'Buy').click()
    await expect(notice(page, /^Bought 0.01 EUR\/USD/)).toBeVisible()
  })
  await reduceOnly(page, desk)
  await close()
})

/**
 * Switches to reduce-only mode and back; meanwhile positions can be closed and orders cancelled, and nothing opens.
 */
async function reduceOnly(page: Page, desk: Page): Promise<void> {
  const paused = page.getByText(
    'No new positions at the moment: A test of the key. Closing, cancelling and stops work as usual.',
  )
  await choose(ticket(page), 'Pending')
  await ticket(page).getByRole('textbox', { name: 'Open at' }).fill('1.05')
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /waits for 1.05000/)).toBeVisible()
  await choose(ticket(page), 'Market')

  await test.step('every screen shows it at once', async () => {
    await desk.getByRole('button', { name: 'Reduce only' }).click()
    await confirm(desk, 'Reduce only', 'A test of the key.')
    await expect(ticket(page).getByText(/^No new positions at the moment: A test of the key/)).toBeVisible()
    await expect(sideButton(page, 'Buy')).toBeDisabled()
    await expect(paused).toBeVisible()
    await tab(page, 'Markets').click()
    await expect(paused).toBeVisible()
  })
  await test.step('the position can be closed and the pending order cancelled', async () => {
    const api = await apiAs(page)
    const { orders } = await api.request(listOrders, { list: 'pending', page: 1, before: null, copyId: null })
    const [order] = orders
    if (!order) throw new Error('nothing is pending')
    const again = {
      ...order,
      instrumentId: order.instrument.id,
      orderType: 'market',
      targetPrice: null,
      kind: null,
    } as const
    expect(await api.try(submitOrder, again)).toMatchObject({ ok: false, reason: 'reduceOnly' })
    const { orders: held } = await api.request(listOrders, {
      list: 'holding',
      page: 1,
      before: null,
      copyId: null,
    })
    expect(await api.request(closeOrder, { orderId: held[0]?.id ?? 0, lots: null })).toMatchObject({
      endReason: 'user',
    })
    expect(await api.request(cancelOrder, { orderId: order.id })).toMatchObject({ status: 'cancelled' })
  })
  await test.step('the banner disappears when trading reopens', async () => {
    await tab(page, 'Trade').click()
    await desk.getByRole('button', { name: 'Resume normal trading' }).click()
    await confirm(desk, 'Resume normal trading', 'The key works.')
    await expect(paused).toBeHidden()
    await expect(sideButton(page, 'Buy')).toBeEnabled()
  })
}

async function confirm(desk: Page, action: string, reason: string): Promise<void> {
  await desk.getByLabel('Reason').fill(reason)
  await desk.getByRole('dialog').getByRole('button', { name: action }).click()
}
