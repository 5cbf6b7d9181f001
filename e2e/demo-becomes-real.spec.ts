import { getUser } from '@fairlot/contract'
import { logIn, openRealAccount } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { startDemo } from './support/app.ts'
import { expect, test } from './support/journey.ts'

test('a demo user logs in to a real account and returns to the demo', async ({ page, server }) => {
  const { address } = await openRealAccount(server)
  const main = page.getByRole('main')
  await page.goto('/')
  await startDemo(page)
  await page.goto('/#/user')
  const number = (await main.getByText(/^User \d+$/).textContent()) ?? ''

  for (const path of ['charge', 'withdraw', 'wallet', 'auth', 'invite', 'password']) {
    await page.goto(`/#/mine/${path}`)
    await expect(main.getByText(/: for real accounts only$/)).toBeVisible()
    await expect(main.getByText(/Your demo account is kept/)).toBeVisible()
  }
  await expect(main.getByRole('link', { name: 'Open an account' })).toHaveAttribute(
    'href',
    '#/register?from=%2Fmine%2Fpassword',
  )

  const demo = await apiAs(page)
  await main.getByRole('link', { name: 'Log in' }).click()
  await logIn(page, address)
  await expect(page).toHaveURL(/#\/mine\/password$/)
  // The demo's session is ended; the demo itself can be reopened with its secret.
  await expect.poll(() => demo.try(getUser, null)).toMatchObject({ ok: false, reason: 'sessionGone' })
  await expect(main.getByRole('button', { name: 'Set password' })).toBeVisible()

  await page.goto('/#/user')
  await expect(main.getByText(address)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Reset demo account' })).toBeHidden()
  await main.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Open your demo again' }).click()
  await expect(main.getByText('Equity')).toBeVisible()
  await page.goto('/#/user')
  await expect(main.getByText(number)).toBeVisible()
})
