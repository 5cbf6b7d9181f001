import { getUser } from '@fairlot/contract'
import { decideAdjustment, decideApproval, requestAdjustment, verifyPerson } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import type { Page } from '@playwright/test'
import { TRON_ADDRESS } from '../testing/payments.ts'
import { logIn, noteOf, openRealAccount, PASSWORD, passwordField } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { notice } from './support/app.ts'
import { deskPage, logInAtDesk } from './support/desk.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { addPasskeyDevice, namedUrl } from './support/passkeys.ts'
import { startMoneyDesk, type MoneyDesk } from './support/payments.ts'

const REASON = 'a trial'

/** Credits 1,000 to the user of a page and verifies their identity. */
async function fund(page: Page, { finance, administrator, compliance }: MoneyDesk): Promise<void> {
  const { id: accountId } = await (await apiAs(page)).request(getUser, null)
  const verified = await compliance.request(verifyPerson, { accountId, outcome: 'verified', reason: REASON })
  await administrator.request(decideApproval, {
    id: verified.approvalId ?? 0,
    isApproved: true,
    reason: REASON,
  })
  const amount = money(1_000_000_000n)
  await finance.request(requestAdjustment, { id: accountId, amount, reason: REASON })
  await administrator.request(decideAdjustment, { id: 1, isApproved: true, reason: REASON })
}

/** Logs out on this page. */
async function logOut(page: Page): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/#/mine/system`)
  await page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out', exact: true }).click()
  // It closes once the session is over; its button has no name while that is under way, and the other one is out of reach.
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Log out', exact: true })).toHaveCount(0)
}

test('a passkey logs in, binds a payout method and confirms a withdrawal; a lost one is replaced', async ({
  page,
  start,
}) => {
  test.slow()
  const desk = await startMoneyDesk(start)
  const url = namedUrl(desk.server)
  const { address, token } = await openRealAccount(desk.server)
  const device = await addPasskeyDevice(page)
  const main = page.getByRole('main')

  const codes = await test.step('the first passkey comes with recovery codes', async () => {
    await page.goto(url)
    await page.evaluate((key) => localStorage.setItem('fairlot.token', key), token)
    await page.goto(`${url}/#/mine/system`)
    await page.reload()
    await main.getByRole('button', { name: 'Add a passkey' }).click()
    await main.getByLabel('Name of the passkey').fill('Phone')
    await passwordField(main, 'Password').fill(PASSWORD)
    await main.getByRole('button', { name: 'Continue' }).click()
    await expect(notice(page, 'The passkey is added.')).toBeVisible()
    const list = main.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
    await expect(list).toHaveCount(10)
    const shown = await list.allTextContents()
    await main.getByRole('button', { name: 'I have saved them' }).click()
    await expect(main.getByRole('listitem').filter({ hasText: 'Phone' })).toContainText('Not used yet')
    return shown
  })
  await fund(page, desk)

  await test.step('what the field for the account offers logs in, without a password', async () => {
    await logOut(page)
    await page.goto(`${url}/#/login?from=${encodeURIComponent('/mine/system')}`)
    await expect(page).toHaveURL(/#\/mine\/system$/)
    await expect(main.getByRole('listitem').filter({ hasText: 'Phone' })).toContainText('Last used')
  })

  await test.step('where the browser offers none in a field, a button does', async () => {
    await logOut(page)
    await page.evaluate(() => {
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    })
    await page.goto(`${url}/#/login`)
    await main.getByRole('button', { name: 'Log in with a passkey' }).click()
    await expect(page).not.toHaveURL(/login/)
  })

  await test.step('it confirms a payout method and a withdrawal', async () => {
    await page.goto(`${url}/#/mine/withdraw-way?type=1`)
    await main.getByLabel('Address', { exact: true }).fill(TRON_ADDRESS)
    await passwordField(page, 'Your password').fill(PASSWORD)
    await main.getByRole('button', { name: 'Add', exact: true }).click()
    await main.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(main.getByRole('listitem').filter({ hasText: TRON_ADDRESS })).toBeVisible()
    await page.goto(`${url}/#/mine/withdraw`)
    await main.getByLabel('Amount', { exact: true }).fill('400')
    await main.getByRole('button', { name: 'Withdraw', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Send this withdrawal?' })
    await question.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await main.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(page.getByRole('heading', { name: /^Withdrawal \d+$/ })).toBeVisible()
  })

  await test.step('without the device, a recovery code logs in after the password', async () => {
    await device.lose()
    await logOut(page)
    await page.goto(`${url}/#/login`)
    await logIn(page, address)
    const code = main.getByRole('textbox', { name: 'Code of your authenticator app' })
    await code.fill('00000-00000')
    await code.press('Enter')
    await expect(await noteOf(code)).toContainText('wrong or was already used')
    await code.fill(codes[0] ?? '')
    await code.press('Enter')
    await expect(page).not.toHaveURL(/login/)
  })

  await test.step('the lost one is replaced by another and removed', async () => {
    await page.goto(`${url}/#/mine/system`)
    await expect(main.getByText('9 recovery codes are left.')).toBeVisible()
    await main.getByRole('button', { name: 'Add a passkey' }).click()
    await main.getByLabel('Name of the passkey').fill('New phone')
    await main.getByRole('textbox', { name: 'Recovery code' }).fill(codes[1] ?? '')
    await main.getByRole('button', { name: 'Continue' }).click()
    await expect(main.getByRole('listitem').filter({ hasText: 'New phone' })).toBeVisible()
    await main.getByRole('button', { name: 'Remove passkey Phone' }).click()
    await expect(main.getByText('Your other passkeys keep working.')).toBeVisible()
    await main.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(notice(page, 'The passkey is removed.')).toBeVisible()
    await main.getByRole('button', { name: 'Remove passkey New phone' }).click()
    await expect(main.getByText(/It is your last passkey. Then the second factor is off/)).toBeVisible()
    await main.getByRole('button', { name: 'Cancel' }).click()
  })
})

test('an operator adds a passkey and logs in with it at the desk', async ({ browser, start }) => {
  test.slow()
  const { server, finance } = await startMoneyDesk(start)
  const named = { ...server, url: namedUrl(server) }
  const { page, close } = await deskPage(browser)
  await addPasskeyDevice(page)
  await logInAtDesk(page, named, finance)
  const openMenu = () => page.getByRole('button', { name: /^F\. Finance/ }).click()
  await openMenu()
  await page.getByRole('button', { name: 'Passkeys' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your passkeys' })
  await dialog.getByRole('button', { name: 'Add a passkey' }).click()
  await dialog.getByLabel('Name of the passkey').fill('Laptop')
  await dialog.getByRole('button', { name: 'Create it on this device' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('Laptop')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page.getByRole('navigation', { name: 'Sections' })).toBeVisible()
  await openMenu()
  await page.getByRole('button', { name: 'Passkeys' }).click()
  await expect(dialog.getByRole('listitem')).toContainText('last used')
  await dialog.getByRole('button', { name: 'Remove Laptop' }).click()
  const question = dialog.getByRole('group', { name: 'Remove the passkey Laptop?' })
  await expect(question).toContainText('It is your last one.')
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(dialog.getByText('You have no passkeys yet.')).toBeVisible()
  await close()
})
