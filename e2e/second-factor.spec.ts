import { getUser, logIn as logInCall, logOutEverywhere } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { logIn, noteOf, openRealAccount, PASSWORD, passwordField } from './support/accounts.ts'
import { apiAs, apiOf } from './support/api.ts'
import { notice } from './support/app.ts'
import { shownByApp } from '../testing/authenticator.ts'
import { expect, test } from './support/journey.ts'
import { readByCamera } from './support/qr-code.ts'
import type { ServerProcess } from '../testing/server-process.ts'

test('a user enables the second factor, logs in with it and disables it', async ({ page, server }) => {
  const { address: account } = await openRealAccount(server)
  const main = page.getByRole('main')
  const code = main.getByRole('textbox', { name: 'Code of your authenticator app' })
  await page.goto('/#/login?from=%2Fmine%2Fsystem')
  await logIn(page, account)
  await expect(page).toHaveURL(/#\/mine\/system$/)

  await test.step('another session can be ended', () => endOthers(page, server, account))

  const secret =
    await test.step('the authenticator app is set up by QR code and confirmed by a code', async () => {
      await main.getByRole('button', { name: 'Switch on' }).click()
      await passwordField(main, 'Password').fill(PASSWORD)
      await main.getByRole('button', { name: 'Continue' }).click()
      const link = main.getByRole('link', { name: 'Open in the app' })
      await expect(link).toHaveAttribute('href', /^otpauth:\/\/totp\//)
      const address = (await link.getAttribute('href')) ?? ''
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await readByCamera(main.getByRole('img', { name: 'QR code of the secret' }))).toBe(address)
      const shown = new URL(address).searchParams.get('secret') ?? ''
      await expect(main.getByText(shown.match(/.{4}/g)?.join(' ') ?? '')).toBeVisible()
      await code.fill('12345')
      await code.press('Enter')
      await expect(await noteOf(code)).toContainText('wrong')
      await code.fill(shownByApp(shown, 0))
      await code.press('Enter')
      return shown
    })
  const codes = main.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const recoveryCode = (await codes.first().textContent()) ?? ''
  await main.getByRole('button', { name: 'I have saved them' }).click()
  await expect(main.getByText('10 recovery codes are left.')).toBeVisible()

  await test.step('logging in needs a code', async () => {
    await (await apiAs(page)).request(logOutEverywhere, null)
    await page.goto('/#/order')
    await expect(page).toHaveURL(/#\/login\?from=/)
    await logIn(page, account)
    await expect(code).toBeFocused()
    await code.fill('000000')
    await code.press('Enter')
    await expect(await noteOf(code)).toContainText('wrong or was already used')
    await code.fill(shownByApp(secret, 1))
    await code.press('Enter')
    await expect(page).toHaveURL(/#\/order$/)
  })

  await test.step('it is disabled with the password and a recovery code', async () => {
    await page.goto('/#/mine/system')
    await main.getByRole('button', { name: 'Switch off' }).click()
    await passwordField(main, 'Password').fill(PASSWORD)
    await code.fill(recoveryCode)
    await code.press('Enter')
    await expect(notice(page, 'The authenticator app is removed.')).toBeVisible()
    await expect(main.getByRole('button', { name: 'Switch on' })).toBeVisible()
  })
})

/** Ends a second session and that of the registration on the page. */
async function endOthers(page: Page, server: ServerProcess, address: string): Promise<void> {
  const main = page.getByRole('main')
  const credentials = { contact: 'email', account: address, password: PASSWORD } as const
  const elsewhere = await apiOf(server.url, null).request(logInCall, credentials)
  await page.reload()
  await expect(main.getByText('This session, in use now')).toBeVisible()
  const end = main.getByRole('button', { name: /^Log out .+, last used / })
  await expect(end).toHaveCount(2)
  await end.first().click()
  await expect(end).toHaveCount(1)
  await end.click()
  await expect(end).toHaveCount(0)
  const refused = await apiOf(server.url, elsewhere.token).try(getUser, null)
  expect(refused).toMatchObject({ ok: false, reason: 'sessionGone' })
}
