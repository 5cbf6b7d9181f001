import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  type Page,
} from '@playwright/test'
import { findChromium } from '../../testing/chromium.ts'
import type { Later } from '../cleanly.ts'
import { Missing } from '../reading.ts'

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
}

/** A headless browser that is closed in the end. Throws Missing where none is installed. */
export async function openBrowser(later: Later): Promise<Browser> {
  const program = findChromium()
  if (program === null) throw new Missing('no Chromium was found; set CHROME_PATH')
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] })
  later({ stop: () => browser.close() })
  return browser
}

export type PhonePage = { readonly page: Page; readonly devtools: CDPSession }

/** A page of a phone with nothing remembered, and the line to its engine. */
export async function openPhone(later: Later, browser: Browser): Promise<PhonePage> {
  const context = await browser.newContext(PHONE)
  later({ stop: () => context.close() })
  const page = await context.newPage()
  return { page, devtools: await context.newCDPSession(page) }
}

/** How many times slower than this machine the page's processor is made. */
export const slowDown = async ({ devtools }: PhonePage, rate: number): Promise<void> =>
  void (await devtools.send('Emulation.setCPUThrottlingRate', { rate }))
