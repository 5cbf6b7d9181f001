import {
  closeOrder,
  listInstruments,
  submitOrder,
  type InstrumentListing,
  type OrderTicket,
} from '@fairlot/contract'
import { lots } from '@fairlot/core'
import { enterAs, openDemoAccount } from './support/accounts.ts'
import { apiOf, type Api } from './support/api.ts'
import { instrumentRow, notice, openOrder, sideButton, tab, ticket, valueOf } from './support/app.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { RECORDING } from './support/recording.ts'

/** Ten seconds before the currencies' weekly close: New York's shares are closed by then, crypto never is. */
const FEED = `replay:${RECORDING}?from=2014-05-02T20:54:50Z&loop=off,simulated:1`

test.use({ timezoneId: 'UTC' })

test('shows when a closed market reopens and rejects orders until then', async ({ page, start }) => {
  const server = await start({ FEED, MARKET_HOURS: 'real' })
  const token = await openDemoAccount(server)
  const api = apiOf(server.url, token)
  const pound = await instrument(api, 'GBPUSD')
  const { id } = await api.request(submitOrder, buy(pound))
  await enterAs(page, token)
  await expect.poll(async () => (await instrument(api, 'GBPUSD')).isOpen, { timeout: 60_000 }).toBe(false)
  await page.goto(server.url)

  await test.step('rows show when closed markets open', async () => {
    await expect(instrumentRow(page, 'GBP/USD')).toContainText('opens Sun 21:05')
    await expect(instrumentRow(page, 'Apple')).toContainText('opens Mon 13:30')
    await expect(instrumentRow(page, 'BTC/USD')).toContainText('%')
  })
  await test.step('the ticket is disabled', async () => {
    await instrumentRow(page, 'GBP/USD').click()
    await expect(ticket(page).getByRole('status')).toHaveText('The market is closed. It opens Sun 21:05.')
    await expect(sideButton(page, 'Buy')).toBeDisabled()
    await expect(sideButton(page, 'Sell')).toBeDisabled()
  })
  await test.step('the position cannot be closed, but its stops can be moved', async () => {
    await tab(page, 'Orders').click()
    const opened = await openOrder(page, 'GBP/USD', 'Buy 0.10')
    await expect(opened.getByText('The position can be closed again from Sun 21:05.')).toBeVisible()
    await expect(opened.getByRole('button', { name: /^Close [+−]/ })).toBeDisabled()
    await opened.getByRole('button', { name: 'Set stops' }).click()
    await opened.getByRole('textbox', { name: 'Stop loss' }).fill('1.1')
    await opened.getByRole('button', { name: 'Save stops' }).click()
    await expect(notice(page, 'Stops saved.')).toBeVisible()
    await expect(valueOf(opened, 'Stop loss')).toHaveText('1.10000')
  })
  await test.step('closing all positions leaves it open and says why', async () => {
    await api.request(submitOrder, buy(await instrument(api, 'BTCUSD')))
    await page.goto(`${server.url}/#/order`)
    await page.reload()
    await page.getByRole('button', { name: 'Close all' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Close all' }).click()
    await expect(notice(page, /^Closed 1 position\. Booked [+−]?[\d,]+\.\d{2}\.$/)).toBeVisible()
    const left = page.getByRole('main').getByRole('status').filter({ hasText: 'stays open' })
    await expect(left).toContainText('1 position stays open')
    await expect(left).toContainText(
      'GBP/USD: The market is closed. The position can be closed again from Sun 21:05.',
    )
    await expect(page.getByRole('button', { name: 'Close Buy 0.10 GBP/USD' })).toBeDisabled()
  })
  await test.step('the server rejects orders in the closed market', async () => {
    const refused = { ok: false, reason: 'marketClosed', message: expect.stringContaining('closed') }
    expect(await api.try(submitOrder, buy(pound))).toMatchObject(refused)
    expect(await api.try(closeOrder, { orderId: id, lots: null })).toMatchObject(refused)
  })
})

async function instrument(api: Api, code: string): Promise<InstrumentListing> {
  const found = (await api.request(listInstruments, { search: code })).find((listed) => listed.code === code)
  if (!found) throw new Error(`${code} is not listed`)
  return found
}

const buy = ({ id, leverages }: InstrumentListing): OrderTicket => ({
  side: 'buy',
  lots: lots(1_000),
  instrumentId: id,
  orderType: 'market',
  targetPrice: null,
  stopLoss: null,
  takeProfit: null,
  leverage: leverages.at(-1) ?? 1,
  expiresAt: null,
  kind: null,
})
