import type { Browser, Page } from '@playwright/test'
import { openHeldPrices } from '../testing/price-source.ts'
import type { ServerProcess } from '../testing/server-process.ts'
import { enterAs, logIn, openDemoAccount, openRealAccount } from './support/accounts.ts'
import { choose, notice, sideButton, startDemo, tab, ticket, valueOf } from './support/app.ts'
import { listenForComplaints } from './support/complaints.ts'
import { expect, testAlone as test } from './support/journey.ts'

const NAME = 'Harbour lights'

test('one trades, two copy with different amounts, and all three see it live', async ({
  page,
  start,
  browser,
}) => {
  test.slow()
  const prices = await openHeldPrices()
  prices.set('EURUSD', 1.1, 1.1)
  const server = await start({ FEED: prices.url, MARKET_HOURS: 'always' })
  await page.goto(server.url)
  await startDemo(page)
  const large = await another(browser)
  const small = await another(browser)

  await test.step('a demo account cannot publish until somebody registered names it as theirs', async () => {
    await page.goto(`${server.url}/#/mine/strategy`)
    await expect(page.getByRole('heading', { name: 'Open an account first' })).toBeVisible()
    const { address } = await openRealAccount(server)
    await page.goto(`${server.url}/#/login`)
    await logIn(page, address)
    await expect(page.getByRole('textbox', { name: 'Password' })).toHaveCount(0)
    await page.goto(`${server.url}/#/mine/strategy`)
    await page.getByRole('button', { name: 'It is mine: open it' }).click()
    await expect(page.getByRole('heading', { name: 'Publish your trading' })).toBeVisible()
  })
  await test.step('a trader publishes, after seeing what becomes public', async () => {
    await expect(page.getByText('What becomes public')).toBeVisible()
    await page.getByRole('textbox', { name: 'Name' }).fill(NAME)
    await page.getByRole('textbox', { name: 'Performance fee, percent' }).fill('20')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('Who copies you stays private.')).toBeVisible()
  })
  await test.step('two others find it and copy it, with 1,000 and with 100', async () => {
    await copyWith(large.page, server, '1000')
    await copyWith(small.page, server, '100')
    await page.reload()
    await expect(valueOf(page.getByRole('main'), 'Copiers')).toHaveText('2')
  })
  await test.step('a fill opens in the large copy, and is skipped in the small one with the reason', async () => {
    await page.goto(`${server.url}/#/trade?code=EURUSD`)
    await buy(page, '5')
    await expect(logOf(large.page).getByText('Buy 0.05 copied')).toBeVisible()
    await expect(logOf(large.page).getByText(`${NAME}: 5.00 at 1.10000 · you: 1.10000`)).toBeVisible()
    await expect(logOf(small.page).getByText('Buy skipped')).toBeVisible()
    await expect(
      logOf(small.page).getByText('Its size for your copy would be below the smallest lot.'),
    ).toBeVisible()
    await buy(page, '10')
    await expect(logOf(large.page).getByText('Buy 0.10 copied')).toBeVisible()
    await expect(logOf(small.page).getByText(/^Buy 0\.01 copied/)).toBeVisible()
  })
  await test.step('the trader closes half, and the copies follow to the nearest lot step', async () => {
    await tab(page, 'Orders').click()
    await page.getByRole('button', { name: 'Half: close Buy 5.00 of EUR/USD' }).first().click()
    await expect(notice(page, /^Closed 5\.00 at 1\.10000/)).toBeVisible()
    await expect(logOf(large.page).getByText('Buy reduced by 0.05')).toBeVisible()
    // Half of the smallest lot is none.
    await expect(logOf(small.page).getByText('Buy 0.01 closed')).toBeVisible()
  })
  await test.step('the trader is stopped out: the copies close on the same tick, and one ends', async () => {
    prices.set('EURUSD', 1.005, 1.005)
    await expect(page.getByText('No open position')).toBeVisible()
    await expect(logOf(large.page).getByText('Buy 0.05 closed')).toHaveCount(2)
    await expect(large.page.getByText('Copy stop loss', { exact: true }).first()).toBeVisible()
    await expect(valueOf(large.page.getByRole('main'), 'Returned')).toContainText('49.')
    await expect(small.page.getByText('No open position.')).toBeVisible()
  })
  await test.step('the ranking and the strategy show what copiers got', async () => {
    await page.goto(`${server.url}/#/mine/strategy`)
    await expect(valueOf(page.getByRole('main'), 'Copiers')).toHaveText('1')
    await page.getByRole('link', { name: 'See it as others do' }).click()
    await expect(page.getByRole('heading', { name: 'What copiers got' })).toBeVisible()
  })
  await test.step('a visitor sees the fills of a closed order', async () => {
    const address = page.url()
    const { page: visitor } = await another(browser)
    await visitor.goto(address)
    await visitor
      .getByRole('button', { name: /EUR\/USD/ })
      .first()
      .click()
    await expect(visitor.getByText('Receipt: opened')).toBeVisible()
    await expect(visitor.getByText('Receipt: closed').first()).toBeVisible()
    await visitor.context().close()
  })
  for (const { complaints, page: other } of [large, small]) {
    expect(complaints.received()).toEqual([])
    await other.context().close()
  }
  prices.close()
})

/** A browser of somebody else. */
async function another(browser: Browser) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  return { page: await context.newPage(), complaints: listenForComplaints(context) }
}

const logOf = (page: Page) => page.getByRole('list', { name: 'What was copied' })

async function copyWith(page: Page, server: ServerProcess, amount: string): Promise<void> {
  await enterAs(page, await openDemoAccount(server))
  await page.goto(`${server.url}/#/rank`)
  await choose(page, 'Demo')
  await page.getByRole('main').getByRole('link', { name: NAME }).click()
  await page.getByRole('link', { name: 'Copy', exact: true }).click()
  await page.getByRole('textbox', { name: 'Amount' }).fill(amount)
  await page.getByRole('textbox', { name: 'Exposure limit, times equity' }).fill('20')
  await page.getByRole('button', { name: 'Start copying' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText(/You can lose all of/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Start copying' }).click()
  await expect(page.getByText(`Nothing yet: the next order of ${NAME} appears here.`)).toBeVisible()
}

async function buy(page: Page, lots: string): Promise<void> {
  await ticket(page).getByRole('textbox', { name: 'Lots' }).fill(lots)
  await sideButton(page, 'Buy').click()
}
