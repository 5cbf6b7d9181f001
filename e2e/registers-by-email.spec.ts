import type { Page } from '@playwright/test'
import { codeSentTo, newAddress, noteOf, PASSWORD, passwordField } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'

test('a visitor registers by e-mail and continues at the address of the link', async ({ page, server }) => {
  const address = newAddress()
  await page.goto('/#/register?invite_code=NOSUCH1&from=%2Fmine%2Fsystem')
  const main = page.getByRole('main')
  const email = main.getByRole('textbox', { name: 'E-mail address' })
  const code = main.getByRole('textbox', { name: 'Code', exact: true })
  const password = passwordField(main, 'Choose a password')
  const repeated = passwordField(main, 'Repeat the password')
  const invitation = main.getByRole('textbox', { name: 'Invitation code, if you have one' })
  const submit = main.getByRole('button', { name: 'Open an account' })
  const country = main.getByRole('button', { name: 'Country or area where you live' })

  await test.step('an empty form marks every missing field and focuses the first', async () => {
    await expect(invitation).toHaveValue('NOSUCH1')
    await submit.click()
    await expect(email).toBeFocused()
    await expect(await noteOf(email)).toHaveText('Enter your e-mail address.')
    await expect(main.getByText('Please read this and agree to it first.')).toHaveCount(2)
  })

  await test.step('a country that is not served is rejected with the reason', async () => {
    await expect(country).toContainText('Hong Kong')
    await country.click()
    const search = page.getByRole('searchbox', { name: 'Search by name or country code' })
    await search.fill('vanu')
    await search.press('Enter')
    await expect(await noteOf(country)).toHaveText(/^For policy reasons .* Vanuatu\.$/)
    await country.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Japan' }).click()
    await expect(country).toContainText('Japan')
  })

  await test.step('a code can be requested once a minute, also after a reload', async () => {
    await email.fill(address)
    await main.getByRole('button', { name: 'Send code' }).click()
    await expect(code).toBeFocused()
    await expect(main.getByRole('button', { name: /^Again in \d+ s$/ })).toBeDisabled()
    await page.reload()
    await expect(email).toHaveValue(address)
    await expect(country).toContainText('Japan')
    await expect(main.getByRole('button', { name: /^Again in \d+ s$/ })).toBeDisabled()
  })

  await test.step('the legal texts can be read before consenting', () => readAndAgree(page))

  await test.step('rejections of the server are shown at their field and keep the input', async () => {
    await code.fill(await codeSentTo(server, address, 'Your code to register'))
    await password.fill('password1')
    await repeated.fill('password1')
    await submit.click()
    await expect(password).toBeFocused()
    await expect(await noteOf(password)).toContainText('choose another')
    await password.fill(PASSWORD)
    await repeated.fill(PASSWORD)
    await repeated.press('Enter')
    await expect(await noteOf(invitation)).toContainText('There is no such invitation code.')
    await expect(invitation).toBeFocused()
    await expect(email).toHaveValue(address)
    await expect(password).toHaveValue(PASSWORD)
  })

  await invitation.clear()
  await submit.click()
  await expectToBe(page, address)
})

async function readAndAgree(page: Page): Promise<void> {
  const consents = page.getByRole('main').getByRole('checkbox')
  await page.getByRole('button', { name: 'Read: Risk disclosure' }).click()
  await expect(page.getByRole('dialog')).toContainText('money that you can afford to lose')
  await page.keyboard.press('Escape')
  // The dialog hides the page from assistive technology until it is closed.
  await expect(consents).toHaveCount(2)
  for (const consent of await consents.all()) await consent.check()
}

/** Expects the address of the link, logged in as a user. */
async function expectToBe(page: Page, address: string): Promise<void> {
  await expect(page).toHaveURL(/#\/mine\/system$/)
  await page.goto('/#/user')
  await expect(page.getByRole('main').getByText(address)).toBeVisible()
}
