import {
  choosePassword,
  codeIn,
  logIn,
  openRealAccount,
  PASSWORD,
  passwordField,
} from './support/accounts.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openMailServer } from '../testing/mail-server.ts'

const NEW_PASSWORD = 'seven wet otters'

test('mails use the language that was chosen last', async ({ page, start }) => {
  const mailServer = await openMailServer()
  const subjects = () => mailServer.mails.map(({ mail }) => mail.subject)
  const texts = () => mailServer.mails.map(({ mail }) => mail.text ?? '')
  const server = await start({ FEED: 'simulated:1', SMTP_URL: `smtp://127.0.0.1:${mailServer.port}` })
  const { address: account } = await openRealAccount(server, () => codeIn(texts, 1))
  const main = page.getByRole('main')

  await page.goto(`${server.url}/#/login?from=%2Fmine%2Fpassword`)
  await logIn(page, account)
  await expect(page).toHaveURL(/#\/mine\/password$/)
  await expect.poll(subjects).toEqual(['Your code to register', 'A new log-in to your account'])

  await test.step('a user changes the language', async () => {
    const saved = page.waitForResponse((response) => response.url().endsWith('/api/user/language'))
    await page.goto(`${server.url}/#/language`)
    await main.getByRole('button', { name: '繁體中文' }).click()
    expect((await saved).ok()).toBe(true)
    await page.goto(`${server.url}/#/mine/password`)
    await passwordField(main, '現有密碼').fill(PASSWORD)
    await passwordField(main, '新密碼').fill(NEW_PASSWORD)
    await passwordField(main, '再次輸入密碼').fill(NEW_PASSWORD)
    await main.getByRole('button', { name: '設定密碼' }).click()
    await expect.poll(() => subjects().at(-1)).toBe('您的密碼已更改')
  })

  await test.step("a visitor's language applies from the log-in on", async () => {
    await page.evaluate(() => localStorage.removeItem('fairlot.token'))
    await page.reload()
    await page.goto(`${server.url}/#/language`)
    await main.getByRole('button', { name: 'English' }).click()
    await page.goto(`${server.url}/#/login?from=%2Fmine%2Fpassword`)
    const saved = page.waitForResponse((response) => response.url().endsWith('/api/user/language'))
    await logIn(page, account, NEW_PASSWORD)
    expect((await saved).ok()).toBe(true)
    await passwordField(main, 'Current password').fill(NEW_PASSWORD)
    await choosePassword(page, 'New password')
    await main.getByRole('button', { name: 'Set password' }).click()
    await expect.poll(() => subjects().at(-1)).toBe('Your password was changed')
  })
  await mailServer.close()
})
