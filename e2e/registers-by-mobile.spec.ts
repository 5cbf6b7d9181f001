import type { Page } from '@playwright/test'
import { agree, choosePassword, codeIn, logOut, noteOf, PASSWORD, passwordField } from './support/accounts.ts'
import { expect, testAlone as test } from './support/journey.ts'
import { openSmsGateway, type SmsGateway } from '../testing/sms-gateway.ts'

const NEW_PASSWORD = 'seven wet otters'
const NUMBER = '91234567'

test('a visitor registers, logs in and recovers the password by mobile phone', async ({ page, start }) => {
  const gateway = await openSmsGateway()
  const texts = () => gateway.calls.map(({ body }) => (JSON.parse(body) as { text: string }).text)
  const server = await start({
    FEED: 'simulated:1',
    SETTING_REGISTRATION_MODE: 'mobile',
    SMS_URL: `http://127.0.0.1:${gateway.port}/send`,
  })
  const main = page.getByRole('main')
  const phone = main.getByRole('textbox', { name: 'Phone number, without the country code' })
  const code = main.getByRole('textbox', { name: 'Code', exact: true })
  await page.goto(`${server.url}/#/register`)

  await test.step('the form requests only a phone number', async () => {
    await expect(phone).toBeVisible()
    await expect(main.getByRole('textbox', { name: 'E-mail address' })).toBeHidden()
    await phone.fill('123')
    await main.getByRole('button', { name: 'Send code' }).click()
    await expect(await noteOf(phone)).toContainText('number')
    expect(gateway.calls).toEqual([])
  })

  await test.step('a code sent by text message opens the account', async () => {
    await phone.fill(NUMBER)
    await main.getByRole('button', { name: 'Send code' }).click()
    await code.fill(await codeIn(texts, 1))
    expect(recipientsOf(gateway)).toEqual([`+852${NUMBER}`])
    await choosePassword(page, 'Choose a password')
    await agree(page)
    await main.getByRole('button', { name: 'Open an account' }).click()
    await expect(page).toHaveURL(/#\/$/)
    await expectToBe(page, server.url)
  })

  await test.step('number and password log in', async () => {
    await logOut(page)
    await page.goto(`${server.url}/#/login?from=%2Fuser`)
    await logInByNumber(page, PASSWORD)
    await expectToBe(page, server.url)
    await logOut(page)
  })

  await test.step('a forgotten password is reset by a code', async () => {
    await page.goto(`${server.url}/#/login?from=%2Fuser`)
    await main.getByRole('link', { name: 'Forgot your password?' }).click()
    await phone.fill(NUMBER)
    await main.getByRole('button', { name: 'Send code' }).click()
    await code.fill(await codeIn(texts, 2))
    await choosePassword(page, 'New password', NEW_PASSWORD)
    await main.getByRole('button', { name: 'Set password' }).click()
    await expect(page).toHaveURL(/#\/login\?from=%2Fuser$/)
    await expect.poll(() => texts().at(-1)).toContain('Your password was changed')
    await logInByNumber(page, NEW_PASSWORD)
    await expectToBe(page, server.url)
  })
  gateway.close()
})

const recipientsOf = ({ calls }: SmsGateway): string[] =>
  calls.map(({ body }) => (JSON.parse(body) as { to: string }).to)

async function logInByNumber(page: Page, password: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Phone number, without the country code' }).fill(NUMBER)
  await passwordField(page, 'Password').fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Log in' }).click()
  await expect(page).toHaveURL(/#\/user$/)
}

async function expectToBe(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/#/user`)
  await expect(page.getByRole('main').getByText(`+852 ${NUMBER}`)).toBeVisible()
}
