import { getFigures } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { expectMoving, instrumentList, instrumentRow, startDemo, tab, valueOf } from './support/app.ts'
import { expect, test, testAlone } from './support/journey.ts'

const PING_EVERY_MS = 5_000
const FIRST_RETRY_MS = 500
/** What a browser says of its own about a server that is away. */
const UNREACHABLE =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|WebSocket connection to|dynamically imported module/

testAlone('a server that goes and comes back', async ({ page, start, complaints }, testInfo) => {
  testAlone.slow()
  const settings = { FEED: 'simulated:1', DATA_DIR: testInfo.outputPath('data') }
  const server = await start(settings)
  await page.goto(server.url)
  await startDemo(page)
  await expectMoving(instrumentRow(page, 'EUR/USD'))
  const banner = page.getByText(/^No connection\. Prices shown are from /)

  await tab(page, 'Orders').click()
  await expect(page.getByText('No open position')).toBeVisible()

  const endExcuse = complaints.excuse(UNREACHABLE)
  await server.stop()
  await expect(banner).toBeVisible()
  await expect(page.getByText('No open position')).toBeVisible()
  await tab(page, 'Markets').click()
  await expect(instrumentRow(page, 'EUR/USD')).toContainText(/1\.\d{5}/)
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await expect(page.getByText('This part could not be loaded')).toBeVisible()
  await tab(page, 'Markets').click()

  const fetchedAgain = page.waitForResponse(
    (response) => new URL(response.url()).pathname === getFigures.path,
  )
  await start({ ...settings, PORT: new URL(server.url).port })
  await tab(page, 'Orders').click()
  await expect(banner).toBeHidden()
  await fetchedAgain
  endExcuse()
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(valueOf(page.getByRole('main'), 'Balance')).toHaveText('100,000.00')
  await tab(page, 'Markets').click()
  await expectMoving(instrumentRow(page, 'EUR/USD'))
})

test('a connection that falls silent is made anew after three pings', async ({ page }) => {
  await page.clock.install()
  const line = await tapLine(page)
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  // One moved the prices of the first screen; the other is the app's.
  await expect.poll(() => line.connections).toBe(2)
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)

  const before = line.pings
  for (const expected of [1, 2, 3]) {
    await page.clock.runFor(PING_EVERY_MS)
    await expect.poll(() => line.pongs).toBe(before + expected)
    expect(line.pings).toBe(before + expected)
  }
  line.isDeaf = true
  await page.clock.runFor(3 * PING_EVERY_MS)
  expect(line.connections).toBe(2)
  line.isDeaf = false
  await page.clock.runFor(PING_EVERY_MS + FIRST_RETRY_MS)
  await expect.poll(() => line.connections).toBe(3)
  await page.clock.resume()
  await expectMoving(instrumentRow(page, 'EUR/USD'))
})

type Line = { connections: number; pings: number; pongs: number; isDeaf: boolean }

/** Counts what goes through the socket; while `isDeaf` pings get lost on the way. */
async function tapLine(page: Page): Promise<Line> {
  const line: Line = { connections: 0, pings: 0, pongs: 0, isDeaf: false }
  await page.routeWebSocket(/\/v1\/ws(\?|$)/, (socket) => {
    line.connections += 1
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const isPing = typeOf(message) === 'ping'
      if (isPing) line.pings += 1
      if (!isPing || !line.isDeaf) server.send(message)
    })
    server.onMessage((message) => {
      if (typeOf(message) === 'pong') line.pongs += 1
      socket.send(message)
    })
  })
  return line
}

function typeOf(message: string | Buffer): unknown {
  const parsed: unknown = JSON.parse(String(message))
  return typeof parsed === 'object' && parsed !== null && 'type' in parsed ? parsed.type : null
}
