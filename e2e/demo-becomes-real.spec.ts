import { getUser } from '@fairlot/contract'
import { logIn, openRealAccount } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { startDemo } from './support/app.ts'
import { expect, test } from './support/journey.ts'

test('a demo user comes to a real account, and back to the demo', async ({ page, server }) => {
  const { address } = await openRealAccount(server)
  const main = page.getByRole('main')
  await page.goto('/')
  await startDemo(page)
  await page.goto('/#/user')
  const number = (await main.getByText(/^No\. \d+$/).textContent()) ?? ''

  for (const path of ['charge', 'withdraw', 'wallet', 'auth', 'invite', 'password']) {
    await page.goto(`/#/mine/${path}`)
    await expect(main.getByText(/: for real accounts$/)).toBeVisible()
    await expect(main.getByText(/Your demo stays usable/)).toBeVisible()
  }
  await expect(main.getByRole('link', { name: 'Open an account' })).toHaveAttribute(
    'href',
    '#/register?from=%2Fmine%2Fpassword',
  )

  const demo = await apiAs(page)
  await main.getByRole('link', { name: 'Log in' }).click()
  await logIn(page, address)
  await expect(page).toHaveURL(/#\/mine\/password$/)
  // What nobody comes back to is ended; the demo itself opens again by its secret.
  await expect.poll(() => demo.try(getUser, null)).toMatchObject({ ok: false, reason: 'sessionGone' })
  await expect(main.getByRole('button', { name: 'Set password' })).toBeVisible()

  await page.goto('/#/user')
  await expect(main.getByText(address)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Reset demo account' })).toBeHidden()
  await main.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Open your demo again' }).click()
  await expect(main.getByText('Net value')).toBeVisible()
  await page.goto('/#/user')
  await expect(main.getByText(number)).toBeVisible()
})
