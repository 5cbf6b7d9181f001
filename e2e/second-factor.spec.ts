import { getUser, logIn as logInCall, logOutEverywhere } from '@fairlot/contract'
import type { Page } from '@playwright/test'
import { logIn, noteOf, openRealAccount, PASSWORD, passwordField } from './support/accounts.ts'
import { apiAs, apiOf } from './support/api.ts'
import { notice } from './support/app.ts'
import { shownByApp } from '../testing/authenticator.ts'
import { expect, test } from './support/journey.ts'
import { readByCamera } from './support/qr-code.ts'
import type { ServerProcess } from '../testing/server-process.ts'

test('a user switches the second factor on, logs in with it and switches it off', async ({
  page,
  server,
}) => {
  const { address: account } = await openRealAccount(server)
  const main = page.getByRole('main')
  const code = main.getByRole('textbox', { name: 'Code of your authenticator app' })
  await page.goto('/#/login?from=%2Fmine%2Fsystem')
  await logIn(page, account)
  await expect(page).toHaveURL(/#\/mine\/system$/)

  await test.step('a session elsewhere can be ended from here', () => endOthers(page, server, account))

  const secret = await test.step('the app gets its secret, and proves it by a code', async () => {
    await main.getByRole('button', { name: 'Switch on' }).click()
    await passwordField(main, 'Password').fill(PASSWORD)
    await main.getByRole('button', { name: 'Go on' }).click()
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
  await main.getByRole('button', { name: 'I have kept them' }).click()
  await expect(main.getByText('10 recovery codes are left.')).toBeVisible()

  await test.step('a log-in asks for a code', async () => {
    await (await apiAs(page)).ask(logOutEverywhere, null)
    await page.goto('/#/order')
    await expect(page).toHaveURL(/#\/login\?from=/)
    await logIn(page, account)
    await expect(code).toBeFocused()
    await code.fill('000000')
    await code.press('Enter')
    await expect(await noteOf(code)).toContainText('wrong or was used already')
    await code.fill(shownByApp(secret, 1))
    await code.press('Enter')
    await expect(page).toHaveURL(/#\/order$/)
  })

  await test.step('it is switched off by the password and a recovery code', async () => {
    await page.goto('/#/mine/system')
    await main.getByRole('button', { name: 'Switch off' }).click()
    await passwordField(main, 'Password').fill(PASSWORD)
    await code.fill(recoveryCode)
    await code.press('Enter')
    await expect(notice(page, 'The second factor is off.')).toBeVisible()
    await expect(main.getByRole('button', { name: 'Switch on' })).toBeVisible()
  })
})

/** Logs in elsewhere too, and ends that session and the one of the registration on the page. */
async function endOthers(page: Page, server: ServerProcess, address: string): Promise<void> {
  const main = page.getByRole('main')
  const credentials = { contact: 'email', account: address, password: PASSWORD } as const
  const elsewhere = await apiOf(server.url, null).ask(logInCall, credentials)
  await page.reload()
  await expect(main.getByText('This one, in use now')).toBeVisible()
  const end = main.getByRole('button', { name: /^Log out .+, last used / })
  await expect(end).toHaveCount(2)
  await end.first().click()
  await expect(end).toHaveCount(1)
  await end.click()
  await expect(end).toHaveCount(0)
  const refused = await apiOf(server.url, elsewhere.token).try(getUser, null)
  expect(refused).toMatchObject({ ok: false, reason: 'sessionGone' })
}
