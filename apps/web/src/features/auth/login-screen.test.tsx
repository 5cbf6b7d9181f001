import { getSetting, listCountries, logIn } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { choose, notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, hold, refuse } from '../../testing/fake-server.ts'
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
  test('takes address and password, and leads to where the visitor wanted to go', async () => {
    answer(logIn, { token: 't', user: sample.realUser() })
    await openApp('/order')
    await expect.element(page.getByText('Log in to go to Orders.')).toBeVisible()
    await fillIn()
    await submit().click()
    await expect.element(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    expect(asked(logIn)).toEqual([
      {
        ...{ contact: 'email', account: 'ada@example.org', password: 'correct horse' },
        ...{ countryId: null, authCode: null },
      },
    ])
  })

  test('leads home where no screen was wanted', async () => {
    answer(logIn, { token: 't', user: sample.realUser() })
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.poll(() => location.hash).toBe('#/')
  })

  test('says what the deployment says about the risk, and so does the registration', async () => {
    const risk = page.getByText(sample.basicInfo().riskWarning)
    await openApp('/login')
    await expect.element(risk).toBeVisible()
    await page.getByRole('main').getByRole('link', { name: 'Open an account' }).click()
    await expect.poll(() => location.hash).toContain('register')
    await expect.element(risk).toBeVisible()
  })

  test('does not send what is empty, and leads to the first field that is', async () => {
    await openApp('/login')
    await submit().click()
    await expect.element(email()).toHaveAccessibleDescription('Enter your e-mail address.')
    await expect.element(password()).toHaveAccessibleDescription('Enter a password.')
    await expect.element(email()).toHaveFocus()
    expect(asked(logIn)).toEqual([])
  })

  test('takes back what it said about a field as soon as that changes', async () => {
    await openApp('/login')
    await submit().click()
    await email().fill('a')
    await expect.element(email()).toHaveAttribute('aria-invalid', 'false')
    await expect.element(password()).toBeInvalid()
  })

  test('says at the password that the two do not fit, and keeps what was typed', async () => {
    refuse(logIn, 'credentialsWrong', 'Address or password is wrong.')
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(password()).toHaveAccessibleDescription('Address or password is wrong.')
    await expect.element(email()).toHaveValue('ada@example.org')
    await expect.element(password()).toHaveValue('correct horse')
  })

  test('says above the button what is about no field', async () => {
    refuse(logIn, 'tooManyRequests', 'Too many tries. Wait ten minutes.')
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(page.getByRole('alert').filter({ hasText: 'Too many tries' })).toBeVisible()
  })

  test('says that there was no answer', async () => {
    cut(logIn)
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(notice(/The server could not be reached/)).toBeVisible()
    await expect.element(submit()).toBeEnabled()
  })

  test('is sent once, also by the Enter key while it is under way', async () => {
    answer(logIn, { token: 't', user: sample.realUser() })
    await openApp('/login')
    await fillIn()
    const release = hold(logIn)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => asked(logIn)).toHaveLength(1)
    await expect.element(page.getByRole('progressbar', { name: 'Loading' })).toBeInTheDocument()
    await userEvent.keyboard('{Enter}')
    release()
    await expect.poll(() => location.hash).toBe('#/')
    expect(asked(logIn)).toHaveLength(1)
  })

  test('hides the password, and shows it on purpose', async () => {
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
  const askForCode = async () => {
    refuse(logIn, 'secondFactorNeeded', 'A code is needed.')
    await openApp('/login')
    await fillIn()
    await submit().click()
    await expect.element(authCode()).toHaveFocus()
  }

  test('is asked for once the password is right, and is no failure', async () => {
    await askForCode()
    await expect.element(page.getByText(/The password is right\. ada@example\.org asks/)).toBeVisible()
    await expect.element(authCode()).toBeValid()
    answer(logIn, { token: 't', user: sample.realUser() })
    await authCode().fill(' 123456 ')
    await submit().click()
    await expect
      .poll(() => asked(logIn).at(-1))
      .toMatchObject({ authCode: '123456', password: 'correct horse' })
  })

  test('an empty code is not sent', async () => {
    await askForCode()
    await submit().click()
    await expect.element(authCode()).toHaveAccessibleDescription('Enter the code.')
    expect(asked(logIn)).toHaveLength(1)
  })

  test('a wrong code is said at the code', async () => {
    await askForCode()
    refuse(logIn, 'secondFactorWrong', 'This code is not valid.')
    await authCode().fill('000000')
    await submit().click()
    await expect.element(authCode()).toHaveAccessibleDescription('This code is not valid.')
  })

  test('there is a way back to another account, with what was typed', async () => {
    await askForCode()
    await page.getByRole('button', { name: 'Log in to another account' }).click()
    await expect.element(email()).toHaveValue('ada@example.org')
  })
})

describe('a mobile phone', () => {
  test('comes with its country, the second of the list to begin with', async () => {
    answer(logIn, { token: 't', user: sample.realUser({ email: null, phone: '5551234', areaCode: '852' }) })
    await openApp('/login')
    await choose('Mobile phone')
    const country = page.getByRole('button', { name: 'Country or area' })
    await expect.element(country).toMatchTextContent('Hong Kong+852')
    await page.getByRole('textbox', { name: /Phone number/ }).fill('5551234')
    await password().fill('correct horse')
    await submit().click()
    await expect
      .poll(() => asked(logIn)[0])
      .toMatchObject({ contact: 'mobile', account: '5551234', countryId: 2 })
  })

  test('is offered first where one registers by it only', async () => {
    answer(getSetting, { registrationMode: 'mobile' })
    await openApp('/login')
    await expect.element(page.getByRole('radio', { name: 'Mobile phone' })).toBeChecked()
  })

  test('the country is found by name or calling code', async () => {
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
    await expect.element(sheet.getByText('No country or area is called “Atlantis”.')).toBeVisible()
    await search.fill('germ')
    await userEvent.keyboard('{Enter}')
    await expect
      .element(page.getByRole('button', { name: 'Country or area' }))
      .toMatchTextContent('Germany+49')
  })

  test('where nobody is served that is said as soon as it is chosen', async () => {
    await openApp('/login')
    await choose('Mobile phone')
    await page.getByRole('button', { name: 'Country or area' }).click()
    const sheet = page.getByRole('dialog', { name: 'Country or area' })
    await sheet.getByRole('button', { name: /United States/ }).click()
    await expect
      .element(page.getByText(/we do not provide services to people in United States/))
      .toBeVisible()
  })

  test('without the list of countries says so, and asks again', async () => {
    cut(listCountries)
    await openApp('/login')
    await choose('Mobile phone')
    await expect.element(page.getByText(/The list of countries could not be loaded/)).toBeVisible()
    answer(listCountries, sample.countries)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('button', { name: 'Country or area' })).toBeVisible()
  })
})

describe('who comes to the login', () => {
  test('is shown the demo with what it holds, and opens it', async () => {
    await openApp('/login')
    await expect.element(page.getByText(/100,000\.00 USD of play money/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
  })

  test('with a demo running is told that it stays', async () => {
    await openApp('/login', { as: 'demo' })
    await expect.element(page.getByText('You are logged in as 700007.')).toBeVisible()
    await expect.element(page.getByText(/Your demo stays as it is/)).toBeVisible()
    await expect.element(email()).toBeVisible()
  })

  test('with a real account may only go on', async () => {
    await openApp('/login', { as: 'real' })
    await expect.element(page.getByText('You are logged in as ada@example.org.')).toBeVisible()
    await expect.element(email()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Go on' }).click()
    await expect.poll(() => location.hash).toBe('#/')
  })

  test('without an account is led to one, and keeps where the way leads', async () => {
    await openApp('/login?from=%2Forder')
    await page.getByRole('link', { name: 'Open an account' }).click()
    await expect.poll(() => location.hash).toBe('#/register?from=%2Forder')
  })

  test('can set how the app looks before any login', async () => {
    await openApp('/login')
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect.element(page.getByRole('radiogroup', { name: 'Theme' })).toBeVisible()
  })

  test('gets the form although nobody says how one registers', async () => {
    cut(getSetting)
    await openApp('/login')
    await expect.element(email()).toBeVisible()
  })
})
