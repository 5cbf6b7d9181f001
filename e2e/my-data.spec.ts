import { closeAllOrders, getClosing, getUser, submitOrder } from '@fairlot/contract'
import { MARKET_BUY } from '../testing/traders.ts'
import { logIn, openRealAccount, PASSWORD } from './support/accounts.ts'
import { apiAs } from './support/api.ts'
import { startDemo } from './support/app.ts'
import { expect, test } from './support/journey.ts'

test('a user downloads their data and closes the account', async ({ page, server }) => {
  const { address: account } = await openRealAccount(server)
  await page.goto(`${server.url}/#/login?from=%2Fmine%2Fsystem`)
  await logIn(page, account)
  await page.getByRole('link', { name: /My data/ }).click()
  const user = await (await apiAs(page)).request(getUser, null)

  await test.step('the download needs the password', async () => {
    await page.getByLabel('Password', { exact: true }).first().fill(PASSWORD)
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await waiting
    expect(file.suggestedFilename()).toBe(`fairlot-${user.uid}.zip`)
    const parts: Buffer[] = []
    for await (const part of await file.createReadStream()) parts.push(part as Buffer)
    const bytes = Buffer.concat(parts)
    expect(bytes.subarray(0, 2).toString()).toBe('PK')
    for (const name of ['profile.json', 'activity.csv', 'receipts.json'])
      expect(bytes.includes(name)).toBe(true)
  })
  await test.step('the activity list shows the download', async () => {
    await page.goto(`${server.url}/#/mine/activity`)
    await expect(page.getByText('Own data downloaded')).toBeVisible()
  })
  await test.step('closing needs the password and a confirmation, and logs the user out', async () => {
    await page.goto(`${server.url}/#/mine/data`)
    await page.getByLabel('Password', { exact: true }).last().fill(PASSWORD)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Close the account permanently' }).click()
    await expect(page.getByText('Your account is closed.')).toBeVisible()
    await page.goto(`${server.url}/#/user`)
    await expect(page).toHaveURL(/#\/login/)
  })
  await test.step('a closed account cannot log in', async () => {
    await logIn(page, account)
    await expect(page.getByRole('alert').filter({ hasText: /password/i })).toBeVisible()
  })
})

test('a demo account with an open position cannot be closed', async ({ page, server }) => {
  await page.goto(server.url)
  await startDemo(page)
  const api = await apiAs(page)
  await api.request(submitOrder, MARKET_BUY)
  await page.goto(`${server.url}/#/mine/data`)
  await expect(page.getByRole('link', { name: /1 position is open/ })).toBeVisible()
  await api.request(closeAllOrders, null)
  expect((await api.request(getClosing, null)).obstacles).toEqual([])
  await page.reload()
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Close the account permanently' }).click()
  await expect(page.getByText('Your account is closed.')).toBeVisible()
  expect(await api.try(getUser, null)).toMatchObject({ ok: false, reason: 'sessionGone' })
})
