import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium, type Page } from '@playwright/test'
import { findChromium } from '../../e2e/support/chromium.ts'
import { cleanly, type Later } from '../cleanly.ts'
import { Missing, type Line } from '../reading.ts'
import { npmStart } from '../started.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PHONE = { width: 390, height: 844 }

/** P9: JavaScript a phone loads for a route, from nothing to a moving price, each file gzipped; one language. */
export const measureSizes = (): Promise<Line[]> => cleanly(measure)

async function measure(later: Later): Promise<Line[]> {
  const program = findChromium()
  if (program === null) throw new Missing('no Chromium was found; set CHROME_PATH')
  const { url } = later(await npmStart(ROOT))
  if (!existsSync(`${ROOT}/apps/web/dist/index.html`)) throw new Missing('the web app is not built')
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  later({ stop: () => browser.close() })
  const weigh = (route: string, what: string, atMost: number) =>
    cleanly(async (laterHere) => {
      const page = await browser.newPage({ viewport: PHONE })
      laterHere({ stop: () => page.close() })
      return lineOf(what, await scriptsOf(page, `${url}${route}`), atMost)
    })
  return [
    await weigh('/?lang=en#/', 'JavaScript of the home route, gz', 110),
    await weigh('/?lang=en#/trade', 'JavaScript of the trade route with its chart, gz', 200),
  ]
}

type Script = { readonly name: string; readonly kilobytes: number }

async function scriptsOf(page: Page, address: string): Promise<Script[]> {
  const scripts: Promise<Script>[] = []
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (!pathname.endsWith('.js')) return
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
  const named = largest.map((script) => `${script.name} ${script.kilobytes.toFixed(0)}`)
  return {
    goal: 'P9',
    what,
    measured: `${kilobytes.toFixed(0)} KB`,
    yardstick: `${scripts.length} files, the largest: ${named.join(', ')}`,
    ratio: kilobytes,
    target: { atMost },
  }
}
