import { logIn, openRealAccount } from './support/accounts.ts'
import { startDemo } from './support/app.ts'
import { expect, test } from './support/journey.ts'

test('a demo user comes to a real account, and back to the demo', async ({ page, server }) => {
  const address = await openRealAccount(server)
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

  await main.getByRole('link', { name: 'Log in' }).click()
  await logIn(page, address)
  await expect(page).toHaveURL(/#\/mine\/password$/)
  await expect(main.getByRole('button', { name: 'Set password' })).toBeVisible()

  await page.goto('/#/user')
  await expect(main.getByText(address)).toBeVisible()
  await expect(main.getByRole('button', { name: 'Reset demo account' })).toBeHidden()
  await main.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('button', { name: 'Open your demo again' }).click()
  await page.goto('/#/user')
  await expect(main.getByText(number)).toBeVisible()
})
