import { listOrders, type OrderView } from '@fairlot/contract'
import type { Locator, Page } from '@playwright/test'
import { apiAs } from './support/api.ts'
import {
  choose,
  notice,
  openOrder,
  openTradeAsDemo,
  sideButton,
  tab,
  ticket,
  valueOf,
} from './support/app.ts'
import { figureOf, moneyIn, unitsIn } from './support/figures.ts'
import { expect, test } from './support/journey.ts'

const DECIMALS = 5

test.beforeEach(async ({ page, server }) => openTradeAsDemo(page, server))

test('a trader closes parts of a position, and each part leads to it', async ({ page }) => {
  await open(page, 'Buy', '0.10')
  await tab(page, 'Orders').click()
  const opened = await openOrder(page, 'EUR/USD', 'Buy 0.10')
  await test.step('a share is rounded to the lot step', async () => {
    await opened.getByRole('button', { name: 'Close part' }).click()
    const shares = opened.getByRole('group', { name: 'Share of the position' })
    const lots = opened.getByRole('textbox', { name: 'Lots to close' })
    for (const [share, text] of [
      ['25 %', '0.03'],
      ['50 %', '0.05'],
      ['75 %', '0.08'],
    ] as const) {
      await shares.getByRole('button', { name: share.replace(' ', '\u202f') }).click()
      await expect(lots).toHaveValue(text)
    }
    await lots.fill('0.095')
    await expect(lots).toHaveAccessibleDescription('Lots must be a multiple of 0.01.')
    await expect(opened.getByRole('button', { name: 'Close 0.095' })).toBeDisabled()
    await lots.fill('0.04')
  })
  await test.step('the part closes and the rest stays open', async () => {
    await opened.getByRole('button', { name: 'Close 0.04', exact: true }).click()
    await expect(notice(page, /^Closed 0\.04 at 1\.\d{5}\. Booked .* 0\.06 stays open\.$/)).toBeVisible()
    await expect(opened.getByText('Buy 0.06')).toBeVisible()
  })
  await page.keyboard.press('Escape')
  await expect(opened).toBeHidden()
  await test.step('the half button on the card closes half', async () => {
    await page.getByRole('button', { name: 'Half: close Buy 0.03 of EUR/USD' }).click()
    await expect(notice(page, /^Closed 0\.03 at .* 0\.03 stays open\.$/)).toBeVisible()
    await expect(card(page, 'Buy 0.03')).toBeVisible()
  })
  const position = (await orders(page, 'holding'))[0]
  await choose(page, 'History')
  await test.step('each part names its position and leads to it', async () => {
    const part = await openOrder(page, 'EUR/USD', `Part of no. ${position?.id}`)
    await part.getByRole('button', { name: 'Show the position' }).click()
    await expect(part.getByText(`No. ${position?.id} ·`)).toBeVisible()
    await expect(part.getByRole('heading', { name: 'Receipt: opened' })).toBeVisible()
    await part.getByRole('button', { name: 'Back to the part' }).click()
    await expect(part.getByText(`Part of no. ${position?.id}`)).toBeVisible()
  })
})

test('the browser verifies receipts and detects a forged one', async ({ page }) => {
  await open(page, 'Sell', '0.10')
  await tab(page, 'Orders').click()
  await page.getByRole('button', { name: 'Close Sell 0.10 EUR/USD' }).click()
  await expect(notice(page, /^Closed at/)).toBeVisible()
  await choose(page, 'History')
  const opened = await openOrder(page, 'EUR/USD', 'Sell 0.10')
  await expect(valueOf(opened, 'End reason')).toHaveText('Closed by you')
  for (const name of ['Receipt: opened', 'Receipt: closed'])
    await test.step(name, async () => {
      const receipt = receiptOf(opened, name)
      await receipt.getByRole('button', { name: 'Check this receipt' }).click()
      await expect(receipt.getByRole('status')).toContainText('This receipt is genuine')
      await expect(receipt.locator('pre')).toHaveText(/^[0-9a-f]{64}\{"number":\d+,"at":\d+,"event":/)
      const onReceipt = await valueOf(receipt, 'Hash on the receipt').innerText()
      await expect(valueOf(receipt, 'Hash calculated on this device')).toHaveText(onReceipt)
    })
  await test.step('the second is chained to the first', async () => {
    const first = await valueOf(receiptOf(opened, 'Receipt: opened'), 'Hash on the receipt').innerText()
    const second = await receiptOf(opened, 'Receipt: closed').locator('pre').innerText()
    expect(second.startsWith(first)).toBe(true)
  })
  await test.step('a changed price fails verification', async () => {
    await page.route('**/v1/api/forex/receipts?*', async (route) => {
      const answer = await route.fetch()
      const forged = (await answer.text()).replaceAll(/(filledPrice\\":1)\d/g, '$19')
      await route.fulfill({ response: answer, body: forged })
    })
    const receipt = receiptOf(opened, 'Receipt: closed')
    await receipt.getByRole('button', { name: 'Check this receipt' }).click()
    await expect(receipt.getByRole('status')).toContainText('The hash does not match')
  })
})

test('a trader reverses a position', async ({ page }) => {
  await open(page, 'Buy', '0.20')
  await tab(page, 'Orders').click()
  const opened = await openOrder(page, 'EUR/USD', 'Buy 0.20')
  await opened.getByRole('button', { name: 'Reverse' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText(
    /Buy 0\.20 lots closes at about 1\.\d{5} and books [+−]?\d+\.\d{2}\. Sell 0\.20 lots opens at the same price/,
  )
  await question.getByRole('button', { name: 'Reverse' }).click()
  await expect(notice(page, /^Reversed: Sell 0\.20 opened at 1\.\d{5}\.$/)).toBeVisible()
  await expect(opened).toBeHidden()
  await expect(card(page, 'Sell 0.20')).toBeVisible()
  await expect(card(page, 'Buy 0.20')).toBeHidden()
})

test('a trailing stop follows the price', async ({ page }) => {
  await open(page, 'Buy', '0.10')
  await open(page, 'Sell', '0.10')
  await tab(page, 'Orders').click()
  // Any price move is favourable for one of the two.
  for (const side of ['Buy', 'Sell']) {
    const opened = await openOrder(page, 'EUR/USD', `${side} 0.10`)
    await trail(page, opened, '0.01000')
    await expect(valueOf(opened, 'Trailing distance')).toHaveText('0.01000')
    await page.keyboard.press('Escape')
    await expect(opened).toBeHidden()
  }
  const [falling, rising] = [await stopOf(page, 0), await stopOf(page, 1)]
  const hasMoved = async () => (await stopOf(page, 0)) < falling || (await stopOf(page, 1)) > rising
  await expect.poll(hasMoved, { timeout: 20_000 }).toBe(true)
})

test('a trailing stop keeps its level when trailing is turned off', async ({ page }) => {
  await open(page, 'Buy', '0.10')
  await tab(page, 'Orders').click()
  const opened = await openOrder(page, 'EUR/USD', 'Buy 0.10')
  await opened.getByRole('button', { name: 'Trail stop' }).click()
  await opened.getByRole('textbox', { name: 'Distance in price' }).fill('0.00001')
  await opened.getByRole('button', { name: 'Start trailing', exact: true }).click()
  const distance = opened.getByRole('textbox', { name: 'Distance in price' })
  await expect(distance).toHaveAccessibleDescription(/distance must be 0\.\d{5} or more/)
  await opened.getByRole('button', { name: 'Back' }).click()
  await trail(page, opened, '0.02000')
  await expect(valueOf(opened, 'Trailing distance')).toHaveText('0.02000')
  await opened.getByRole('button', { name: 'Trail stop' }).click()
  await opened.getByRole('button', { name: 'Stop trailing' }).click()
  await expect(notice(page, /^Trailing stopped\. The stop loss stays at 1\.\d{5}\.$/)).toBeVisible()
  await expect(opened.getByText('Trailing distance')).toBeHidden()
  const [order] = await orders(page, 'holding')
  expect(order).toMatchObject({ trailingDistance: null, stopLoss: expect.any(Number) })
})

test('a trader closes everything at once', async ({ page }) => {
  await open(page, 'Buy', '0.10')
  await open(page, 'Sell', '0.30')
  await tab(page, 'Orders').click()
  await page.getByRole('button', { name: 'Close all' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Close all 2 positions?')
  await question.getByRole('button', { name: 'Close all' }).click()
  await expect(notice(page, /^Closed 2 positions\. Booked [+−]?\d+\.\d{2}\.$/)).toBeVisible()
  await expect(page.getByText('No open position')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Close all' })).toBeHidden()
  const ended = await orders(page, 'history')
  expect(ended.map(({ lots, endReason }) => [lots, endReason])).toEqual([
    [3_000, 'user'],
    [1_000, 'user'],
  ])
  await choose(page, 'History')
  const booked = ended.reduce((sum, { profit }) => sum + profit, 0n)
  const shown = valueOf(page.getByRole('main'), 'Booked in history')
  await expect(shown).toHaveText(`${booked > 0n ? '+' : ''}${figureOf(booked, 6)}`)
  expect(moneyIn(await shown.innerText())).toBe(booked)
})

async function open(page: Page, side: 'Buy' | 'Sell', lots: string): Promise<void> {
  await ticket(page).getByRole('textbox', { name: 'Lots' }).fill(lots)
  await sideButton(page, side).click()
  const done = side === 'Buy' ? 'Bought' : 'Sold'
  await expect(notice(page, new RegExp(`^${done} ${lots} EUR/USD`))).toBeVisible()
}

const card = (page: Page, besides: string): Locator =>
  page.getByRole('main').getByRole('button', { name: 'EUR/USD' }).filter({ hasText: besides })

const receiptOf = (opened: Locator, name: string): Locator =>
  opened.locator('section').filter({ has: opened.page().getByRole('heading', { name }) })

async function trail(page: Page, opened: Locator, distance: string): Promise<void> {
  await opened.getByRole('button', { name: 'Trail stop' }).click()
  await opened.getByRole('textbox', { name: 'Distance in price' }).fill(distance)
  await opened.getByRole('button', { name: 'Start trailing', exact: true }).click()
  await expect(notice(page, /^Trailing stop set\. It is at 1\.\d{5} now\.$/).first()).toBeVisible()
}

/** The stop on a card of the list, in ticks. */
const stopOf = async (page: Page, at: number): Promise<bigint> =>
  unitsIn(await page.getByRole('main').getByText('Trailing stop at').nth(at).innerText(), DECIMALS)

const orders = async (page: Page, list: 'holding' | 'history'): Promise<readonly OrderView[]> =>
  (await (await apiAs(page)).request(listOrders, { list, page: 1, before: null, copyId: null })).orders
