import type { Page } from '@playwright/test'
import { expectMoving, instrumentList, instrumentRow } from './support/app.ts'
import { expect, test } from './support/journey.ts'

const firstScreen = (page: Page) => page.locator('[data-first-screen=home]')
const SCRIPTS = '**/assets/*.js'
const FAILED_SCRIPT = /Failed to load resource|ERR_FAILED/

// Prices flash only for readers who like motion.
test.use({ locale: 'en-GB', contextOptions: { reducedMotion: 'no-preference' } })

test('the first rows are there before any script of the app has come', async ({ page, complaints }) => {
  complaints.excuse(FAILED_SCRIPT)
  await page.route(SCRIPTS, (route) => route.abort())
  await page.goto('/')
  const rows = firstScreen(page).locator('li')
  await expect(rows.first()).toBeVisible()
  await expect(rows.first()).toContainText(/EUR\/USD.*1\.\d{5}/)
  await expect(firstScreen(page).getByText('See how trading works')).toBeVisible()
})

test('a link to another screen does not flash the first one', async ({ page, complaints }) => {
  complaints.excuse(FAILED_SCRIPT)
  await page.route(SCRIPTS, (route) => route.abort())
  await page.goto('/#/register?invite_code=7')
  await expect(firstScreen(page)).toBeAttached()
  await expect(firstScreen(page)).toBeHidden()
})

test('the trade screen comes with the page, but no price of another instrument', async ({
  page,
  complaints,
}) => {
  complaints.excuse(FAILED_SCRIPT)
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

test('who has chosen another language does not see the first screen in this one', async ({
  page,
  complaints,
}) => {
  complaints.excuse(FAILED_SCRIPT)
  await page.addInitScript(() => localStorage.setItem('fairlot.language', 'hk'))
  await page.route(SCRIPTS, (route) => route.abort())
  await page.goto('/')
  await expect(firstScreen(page)).toBeHidden()
})

test('the app takes over without the rows ever being gone', async ({ page }) => {
  await page.addInitScript(watchRows)
  await page.goto('/')
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expect(firstScreen(page)).toHaveCount(0)
  expect(await page.evaluate('fewestRows')).toBeGreaterThanOrEqual(10)
})

/** The fewest rows that stood in the page at the end of any change to it, once the first were there. */
function watchRows(): void {
  const seen = globalThis as unknown as { fewestRows: number }
  seen.fewestRows = Infinity
  new MutationObserver(() => {
    const rows = document.querySelectorAll('li a').length
    if (rows >= 10 || seen.fewestRows < Infinity) seen.fewestRows = Math.min(seen.fewestRows, rows)
  }).observe(document, { childList: true, subtree: true })
}

test('moving prices render nothing, and touch only rows in sight', async ({ page }) => {
  await page.addInitScript(countCommits)
  await page.goto('/')
  // The app's own list: the page came with its first rows only.
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  await expect(firstScreen(page)).toHaveCount(0)
  await expectMoving(instrumentRow(page, 'EUR/USD'))
  const last = instrumentList(page).getByRole('link').last()
  await expect(last).toContainText(/\d/)
  await expect(page.locator('[data-way]').first()).toBeAttached()
  const lastBefore = await last.textContent()
  await page.evaluate(watchTexts)
  await page.evaluate('commits = 0')
  await expect.poll(() => page.evaluate('textChanges')).toBeGreaterThan(60)
  expect(await page.evaluate<number>('commits')).toBeLessThan(10)
  expect(await last.textContent()).toBe(lastBefore)

  await last.scrollIntoViewIfNeeded()
  await expectMoving(last)
})

/** React tells every commit to its developer tools, if there are any. */
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
