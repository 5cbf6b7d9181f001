import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { openBrowser, openPhone, type PhonePage } from '../phone/browser.ts'
import { linesOrWhy, Missing, type Line } from '../measurement.ts'
import { npmStart } from '../npm-start.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const WATCHED_S = 10

/** P9: JavaScript that a phone of a new visitor loads for a route; one language. */
export const measureSizes = (): Promise<Line[]> => withCleanup(measure)

async function measure(later: Later): Promise<Line[]> {
  const { url } = later(await npmStart(ROOT))
  if (!existsSync(`${ROOT}/apps/web/dist/index.html`)) throw new Missing('the web app is not built')
  const browser = await openBrowser(later)
  const weigh = (route: string, what: string, atMost: number) =>
    onPhone(browser, what, async (phone) => lineOf(what, await scriptsOf(phone, `${url}${route}`), atMost))
  const within = `on the wire within ${WATCHED_S} s`
  return [
    ...(await untilPricesMove(browser, url)),
    ...(await weigh('/?lang=en#/', `JavaScript of the home route ${within}`, 100)),
    ...(await weigh('/?lang=en#/trade', `JavaScript of the trade route ${within}`, 180)),
  ]
}

const onPhone = (browser: Browser, what: string, measureOn: (phone: PhonePage) => Promise<Line>) =>
  linesOrWhy({ goal: 'P9', what }, () =>
    withCleanup(async (later) => [await measureOn(await openPhone(later, browser))]),
  )

const BEFORE_MOVING = 'JavaScript before prices move on the home screen, gz'
const ROW_PRICE = '[data-first-screen] [data-price-of]'
const MOVES_WITHIN_MS = 20_000
const CHECK_EVERY_MS = 100

/** The scripts inside the page, while the app itself is blocked: a price of the first screen moves by them alone. */
const untilPricesMove = (browser: Browser, url: string): Promise<readonly Line[]> =>
  onPhone(browser, BEFORE_MOVING, async ({ page }) => {
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto(`${url}/?lang=en#/`)
    const texts = () => page.locator(ROW_PRICE).allTextContents()
    const before = (await texts()).join()
    for (let waitedMs = 0; (await texts()).join() === before; waitedMs += CHECK_EVERY_MS) {
      if (before === '' || waitedMs > MOVES_WITHIN_MS) throw new Error('no price of the first screen moved')
      await page.waitForTimeout(CHECK_EVERY_MS)
    }
    const scripts = await page.locator('script:not([src], [type])').allTextContents()
    const kilobytes = scripts.map((script) => gzipSync(script, { level: 9 }).length / 1_000)
    return lineOf(
      BEFORE_MOVING,
      kilobytes.map((size, at) => ({ name: `script ${at + 1} of the page`, kilobytes: size })),
      5,
    )
  })

type Script = { readonly name: string; readonly kilobytes: number }

/** The scripts that a page loads until it has been open for a while, with their size on the wire, headers included. */
async function scriptsOf({ page, devtools }: PhonePage, address: string): Promise<Script[]> {
  const names = new Map<string, string>()
  const scripts: Script[] = []
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') names.set(requestId, new URL(response.url).pathname.slice(1))
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const name = names.get(requestId)
    if (name !== undefined) scripts.push({ name, kilobytes: encodedDataLength / 1_000 })
  })
  await page.goto(address)
  await pause(WATCHED_S * 1_000)
  return scripts
}

function lineOf(what: string, scripts: readonly Script[], atMost: number): Line {
  const kilobytes = scripts.reduce((sum, script) => sum + script.kilobytes, 0)
  const largest = scripts.toSorted((a, b) => b.kilobytes - a.kilobytes).slice(0, 3)
  const named = largest.map((script) => `${script.name} ${script.kilobytes.toFixed(1)}`)
  return {
    goal: 'P9',
    what,
    measured: `${kilobytes.toFixed(kilobytes < 10 ? 1 : 0)} KB`,
    yardstick: `${scripts.length} files, the largest: ${named.join(', ')}`,
    ratio: kilobytes,
    target: { atMost },
  }
}
