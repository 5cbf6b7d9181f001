import { getFunds, listLedgerRecords, listOrders } from '@fairlot/contract'
import type { Page, WebSocketRoute } from '@playwright/test'
import { apiAs } from './support/api.ts'
import {
  choose,
  notice,
  openOrder,
  openTradeAsDemo,
  sideButton,
  tab,
  ticket,
  valueOf,
} from './support/app.ts'
import { inCents } from './support/figures.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openHeldPrices } from '../testing/price-source.ts'

/** 25 lots at leverage 30: a margin of 91,666.67 and a fee of 91.67, out of 100,000. */
const LOTS = '25'

test('warns of a margin call, stops the account out and never leaves it in debt', async ({ page, start }) => {
  const prices = await openHeldPrices()
  prices.set('EURUSD', 1.1, 1.1)
  const server = await start({ FEED: prices.url, MARKET_HOURS: 'always' })
  await openTradeAsDemo(page, server)

  await test.step('the ticket shows the stop-out price', async () => {
    await field(page, 'Lots').fill(LOTS)
    // 99,908.33 less half of the margin: 54,075.00 of 2,500,000 units.
    await expect(valueOf(ticket(page), 'Stopped out at').last()).toHaveText('Buy 1.07837')
    await field(page, 'Stop loss').fill('1.05')
    await expect(
      ticket(page).getByText(
        'This stop loss is never reached: the account would be stopped out at 1.07837 first.',
      ),
    ).toBeVisible()
  })
  await test.step('the order is accepted with a warning that stays until it is closed', async () => {
    await sideButton(page, 'Buy').click()
    const warning = notice(page, /^Bought 25\.00 EUR\/USD.*stopped out before this stop loss is reached\.$/)
    await expect(warning).toBeVisible()
    await closeNotice(page)
    await expect(warning).toBeHidden()
  })
  await test.step('a margin level of 100 % or less is a margin call', async () => {
    await tab(page, 'Markets').click()
    await expect(page.getByText('Margin call.')).toBeHidden()
    prices.set('EURUSD', 1.09, 1.09)
    const warned = notice(page, /^Margin call\s+Your margin level has fallen to 81/)
    await expect(warned).toBeVisible()
    await closeNotice(page)
    await expect(warned).toBeHidden()
    await expect(page.getByText('Margin call.')).toBeVisible()
    await expect(page.getByText(/At 50\s%\spending orders are cancelled/)).toBeVisible()
    await expect(valueOf(page.getByRole('main'), 'EUR/USD · Buy')).toContainText('1.07837')
  })
  await test.step('a notice warns shortly above the stop-out', async () => {
    prices.set('EURUSD', 1.08, 1.08)
    await expect(page.getByText('The stop-out is near.')).toBeVisible()
  })
  await test.step('a gap closes the position at the available price and notifies the trader', async () => {
    prices.set('EURUSD', 1.06, 1.06)
    await expect(
      notice(
        page,
        /^Stopped out: Buy 25\.00 EUR\/USD closed at 1\.06000, −100,000\.00\.\s+Your margin level fell to 50/,
      ),
    ).toBeVisible()
    await expect(page.getByText('The stop-out is near.')).toBeHidden()
  })
  await test.step('the order and the ledger agree, and nothing is owed', () => expectBooked(page))
  await test.step('the transactions describe it', async () => {
    await page.goto(`${server.url}/#/mine/history`)
    await expect(
      page.getByText(/^Negative balance protection: balance reset to zero after order/),
    ).toBeVisible()
    await expect(page.getByText(/^Result of order/)).toBeVisible()
  })
  prices.close()
})

test('notifies a user of a stop-out that happened while they were disconnected', async ({ page, start }) => {
  const prices = await openHeldPrices()
  prices.set('EURUSD', 1.1, 1.1)
  const server = await start({ FEED: prices.url, MARKET_HOURS: 'always' })
  const connection = await interruptibleSocket(page)
  await openTradeAsDemo(page, server)
  await field(page, 'Lots').fill(LOTS)
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 25\.00 EUR\/USD/)).toBeVisible()
  await closeNotice(page)

  await connection.interrupt()
  prices.set('EURUSD', 1.06, 1.06)
  const api = await apiAs(page)
  await expect
    .poll(
      async () =>
        (await api.request(listOrders, { list: 'history', page: 1, before: null, copyId: null })).orders
          .length,
    )
    .toBe(1)
  connection.restore()
  await expect(notice(page, /^Stopped out: Buy 25\.00 EUR\/USD closed at 1\.06000/)).toBeVisible()
  prices.close()
})

/** The page's WebSocket, which a test may interrupt and restore. */
async function interruptibleSocket(page: Page): Promise<{ interrupt(): Promise<void>; restore(): void }> {
  const open = new Set<WebSocketRoute>()
  let isInterrupted = false
  await page.routeWebSocket(/\/v1\/ws(\?|$)/, (socket) => {
    if (isInterrupted) return void socket.close()
    socket.connectToServer()
    open.add(socket)
  })
  return {
    interrupt: async () => {
      isInterrupted = true
      for (const socket of open) await socket.close()
      open.clear()
    },
    restore: () => {
      isInterrupted = false
    },
  }
}

const field = (page: Page, name: string) => ticket(page).getByRole('textbox', { name })

async function expectBooked(page: Page): Promise<void> {
  const api = await apiAs(page)
  const { orders } = await api.request(listOrders, { list: 'history', page: 1, before: null, copyId: null })
  expect(orders).toMatchObject([{ endReason: 'stopOut', currentPrice: 1.06, profit: -100_000_000_000n }])
  expect((await api.request(getFunds, null)).available).toBe(0n)
  const { records } = await api.request(listLedgerRecords, { page: 1, before: null, group: null })
  expect(records.map(({ kind, amount, balance }) => [kind, inCents(amount), inCents(balance)])).toEqual([
    ['protection', '91.67', '0.00'],
    ['result', '−100,000.00', '−91.67'],
    ['fee', '−91.67', '99,908.33'],
    ['demoIssue', '100,000.00', '100,000.00'],
  ])
  await closeNotice(page)
  await tab(page, 'Orders').click()
  await choose(page, 'History')
  const opened = await openOrder(page, 'EUR/USD')
  await expect(valueOf(opened, 'End reason')).toHaveText('Stopped out: margin level too low')
  await page.keyboard.press('Escape')
}

/** The close button of a notice is hidden from assistive technology until the notice has the focus. */
const closeNotice = (page: Page) =>
  page.getByLabel('Notifications').getByLabel('Close', { exact: true }).click()
