import { listInstruments, listPushDevices, setAlert, type NewAlert } from '@fairlot/contract'
import type { Page, Worker } from '@playwright/test'
import { openHeldPrices } from '../testing/price-source.ts'
import { openPushReceiver, type PushReceiver } from '../testing/push-receiver.ts'
import { enterAs, openDemoAccount } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { expect, testAlone as test } from './support/journey.ts'

test.use({ serviceWorkers: 'allow' })

/**
 * A browser without windows has no push service and denies every notification: the test's service takes the place of one,
 * and the user has allowed the other. The rest of the way is real.
 */
const subscribeAt = (page: Page, { subscription }: PushReceiver) =>
  page.addInitScript(({ endpoint, publicKey, secret }) => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    let current: PushSubscription | null = null
    const made = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh: publicKey, auth: secret } }),
      unsubscribe: async () => {
        current = null
        return true
      },
    } as unknown as PushSubscription
    PushManager.prototype.subscribe = async () => (current = made)
    PushManager.prototype.getSubscription = async () => current
  }, subscription)

/** Hands a push over to the service worker, as the browser does for its push service. */
async function deliver(page: Page, payload: unknown): Promise<void> {
  const client = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    client.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await client.send('ServiceWorker.enable')
  const { origin } = new URL(page.url())
  const message = { origin, registrationId: await registered, data: JSON.stringify(payload) }
  await client.send('ServiceWorker.deliverPushMessage', message)
}

/** What the journey uses of a worker's scope; the types here are those of a page. */
type Scope = EventTarget & { readonly registration: ServiceWorkerRegistration; shown: Shown[] }
type Shown = { readonly title: string } & NotificationOptions

/** Records the notifications that the worker asks for in place of showing them. */
const recordShown = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as Scope
    scope.shown = []
    scope.registration.showNotification = async (title, options) => {
      scope.shown.push({ title, ...options })
    }
  })

const shownBy = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as Scope).shown)

/** Presses the notification that was asked for. */
const pressShown = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as Scope
    const notification = { ...scope.shown[0], close: () => undefined }
    const event = Object.assign(new Event('notificationclick'), { notification, waitUntil: () => undefined })
    scope.dispatchEvent(event)
  })

test('notices are pushed once they are switched on, open their screen, and end when switched off', async ({
  page,
  start,
}) => {
  const [prices, receiver] = [await openHeldPrices(), await openPushReceiver()]
  prices.set('EURUSD', 1.1, 1.1001)
  const server = await start({ FEED: prices.url, MARKET_HOURS: 'always', PUSH_TO_LOOPBACK: 'yes' })
  await subscribeAt(page, receiver)
  await enterAs(page, await openDemoAccount(server))
  await page.goto(`${server.url}/#/mine/system`)
  const main = page.getByRole('main')
  const switched = main.getByRole('checkbox', { name: 'Price and margin alerts: Push' })

  await test.step('they are off until a press, and switched by kind afterwards', async () => {
    await expect(switched).toBeHidden()
    await main.getByRole('button', { name: 'Turn on notifications' }).click()
    await expect(main.getByText(/^Notices arrive on this device even while the app is closed/)).toBeVisible()
    await expect(switched).toBeChecked()
  })

  const api = await apiAs(page)
  await test.step('a notice arrives at the push service, for this browser only to read', async () => {
    const [eurusd] = await api.request(listInstruments, { search: 'EURUSD' })
    const condition = {
      kind: 'price',
      instrumentId: eurusd?.id ?? 0,
      side: 'bid',
      direction: 'above',
      price: 1.101,
    } as unknown as NewAlert['condition']
    await api.request(setAlert, { condition, pauseMs: null, expiresAt: null })
    prices.set('EURUSD', 1.101, 1.1011)
    await expect.poll(() => receiver.received.length).toBe(1)
  })
  await test.step('the worker shows it, and a press on it opens its screen', async () => {
    const [worker] = page.context().serviceWorkers()
    if (!worker) throw new Error('there is no worker')
    await recordShown(worker)
    await deliver(page, receiver.received[0]?.payload)
    await expect
      .poll(() => shownBy(worker))
      .toMatchObject([
        {
          title: 'EUR/USD reached 1.10100',
          body: expect.stringMatching(/^The bid is 1\.10100, at or above 1\.10100\. Tick \d+\.$/),
          lang: 'en',
        },
      ])
    await pressShown(worker)
    await expect(page).toHaveURL(/#\/mine\/notices\?tab=alerts$/)
    await expect(main.getByText(/EUR\/USD/).first()).toBeVisible()
  })
  await test.step('switched off, the device is off the list', async () => {
    await page.goto(`${server.url}/#/mine/system`)
    await main.getByRole('button', { name: 'Turn off on this device' }).click()
    await expect(main.getByRole('button', { name: 'Turn on notifications' })).toBeVisible()
    expect((await api.request(listPushDevices, null)).devices).toEqual([])
  })
  prices.close()
  receiver.close()
})
