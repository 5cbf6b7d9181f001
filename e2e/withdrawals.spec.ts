import { getUser } from '@fairlot/contract'
import { askPersonAdjustment, decideAdjustment, verifyPerson } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import type { Locator, Page } from '@playwright/test'
import { TRON_ADDRESS } from '../testing/payments.ts'
import { passwordField, PASSWORD } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { valueOf } from './support/app.ts'
import { deskPage, openDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openOwn, startMoneyDesk, type MoneyDesk } from './support/payments.ts'
import { verified } from './support/verify.ts'

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

test('a withdrawal is bound, asked for, approved and paid, each step on the screen that is open', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const money = await startMoneyDesk(start)
  const { server, finance } = money
  await openOwn(page, server, 'withdraw')
  await endow(page, money)
  const funds = await page.context().newPage()
  await funds.goto(`${server.url}/#/mine/history`)
  await expectFunds(funds, '1,000.00', '0.00')

  await test.step('without a method the way leads to where one is bound, by the password', async () => {
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Set one up' }).click()
    await bindAddress(page)
  })
  await test.step('fee and what arrives stand there before; the money is frozen at once', async () => {
    await page.goto(`${server.url}/#/mine/withdraw`)
    await page.getByLabel('Amount', { exact: true }).fill('400')
    await expect(valueOf(page.getByRole('main'), 'Fee, all of it')).toHaveText('12.00')
    await expect(valueOf(page.getByRole('main'), 'You receive')).toHaveText('387.9224 USDT')
    await askFor(page, '400')
    await expectFunds(funds, '600.00', '400.00')
    await expect(steps(page)).toHaveText([/Asked by you/, /To be decided by finance/, /Paid/])
  })
  const desk = await deskPage(browser)
  await test.step('finance approves it: the person cannot take it back any more', async () => {
    await expect(page.getByRole('button', { name: 'Take it back' })).toBeVisible()
    await openDesk(desk.page, server, finance)
    await desk.page.getByRole('row', { name: /Withdrawal 2/ }).click()
    await desk.page.getByRole('button', { name: 'Approve…' }).click()
    await desk.page.getByLabel('Reason').fill('seen')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect(steps(page).nth(1)).toHaveText(/Approved.*\d:\d\d.*finance/s)
    await expect(page.getByRole('button', { name: 'Take it back' })).toHaveCount(0)
  })
  await test.step('and pays it', async () => {
    await desk.page.getByRole('button', { name: 'Paid…' }).click()
    await desk.page.getByLabel('Transaction number').fill('0x77')
    await desk.page.getByLabel('Reason').fill('sent')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'It is paid' }).click()
    await expect(desk.page.getByText('Nothing waits')).toBeVisible()
    await desk.close()
    await expect(steps(page).nth(2)).toHaveText(/Paid.*\d:\d\d.*finance.*0x77/s)
    await expectFunds(funds, '600.00', '0.00')
  })
  expect(await verified(server)).toContain('no difference')
})

test('a withdrawal that waits is taken back, one that is rejected says why; the money is whole again', async ({
  page,
  browser,
  start,
}) => {
  test.slow()
  const money = await startMoneyDesk(start)
  const { server, finance } = money
  await openOwn(page, server, 'withdraw-way?type=1')
  await endow(page, money)
  await bindAddress(page)
  await page.goto(`${server.url}/#/mine/withdraw`)

  await test.step('one is taken back', async () => {
    await askFor(page, '1000')
    await page.getByRole('button', { name: 'Take it back' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Take it back' }).click()
    await expect(steps(page).last()).toHaveText(/Taken back by you/)
  })
  await test.step('the other is rejected', async () => {
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect(page.getByText('At most 1,000.00')).toBeVisible()
    await askFor(page, '1000')
    const desk = await deskPage(browser)
    await openDesk(desk.page, server, finance, '/waiting/withdrawal:3')
    await desk.page.getByRole('button', { name: 'Reject…' }).click()
    await desk.page.getByLabel('Reason').fill('The address is on a list of stolen coins.')
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click()
    await desk.close()
    await expect(steps(page).last()).toHaveText(
      /Rejected.*finance.*The address is on a list of stolen coins/s,
    )
  })
  await page.goto(`${server.url}/#/mine/history`)
  await expectFunds(page, '1,000.00', '0.00')
  expect(await verified(server)).toContain('no difference')
})
