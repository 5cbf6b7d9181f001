import { listOrders } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { apiAs } from './support/api.ts'
import {
  expectMoving,
  instrumentList,
  instrumentRow,
  notice,
  openTrade,
  sideButton,
  startDemo,
  tab,
} from './support/app.ts'
import { openGateway } from './support/gateway.ts'
import { expect, testAlone as test } from './support/journey.ts'

// These journeys are about the worker that all others block.
test.use({ serviceWorkers: 'allow' })

/** What a browser logs about an unreachable server. */
const UNREACHABLE = /ERR_|WebSocket connection to|Failed to load resource|Failed to fetch/

const offlineBanner = (page: Page) => page.getByText(/^No connection\. Prices and figures are from /)

/** Waits until the app can start without a connection: the shell is stored after everything else. */
async function expectPrepared(page: Page): Promise<void> {
  const hasShell = () =>
    page.evaluate(async () => {
      const keys = await (await caches.open('fairlot-files')).keys()
      const isControlled = navigator.serviceWorker.controller !== null
      return isControlled && keys.some(({ url }) => new URL(url).pathname === '/index.html')
    })
  await expect.poll(hasShell, { timeout: 30_000 }).toBe(true)
}

test('opens without a connection, shows what was seen with its age, sends nothing, and returns', async ({
  page,
  start,
  complaints,
}) => {
  const server = await start({ FEED: 'simulated:1' })
  const gateway = await openGateway(server)
  await page.goto(`${gateway.url}/?lang=en`)
  await startDemo(page)
  await expectMoving(instrumentRow(page, 'EUR/USD'))
  await tab(page, 'Orders').click()
  await expect(page.getByText('No open position')).toBeVisible()
  await expectPrepared(page)

  complaints.expect(UNREACHABLE)
  await test.step('the banner shows within three seconds', async () => {
    gateway.cut()
    await expect(offlineBanner(page)).toBeVisible({ timeout: 3_000 })
  })
  await test.step('the app starts from the device, with the rows that were seen and their age', async () => {
    await page.goto('about:blank')
    await page.goto(`${gateway.url}/?lang=en`)
    await expect(offlineBanner(page)).toBeVisible()
    await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(/1\.\d{5}/)
    await expect(
      page
        .getByRole('main')
        .getByText(/^Stop-out at/)
        .first(),
    ).toBeVisible()
  })
  await test.step('the stored page itself has no price in it', async () => {
    const shell = await page.evaluate(async () => {
      const cache = await caches.open('fairlot-files')
      const pages = (await cache.keys()).filter(({ url }) => new URL(url).pathname === '/index.html')
      const [stored] = await Promise.all(pages.map(async (key) => (await cache.match(key))?.text()))
      return stored ?? ''
    })
    expect(shell).toContain('id="root"')
    expect(shell).not.toMatch(/id="first-data"|EURUSD/)
  })
  await test.step('screens that were never opened are there, too', async () => {
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByText('Notifications on this device')).toBeVisible()
    await page.goto(`${gateway.url}/?lang=en#/`)
  })
  await test.step('a press says that nothing was sent, twice', async () => {
    const star = instrumentRow(page, 'EUR/USD').locator('..').getByRole('button').first()
    for (const _ of [1, 2]) {
      await star.click()
      await expect(notice(page, /^Not connected\. Nothing was sent\./).first()).toBeVisible()
    }
  })
  await test.step('with the connection everything is current again, and nothing was kept to be sent', async () => {
    gateway.restore()
    await expect(offlineBanner(page)).toBeHidden({ timeout: 30_000 })
    await expectMoving(instrumentRow(page, 'EUR/USD'))
    await openTrade(page, 'EUR/USD')
    await expect(sideButton(page, 'Buy')).toBeEnabled()
    const { orders } = await (
      await apiAs(page)
    ).request(listOrders, { list: 'holding', page: 1, before: null, copyId: null })
    expect(orders).toEqual([])
  })
  gateway.close()
})

test('opens within seconds while the connection hangs', async ({ page, start, complaints }) => {
  const gateway = await openGateway(await start({ FEED: 'simulated:1' }))
  await page.goto(`${gateway.url}/?lang=en`)
  await expectMoving(instrumentRow(page, 'EUR/USD'))
  await page.getByRole('heading', { name: 'Fairlot' }).first().click()
  await expectPrepared(page)
  complaints.expect(UNREACHABLE)
  gateway.hang()
  await expect(offlineBanner(page)).toBeVisible()
  await page.goto('about:blank')
  await page.goto(`${gateway.url}/?lang=en`)
  await expect(instrumentRow(page, 'EUR/USD')).toContainText(/1\.\d{5}/, { timeout: 6_000 })
  await expect(offlineBanner(page)).toBeVisible()
  gateway.restore()
  await expect(offlineBanner(page)).toBeHidden({ timeout: 30_000 })
  await expectMoving(instrumentRow(page, 'EUR/USD'))
  gateway.close()
})

test('offers a new version, and changes each of two windows at its own press', async ({
  page,
  start,
  complaints,
}) => {
  const gateway = await openGateway(await start({ FEED: 'simulated:1' }))
  complaints.expect(UNREACHABLE)
  await page.goto(`${gateway.url}/?lang=en`)
  await page.getByRole('heading', { name: 'Fairlot' }).first().click()
  await expectPrepared(page)
  const other = await page.context().newPage()
  await other.goto(`${gateway.url}/?lang=en#/login`)
  await other.getByRole('textbox').first().fill('half typed')

  gateway.change(/^\/service-worker\.js/, (text) => `${text}\n// another build`)
  const ready = 'A new version is ready.'
  const update = () =>
    page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()))
  await update()
  await expect(page.getByText(ready)).toBeVisible()
  await expect(other.getByText(ready)).toBeVisible()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Update' }).click()
  await reloaded
  await expect(instrumentRow(page, 'EUR/USD')).toBeVisible()
  await expect(page.getByText(ready)).toBeHidden()
  await expect(other.getByText('The app was updated in another window.')).toBeVisible()
  await expect(other.getByRole('textbox').first()).toHaveValue('half typed')
  await other.getByRole('button', { name: 'Reload' }).click()
  await expect(other.getByText('The app was updated in another window.')).toBeHidden()
  gateway.close()
})

test('a part that cannot be loaded offers a reload, and a server that is too new stops all presses', async ({
  page,
  start,
  complaints,
}) => {
  const gateway = await openGateway(await start({ FEED: 'simulated:1' }))
  complaints.expect(UNREACHABLE)
  complaints.expect(/404|dynamically imported module/)
  const restore = gateway.change(/\/assets\/(more-screens|news-screen)-/, null)
  await page.goto(`${gateway.url}/?lang=en`)
  await startDemo(page)
  await test.step('a part loaded in advance is reported on every screen', async () => {
    await expect(page.getByText('A part of the app could not be loaded.')).toBeVisible()
  })
  await test.step('its own screen offers the reload as well, which helps once the file is there', async () => {
    await tab(page, 'Orders').click()
    await expect(page.getByText('This screen could not be loaded')).toBeVisible()
    restore()
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByText('No open position')).toBeVisible()
  })
  await test.step('an app that is too old for the server says so and sends nothing', async () => {
    gateway.change(/getBasicInfo/, (text) => text.replace('"api_version":1', '"api_version":2'))
    await page.goto(`${gateway.url}/?lang=en#/`)
    gateway.restore()
    await expect(page.getByText('This version of the app is too old.')).toBeVisible({ timeout: 30_000 })
    await instrumentRow(page, 'EUR/USD').locator('..').getByRole('button').first().click()
    await expect(notice(page, /too old for the server\. Nothing was sent\./)).toBeVisible()
  })
  gateway.close()
})

test('the app can be installed, and its shortcuts open screens', async ({ page, start }) => {
  const server = await start({ FEED: 'simulated:1' })
  await page.goto(`${server.url}/?lang=en`)
  const client = await page.context().newCDPSession(page)
  const { errors, url } = await client.send('Page.getAppManifest')
  expect(url).toBe(`${server.url}/manifest.json`)
  expect(errors).toEqual([])
  const manifest = (await (await page.request.get(`${server.url}/manifest.json`)).json()) as Manifest
  for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
    if (sizes === 'any') continue
    const size = await page.evaluate(async (path) => {
      const image = await createImageBitmap(await (await fetch(path)).blob())
      return `${image.width}x${image.height}`
    }, src)
    expect(size).toBe(sizes)
  }
  for (const { name, url: address } of manifest.shortcuts) {
    await page.goto(server.url + address)
    await page.reload()
    await expect(page.getByRole('main').first()).toBeVisible()
    await expect(page, `the shortcut ${name}`).not.toHaveTitle(/Page not found/)
  }
})

type Picture = { readonly src: string; readonly sizes: string }
type Manifest = {
  readonly icons: readonly Picture[]
  readonly screenshots: readonly Picture[]
  readonly shortcuts: readonly { readonly name: string; readonly url: string }[]
}
