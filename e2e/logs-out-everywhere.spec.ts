import type { Page } from '@playwright/test'
import { getUser } from '@fairlot/contract'
import { logIn, openRealAccount } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { expect, test } from './support/journey.ts'

test('a user logs out on every device at once', async ({ page, server, browser }) => {
  const { address: account } = await openRealAccount(server)
  const elsewhere = await browser.newContext()
  const other = await elsewhere.newPage()
  const enter = async (on: Page) => {
    await on.goto(`${server.url}/#/login?from=%2Fmine%2Fsystem`)
    await logIn(on, account)
    await expect(on).toHaveURL(/#\/mine\/system$/)
  }
  await enter(other)
  await enter(page)
  const [here, there] = [await apiAs(page), await apiAs(other)]

  await test.step('the confirmation can be cancelled', async () => {
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()
    expect((await there.try(getUser, null)).ok).toBe(true)
  })

  await page.getByRole('button', { name: 'Log out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Log out everywhere' }).click()

  await test.step('both sessions are ended', async () => {
    for (const api of [here, there])
      await expect.poll(() => api.try(getUser, null)).toMatchObject({ ok: false, reason: 'sessionGone' })
    // The first navigation after logging out leads home.
    await page.reload()
    await page.goto(`${server.url}/#/order`)
    await expect(page).toHaveURL(/#\/login/)
    await other.goto(`${server.url}/#/order`)
    await expect(other).toHaveURL(/#\/login/)
  })
  await elsewhere.close()
})
