import { listOrders } from '@fairlot/contract'
import type { Locator, Page } from '@playwright/test'
import { apiAs } from './support/api.ts'
import { notice, openTradeAsDemo, sideButton, ticket } from './support/app.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openHeldPrices } from '../testing/price-source.ts'

test('stops are drawn from the entry and moved by touch and by keys, a pending order begins on the scale', async ({
  page,
  start,
}) => {
  const prices = await openHeldPrices()
  prices.set('EURUSD', 1.1, 1.1001)
  const server = await start({ FEED: prices.url, MARKET_HOURS: 'always' })
  const dialog = page.getByRole('dialog', { name: /^(Move the stop loss to|Stop loss at) 1\.\d{5}\?$/ })
  const stopLoss = page.getByRole('slider', { name: 'Stop loss of Buy 0.10' })
  await openTradeAsDemo(page, server)
  // The candle gets a height, so that the price axis has space for stops.
  for (const [bid, shown] of [
    [1.098, '1.09800'],
    [1.102, '1.10200'],
    [1.1, '1.10000'],
  ] as const) {
    prices.set('EURUSD', bid, bid + 0.0001)
    await expect(page.getByRole('button', { name: `Sell 0.01 lots at ${shown}` })).toBeVisible()
  }
  await ticket(page).getByRole('textbox', { name: 'Lots' }).fill('0.10')
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 0\.10 EUR\/USD/)).toBeVisible()
  await page.getByRole('button', { name: 'Tall chart' }).click()

  await test.step('a stop loss is drawn down from the entry', async () => {
    const entry = page.getByRole('slider', { name: 'New stop of Buy 0.10' })
    await expect(entry).toBeVisible()
    await drag(page, entry, 60)
    await expect(dialog.getByRole('heading', { name: /^Stop loss at 1\.\d{5}\?$/ })).toBeVisible()
    await expect(dialog.getByText(/^Buy 0\.10: closing there books about −\d+\.\d\d\.$/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Set', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(stopLoss).toBeVisible()
    expect((await orderOf(page)).stopLoss).toBeLessThan(1.1)
  })
  await test.step('it is moved by keys, and asks once', async () => {
    const before = (await orderOf(page)).stopLoss
    await stopLoss.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expect(stopLoss).toHaveAttribute(
      'aria-valuetext',
      /^Stop −.*, was 1\.\d{5} · \d+\.\d pips · −\d\.\d\d.% of equity$/,
    )
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await expect(dialog).toBeHidden()
    expect((await orderOf(page)).stopLoss).toBeCloseTo(Number(before) - 0.0002, 5)
  })
  await test.step('Escape and "Back" give a move up', async () => {
    const before = (await orderOf(page)).stopLoss
    const shown = await stopLoss.getAttribute('aria-valuenow')
    await stopLoss.focus()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Escape')
    await expect(stopLoss).toHaveAttribute('aria-valuenow', shown ?? '')
    await drag(page, stopLoss, -20)
    await dialog.getByRole('button', { name: 'Back' }).click()
    await expect(stopLoss).toHaveAttribute('aria-valuenow', shown ?? '')
    expect((await orderOf(page)).stopLoss).toBe(before)
  })
  await test.step('a move that is refused says why, and the line goes back', async () => {
    const shown = await stopLoss.getAttribute('aria-valuenow')
    await stopLoss.focus()
    for (let press = 0; press < 6; press++) await page.keyboard.press('PageUp')
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await expect(dialog.getByRole('alert')).toContainText(/too close or on the wrong side/)
    await dialog.getByRole('button', { name: 'Back' }).click()
    await expect(stopLoss).toHaveAttribute('aria-valuenow', shown ?? '')
  })
  await test.step('a tap on the price scale begins a pending order in the ticket', async () => {
    const chart = page.getByRole('img', { name: /^EUR\/USD, candles of/ })
    const box = await chart.boundingBox()
    if (!box) throw new Error('the chart has no size')
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 4)
    await page.getByRole('button', { name: 'Pending order: buy stop or sell limit' }).click()
    await expect(ticket(page).getByRole('button', { name: /^Buy stop/ })).toBeVisible()
  })
  prices.close()
})

const orderOf = async (page: Page) => {
  const { orders } = await (
    await apiAs(page)
  ).request(listOrders, { list: 'holding', page: 1, before: null, copyId: null })
  const [order] = orders
  if (!order) throw new Error('no position is open')
  return order
}

/** Drags a handle down by some pixels, in steps as a finger would. */
async function drag(page: Page, handle: Locator, down: number): Promise<void> {
  // Waits until the chart has its size and the handle its place.
  await handle.hover()
  const box = await handle.boundingBox()
  if (!box) throw new Error('the handle is not shown')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + down / 2, { steps: 4 })
  await page.mouse.move(x, y + down, { steps: 4 })
  await page.mouse.up()
}
