import type { Locator, Page } from '@playwright/test'
import { instrumentList, notice, openTrade, openTradeAsDemo, sideButton, tab, ticket } from './support/app.ts'
import { expect, test } from './support/journey.ts'

const DONE = /^Bought 0\.01 EUR\/USD/

test.beforeEach(async ({ page, server }) => openTradeAsDemo(page, server))

test('a notice covers neither the price nor a button on any phone', async ({ page }) => {
  for (const [width, height] of [
    [390, 844],
    [320, 640],
    [844, 390],
  ] as const)
    await test.step(`${width} x ${height}`, async () => {
      await tab(page, 'Trade').click()
      await page.setViewportSize({ width, height })
      await sideButton(page, 'Buy').click()
      await expectClear(page, [
        page.getByTitle(/^Last price/),
        sideButton(page, 'Buy'),
        sideButton(page, 'Sell'),
        tab(page, 'Trade'),
      ])
      await page.goto('/#/order')
      await expectClear(page, [tab(page, 'Orders'), page.getByRole('heading', { name: 'Orders' })])
      const gap = (await boxOf(tab(page, 'Orders'))).y - bottomOf(await boxOf(doneNotice(page)))
      expect(gap, 'its distance from the tab bar').toBeLessThan(24)
      await page.mouse.move(0, 0)
      await expect(doneNotice(page)).toBeHidden()
    })
})

test('a phone in landscape shows the chart beside the ticket and both buttons', async ({ page }) => {
  await page.setViewportSize({ width: 844, height: 390 })
  for (const side of ['Buy', 'Sell'] as const)
    await expect(sideButton(page, side)).toBeInViewport({ ratio: 1 })
  for (const name of ['Lots', 'Stop loss', 'Take profit'])
    await expect(ticket(page).getByRole('textbox', { name })).toBeInViewport({ ratio: 1 })
  const chart = await boxOf(page.getByRole('img', { name: /^EUR\/USD, candles/ }))
  expect(chart.height).toBeGreaterThan(100)
  expect(chart.x + chart.width).toBeLessThanOrEqual((await boxOf(ticket(page))).x)
})

test('the narrowest phone shows the whole opened ticket', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await page.reload()
  await unfold(page)
  for (const name of ['Lots', 'Stop loss', 'Take profit'])
    await expect(ticket(page).getByRole('textbox', { name })).toBeInViewport({ ratio: 1 })
  await expect(ticket(page).getByText('Stopped out at')).toBeInViewport({ ratio: 1 })
  await expect(page.getByTitle(/^Last price/)).toBeInViewport({ ratio: 1 })
})

test('no field is so small that a phone zooms into it', async ({ browser, server }) => {
  const viewport = { width: 390, height: 844 }
  const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport })
  const phone = await context.newPage()
  await phone.goto(`${server.url}/#/register`)
  await expect(phone.getByRole('main').getByRole('textbox').first()).toBeVisible()
  const sizes = await phone.evaluate(() =>
    ['input', 'select', 'textarea'].map((name) => {
      const field = document.body.appendChild(document.createElement(name))
      field.className = 'text-body'
      return parseFloat(getComputedStyle(field).fontSize)
    }),
  )
  expect(sizes).toEqual([16, 16, 16])
  await context.close()
})

test('a wide screen shows notices at the foot of the list', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  // The phone's ticket stays in the page, hidden.
  await expect(page.getByRole('banner')).toBeVisible()
  await sideButton(page, 'Buy').click()
  const positions = page.getByRole('region', { name: 'Orders' })
  await expectClear(page, [
    page.getByRole('banner'),
    positions,
    ticket(page),
    page.getByRole('main').getByTitle(/^Last price/),
  ])
  await test.step('the header shows the stop-out level and all links', async () => {
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 768 })
      const head = page.getByRole('banner')
      await expect(head.getByText('Stop-out at 50')).toBeInViewport({ ratio: 1 })
      for (const name of ['Orders', 'Ranking', 'Copying', 'Funds', 'Account'])
        await expect(head.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
      await expect(head.getByRole('link', { name: 'News' })).toHaveCount(1)
      await expect(head.getByRole('link', { name: /^Notices/ })).toBeInViewport({ ratio: 1 })
    }
  })
  await positions.getByRole('button', { name: 'Details' }).click()
  await expect(page.getByRole('dialog', { name: 'EUR/USD', exact: true })).toBeVisible()
})

test('input is kept when the window becomes wide and narrow again', async ({ page }) => {
  await tab(page, 'Markets').click()
  await page.getByRole('searchbox', { name: 'Search instruments' }).fill('eur')
  await openTrade(page, 'EUR/USD')
  await lots(page).fill('0.07')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByRole('banner')).toBeVisible()
  await lots(page).fill('0.09')
  await page.getByRole('banner').getByRole('link', { name: 'Ranking' }).click()
  await page.getByRole('banner').getByRole('link', { name: 'Trade' }).click()
  await expect(lots(page)).toHaveValue('0.09')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('banner')).toBeHidden()
  await tab(page, 'Trade').click()
  await expect(lots(page)).toHaveValue('0.07')
  await tab(page, 'Markets').click()
  await expect(instrumentList(page).getByRole('link').first()).toContainText('EUR')
  await expect(page.getByRole('searchbox', { name: 'Search instruments' })).toHaveValue('eur')
})

test('hidden amounts are hidden on every screen', async ({ page }) => {
  await sideButton(page, 'Buy').click()
  await expect(notice(page, DONE)).toBeVisible()
  await page.goto('/#/user')
  await page.getByRole('button', { name: 'Hide amounts' }).click()
  for (const path of ['/', '/trade', '/order', '/user', '/mine/history']) {
    await page.goto(`/#${path}`)
    const main = page.getByRole('main')
    await expect(main.getByText('••••••').first()).toBeVisible()
    // The trade does not change the first digits of 100,000.
    await expect(main.getByText(/(100,0|99,9)\d\d\.\d\d/)).toHaveCount(0)
  }
})

const lots = (page: Page) => ticket(page).getByRole('textbox', { name: 'Lots' })
const doneNotice = (page: Page) => page.getByRole('dialog').filter({ hasText: DONE })
const unfold = (page: Page) => page.getByRole('button', { name: 'Expand the ticket' }).click()

type Box = { x: number; y: number; width: number; height: number }

const bottomOf = ({ y, height }: Box): number => y + height

async function boxOf(place: Locator): Promise<Box> {
  await expect(place).toBeVisible()
  const box = await place.boundingBox()
  if (!box) throw new Error('the element has no bounding box')
  return box
}

/** Compares all of them while the pointer keeps the notice open; otherwise it disappears after four seconds. */
async function expectClear(page: Page, places: readonly Locator[]): Promise<void> {
  await doneNotice(page).hover()
  const elements = await Promise.all(places.map((place) => place.elementHandle()))
  const covered = () =>
    doneNotice(page).evaluate((notice, others) => {
      const own = notice.getBoundingClientRect()
      return others.flatMap((other) => {
        const box = other?.getBoundingClientRect()
        const isApart =
          !box ||
          own.right <= box.left ||
          box.right <= own.left ||
          own.bottom <= box.top ||
          box.bottom <= own.top
        return isApart ? [] : [other?.textContent]
      })
    }, elements)
  await expect.poll(covered, { message: 'what the notice hides' }).toEqual([])
}
