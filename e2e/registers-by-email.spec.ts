import type { Page } from '@playwright/test'
import { codeSentTo, newAddress, noteOf, PASSWORD, passwordField } from './support/accounts.ts'
import { expect, test } from './support/journey.ts'

test('a visitor registers by e-mail and goes on to where the link led', async ({ page, server }) => {
  const address = newAddress()
  await page.goto('/#/register?invite_code=NOSUCH1&from=%2Fmine%2Fsystem')
  const main = page.getByRole('main')
  const email = main.getByRole('textbox', { name: 'E-mail address' })
  const code = main.getByRole('textbox', { name: 'Code', exact: true })
  const password = passwordField(main, 'Choose a password')
  const repeated = passwordField(main, 'The same password again')
  const invitation = main.getByRole('textbox', { name: 'Invitation code, if you have one' })
  const submit = main.getByRole('button', { name: 'Open an account' })
  const country = main.getByRole('button', { name: 'Country or area where you live' })

  await test.step('an empty form names every field that is missing, and leads to the first', async () => {
    await expect(invitation).toHaveValue('NOSUCH1')
    await submit.click()
    await expect(email).toBeFocused()
    await expect(await noteOf(email)).toHaveText('Enter your e-mail address.')
    await expect(main.getByText('Please read this and agree to it first.')).toHaveCount(2)
  })

  await test.step('a country that is not served says why', async () => {
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

  await test.step('a code comes once a minute, and a reload does not start that anew', async () => {
    await email.fill(address)
    await main.getByRole('button', { name: 'Send code' }).click()
    await expect(code).toBeFocused()
    await expect(main.getByRole('button', { name: /^Again in \d+ s$/ })).toBeDisabled()
    await page.reload()
    await expect(email).toHaveValue(address)
    await expect(country).toContainText('Japan')
    await expect(main.getByRole('button', { name: /^Again in \d+ s$/ })).toBeDisabled()
  })

  await test.step('the texts can be read before they are agreed to', () => readAndAgree(page))

  await test.step('what the server refuses is named at its field, and nothing typed is lost', async () => {
    await code.fill(await codeSentTo(server, address, 'Your code to register'))
    await password.fill('password1')
    await repeated.fill('password1')
    await submit.click()
    await expect(password).toBeFocused()
    await expect(await noteOf(password)).toContainText('choose another')
    await password.fill(PASSWORD)
    await repeated.fill(PASSWORD)
    await repeated.press('Enter')
    await expect(await noteOf(invitation)).toHaveText('There is no such invitation code.')
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
  // Not before the text has made way: behind it nothing can be found.
  await expect(consents).toHaveCount(2)
  for (const consent of await consents.all()) await consent.check()
}

/** Come to where the link led, as the user of an address. */
async function expectToBe(page: Page, address: string): Promise<void> {
  await expect(page).toHaveURL(/#\/mine\/system$/)
  await page.goto('/#/user')
  await expect(page.getByRole('main').getByText(address)).toBeVisible()
}
