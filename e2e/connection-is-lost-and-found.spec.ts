import { getFigures } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { expectMoving, instrumentList, instrumentRow, startDemo, tab, valueOf } from './support/app.ts'
import { expect, test, testAlone } from './support/journey.ts'

const PING_EVERY_MS = 5_000
const FIRST_RETRY_MS = 500
/** What a browser logs about an unreachable server. */
const UNREACHABLE =
  /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|WebSocket connection to|dynamically imported module/

testAlone(
  'keeps the screen while the server restarts, and reconnects',
  async ({ page, start, complaints }, testInfo) => {
    testAlone.slow()
    const settings = { FEED: 'simulated:1', DATA_DIR: testInfo.outputPath('data') }
    const server = await start(settings)
    await page.goto(server.url)
    await startDemo(page)
    await expectMoving(instrumentRow(page, 'EUR/USD'))
    const banner = page.getByText(/^No connection\. Prices and figures are from /)

    await tab(page, 'Orders').click()
    await expect(page.getByText('No open position')).toBeVisible()

    const stopExpecting = complaints.expect(UNREACHABLE)
    await server.stop()
    await expect(banner).toBeVisible()
    await expect(page.getByText('No open position')).toBeVisible()
    await tab(page, 'Markets').click()
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(/1\.\d{5}/)
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await expect(page.getByText('This screen could not be loaded')).toBeVisible()
    await tab(page, 'Markets').click()

    const fetchedAgain = page.waitForResponse(
      (response) => new URL(response.url()).pathname === getFigures.path,
    )
    await start({ ...settings, PORT: new URL(server.url).port })
    await tab(page, 'Orders').click()
    await expect(banner).toBeHidden()
    await fetchedAgain
    stopExpecting()
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByRole('main').getByRole('button', { name: 'Reload' }).click()
    await expect(valueOf(page.getByRole('main'), 'Balance')).toHaveText('100,000.00')
    await tab(page, 'Markets').click()
    await expectMoving(instrumentRow(page, 'EUR/USD'))
  },
)

test('reconnects after three unanswered pings', async ({ page }) => {
  await page.clock.install()
  const socketCounts = await watchSocket(page)
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  // One belongs to the first screen; the other is the app's.
  await expect.poll(() => socketCounts.connections).toBe(2)
  // A clock that stops before it is open lets the app give it up.
  await expect.poll(() => socketCounts.heard).toBe(2)
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000)

  const before = socketCounts.pings
  for (const expected of [1, 2, 3]) {
    await page.clock.runFor(PING_EVERY_MS)
    // A pause in the prices triggers an additional ping.
    await expect.poll(() => socketCounts.pongs).toBeGreaterThanOrEqual(before + expected)
  }
  // A late pong would count as an answer to a ping that is dropped below.
  await expect.poll(() => socketCounts.pongs).toBe(socketCounts.pings)
  socketCounts.dropsPings = true
  await page.clock.runFor(3 * PING_EVERY_MS)
  expect(socketCounts.connections).toBe(2)
  // Dropped until then: silence triggers pings of its own, and an answer to one would save the connection.
  await page.clock.runFor(PING_EVERY_MS + FIRST_RETRY_MS)
  await expect.poll(() => socketCounts.connections).toBe(3)
  socketCounts.dropsPings = false
  await page.clock.resume()
  await expectMoving(instrumentRow(page, 'EUR/USD'))
})

type SocketCounts = {
  connections: number
  /** The latest connection on which the server has sent something. */
  heard: number
  pings: number
  pongs: number
  dropsPings: boolean
}

/** Counts connections, pings and pongs; while `dropsPings` is true, pings are dropped. */
async function watchSocket(page: Page): Promise<SocketCounts> {
  const socketCounts: SocketCounts = { connections: 0, heard: 0, pings: 0, pongs: 0, dropsPings: false }
  await page.routeWebSocket(/\/v1\/ws(\?|$)/, (socket) => {
    socketCounts.connections += 1
    const number = socketCounts.connections
    const server = socket.connectToServer()
    socket.onMessage((message) => {
      const isPing = typeOf(message) === 'ping'
      if (isPing) socketCounts.pings += 1
      if (!isPing || !socketCounts.dropsPings) server.send(message)
    })
    server.onMessage((message) => {
      socketCounts.heard = Math.max(socketCounts.heard, number)
      if (typeOf(message) === 'pong') socketCounts.pongs += 1
      socket.send(message)
    })
  })
  return socketCounts
}

function typeOf(message: string | Buffer): unknown {
  const parsed: unknown = JSON.parse(String(message))
  return typeof parsed === 'object' && parsed !== null && 'type' in parsed ? parsed.type : null
}
