import { listOrders } from '@fairlot/contract'
import { openHeldPrices } from '../testing/price-source.ts'
import { apiAs } from './support/api.ts'
import { notice, openTradeAsDemo, sideButton, ticket } from './support/app.ts'
import { expect, testAlone as test } from './support/journey.ts'

test('notices collect what happened while the app was closed, and can be turned off by kind', async ({
  page,
  start,
}) => {
  const prices = await openHeldPrices()
  prices.set('EURUSD', 1.1, 1.1)
  const server = await start({ FEED: prices.url, MARKET_HOURS: 'always' })
  const main = page.getByRole('main')
  const stopOut = main.getByRole('link', { name: /^New\. Stopped out/ })
  const bell = (name: string) => page.getByRole('link', { name, exact: true })
  await openTradeAsDemo(page, server)
  await ticket(page).getByRole('textbox', { name: 'Lots' }).fill('25')
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 25\.00 EUR\/USD/)).toBeVisible()

  await test.step('the margin call is shown on every screen', async () => {
    prices.set('EURUSD', 1.09, 1.09)
    await expect(notice(page, /^Margin call\s+Your margin level has fallen to 81\.\d+\s%/)).toBeVisible()
  })
  await test.step('a stop-out while the app is closed is unread until the notices are opened', async () => {
    const api = await apiAs(page)
    await page.goto('about:blank')
    prices.set('EURUSD', 1.06, 1.06)
    const ended = async () =>
      (await api.request(listOrders, { list: 'history', page: 1, before: null, copyId: null })).orders.length
    await expect.poll(ended).toBe(1)
    await page.goto(server.url)
    await bell('Notices, some unread').click()
    await expect(stopOut).toBeVisible()
    await expect(main.getByRole('link', { name: /^New\. Margin call/ })).toBeVisible()
    await page.getByRole('button', { name: 'Back' }).click()
    await expect(bell('Notices')).toBeVisible()
  })
  await test.step('a notice leads to its subject', async () => {
    await bell('Notices').click()
    await main.getByRole('link', { name: /^Stopped out/ }).click()
    await expect(main.getByRole('radio', { name: 'History' })).toBeChecked()
  })
  await test.step('a kind of notice can be turned off, except security', async () => {
    await page.goto(`${server.url}/#/mine/system`)
    await expect(main.getByRole('checkbox', { name: 'Security: App' })).toBeDisabled()
    const stopOuts = main.getByRole('checkbox', { name: 'Stop-outs: App' })
    await stopOuts.click()
    await expect(stopOuts).not.toBeChecked()
    await page.goto(`${server.url}/#/mine/notices`)
    await expect(main.getByRole('link', { name: /^Margin call/ })).toBeVisible()
    await expect(main.getByRole('link', { name: /Stopped out/ })).toBeHidden()
  })
  prices.close()
})
