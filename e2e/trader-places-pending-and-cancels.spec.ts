import { listLedgerRecords, listOrders, readEnvelope, submitOrder } from '@fairlot/contract'
import type { Locator, Page, Request } from '@playwright/test'
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
import { expect, test } from './support/journey.ts'

test.beforeEach(async ({ page, server }) => openTradeAsDemo(page, server))

test('a trader places a pending order and cancels it', async ({ page }) => {
  await choose(ticket(page), 'Pending')
  await test.step('the kind follows from the side of the market', async () => {
    await field(page, 'Open at').fill('1.2')
    await expect(sideButton(page, 'Buy')).toHaveAccessibleName(/^Buy stop: .* 1\.20000/)
    await expect(sideButton(page, 'Sell')).toHaveAccessibleName(/^Sell limit: .* 1\.20000/)
    await field(page, 'Open at').fill('1.05')
    await expect(sideButton(page, 'Buy')).toHaveAccessibleName(/^Buy limit: .* 1\.05000/)
    await expect(sideButton(page, 'Sell')).toHaveAccessibleName(/^Sell stop: .* 1\.05000/)
  })
  await test.step('margin and fee are computed at the target price', async () => {
    await field(page, 'Lots').fill('0.5')
    await expect(valueOf(ticket(page), 'Margin')).toHaveText('1,750.000000')
    await expect(valueOf(ticket(page), 'Fee')).toHaveText('1.75')
  })
  await test.step('a double click places one order', () => placeTwice(page))
  await tab(page, 'Orders').click()
  await choose(page, 'Pending 1')
  await expect(freeMargin(page)).toHaveText('98,248.25')
  const opened = await openOrder(page, 'EUR/USD', 'waits for 1.05000')
  await expect(valueOf(opened, 'Requested price')).toHaveText('1.05000')
  await expect(opened.getByRole('heading', { name: 'Receipt: placed' })).toBeVisible()
  await test.step('cancelling releases the reserve', async () => {
    await opened.getByRole('button', { name: 'Cancel order' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('1,750.00 of reserved margin and 1.75 of reserved fee')
    await question.getByRole('button', { name: 'Cancel order' }).click()
    await expect(notice(page, 'Order cancelled. Nothing was booked.')).toBeVisible()
    await expect(opened).toBeHidden()
    await expect(page.getByText('No pending order')).toBeVisible()
    await expect(freeMargin(page)).toHaveText('100,000.00')
  })
  await choose(page, 'History')
  const ended = await openOrder(page, 'EUR/USD', 'Buy 0.50')
  await expect(valueOf(ended, 'End reason')).toHaveText('Cancelled by you')
  const { total } = await (
    await apiAs(page)
  ).request(listLedgerRecords, { page: 1, before: null, group: null })
  expect(total, 'only the opening balance is booked').toBe(1)
})

test('numbers are understood in any digits, and one with two readings is asked about', async ({ page }) => {
  const sent = submissions(page)
  await choose(ticket(page), 'Pending')
  await test.step('of two prices the one near the market is meant', async () => {
    await field(page, 'Open at').fill('1,234')
    await field(page, 'Open at').blur()
    await expect(field(page, 'Open at')).toHaveValue('1.234')
  })
  await test.step('lots that may be a thousand times as many are not sent, and chosen by one press', async () => {
    await field(page, 'Lots').fill('1,234')
    await sideButton(page, 'Buy').click()
    await expect(field(page, 'Lots')).toHaveAccessibleDescription('Do you mean 1234 or 1.234?')
    expect(sent).toEqual([])
    await ticket(page).getByRole('button', { name: '1.234', exact: true }).click()
    await expect(field(page, 'Lots')).toHaveValue('1.234')
  })
  await test.step('Arabic digits are the price and the lots', async () => {
    await field(page, 'Open at').fill('١٫٠٥')
    await field(page, 'Lots').fill('٠٫٥')
    await expect(sideButton(page, 'Buy')).toHaveAccessibleName(/^Buy limit: .* 1\.05000/)
    await expect(valueOf(ticket(page), 'Margin')).toHaveText('1,750.000000')
  })
  await test.step('the field shows how it was understood once it is left', async () => {
    await field(page, 'Lots').blur()
    await expect(field(page, 'Lots')).toHaveValue('0.5')
    await expect(field(page, 'Open at')).toHaveValue('1.05')
  })
})

test('invalid input is explained at its field and not sent', async ({ page }) => {
  const sent = submissions(page)
  await test.step('lots', async () => {
    await expectProblem(page, 'Lots', '0.015', 'Lots must be a multiple of 0.01; 0.015 is not.')
    await expectProblem(page, 'Lots', '0', 'At least 0.01 lots.')
    await expectProblem(page, 'Lots', '1000', 'At most 100.00 lots.')
    await expectProblem(page, 'Lots', '1e2', 'Enter lots as a number such as 0.01.')
  })
  await test.step('not enough free margin', async () => {
    await field(page, 'Lots').fill('100')
    const alert = ticket(page).getByRole('alert')
    await expect(alert).toContainText(
      /your free margin is 100,000\.00\. Up to \d\d\.\d\d lots are possible\./,
    )
    await sideButton(page, 'Buy').click()
    await expect(alert).toBeVisible()
    await field(page, 'Lots').fill('0.01')
    await expect(alert).toBeHidden()
  })
  await test.step('a stop on the wrong side', async () => {
    await field(page, 'Stop loss').fill('1.2')
    await sideButton(page, 'Buy').click()
    await expect(field(page, 'Stop loss')).toHaveAccessibleDescription(/^For a buy, 1\.\d{5} or lower\.$/)
    await field(page, 'Stop loss').fill('')
  })
  await test.step('a pending order without its price', async () => {
    await choose(ticket(page), 'Pending')
    await sideButton(page, 'Sell').click()
    await expect(field(page, 'Open at')).toHaveAccessibleDescription('Enter a target price.')
  })
  expect(sent).toEqual([])
  const { total } = await (
    await apiAs(page)
  ).request(listOrders, { list: 'holding', page: 1, before: null, copyId: null })
  expect(total).toBe(0)
})

test('a stop rejected by the server is explained at its field and changes nothing', async ({ page }) => {
  await sideButton(page, 'Sell').click()
  await expect(notice(page, /^Sold 0.01 EUR\/USD/)).toBeVisible()
  await tab(page, 'Orders').click()
  const opened = await openOrder(page, 'EUR/USD', 'Sell 0.01')
  await opened.getByRole('button', { name: 'Set stops' }).click()
  const stopLoss = opened.getByRole('textbox', { name: 'Stop loss' })
  await stopLoss.fill('1.05')
  await opened.getByRole('button', { name: 'Save stops' }).click()
  await expect(stopLoss).toHaveAccessibleDescription(/stop loss.*1\.\d{5}/i)
  await expect(stopLoss).toHaveAttribute('aria-invalid', 'true')
  await opened.getByRole('button', { name: 'Back' }).click()
  await expect(valueOf(opened, 'Stop loss')).toHaveText('none')
})

const field = (page: Page, name: string): Locator => ticket(page).getByRole('textbox', { name })

const freeMargin = (page: Page): Locator => valueOf(page.getByRole('main'), 'Free margin')

const isSubmission = (request: Request): boolean => new URL(request.url()).pathname === submitOrder.path

/** Every order request that the page sends from now on. */
function submissions(page: Page): Request[] {
  const sent: Request[] = []
  page.on('request', (request) => isSubmission(request) && sent.push(request))
  return sent
}

async function expectProblem(page: Page, name: string, text: string, sentence: string): Promise<void> {
  await field(page, name).fill(text)
  await sideButton(page, 'Buy').click()
  await expect(field(page, name)).toHaveAccessibleDescription(sentence)
  await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true')
}

/** A double click sends one request with an idempotency key; repeating that request returns the same order. */
async function placeTwice(page: Page): Promise<void> {
  const sent = submissions(page)
  const answered = page.waitForResponse((response) => isSubmission(response.request()))
  await sideButton(page, 'Buy').dblclick()
  await expect(notice(page, /^Buy limit 0.50 EUR\/USD waits for 1.05000/)).toBeVisible()
  expect(sent).toHaveLength(1)
  const response = await answered
  const request = response.request()
  const { authorization = '', 'idempotency-key': name = '' } = request.headers()
  expect(name).not.toBe('')
  const again = await page.request.post(request.url(), {
    headers: { authorization, 'idempotency-key': name, 'content-type': 'application/json', lang: 'en' },
    data: request.postData() ?? '',
  })
  const orderIn = (body: unknown) => {
    const read = readEnvelope(submitOrder.response, body)
    return read?.ok ? read.value.id : null
  }
  const placed = orderIn(await response.json())
  expect(placed).not.toBeNull()
  expect(orderIn(await again.json())).toBe(placed)
  const { total } = await (
    await apiAs(page)
  ).request(listOrders, { list: 'pending', page: 1, before: null, copyId: null })
  expect(total).toBe(1)
}
