import { getFigures } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, openApp, PHONES, settled, withFakeServer } from '../testing/app.tsx'
import { answer } from '../testing/fake-server.ts'
import { openOrders } from '../testing/orders.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

const button = (name: string | RegExp) => page.getByRole('button', { name })

/** Opens the trade screen with the ticket expanded. */
async function enterTicket(): Promise<void> {
  await openApp('/trade')
  await expect.element(button('Collapse the ticket')).toBeVisible()
}

test.each(PHONES)(
  'on %i x %i the ticket shows its buttons, its warning and the chart, however often it is collapsed',
  async (width, height) => {
    await enterTicket()
    await page.viewport(width, height)
    for (let round = 0; round < 3; round += 1) {
      await expectFullyVisible(/^Sell .* at/, /^Buy .* at/)
      await expect.element(page.getByText('You can lose more quickly than you think.')).toBeVisible()
      await expect.poll(() => chartBox().height).toBeGreaterThanOrEqual(72)
      await expect.poll(() => Math.abs(chartBox().bottom - ticketBox().top)).toBeLessThan(2)
      await button('Collapse the ticket').click()
      await expectFullyVisible(/^Sell .* at/, /^Buy .* at/)
      await button('Tall chart').click()
      await expectFullyVisible(/^Sell .* at/, /^Buy .* at/)
      await button('Chart with ticket').click()
      await expectFullyVisible(/^Sell .* at/, /^Buy .* at/)
      await button('Tall chart').click()
      // Opens from the tall chart, too.
      await button('Expand the ticket').click()
    }
  },
)

test.each(PHONES)(
  'on %i x %i the longest ticket scrolls, and hides neither its buttons nor its warning nor the chart',
  async (width, height) => {
    answer(getFigures, sample.figuresWithPosition())
    await openApp('/trade', { as: 'demo' })
    await choose('Pending')
    await page.getByRole('textbox', { name: /^Open at/ }).fill('1.08')
    await page.getByRole('textbox', { name: /^Stop loss/ }).fill('1.07')
    await expect.element(page.getByText('Stopped out at')).toBeVisible()
    await page.viewport(width, height)
    await expectFullyVisible(/^Sell stop/, /^Buy limit/)
    const warning = page.getByText('You can lose more quickly than you think.')
    await expect.poll(() => warning.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(tabsTop())
    await expect.poll(() => chartBox().height).toBeGreaterThanOrEqual(72)
    await button('Collapse the ticket').click()
    await button('Expand the ticket').click()
    await expectFullyVisible(/^Sell stop/, /^Buy limit/)
  },
)

const chartBox = () =>
  page
    .getByRole('img', { name: /candles/ })
    .element()
    .getBoundingClientRect()
const ticketBox = () => page.getByRole('region', { name: 'Order ticket' }).element().getBoundingClientRect()
const tabsTop = () =>
  page.getByRole('navigation', { name: 'Main screens' }).element().getBoundingClientRect().top

/** The buttons that are fully visible above the tab bar. */
async function expectFullyVisible(...names: readonly RegExp[]): Promise<void> {
  for (const name of names) {
    await expect.element(button(name)).toBeVisible()
    await expect
      .poll(() => button(name).element().getBoundingClientRect().bottom)
      .toBeLessThanOrEqual(tabsTop())
  }
}

test.each(['visitor', 'demo'] as const)(
  'a phone of 390 x 664 shows a %s every line of the open ticket',
  async (as) => {
    answer(getFigures, sample.figuresWithPosition())
    await openApp('/trade', { as })
    await expect.element(button('Collapse the ticket')).toBeVisible()
    await page.viewport(390, 664)
    await settled()
    const lines = page
      .getByRole('region', { name: 'Order ticket' })
      .element()
      .querySelectorAll('p, dt, dd, label')
    const floor = page
      .getByRole('button', { name: /^Sell .* at/ })
      .element()
      .getBoundingClientRect().top
    const warning = 'You can lose more quickly than you think.'
    for (const line of lines) {
      const { height, bottom } = line.getBoundingClientRect()
      if (height > 0)
        expect(bottom, line.textContent).toBeLessThanOrEqual(line.textContent === warning ? tabsTop() : floor)
    }
    await expect.element(page.getByText(/night/i).first()).toBeVisible()
  },
)

const isFullyVisible = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect()
  return top >= 0 && bottom <= tabsTop()
}

test('a phone in landscape shows instruments on its first screen', async () => {
  await openApp('/', { as: 'demo', size: [844, 390] })
  const rows = page.getByRole('list', { name: 'Instruments' }).getByRole('link')
  await expect.element(rows.first()).toBeVisible()
  await settled()
  expect(rows.elements().filter(isFullyVisible).length).toBeGreaterThanOrEqual(2)
})

test('a phone in landscape shows orders on the orders screen', async () => {
  await openOrders({ holding: [sample.position(), sample.goldPosition()] })
  await page.viewport(844, 390)
  const rows = page.getByRole('main').getByRole('listitem')
  await expect.element(rows.first()).toBeVisible()
  await settled()
  expect(rows.elements().filter(isFullyVisible).length).toBeGreaterThanOrEqual(1)
})

test('the chevron of an order in the history is beside its text on the narrowest phone', async () => {
  await openOrders({
    history: [sample.closedOrder({ endReason: 'stopOut', profit: sample.amount('-12345.678901') })],
  })
  await page.viewport(320, 568)
  await choose('History')
  const row = page.getByRole('main').getByRole('listitem').getByRole('button').first()
  await expect.element(row).toBeVisible()
  const chevron = row
    .element()
    .querySelector('svg.lucide-chevron-right')
    ?.parentElement?.getBoundingClientRect()
  const label = row.getByText('EUR/USD').element().getBoundingClientRect()
  const { height, top, right } = row.element().getBoundingClientRect()
  expect(chevron?.right).toBeGreaterThan(right - 24)
  expect(Math.abs((chevron?.top ?? 0) + 8 - (top + height / 2))).toBeLessThan(3)
  expect(label.right).toBeLessThan(chevron?.left ?? 0)
})
