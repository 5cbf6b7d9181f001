import { cancelOrder, listInstruments, listOrders, submitOrder } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { apiAs } from './support/api.ts'
import {
  choose,
  instrumentRow,
  notice,
  openTrade,
  sideButton,
  startDemo,
  tab,
  ticket,
} from './support/app.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { operate, OPERATED } from './support/operator.ts'

const REASON = 'The exchange reports a wrong price.'

test('a halt and its reason reach the trader, and trading comes back', async ({ page, start }) => {
  const server = await start({ FEED: 'simulated:1' }, OPERATED)
  await page.goto(server.url)
  await startDemo(page)
  await openTrade(page, 'EUR/USD')
  const [euro] = await (await apiAs(page)).ask(listInstruments, { search: 'EURUSD' })
  const instrumentId = euro?.id ?? 0
  await operate(server, { type: 'haltInstrument', instrumentId, reason: REASON })

  await test.step('the screen knows at once', async () => {
    await expect(ticket(page).getByText(`Trading is halted: ${REASON}`)).toBeVisible()
    await expect(sideButton(page, 'Buy')).toBeDisabled()
    await expect(sideButton(page, 'Sell')).toBeDisabled()
    await expect(page.getByRole('main').getByText(`Halted: ${REASON}`, { exact: true })).toBeVisible()
  })
  await test.step('the drawer and the list say why', async () => {
    await page.getByRole('button', { name: 'Instruments' }).click()
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(`Halted: ${REASON}`)
    await page.keyboard.press('Escape')
    await tab(page, 'Markets').click()
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(`Halted: ${REASON}`)
    await expect(instrumentRow(page, 'GBP/USD')).not.toContainText('Halted')
  })
  await test.step('once it is lifted, orders are taken again', async () => {
    await tab(page, 'Trade').click()
    await operate(server, { type: 'haltInstrument', instrumentId, reason: null })
    await expect(sideButton(page, 'Buy')).toBeEnabled()
    await sideButton(page, 'Buy').click()
    await expect(notice(page, /^Bought 0.01 EUR\/USD/)).toBeVisible()
  })
})

test('paused trading is told on every screen, and pending orders can still be cancelled', async ({
  page,
  start,
}) => {
  const server = await start({ FEED: 'simulated:1' }, OPERATED)
  await page.goto(server.url)
  await startDemo(page)
  await openTrade(page, 'EUR/USD')
  await choose(ticket(page), 'Pending')
  await ticket(page).getByRole('textbox', { name: 'Open at' }).fill('1.05')
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /waits for 1.05000/)).toBeVisible()
  await choose(ticket(page), 'Market')
  await operate(server, { type: 'setTradingMode', mode: 'cancelOnly' })

  await test.step('the screen says so at once', async () => {
    await expect(ticket(page).getByText(/^Trading is paused by the operator/)).toBeVisible()
    await expect(sideButton(page, 'Buy')).toBeDisabled()
    await expect(paused(page)).toBeVisible()
  })
  await test.step('the other screens say so too', async () => {
    await tab(page, 'Markets').click()
    await expect(paused(page)).toBeVisible()
  })
  await test.step('the pending order can be cancelled', async () => {
    const api = await apiAs(page)
    const { orders } = await api.ask(listOrders, { list: 'pending', page: 1 })
    const [order] = orders
    if (!order) throw new Error('nothing is pending')
    expect(
      await api.try(submitOrder, {
        ...order,
        instrumentId: order.instrument.id,
        entry: 'market',
        targetPrice: null,
      }),
    ).toMatchObject({
      ok: false,
      reason: 'cancelOnly',
    })
    expect(await api.ask(cancelOrder, { orderId: order.id })).toMatchObject({ status: 'cancelled' })
  })
  await test.step('and when it goes on, the banner goes', async () => {
    await tab(page, 'Trade').click()
    await operate(server, { type: 'setTradingMode', mode: 'normal' })
    await expect(paused(page)).toBeHidden()
    await expect(sideButton(page, 'Buy')).toBeEnabled()
  })
})

const paused = (page: Page) =>
  page.getByText('Trading is paused. Pending orders can be cancelled and stops moved.')
