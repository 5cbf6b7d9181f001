import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from '@playwright/test'
import { cleanly, type Later } from '../cleanly.ts'
import { openBrowser } from '../phone/browser.ts'
import { linesOrWhy, Missing, type Line } from '../reading.ts'
import { npmStart } from '../started.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PHONE = { width: 390, height: 844 }

/** P9: JavaScript a phone loads for a route, from nothing to a moving price, each file gzipped; one language. */
export const measureSizes = (): Promise<Line[]> => cleanly(measure)

async function measure(later: Later): Promise<Line[]> {
  const { url } = later(await npmStart(ROOT))
  if (!existsSync(`${ROOT}/apps/web/dist/index.html`)) throw new Missing('the web app is not built')
  const browser = await openBrowser(later)
  const weigh = (route: string, what: string, atMost: number) =>
    onPage(browser, what, async (page) => lineOf(what, await scriptsOf(page, `${url}${route}`), atMost))
  return [
    ...(await untilPricesMove(browser, url)),
    ...(await weigh('/?lang=en#/', 'JavaScript of the home route, gz', 110)),
    ...(await weigh('/?lang=en#/trade', 'JavaScript of the trade route with its chart, gz', 200)),
  ]
}

const onPage = (browser: Browser, what: string, measureOn: (page: Page) => Promise<Line>) =>
  linesOrWhy({ goal: 'P9', what }, () =>
    cleanly(async (later) => {
      const page = await browser.newPage({ viewport: PHONE })
      later({ stop: () => page.close() })
      return [await measureOn(page)]
    }),
  )

const BEFORE_MOVING = 'JavaScript before prices move on the home screen, gz'
const ROW_PRICE = '[data-first-screen] [data-price-of]'
const MOVES_WITHIN_MS = 20_000
const LOOK_EVERY_MS = 100

/** What has come when a price of the first screen moves for the first time, while the app itself is kept away. */
const untilPricesMove = (browser: Browser, url: string): Promise<readonly Line[]> =>
  onPage(browser, BEFORE_MOVING, async (page) => {
    await page.route('**/assets/*.js', (route) => route.abort())
    const scripts = await scriptsOf(page, `${url}/?lang=en#/`)
    const texts = () => page.locator(ROW_PRICE).allTextContents()
    const before = (await texts()).join()
    for (let waitedMs = 0; (await texts()).join() === before; waitedMs += LOOK_EVERY_MS) {
      if (before === '' || waitedMs > MOVES_WITHIN_MS) throw new Error('no price of the first screen moved')
      await page.waitForTimeout(LOOK_EVERY_MS)
    }
    return lineOf(BEFORE_MOVING, scripts, 5)
  })

type Script = { readonly name: string; readonly kilobytes: number }

async function scriptsOf(page: Page, address: string): Promise<Script[]> {
  const scripts: Promise<Script>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
    if (!response.ok()) return
    const weighed = response
      .body()
      .then((body) => ({ name: pathname.slice(1), kilobytes: gzipSync(body, { level: 9 }).length / 1_000 }))
    scripts.push(weighed)
  })
  await page.goto(address, { waitUntil: 'networkidle' })
  return Promise.all(scripts)
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
