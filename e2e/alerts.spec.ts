import { openHeldPrices } from '../testing/price-source.ts'
import { notice, openTradeAsDemo } from './support/app.ts'
import { expect, testAlone as test } from './support/journey.ts'

test('an alert is set from the chart, fires live, and is listed under the bell with its price and tick', async ({
  page,
  start,
}) => {
  const prices = await openHeldPrices()
  prices.set('EURUSD', 1.1, 1.1001)
  const server = await start({ FEED: prices.url, MARKET_HOURS: 'always' })
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  await openTradeAsDemo(page, server)

  await test.step('a tap on the price scale offers an alert at that price', async () => {
    const chart = page.getByRole('img', { name: /^EUR\/USD, candles of/ })
    await expect(chart).toBeVisible()
    const box = await chart.boundingBox()
    if (!box) throw new Error('the chart has no size')
    await page.mouse.click(box.x + box.width - 20, box.y + box.height / 3)
    await dialog.getByRole('button', { name: 'Set an alert' }).click()
    await expect(dialog.getByRole('heading', { name: 'Alert on EUR/USD' })).toBeVisible()
    await expect(dialog.getByRole('textbox', { name: 'Price' })).toHaveValue(/^1\.\d{5}$/)
  })
  await test.step('it is set at a price above', async () => {
    await dialog.getByRole('textbox', { name: 'Price' }).fill('1.101')
    await expect(dialog.getByText('Fires when the mid is at or above 1.10100.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Set alert' }).click()
    await expect(notice(page, 'Alert set. It is listed under the bell.')).toBeVisible()
  })
  await test.step('it fires as soon as the price is there', async () => {
    prices.set('EURUSD', 1.10095, 1.10115)
    await expect(notice(page, /EUR\/USD reached 1\.10100/)).toBeVisible()
  })
  await test.step('it is listed under the bell', async () => {
    await page.goto(`${server.url}/#/`)
    await page.getByRole('link', { name: 'Notices, some unread', exact: true }).click()
    await main.getByRole('link', { name: /EUR\/USD reached 1\.10100/ }).click()
    await expect(main.getByText(/^1\.101050? on .*, tick \d/)).toBeVisible()
    await expect(main.getByRole('button', { name: /^Remove alert/ })).toBeHidden()
  })
  prices.close()
})
