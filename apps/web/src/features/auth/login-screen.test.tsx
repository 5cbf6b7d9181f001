import { getSetting, listCountries, logIn } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, reject } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const email = () => page.getByRole('textbox', { name: 'E-mail address' })
const password = () => page.getByLabelText('Password', { exact: true })
const authCode = () => page.getByRole('textbox', { name: 'Code of your authenticator app' })
const submit = () => page.getByRole('main').getByRole('button', { name: 'Log in' })

async function fillIn() {
  await email().fill('ada@example.org')
  await password().fill('correct horse')
}

describe('the login', () => {
  test('accepts address and password, and leads to the screen the visitor wanted', async () => {
    answer(logIn, { token: 't', user: sample.realUser() })
    await openApp('/order')
    await expect.element(page.getByText('Log in to go to Orders.')).toBeVisible()
    await fillIn()
    await submit().click()
    await expect.element(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    expect(inputsOf(logIn)).toEqual([
      {
        contact: 'email',
        account: 'ada@example.org',
        password: 'correct horse',
        countryId: null,
        authCode: null,
      },
    ])
  })

  test('leads home when no other screen was wanted', async () => {
    answer(logIn, { token: 't', user: sample.realUser() })
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.poll(() => location.hash).toBe('#/')
  })

  test('shows the broker’s risk warning, and so does the registration', async () => {
    const risk = page.getByText(sample.basicInfo().riskWarning)
    await openApp('/login')
    await expect.element(risk).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Open an account' }).click()
    await expect.poll(() => location.hash).toContain('register')
    await expect.element(risk).toBeVisible()
  })

  test('does not send empty fields, and focuses the first one', async () => {
    await openApp('/login')
    await submit().click()
    await expect.element(email()).toHaveAccessibleDescription('Enter your e-mail address.')
    await expect.element(password()).toHaveAccessibleDescription('Enter a password.')
    await expect.element(email()).toHaveFocus()
    expect(inputsOf(logIn)).toEqual([])
  })

  test('removes the message at a field as soon as the field changes', async () => {
    await openApp('/login')
    await submit().click()
    await email().fill('a')
    await expect.element(email()).toHaveAttribute('aria-invalid', 'false')
    await expect.element(password()).toBeInvalid()
  })

  test('shows wrong credentials at the password, and keeps what was typed', async () => {
    reject(logIn, 'credentialsWrong', 'Address or password is wrong.')
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(password()).toHaveAccessibleDescription('Address or password is wrong.')
    await expect.element(email()).toHaveValue('ada@example.org')
    await expect.element(password()).toHaveValue('correct horse')
  })

  test('shows errors of no particular field above the button', async () => {
    reject(logIn, 'tooManyRequests', 'Too many tries. Wait ten minutes.')
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(page.getByRole('alert').filter({ hasText: 'Too many tries' })).toBeVisible()
  })

  test('shows that the server did not respond', async () => {
    failConnection(logIn)
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(notice(/The server could not be reached/)).toBeVisible()
    await expect.element(submit()).toBeEnabled()
  })

  test('is sent once, even if Enter is pressed while it is in progress', async () => {
    answer(logIn, { token: 't', user: sample.realUser() })
    await openApp('/login')
    await fillIn()
    const release = hold(logIn)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => inputsOf(logIn)).toHaveLength(1)
    await expect.element(page.getByRole('progressbar', { name: 'Loading' })).toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    release()
    await expect.poll(() => location.hash).toBe('#/')
    expect(inputsOf(logIn)).toHaveLength(1)
  })

  test('hides the password, and shows it on request', async () => {
    await openApp('/login')
    await password().fill('secret words')
    await expect.element(password()).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect.element(password()).toHaveAttribute('type', 'text')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect.element(password()).toHaveAttribute('type', 'password')
    await expect.element(password()).toHaveValue('secret words')
  })
})

describe('the second factor', () => {
  const openCodeStep = async () => {
    reject(logIn, 'secondFactorNeeded', 'A code is needed.')
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(authCode()).toHaveFocus()
  }

  test('is requested once the password is right, without showing an error', async () => {
    await openCodeStep()
    await expect.element(page.getByText(/The password is correct\. ada@example\.org requires/)).toBeVisible()
    await expect.element(authCode()).toBeValid()
    answer(logIn, { token: 't', user: sample.realUser() })
    await authCode().fill(' 123456 ')
    await submit().click()
    await expect
      .poll(() => inputsOf(logIn).at(-1))
      .toMatchObject({ authCode: '123456', password: 'correct horse' })
  })

  test('an empty code is not sent', async () => {
    await openCodeStep()
    await submit().click()
    await expect.element(authCode()).toHaveAccessibleDescription('Enter the code.')
    expect(inputsOf(logIn)).toHaveLength(1)
  })

  test('a wrong code is shown at the code field', async () => {
    await openCodeStep()
    reject(logIn, 'secondFactorWrong', 'This code is not valid.')
    await authCode().fill('000000')
    await submit().click()
    await expect.element(authCode()).toHaveAccessibleDescription('This code is not valid.')
  })

  test('allows going back to another account, and keeps what was typed', async () => {
    await openCodeStep()
    await page.getByRole('button', { name: 'Log in to another account' }).click()
    await expect.element(email()).toHaveValue('ada@example.org')
  })
})

describe('a mobile phone', () => {
  test('has a country, preselected as the second of the list', async () => {
    answer(logIn, { token: 't', user: sample.realUser({ email: null, phone: '5551234', areaCode: '852' }) })
    await openApp('/login')
    await choose('Mobile phone')
    const country = page.getByRole('button', { name: 'Country or area' })
    await expect.element(country).toMatchTextContent('Hong Kong+852')
    await page.getByRole('textbox', { name: /Phone number/ }).fill('5551234')
    await password().fill('correct horse')
    await submit().click()
    await expect
      .poll(() => inputsOf(logIn)[0])
      .toMatchObject({ contact: 'mobile', account: '5551234', countryId: 2 })
  })

  test('is asked for where there is none', async () => {
    await openApp('/login')
    await choose('Mobile phone')
    await submit().click()
    await expect
      .element(page.getByRole('textbox', { name: /Phone number/ }))
      .toHaveAccessibleDescription('Enter your phone number.')
    expect(inputsOf(logIn)).toEqual([])
  })

  test('is offered first where registration accepts only phones', async () => {
    answer(getSetting, { registrationMode: 'mobile' })
    await openApp('/login')
    await expect.element(page.getByRole('radio', { name: 'Mobile phone' })).toBeChecked()
  })

  test('finds the country by name or calling code', async () => {
    await openApp('/login')
    await choose('Mobile phone')
    await page.getByRole('button', { name: 'Country or area' }).click()
    const sheet = page.getByRole('dialog', { name: 'Country or area' })
    const search = sheet.getByRole('searchbox')
    const found = () => sheet.getByRole('listitem').elements().length
    await search.fill('germ')
    await expect.poll(found).toBe(1)
    await search.fill('44')
    await expect.element(sheet.getByRole('listitem')).toMatchTextContent('United Kingdom')
    await search.fill('Atlantis')
    await expect.element(sheet.getByText('No country or area matches “Atlantis”.')).toBeVisible()
    await search.fill('germ')
    await userEvent.keyboard('{Enter}')
    await expect
      .element(page.getByRole('button', { name: 'Country or area' }))
      .toMatchTextContent('Germany+49')
  })

  test('shows at once that a chosen country is not served', async () => {
    await openApp('/login')
    await choose('Mobile phone')
    await page.getByRole('button', { name: 'Country or area' }).click()
    const sheet = page.getByRole('dialog', { name: 'Country or area' })
    await sheet.getByRole('button', { name: /United States/ }).click()
    await expect
      .element(page.getByText(/we do not provide services to people in United States/))
      .toBeVisible()
  })

  test('shows that the list of countries could not be loaded, and loads it again', async () => {
    failConnection(listCountries)
    await openApp('/login')
    await choose('Mobile phone')
    await expect.element(page.getByText(/The list of countries could not be loaded/)).toBeVisible()
    answer(listCountries, sample.countries)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('button', { name: 'Country or area' })).toBeVisible()
  })
})

describe('a visitor of the log-in', () => {
  test('sees the demo with its balance, and opens it', async () => {
    await openApp('/login')
    await expect.element(page.getByText(/100,000\.00 USD of virtual money/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  })

  test('with an open demo account learns that it is kept', async () => {
    await openApp('/login', { as: 'demo' })
    await expect.element(page.getByText('You are logged in as 700007.')).toBeVisible()
    await expect.element(page.getByText(/Your demo account is kept/)).toBeVisible()
    await expect.element(email()).toBeVisible()
  })

  test('logged in to a real account can only continue', async () => {
    await openApp('/login', { as: 'real' })
    await expect.element(page.getByText('You are logged in as ada@example.org.')).toBeVisible()
    await expect.element(email()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => location.hash).toBe('#/')
  })

  test('without an account is led to the registration, which keeps the wanted screen', async () => {
    await openApp('/login?from=%2Forder')
    await page.getByRole('link', { name: 'Open an account' }).click()
    await expect.poll(() => location.hash).toBe('#/register?from=%2Forder')
  })

  test('can change the appearance before logging in', async () => {
    await openApp('/login')
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect.element(page.getByRole('radiogroup', { name: 'Theme' })).toBeVisible()
  })

  test('gets the form even if the registration mode cannot be loaded', async () => {
    failConnection(getSetting)
    await openApp('/login')
    await expect.element(email()).toBeVisible()
  })
})
