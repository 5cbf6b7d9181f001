import type { Locator, Page } from '@playwright/test'
import ar from '../apps/web/src/i18n/messages/ar.json' with { type: 'json' }
import { choose, expectMoving, valueOf } from './support/app.ts'
import { expect, test } from './support/journey.ts'
import { sidewaysOverflow } from './support/layout.ts'

/** The words of a text around its arguments, with anything in their places. */
const saying = (text: string): RegExp =>
  new RegExp(
    text
      .split(/\{[^{}]*\}/)
      .map((words) => words.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('.*'),
  )

/** Buttons and headlines follow the direction of the page, figures never. */
async function expectRightToLeft(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ar')
  expect(await sidewaysOverflow(page)).toEqual([])
}

const tab = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: ar.tabs.label }).getByRole('link', { name, exact: true })

test('a visitor trades in Arabic, from the first page to the checked receipt of a closed order', async ({
  page,
}) => {
  await page.goto('/?lang=ar')
  const instruments = page.getByRole('list', { name: ar.market.list })
  await expect(instruments.getByRole('link')).toHaveCount(55)
  await expectRightToLeft(page)
  await page.getByRole('button', { name: ar.account.tryDemo }).first().click()
  await expect(page.getByRole('button', { name: ar.account.tryDemo })).toHaveCount(0)

  await test.step('the name of a pair is found in Arabic', async () => {
    await page.getByRole('searchbox').fill('يورو دولار أمريكي')
    await expect(instruments.getByRole('link')).toHaveCount(1)
    await instruments.getByRole('link', { name: 'EUR/USD' }).click()
  })

  const ticket = page.getByRole('region', { name: ar.ticket.title })
  await test.step('buys at the market, a size typed in Arabic digits', async () => {
    await ticket.getByRole('textbox', { name: ar.ticket.lots }).fill('١٫٥')
    const buy = ticket.getByRole('button', { name: new RegExp(`^${ar.ticket.buy} \u2068?1.5`) })
    await expect(buy).toBeEnabled()
    await expectRightToLeft(page)
    await buy.click()
  })

  const opened = await test.step('sees the position move', async () => {
    await tab(page, ar.tabs.orders).click()
    const row = page.getByRole('main').getByRole('listitem').getByRole('button', { name: 'EUR/USD' }).first()
    await expectMoving(row)
    await expectRightToLeft(page)
    await row.click()
    return page.getByRole('dialog', { name: 'EUR/USD', exact: true })
  })

  await test.step('closes it', async () => {
    // "Close", not "Close a part".
    const close = new RegExp(`^${ar.order.close} \u2068?[+−]?[\\d,.]+\u2069?$`)
    await opened.getByRole('button', { name: close }).first().click()
    await page.getByRole('alertdialog').getByRole('button', { name: close }).click()
    await expect(page.getByText(saying(ar.order.closed)).first()).toBeVisible()
    await expect(opened).toBeHidden()
  })

  await test.step('checks its receipt', async () => {
    await choose(page, ar.order.history)
    await page
      .getByRole('main')
      .getByRole('listitem')
      .getByRole('button', { name: 'EUR/USD' })
      .first()
      .click()
    await expect(valueOf(opened, ar.order.endReason)).toHaveText(ar.order.reason.user)
    await expect(opened.getByRole('heading', { name: ar.order.receiptOf.close })).toBeVisible()
    await opened.getByRole('button', { name: ar.order.checkReceipt }).first().click()
    await expect(opened.getByText(ar.order.verdict.genuine).first()).toBeVisible()
    await expectRightToLeft(page)
  })
})
