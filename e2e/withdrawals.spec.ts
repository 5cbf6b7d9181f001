import { getUser } from '@fairlot/contract'
import { askPersonAdjustment, decideAdjustment, verifyPerson } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import type { Locator, Page } from '@playwright/test'
import { TRON_ADDRESS } from '../testing/payments.ts'
import { openOwn, passwordField, PASSWORD } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { valueOf } from './support/app.ts'
import { deskPage, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { startMoneyDesk, type MoneyDesk } from './support/payments.ts'

const REASON = 'a trial'

/** Gives the person of a page 1,000, and has somebody see who they are. */
async function endow(page: Page, { finance, administrator, compliance }: MoneyDesk): Promise<void> {
  await expect(page).toHaveURL(/#\/mine/)
  const { id } = await (await apiAs(page)).ask(getUser, null)
  await compliance.ask(verifyPerson, { accountId: id, outcome: 'verified', reason: REASON })
  await finance.ask(askPersonAdjustment, { id, amount: money(1_000_000_000n), reason: REASON })
  await administrator.ask(decideAdjustment, { id: 1, isApproved: true, reason: REASON })
}

/** Adds a coin address on the page that is open. */
async function bindAddress(page: Page): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(TRON_ADDRESS)
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await passwordField(page, 'Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Add it' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: TRON_ADDRESS })).toBeVisible()
}

async function askFor(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Withdrawal \d+$/ })).toBeVisible()
}

const steps = (page: Page): Locator => page.getByRole('list', { name: 'Steps' }).getByRole('listitem')

/** What can be used and what is held, on the screen of movements. */
async function expectFunds(funds: Page, available: string, frozen: string): Promise<void> {
  await expect(valueOf(funds.getByRole('main'), 'Available balance')).toHaveText(available)
  await expect(valueOf(funds.getByRole('main'), 'Frozen').first()).toHaveText(frozen)
}

test('money goes out, each step on the screen that is open, and comes back whole where it does not', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const money = await startMoneyDesk(start)
  await openOwn(page, money.server, 'withdraw')
  await endow(page, money)
  const funds = await page.context().newPage()
  await funds.goto(`${money.server.url}/#/mine/history`)
  await expectFunds(funds, '1,000.00', '0.00')
  const desk = await deskPage(browser)
  await openDesk(desk.page, money.server, money.finance)
  const screens = { page, funds, desk: desk.page }
  await isPaid(screens, money.server.url)
  await isNotPaid(screens)
  await desk.close()
})

type Screens = { readonly page: Page; readonly funds: Page; readonly desk: Page }

/** Of 1,000 one of 400 is bound, asked for, approved and paid. */
async function isPaid({ page, funds, desk }: Screens, url: string): Promise<void> {
  await test.step('without a method the way leads to where one is bound, by the password', async () => {
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Set one up' }).click()
    await bindAddress(page)
  })
  await test.step('fee and what arrives stand there before; the money is frozen at once', async () => {
    await page.goto(`${url}/#/mine/withdraw`)
    await page.getByLabel('Amount', { exact: true }).fill('400')
    await expect(valueOf(page.getByRole('main'), 'Fee, all of it')).toHaveText('12.00')
    await expect(valueOf(page.getByRole('main'), 'You receive')).toHaveText('387.9224 USDT')
    await askFor(page, '400')
    await expectFunds(funds, '600.00', '400.00')
    await expect(steps(page)).toHaveText([/Asked by you/, /To be decided by finance/, /Paid/])
  })
  await test.step('finance approves it: the person cannot take it back any more', async () => {
    await expect(page.getByRole('button', { name: 'Take it back' })).toBeVisible()
    await desk.getByRole('row', { name: /Withdrawal 2/ }).click()
    await desk.getByRole('button', { name: 'Approve…' }).click()
    await desk.getByLabel('Reason').fill('seen')
    await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(steps(page).nth(1)).toHaveText(/Approved.*\d:\d\d.*finance/s)
    await expect(page.getByRole('button', { name: 'Take it back' })).toHaveCount(0)
  })
  await test.step('and pays it', async () => {
    await desk.getByRole('button', { name: 'Paid…' }).click()
    await desk.getByLabel('Transaction number').fill('0x77')
    await desk.getByLabel('Reason').fill('sent')
    await desk.getByRole('dialog').getByRole('button', { name: 'It is paid' }).click()
    await expect(desk.getByText('Nothing waits')).toBeVisible()
    await expect(steps(page).nth(2)).toHaveText(/Paid.*\d:\d\d.*finance.*0x77/s)
    await expectFunds(funds, '600.00', '0.00')
  })
}

/** Of the 600 that are left one is taken back, and one is rejected. */
async function isNotPaid({ page, funds, desk }: Screens): Promise<void> {
  await test.step('one that waits is taken back', async () => {
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect(page.getByText('At most 600.00')).toBeVisible()
    await askFor(page, '600')
    await expectFunds(funds, '0.00', '600.00')
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take it back' }).click()
    await expect(steps(page).last()).toHaveText(/Taken back by you/)
  })
  await test.step('one that is rejected says why; the money is whole again', async () => {
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect(page.getByText('At most 600.00')).toBeVisible()
    await askFor(page, '600')
    await desk.getByRole('row', { name: /Withdrawal 4/ }).click()
    await desk.getByRole('button', { name: 'Reject…' }).click()
    await desk.getByLabel('Reason').fill('The address is on a list of stolen coins.')
    await desk.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await expect(steps(page).last()).toHaveText(
      /Rejected.*finance.*The address is on a list of stolen coins/s,
    )
    await expectFunds(funds, '600.00', '0.00')
  })
}
