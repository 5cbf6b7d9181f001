import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
} from '@playwright/test'
import { findChromium } from '../../testing/chromium.ts'
import type { Later } from '../with-cleanup.ts'
import { Missing } from '../measurement.ts'

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** A headless browser, closed at the end. Throws `Missing` where none is installed. */
export async function openBrowser(later: Later, args: readonly string[] = []): Promise<Browser> {
  const program = findChromium()
  if (program === null) throw new Missing('no Chromium was found; set CHROME_PATH')
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox', ...args] })
  later({ stop: () => browser.close() })
  return browser
}

export type PhonePage = { readonly page: Page; readonly devtools: CDPSession }

/** A page of a phone without stored data, and a DevTools session. */
export async function openPhone(later: Later, browser: Browser): Promise<PhonePage> {
  const context = await browser.newContext(PHONE)
  later({ stop: () => context.close() })
  const page = await context.newPage()
  return { page, devtools: await context.newCDPSession(page) }
}

/** Throttles the page's processor by a factor. */
export const slowDown = async ({ devtools }: PhonePage, rate: number): Promise<void> =>
  void (await devtools.send('Emulation.setCPUThrottlingRate', { rate }))
