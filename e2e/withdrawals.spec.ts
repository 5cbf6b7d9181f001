import { getUser } from '@fairlot/contract'
import { requestAdjustment, decideAdjustment, decideApproval, verifyPerson } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import type { Locator, Page } from '@playwright/test'
import { TRON_ADDRESS } from '../testing/payments.ts'
import { openAsRealUser, passwordField, PASSWORD } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { valueOf } from './support/app.ts'
import { deskPage, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { startMoneyDesk, type MoneyDesk } from './support/payments.ts'

const REASON = 'a trial'

/** Credits 1,000 to the user of a page and verifies their identity. */
async function fund(page: Page, { finance, administrator, compliance }: MoneyDesk): Promise<void> {
  await expect(page).toHaveURL(/#\/mine/)
  const { id } = await (await apiAs(page)).request(getUser, null)
  const requested = await compliance.request(verifyPerson, {
    accountId: id,
    outcome: 'verified',
    reason: REASON,
  })
  await administrator.request(decideApproval, {
    id: requested.approvalId ?? 0,
    isApproved: true,
    reason: REASON,
  })
  await finance.request(requestAdjustment, { id, amount: money(1_000_000_000n), reason: REASON })
  await administrator.request(decideAdjustment, { id: 1, isApproved: true, reason: REASON })
}

/** Adds a coin address on the open page. */
async function addCoinAddress(page: Page): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(TRON_ADDRESS)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByText('Enter your password.')).toBeVisible()
  await passwordField(page, 'Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: TRON_ADDRESS })).toBeVisible()
}

async function requestAmount(page: Page, amount: string): Promise<void> {
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
  const question = page.getByRole('alertdialog', { name: 'Send this withdrawal?' })
  await expect(question).toContainText('Total fee')
  await question.getByRole('button', { name: 'Withdraw', exact: true }).click()
  await expect(page.getByRole('heading', { name: /^Withdrawal \d+$/ })).toBeVisible()
}

const steps = (page: Page): Locator => page.getByRole('list', { name: 'Steps' }).getByRole('listitem')

/** Expects the available and the frozen balance on the page of transactions. */
async function expectFunds(funds: Page, available: string, frozen: string): Promise<void> {
  await expect(valueOf(funds.getByRole('main'), 'Available balance')).toHaveText(available)
  await expect(valueOf(funds.getByRole('main'), 'Frozen').first()).toHaveText(frozen)
}

test('a withdrawal is shown at each step, and released when it is not paid', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const money = await startMoneyDesk(start)
  await openAsRealUser(page, money.server, 'withdraw')
  await fund(page, money)
  const funds = await page.context().newPage()
  await funds.goto(`${money.server.url}/#/mine/history`)
  await expectFunds(funds, '1,000.00', '0.00')
  const desk = await deskPage(browser)
  await openDesk(desk.page, money.server, money.finance)
  const cashier = await deskPage(browser)
  await openDesk(cashier.page, money.server, money.administrator)
  const screens = { page, funds, desk: desk.page, cashier: cashier.page }
  await payOne(screens, money.server.url)
  await endTwoUnpaid(screens)
  await cashier.close()
  await desk.close()
})

type Screens = { readonly page: Page; readonly funds: Page; readonly desk: Page; readonly cashier: Page }

/** Of 1,000, 400 is requested, approved and paid. */
async function payOne({ page, funds, desk, cashier }: Screens, url: string): Promise<void> {
  await test.step('without a receiving method the user is led to add one with the password', async () => {
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Set one up' }).click()
    await addCoinAddress(page)
  })
  await test.step('fee and amount received are shown before, and the money is frozen at once', async () => {
    await page.goto(`${url}/#/mine/withdraw`)
    await page.getByLabel('Amount', { exact: true }).fill('400')
    await expect(valueOf(page.getByRole('main'), 'Total fee')).toHaveText('12.00')
    await expect(valueOf(page.getByRole('main'), 'You receive')).toHaveText('387.9224 USDT')
    await requestAmount(page, '400')
    await expectFunds(funds, '600.00', '400.00')
    await expect(steps(page)).toHaveText([/Requested by you/, /Awaiting approval by finance/, /Paid/])
  })
  await test.step('after the approval the user cannot cancel it', async () => {
    await expect(page.getByRole('button', { name: 'Cancel withdrawal' })).toBeVisible()
    await desk.getByRole('row', { name: /Withdrawal 2/ }).click()
    await desk.getByRole('button', { name: 'Approve…' }).click()
    await desk.getByLabel('Reason').fill('seen')
    await desk.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(steps(page).nth(1)).toHaveText(/Approved.*\d:\d\d.*finance/s)
    await expect(page.getByRole('button', { name: 'Cancel withdrawal' })).toHaveCount(0)
  })
  await test.step('another operator starts and confirms the payment', async () => {
    await cashier.getByRole('row', { name: /Withdrawal 2/ }).click()
    await cashier.getByRole('button', { name: 'Start paying…' }).click()
    await cashier.getByLabel('Reason').fill('the transfer is being sent')
    await cashier.getByRole('dialog').getByRole('button', { name: 'Start paying' }).click()
    await expect(steps(page).nth(2)).toHaveText(/Being paid.*administrator/s)
    await cashier.getByRole('button', { name: 'Mark as paid…' }).click()
    await cashier.getByLabel('Transaction number').fill('0x77')
    await cashier.getByLabel('Reason').fill('sent')
    await cashier.getByRole('dialog').getByRole('button', { name: 'Mark as paid' }).click()
    await expect(cashier.getByText('No open cases')).toBeVisible()
    await expect(steps(page).nth(3)).toHaveText(/Paid.*\d:\d\d.*administrator.*0x77/s)
    await expectFunds(funds, '600.00', '0.00')
  })
}

/** Of the remaining 600, one withdrawal is cancelled and one is rejected. */
async function endTwoUnpaid({ page, funds, desk }: Screens): Promise<void> {
  await test.step('a waiting withdrawal can be cancelled', async () => {
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect(page.getByText('At most 600.00')).toBeVisible()
    await requestAmount(page, '600')
    await expectFunds(funds, '0.00', '600.00')
    await page.getByRole('button', { name: 'Cancel withdrawal' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel withdrawal' }).click()
    await expect(steps(page).last()).toHaveText(/Cancelled by you/)
  })
  await test.step('a rejected withdrawal shows the reason and releases the money', async () => {
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect(page.getByText('At most 600.00')).toBeVisible()
    await requestAmount(page, '600')
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
