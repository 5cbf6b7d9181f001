import { listLedgerRecords, listOrders } from '@fairlot/contract'
import type { Locator, Page } from '@playwright/test'
import { apiAs, apiOf, tokenOf } from './support/api.ts'
import {
  choose,
  expectMoving,
  instrumentList,
  instrumentRow,
  notice,
  openOrder,
  openTrade,
  sideButton,
  startDemo,
  tab,
  ticket,
  valueOf,
} from './support/app.ts'
import { figureOf, inCents, moneyIn, unitsIn } from './support/figures.ts'
import { holdBack } from './support/hold-back.ts'
import { expect, test } from './support/journey.ts'

const BEGINNING = 100_000_000_000n
const CLOSE_WITH = /^Close [+−]?[\d,.]+$/

test('a visitor watches, searches and filters the markets', async ({ page }) => {
  const answer = await holdBack(page, '**/v1/api/forex/trade_list*')
  await page.goto('/')
  // The page itself contains them.
  await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  answer()

  await test.step('prices move without a reload', async () => {
    await expectMoving(instrumentRow(page, 'EUR/USD'))
    await expect(instrumentRow(page, 'EUR/USD')).toContainText(/1\.\d{5}/)
    await expect(page.getByText('Simulated', { exact: true })).toBeVisible()
    await expect(page.getByRole('img', { name: 'EUR/USD, last 60 bars' })).toBeVisible()
  })
  await test.step('the search finds by code and by name and reports no match', async () => {
    const search = page.getByRole('searchbox', { name: 'Search instruments' })
    await search.fill('eur usd')
    await expect(instrumentList(page).getByRole('link')).toHaveCount(1)
    await search.fill('bitcoin')
    await expect(instrumentRow(page, 'BTC/USD')).toBeVisible()
    await search.fill('nothing like it')
    await expect(page.getByText('No instrument matches “nothing like it”')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect(instrumentList(page).getByRole('link')).toHaveCount(55)
  })
  await test.step('a category shows only its instruments', async () => {
    const chips = page.getByRole('group', { name: 'Categories' })
    await chips.getByRole('button', { name: 'Crypto' }).click()
    await expect(instrumentRow(page, 'BTC/USD')).toBeVisible()
    await expect(instrumentRow(page, 'EUR/USD')).toBeHidden()
    await chips.getByRole('button', { name: 'All' }).click()
    await expect(instrumentRow(page, 'EUR/USD')).toBeVisible()
  })
})

test('a visitor opens a demo, trades, and sees the result booked', async ({ page, server }) => {
  test.slow()
  await page.goto('/')
  await startDemo(page)
  await expect(valueOf(page.getByRole('main'), 'Equity')).toHaveText('100,000.00')
  await openTrade(page, 'EUR/USD')
  await test.step('buys at the market', () => buyOneLot(page))
  const opened = await test.step('sees the position move', () => watchPosition(page))
  await test.step('sets stops', () => setStops(page, opened))
  await test.step('closes it', () => close(page, opened))
  const { fee, profit } = await test.step('finds it in the history', () => readHistory(page))
  await test.step('sees it booked to the last digit', () => expectBooked(page, fee, profit))
  await test.step('resets the demo account', () => resetDemo(page))
  const token = await tokenOf(page)
  await test.step('logs out', () => logOut(page))
  const late = await apiOf(server.url, token).try(listOrders, {
    list: 'history',
    page: 1,
    before: null,
    copyId: null,
  })
  expect(late).toMatchObject({ ok: false, reason: 'sessionGone' })
})

test('a trader trades in the workspace of a wide screen', { tag: '@desktop-only' }, async ({ page }) => {
  await page.goto('/')
  await startDemo(page)
  await expectMoving(instrumentRow(page, 'EUR/USD'))
  await instrumentRow(page, 'Gold').click()
  await expect(page.getByRole('img', { name: /^Gold, candles of 5 minutes/ })).toBeVisible()
  await ticket(page).getByRole('textbox', { name: 'Lots' }).fill('0.1')
  await sideButton(page, 'Sell').click()
  await expect(notice(page, /^Sold 0.10 Gold at/)).toBeVisible()
  const row = page.getByRole('main').getByRole('row', { name: /Gold Sell 0.10/ })
  await expectMoving(row)
  await row.getByRole('button', { name: 'Details' }).click()
  const opened = page.getByRole('dialog', { name: 'Gold', exact: true })
  await expect(opened.getByRole('heading', { name: 'Receipt: opened' })).toBeVisible()
  await close(page, opened)
  await expect(row).toBeHidden()
  await choose(page.getByRole('main'), 'History')
  await expect(
    page.getByRole('main').getByRole('row', { name: /Gold Sell 0.10 .*Closed by you/ }),
  ).toBeVisible()
})

async function buyOneLot(page: Page): Promise<void> {
  await ticket(page).getByRole('textbox', { name: 'Lots' }).fill('1')
  expect(moneyIn(await valueOf(ticket(page), 'Margin').innerText())).toBeGreaterThan(0n)
  expect(moneyIn(await valueOf(ticket(page), 'Fee').innerText())).toBeGreaterThan(0n)
  await expect(valueOf(ticket(page), 'Free margin')).toHaveText('100,000.00')
  await sideButton(page, 'Buy').click()
  await expect(notice(page, /^Bought 1.00 EUR\/USD at 1\.\d{5}/)).toBeVisible()
}

async function watchPosition(page: Page): Promise<Locator> {
  await tab(page, 'Orders').click()
  await expect(page.getByRole('radio', { name: 'Positions 1' })).toBeChecked()
  const row = page.getByRole('main').getByRole('button', { name: /EUR\/USD Buy 1.00/ })
  await expectMoving(row)
  const opened = await openOrder(page, 'EUR/USD', 'Buy 1.00')
  await expectMoving(profitOf(opened))
  return opened
}

/** The result at the head of an order sheet. */
const profitOf = (opened: Locator): Locator => opened.getByText(/^[+−]?[\d,]+\.\d{6}$/).first()

async function setStops(page: Page, opened: Locator): Promise<void> {
  const now = unitsIn(await valueOf(opened, 'Closes now at').innerText(), 5)
  const [stopLoss, takeProfit] = [figureOf(now - 2_000n, 5), figureOf(now + 2_000n, 5)]
  await opened.getByRole('button', { name: 'Set stops' }).click()
  await opened.getByRole('textbox', { name: 'Stop loss' }).fill(stopLoss)
  await opened.getByRole('textbox', { name: 'Take profit' }).fill(takeProfit)
  await opened.getByRole('button', { name: 'Save stops' }).click()
  await expect(notice(page, 'Stops saved.')).toBeVisible()
  await expect(valueOf(opened, 'Stop loss')).toHaveText(stopLoss)
  await expect(valueOf(opened, 'Take profit')).toHaveText(takeProfit)
}

async function close(page: Page, opened: Locator): Promise<void> {
  await opened.getByRole('button', { name: CLOSE_WITH }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: CLOSE_WITH }).click()
  await expect(notice(page, /^Closed at [\d.,]+\. Booked [+−]?[\d,.]+\.$/)).toBeVisible()
  await expect(opened).toBeHidden()
}

async function readHistory(page: Page): Promise<{ fee: bigint; profit: bigint }> {
  await expect(page.getByText('No open position')).toBeVisible()
  await choose(page, 'History')
  const opened = await openOrder(page, 'EUR/USD', 'Buy 1.00')
  await expect(valueOf(opened, 'End reason')).toHaveText('Closed by you')
  await expect(opened.getByRole('heading', { name: 'Receipt: opened' })).toBeVisible()
  await expect(opened.getByRole('heading', { name: 'Receipt: closed' })).toBeVisible()
  const profit = moneyIn(await profitOf(opened).innerText())
  const fee = moneyIn(await valueOf(opened, 'Opening fee').innerText())
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
  return { fee, profit }
}

async function expectBooked(page: Page, fee: bigint, profit: bigint): Promise<void> {
  const balance = BEGINNING - fee + profit
  await page.getByRole('link', { name: 'Account', exact: true }).click()
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(valueOf(page.getByRole('main'), 'Available balance')).toHaveText(inCents(balance))
  // Closing at the opening price books no result.
  const booked = [profit, -fee, BEGINNING].filter((amount) => amount !== 0n)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(booked.length)
  const shown = await rows.getByText(/^[+−][\d,]+\.\d{2}$/).allInnerTexts()
  expect(shown.map((text) => text.replace('+', ''))).toEqual(booked.map(inCents))
  await expect(rows.first()).toContainText(`Balance ${inCents(balance)}`)
  const { records } = await (
    await apiAs(page)
  ).request(listLedgerRecords, { page: 1, before: null, group: null })
  expect(records.map(({ amount }) => amount)).toEqual(booked)
  expect(records[0]?.balance).toBe(balance)
}

async function resetDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Reset demo account' }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Reset/ })
    .click()
  await expect(notice(page, 'Demo account reset. It has its starting balance.')).toBeVisible()
  await expect(valueOf(page.getByRole('main'), 'Balance')).toHaveText('100,000.00')
}

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Log out' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('checkbox', { name: 'Keep this demo account on this device' }).uncheck()
  await expect(dialog).toContainText('cannot be opened again')
  await dialog.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL(/#\/$/)
  await expect(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  await page.goto('/#/user')
  await expect(page).toHaveURL(/#\/login\?from=%2Fuser$/)
}
