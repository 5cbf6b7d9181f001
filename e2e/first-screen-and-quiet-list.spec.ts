import type { Page } from '@playwright/test'
import { expectMoving, instrumentList, instrumentRow } from './support/app.ts'
import { expect, test } from './support/journey.ts'

const firstScreen = (page: Page) => page.locator('[data-first-screen=home]')
const SCRIPTS = '**/assets/*.js'
const FAILED_SCRIPT = /Failed to load resource|ERR_FAILED/

// Prices flash only without reduced motion.
test.use({ locale: 'en-GB', contextOptions: { reducedMotion: 'no-preference' } })

test('the first rows are shown before any script has loaded', async ({ page, complaints }) => {
  complaints.expect(FAILED_SCRIPT)
  await page.route(SCRIPTS, (route) => route.abort())
  await page.goto('/')
  const rows = firstScreen(page).locator('li')
  await expect(rows.first()).toBeVisible()
  await expect(rows.first()).toContainText(/EUR\/USD.*1\.\d{5}/)
  await expect(firstScreen(page).getByText('See how trading works')).toBeVisible()
})

test('the first paint needs one compressed response, and the app is requested after it', async ({ page }) => {
  const response = await page.goto('/')
  expect(response?.headers()['content-encoding']).toBe('br')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  const [paintedAt, requestedAt, encodings] = await page.evaluate(async () => {
    const files = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/assets/'))
    const headersOf = async ({ name }: PerformanceEntry) => (await fetch(name)).headers
    return [
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN,
      Math.min(...files.map(({ startTime }) => startTime)),
      (await Promise.all(files.filter(({ name }) => name.endsWith('.js')).map(headersOf))).map((headers) =>
        headers.get('content-encoding'),
      ),
    ]
  })
  expect(requestedAt).toBeGreaterThan(paintedAt)
  expect(new Set(encodings)).toEqual(new Set(['br']))
})

test('a link to another screen does not flash the first one', async ({ page, complaints }) => {
  complaints.expect(FAILED_SCRIPT)
  await page.route(SCRIPTS, (route) => route.abort())
  await page.goto('/#/register?invite_code=7')
  await expect(firstScreen(page)).toBeAttached()
  await expect(firstScreen(page)).toBeHidden()
})

test('the page contains the trade screen, but no price of another instrument', async ({
  page,
  complaints,
}) => {
  complaints.expect(FAILED_SCRIPT)
  await page.route(SCRIPTS, (route) => route.abort())
  const trade = page.locator('[data-first-screen=trade]')
  await page.goto('/#/trade')
  await expect(firstScreen(page)).toBeHidden()
  await expect(trade.getByText('EUR/USD')).toBeVisible()
  await expect(trade.getByText(/^Trading with leverage/)).toBeVisible()
  await page.goto('/?another#/trade?code=GBPUSD')
  await expect(trade.getByText(/^Trading with leverage/)).toBeVisible()
  await expect(trade.getByText('EUR/USD')).toBeHidden()
  await expect(trade.locator('[data-price-of]')).toBeHidden()
})

test('the first screen is hidden when another language was chosen', async ({ page, complaints }) => {
  complaints.expect(FAILED_SCRIPT)
  await page.addInitScript(() => localStorage.setItem('fairlot.language', 'hk'))
  await page.route(SCRIPTS, (route) => route.abort())
  await page.goto('/')
  await expect(firstScreen(page)).toBeHidden()
})

for (const [code, rise] of [
  ['hk', null],
  ['tw', 'red'],
  ['jp', 'red'],
  ['de', null],
] as const)
  test(`the first paint in ${code} has the colours of that market`, async ({ page, complaints }) => {
    complaints.expect(FAILED_SCRIPT)
    await page.route(SCRIPTS, (route) => route.abort())
    const risesIn = async (address: string) => {
      await page.goto(address)
      await expect(firstScreen(page)).toBeVisible()
      return page.locator('html').getAttribute('data-rise')
    }
    expect(await risesIn(`/?lang=${code}`)).toBe(rise)
  })

test('texts that cannot be loaded are in English, and the window says so', async ({ page, complaints }) => {
  complaints.expect(FAILED_SCRIPT)
  await page.route('**/assets/ar-*.js', (route) => route.abort())
  await page.goto('/?lang=ar')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
  await expect(page.getByText(/^A part of the app could not be loaded\./)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible()
})

test('the app takes over without removing the rows', async ({ page }) => {
  await page.addInitScript(watchRows)
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expect(firstScreen(page)).toHaveCount(0)
  expect(await page.evaluate('fewestRows')).toBeGreaterThanOrEqual(10)
})

/** Records the fewest rows in the page after any change, once the first rows were shown. */
function watchRows(): void {
  const seen = globalThis as unknown as { fewestRows: number }
  seen.fewestRows = Infinity
  new MutationObserver(() => {
    const rows = document.querySelectorAll('li a').length
    if (rows >= 10 || seen.fewestRows < Infinity) seen.fewestRows = Math.min(seen.fewestRows, rows)
  }).observe(document, { childList: true, subtree: true })
}

test('moving prices cause no React commit and update only visible rows', async ({ page }) => {
  await page.addInitScript(countCommits)
  await page.goto('/')
  // The app's own list: the page itself contains only the first rows.
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expect(firstScreen(page)).toHaveCount(0)
  await expectMoving(instrumentRow(page, 'EUR/USD'))
  const last = instrumentList(page).getByRole('link').last()
  await expect(last).toContainText(/\d/)
  await expect(page.locator('[data-flash]').first()).toBeAttached()
  const lastBefore = await last.textContent()
  await page.evaluate(watchTexts)
  await page.evaluate('commits = 0')
  await expect.poll(() => page.evaluate('textChanges')).toBeGreaterThan(60)
  expect(await page.evaluate<number>('commits')).toBeLessThan(10)
  expect(await last.textContent()).toBe(lastBefore)

  await last.scrollIntoViewIfNeeded()
  await expectMoving(last)
})

/** React reports every commit to its developer tools. */
function countCommits(): void {
  const counting = globalThis as unknown as { commits: number; __REACT_DEVTOOLS_GLOBAL_HOOK__: unknown }
  counting.commits = 0
  counting.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberRoot: () => (counting.commits += 1),
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
  }
}

function watchTexts(): void {
  const counting = globalThis as unknown as { textChanges: number }
  counting.textChanges = 0
  new MutationObserver((changes) => (counting.textChanges += changes.length)).observe(document.body, {
    characterData: true,
    subtree: true,
  })
}
