import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import { withCleanup, type Later } from '../with-cleanup.ts'
import { openBrowser, openPhone, slowDown, type PhonePage } from '../phone/browser.ts'
import { watchMainThread } from '../phone/main-thread.ts'
import { openMovingPrices } from '../phone/moving-prices.ts'
import { linesOrWhy, type Line } from '../measurement.ts'
import { npmStart } from '../npm-start.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const INSTRUMENTS = 55
const SECONDS = 10
const SLOWER = 4
const SETTLE_MS = 4_000
const TAPS = 5

/** P11: the load of the home list on a phone while every price moves five times a second. */
export const measureHomeList = (): Promise<Line[]> => withCleanup(measure)

async function measure(later: Later): Promise<Line[]> {
  const prices = later(await openMovingPrices())
  const env = { FEED: prices.url, MARKET_HOURS: 'always' }
  const { url } = later(await npmStart(ROOT, { env }))
  const browser = await openBrowser(later)
  const goal = (what: string, measured: () => Promise<Line[]>) => linesOrWhy({ goal: 'P11', what }, measured)
  return [
    ...(await goal('home list while prices move', () => usual(browser, url))),
    ...(await goal(`the same, processor ${SLOWER} times slower`, () => slow(browser, url))),
  ]
}

async function openList(later: Later, browser: Browser, url: string): Promise<PhonePage> {
  const phone = await openPhone(later, browser)
  await phone.page.goto(`${url}/?lang=en#/`)
  await phone.page
    .locator('main li a')
    .nth(INSTRUMENTS - 1)
    .waitFor()
  await pause(SETTLE_MS)
  return phone
}

const usual = (browser: Browser, url: string): Promise<Line[]> =>
  withCleanup(async (later) => {
    const seen = await watchMainThread(await openList(later, browser, url), SECONDS)
    const yardstick = `${seen.framesPerSecond.toFixed(1)} frames a second; ${seen.parts}`
    const figure = { goal: 'P11', yardstick }
    return [
      {
        ...figure,
        what: 'home list, 55 prices 5 times a second: main thread, ms a second',
        measured: `${seen.workMs.toFixed(0)} ms`,
        ratio: seen.workMs,
        target: { atMost: 60 },
        note: 'the ratios are the figures themselves, in ms; the first two are processor time of the main thread.',
      },
      {
        ...figure,
        what: 'script for each frame of prices',
        measured: `${seen.scriptMsPerFrame.toFixed(2)} ms`,
        ratio: seen.scriptMsPerFrame,
        target: { atMost: 1.5 },
      },
    ]
  })

/** Records tasks above 50 ms, and the time from taps to the next paint. */
const WATCH = `
  window.longTasks = []
  window.taps = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: 'longtask' })
  new PerformanceObserver((list) => taps.push(...list.getEntries().filter((event) => event.interactionId).map((event) => event.duration)))
    .observe({ type: 'event', durationThreshold: 16 })`

const slow = (browser: Browser, url: string): Promise<Line[]> =>
  withCleanup(async (later) => {
    const phone = await openList(later, browser, url)
    const { page } = phone
    await slowDown(phone, SLOWER)
    await pause(SETTLE_MS)
    await page.evaluate(WATCH)
    await pause(SECONDS * 1_000)
    const long = await page.evaluate<number[]>('longTasks')
    const chips = page.getByRole('group', { name: 'Categories' }).getByRole('button')
    for (let tap = 0; tap < TAPS; tap += 1) {
      await chips.nth(tap % 3).tap()
      await pause(SETTLE_MS / TAPS)
    }
    const taps = await page.evaluate<number[]>('taps')
    const yardstick = `processor ${SLOWER} times slower; wall time`
    return [
      {
        goal: 'P11',
        what: `tasks above 50 ms in ${SECONDS} s`,
        measured: `${long.length}`,
        yardstick: `${yardstick}; the longest ${Math.max(0, ...long).toFixed(0)} ms`,
        ratio: long.length,
        target: { atMost: 0 },
      },
      {
        goal: 'P11',
        what: `tap on a category to the next paint, the worst of ${TAPS}`,
        measured: `${Math.max(0, ...taps)} ms`,
        yardstick,
        ratio: Math.max(0, ...taps),
        target: { atMost: 100 },
      },
    ]
  })
