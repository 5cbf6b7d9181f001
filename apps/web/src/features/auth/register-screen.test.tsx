import { createChallenge, pbkdf2 } from 'altcha/lib'
import {
  getBasicInfo,
  getCaptcha,
  getConsentDocuments,
  getSetting,
  register,
  resetPassword,
  sendEmailCode,
  sendSmsCode,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, notice, openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, reject } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const email = () => page.getByRole('textbox', { name: 'E-mail address' })
const code = () => page.getByRole('textbox', { name: 'Code', exact: true })
const password = () => page.getByLabelText('Choose a password')
const repeated = () => page.getByLabelText('Repeat the password')
const terms = () => page.getByRole('checkbox', { name: /agree to the terms/ })
const risks = () => page.getByRole('checkbox', { name: /risk disclosure/ })
const submit = () => page.getByRole('main').getByRole('button', { name: 'Open an account' })
const GOOD = 'a long enough password'

async function fillIn() {
  await email().fill('ada@example.org')
  await code().fill('123456')
  await password().fill(GOOD)
  await repeated().fill(GOOD)
  await terms().click()
  await risks().click()
}

describe('the registration', () => {
  test('sends all fields, and leads on', async () => {
    answer(register, { token: 't', user: sample.realUser() })
    await openApp('/register?invite_code=FRIEND&from=%2Forder')
    await fillIn()
    await submit().click()
    await expect.element(page.getByRole('heading', { name: 'Orders' })).toBeVisible()
    expect(inputsOf(register)).toEqual([
      {
        contact: 'email',
        account: 'ada@example.org',
        countryId: 2,
        code: '123456',
        password: GOOD,
        repeatedPassword: GOOD,
        inviteCode: 'FRIEND',
        captchaId: null,
        hasConsented: true,
        consentVersion: '2026-01',
      },
    ])
  })

  test.each([' 123456', '123 456', '１２３４５６', 'Code: 123456.'])(
    'a code pasted as %j loses none of its digits',
    async (pasted) => {
      await openApp('/register')
      await code().fill(pasted)
      await expect.element(code()).toHaveValue('123456')
    },
  )

  test('shows everything that is missing at once, and sends nothing', async () => {
    await openApp('/register')
    await submit().click()
    await expect.element(email()).toHaveAccessibleDescription('Enter your e-mail address.')
    await expect.element(code()).toHaveAccessibleDescription('Enter the code.')
    await expect.element(password()).toHaveAccessibleDescription('Enter a password.')
    await expect.element(terms()).toHaveAccessibleDescription('Please read this and agree to it first.')
    await expect.element(risks()).toHaveAccessibleDescription('Please read this and agree to it first.')
    await expect.element(email()).toHaveFocus()
    expect(inputsOf(register)).toEqual([])
  })

  test('does not send a password that is too short or repeated differently', async () => {
    await openApp('/register')
    await fillIn()
    await password().fill('short')
    await submit().click()
    await expect.element(password()).toHaveAccessibleDescription('A password needs at least 8 characters.')
    await password().fill('another long password')
    await submit().click()
    await expect.element(repeated()).toHaveAccessibleDescription('The two passwords are not the same.')
    expect(inputsOf(register)).toEqual([])
  })

  test.each([
    ['accountTaken', email, 'There is an account with this address.'],
    ['codeWrong', code, 'This code is wrong or too old.'],
    ['passwordCommon', password, 'This password is too common.'],
    [
      'inviteCodeUnknown',
      () => page.getByRole('textbox', { name: /Invitation code/ }),
      'Nobody has this code.',
    ],
  ] as const)(
    'shows a rejection (%s) at its field, and keeps what was typed',
    async (reason, field, text) => {
      reject(register, reason, text)
      await openApp('/register')
      await fillIn()
      await submit().click()
      await expect.element(field()).toHaveAccessibleDescription(text)
      await expect.element(email()).toHaveValue('ada@example.org')
      await expect.element(terms()).toBeChecked()
    },
  )

  test('requires consent again when the terms have changed', async () => {
    reject(register, 'consentOutdated', 'The terms have changed. Please read them.')
    await openApp('/register')
    await fillIn()
    answer(getConsentDocuments, { version: '2026-02', terms: 'New terms.', riskDisclosure: 'Risks.' })
    await submit().click()
    await expect.element(terms()).toHaveAccessibleDescription('The terms have changed. Please read them.')
    await expect.element(terms()).not.toBeChecked()
    await expect.poll(() => inputsOf(getConsentDocuments).length).toBeGreaterThan(1)
  })

  test('shows each document with its version', async () => {
    await openApp('/register')
    await page.getByRole('button', { name: 'Read: Risk disclosure' }).click()
    const sheet = page.getByRole('dialog', { name: 'Risk disclosure' })
    await expect.element(sheet).toMatchTextContent('Risks.')
    await expect.element(sheet).toMatchTextContent('Version 2026-01')
  })

  test('a document that failed to load can be loaded again', async () => {
    failConnection(getConsentDocuments)
    await openApp('/register')
    await page.getByRole('button', { name: 'Read: Terms' }).click()
    const sheet = page.getByRole('dialog', { name: 'Terms' })
    await expect.element(sheet).toMatchTextContent('This text could not be loaded.')
    answer(getConsentDocuments, { version: '1', terms: 'Here they are.', riskDisclosure: '' })
    await sheet.getByRole('button', { name: 'Try again' }).click()
    await expect.element(sheet).toMatchTextContent('Here they are.')
  })

  test('names the countries that are not served before the form is filled in', async () => {
    await openApp('/register')
    await expect
      .element(page.getByText(/not provided to people in these countries and areas: United States/))
      .toBeVisible()
  })

  test('does not send a country that is not served', async () => {
    await openApp('/register')
    await fillIn()
    await page.getByRole('button', { name: /where you live/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /United States/ })
      .click()
    await submit().click()
    await expect
      .element(page.getByText(/we do not provide services to people in United States/))
      .toBeVisible()
    expect(inputsOf(register)).toEqual([])
  })

  test('without the settings shows no form, but a button to try again', async () => {
    failConnection(getSetting)
    await openApp('/register')
    await expect.element(page.getByText('The form could not be loaded')).toBeVisible()
    answer(getSetting, { registrationMode: 'email' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(email()).toBeVisible()
    await expect.element(page.getByRole('radio', { name: 'Mobile phone' })).not.toBeInTheDocument()
  })

  test('shows a placeholder until the settings are loaded', async () => {
    const release = hold(getSetting)
    await openApp('/register')
    await expect.element(page.getByRole('heading', { name: 'Open an account' })).toBeVisible()
    await expect.element(submit()).not.toBeInTheDocument()
    release()
    await expect.element(submit()).toBeVisible()
  })

  test('keeps the demo of a demo user', async () => {
    await openApp('/register', { as: 'demo' })
    await expect.element(page.getByText(/Your demo account is kept/)).toBeVisible()
    await expect.element(submit()).toBeVisible()
  })
})

describe('the code', () => {
  const send = () => page.getByRole('button', { name: 'Send code' })
  const again = () => page.getByRole('button', { name: /^Again in \d+ s$/ })

  test('is sent to the address, at most once a minute', async () => {
    answer(sendEmailCode, null)
    await openApp('/register')
    await email().fill('ada@example.org')
    await send().click()
    await expect.element(again()).toBeDisabled()
    await expect.element(code()).toHaveAccessibleDescription(/Sent to ada@example\.org/)
    await expect.element(code()).toHaveFocus()
    expect(inputsOf(sendEmailCode)).toEqual([{ to: 'ada@example.org', purpose: 'register' }])
  })

  test('is not sent to another address within the minute either', async () => {
    answer(sendEmailCode, null)
    await openApp('/register')
    await email().fill('ada@example.org')
    await send().click()
    await expect.element(again()).toBeVisible()
    await email().fill('eve@example.org')
    await expect.element(again()).toBeDisabled()
    await choose('Mobile phone')
    await expect.element(again()).toBeDisabled()
    await choose('E-mail')
    await expect.element(code()).not.toHaveAccessibleDescription(/Sent to/)
    expect(inputsOf(sendEmailCode)).toHaveLength(1)
  })

  test('needs an address first', async () => {
    await openApp('/register')
    await send().click()
    await expect.element(email()).toHaveAccessibleDescription('Enter your e-mail address.')
    expect(inputsOf(sendEmailCode)).toEqual([])
  })

  test('a rejection is shown at the address', async () => {
    reject(sendEmailCode, 'emailInvalid', 'This is no e-mail address.')
    await openApp('/register')
    await email().fill('ada')
    await send().click()
    await expect.element(email()).toHaveAccessibleDescription('This is no e-mail address.')
    await expect.element(send()).toBeEnabled()
  })

  test('goes to a phone by SMS, with its country', async () => {
    answer(sendSmsCode, null)
    await openApp('/register')
    await choose('Mobile phone')
    await page.getByRole('textbox', { name: /Phone number/ }).fill('5551234')
    await send().click()
    await expect
      .poll(() => inputsOf(sendSmsCode))
      .toEqual([{ to: '5551234', countryId: 2, purpose: 'register' }])
  })

  test('the account it was sent to is kept across a reload', async () => {
    answer(sendEmailCode, null)
    const first = await openApp('/register')
    await email().fill('ada@example.org')
    await send().click()
    await expect.element(again()).toBeVisible()
    await first.unmount()
    await openApp('/register')
    await expect.element(email()).toHaveValue('ada@example.org')
    await expect.element(again()).toBeDisabled()
  })
})

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

describe('a captcha instead of a code', () => {
  const digits = () => page.getByRole('textbox', { name: 'Digits of the picture' })
  const openCaptcha = async () => {
    answer(getBasicInfo, sample.basicInfo({ registrationCheck: 'captcha' }))
    await openApp('/register')
    await expect.element(page.getByRole('img', { name: 'Picture with five digits' })).toBeInTheDocument()
  }

  test('is sent with its id', async () => {
    answer(register, { token: 't', user: sample.realUser() })
    await openCaptcha()
    await email().fill('ada@example.org')
    await digits().fill('12 ３45')
    await password().fill(GOOD)
    await repeated().fill(GOOD)
    await terms().click()
    await risks().click()
    await submit().click()
    await expect.poll(() => inputsOf(register)[0]).toMatchObject({ code: '12345', captchaId: 'c1' })
  })

  test('a wrong answer loads a new one, and clears only the digits', async () => {
    reject(register, 'captchaWrong', 'These were not the digits.')
    await openCaptcha()
    await email().fill('ada@example.org')
    await digits().fill('12345')
    await password().fill(GOOD)
    await repeated().fill(GOOD)
    await terms().click()
    await risks().click()
    const before = inputsOf(getCaptcha).length
    await submit().click()
    await expect.element(digits()).toHaveAccessibleDescription('These were not the digits.')
    await expect.element(digits()).toHaveValue('')
    await expect.element(password()).toHaveValue(GOOD)
    expect(inputsOf(getCaptcha).length).toBeGreaterThan(before)
  })

  test('a new one can be requested', async () => {
    await openCaptcha()
    await digits().fill('123')
    const before = inputsOf(getCaptcha).length
    await page.getByRole('button', { name: 'New picture' }).click()
    await expect.element(digits()).toHaveValue('')
    await expect.poll(() => inputsOf(getCaptcha).length).toBe(before + 1)
  })

  describe('that cannot be seen', () => {
    const without = () => page.getByRole('button', { name: 'Continue without the picture' })
    const done = () => page.getByText('Done without the picture.')
    const giveChallenge = async (cost = 1) => {
      const { deriveKey } = pbkdf2
      const challenge = await createChallenge({ algorithm: 'PBKDF2/SHA-256', cost, counter: 2, deriveKey })
      answer(getCaptcha, { id: 'c2', image: PIXEL, challenge: JSON.stringify(challenge) })
    }

    test('is replaced by a calculation, which is sent with its id', async () => {
      answer(register, { token: 't', user: sample.realUser() })
      await giveChallenge()
      await openCaptcha()
      await without().click()
      await expect.element(done()).toBeVisible()
      await expect.element(digits()).not.toBeInTheDocument()
      // The focus stays, so that a screen reader goes on from here.
      expect(document.activeElement?.textContent).toBe('Use the picture')
      await email().fill('ada@example.org')
      await password().fill(GOOD)
      await repeated().fill(GOOD)
      await terms().click()
      await risks().click()
      await submit().click()
      await expect
        .poll(() => inputsOf(register)[0])
        .toMatchObject({ code: expect.stringMatching(/^altcha 2 [0-9a-f]{64}$/), captchaId: 'c2' })
    })

    test('can be seen after all', async () => {
      await giveChallenge()
      await openCaptcha()
      await without().click()
      await page.getByRole('button', { name: 'Use the picture' }).click()
      await expect.element(digits()).toHaveValue('')
      await expect.element(done()).not.toBeInTheDocument()
    })

    test.each(['{', '{}', 'null', '\u0000', '٣'.repeat(10_000)])(
      'says so where the calculation fails: %.20j',
      async (challenge) => {
        answer(getCaptcha, { id: 'c2', image: PIXEL, challenge })
        await openCaptcha()
        await without().click()
        await expect.element(page.getByText(/^That did not work on this device/)).toBeVisible()
        await expect.element(digits()).toBeVisible()
      },
    )

    test('has nothing in its place on a server without calculations', async () => {
      await openCaptcha()
      await expect.element(digits()).toBeVisible()
      expect(without().elements()).toEqual([])
    })
  })
})

test('a forgotten password needs no picture, also where registering does', async () => {
  answer(getBasicInfo, sample.basicInfo({ registrationCheck: 'captcha' }))
  await openApp('/forgot')
  await expect.element(code()).toBeVisible()
  expect(page.getByRole('main').getByRole('img').elements()).toEqual([])
  expect(inputsOf(getCaptcha)).toEqual([])
})

describe('a forgotten password', () => {
  const fresh = () => page.getByLabelText('New password')
  const set = () => page.getByRole('button', { name: 'Set password' })
  const fillInNew = async () => {
    await openApp('/forgot')
    await email().fill('ada@example.org')
    await code().fill('654321')
    await fresh().fill(GOOD)
    await repeated().fill(GOOD)
  }

  test('is replaced with a code, and leads to the log-in with the server’s message', async () => {
    answer(resetPassword, null, 'The password is set. Log in with it.')
    await fillInNew()
    await set().click()
    await expect.element(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    await expect.element(notice('The password is set. Log in with it.')).toBeVisible()
    expect(inputsOf(resetPassword)).toEqual([
      {
        contact: 'email',
        account: 'ada@example.org',
        countryId: null,
        newPassword: GOOD,
        repeatedPassword: GOOD,
        code: '654321',
      },
    ])
  })

  test('by mobile phone with its country', async () => {
    answer(resetPassword, null)
    await openApp('/forgot')
    await choose('Mobile phone')
    await page.getByRole('textbox', { name: /Phone number/ }).fill('5551234')
    await code().fill('654321')
    await fresh().fill(GOOD)
    await repeated().fill(GOOD)
    await set().click()
    await expect
      .poll(() => inputsOf(resetPassword)[0])
      .toMatchObject({ contact: 'mobile', account: '5551234', countryId: 2 })
  })

  test('a wrong code is shown at the code field, and nothing typed is lost', async () => {
    reject(resetPassword, 'codeWrong', 'This code is wrong or too old.')
    await fillInNew()
    await set().click()
    await expect.element(code()).toHaveAccessibleDescription('This code is wrong or too old.')
    await expect.element(fresh()).toHaveValue(GOOD)
  })

  test('requests a code for its own purpose', async () => {
    answer(sendEmailCode, null)
    await openApp('/forgot')
    await email().fill('ada@example.org')
    await page.getByRole('button', { name: 'Send code' }).click()
    await expect.poll(() => inputsOf(sendEmailCode)).toEqual([{ to: 'ada@example.org', purpose: 'reset' }])
  })
})
