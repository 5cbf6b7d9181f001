import { codeSentTo, logIn, noteOf, openRealAccount, PASSWORD, passwordField } from './support/accounts.ts'
import { notice } from './support/app.ts'
import { expect, test } from './support/journey.ts'

const NEW_PASSWORD = 'seven wet otters'
const NEXT_PASSWORD = 'nine dry badgers'

test('a user logs in, changes the password and recovers a forgotten one', async ({ page, server }) => {
  const { address } = await openRealAccount(server)
  const main = page.getByRole('main')
  await page.goto('/#/login?from=%2Fmine%2Fpassword')

  await test.step('a wrong password is reported and the input kept', async () => {
    await logIn(page, address, 'not my password')
    await expect(passwordField(main, 'Password')).toBeFocused()
    await expect(await noteOf(passwordField(main, 'Password'))).toHaveText(
      'The account or the password is wrong.',
    )
    await expect(main.getByRole('textbox', { name: 'E-mail address' })).toHaveValue(address)
    await main.getByRole('button', { name: 'Show password' }).click()
    await expect(passwordField(main, 'Password')).toHaveValue('not my password')
  })

  await test.step('the correct password logs in', async () => {
    await logIn(page, address)
    await expect(page).toHaveURL(/#\/mine\/password$/)
  })

  await test.step('changing the password needs the old one', async () => {
    await passwordField(main, 'Current password').fill('not my password')
    await passwordField(main, 'New password').fill(NEW_PASSWORD)
    await passwordField(main, 'Repeat the password').fill('something else')
    await main.getByRole('button', { name: 'Set password' }).click()
    await expect(await noteOf(passwordField(main, 'Repeat the password'))).toHaveText(
      'The two passwords are not the same.',
    )
    await passwordField(main, 'Repeat the password').fill(NEW_PASSWORD)
    await main.getByRole('button', { name: 'Set password' }).click()
    await expect(await noteOf(passwordField(main, 'Current password'))).toHaveText('The password is wrong.')
    await passwordField(main, 'Current password').fill(PASSWORD)
    await main.getByRole('button', { name: 'Set password' }).click()
    await expect(notice(page, /^Your password was changed/)).toBeVisible()
    await expect(page).toHaveURL(/#\/user$/)
    await main.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
    await expect(page).toHaveURL(/#\/$/)
  })

  await test.step('a forgotten password is reset by a code', async () => {
    await page.goto('/#/login?from=%2Forder')
    await main.getByRole('link', { name: 'Forgot your password?' }).click()
    const code = main.getByRole('textbox', { name: 'Code', exact: true })
    // The log-in, which may be shown a moment longer, has a field for the address too.
    await expect(code).toBeVisible()
    await main.getByRole('textbox', { name: 'E-mail address' }).fill(address)
    await main.getByRole('button', { name: 'Send code' }).click()
    await expect(code).toBeFocused()
    await code.fill('000000')
    await passwordField(main, 'New password').fill(NEXT_PASSWORD)
    await passwordField(main, 'Repeat the password').fill(NEXT_PASSWORD)
    await main.getByRole('button', { name: 'Set password' }).click()
    await expect(await noteOf(code)).toContainText('This code is wrong or no longer valid.')
    await code.fill(await codeSentTo(server, address, 'Your code for a new password'))
    await main.getByRole('button', { name: 'Set password' }).click()
    await expect(page).toHaveURL(/#\/login\?from=%2Forder$/)
    await logIn(page, address, NEXT_PASSWORD)
    await expect(page).toHaveURL(/#\/order$/)
  })
})
