import {
  changeDeskPassword,
  confirmDeskFactor,
  getDeskSelf,
  joinDesk,
  listOperators,
  logInToDesk,
  logOutOfDesk,
  prepareDeskFactor,
} from '@fairlot/contract/desk'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, headersOf, receivedMessages, reject } from '../../testing/fake-server.ts'

withFakeServer()

const field = (name: string) => page.getByLabelText(name, { exact: true })
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
const heading = (name: string) => page.getByRole('heading', { name })

async function fillLogin(): Promise<void> {
  await field('Name').fill('R. Finance')
  await field('Password').fill('a good password')
  await press('Log in')
}

describe('logging in', () => {
  test('names missing input before anything is sent', async () => {
    await openDesk('/', { as: null })
    await press('Log in')
    await expect.element(page.getByText('Enter your name.')).toBeVisible()
    expect(inputsOf(logInToDesk)).toEqual([])
  })

  test('requests a code once the server needs one, then opens the requested page', async () => {
    const operator = self()
    answer(getDeskSelf, operator)
    reject(logInToDesk, 'secondFactorNeeded', 'A code is needed.')
    await openDesk('/settings/operators', { as: null })
    await fillLogin()
    await field('Code').fill('123 456')
    answer(logInToDesk, { token: 'new-token', self: operator })
    await press('Log in')
    await expect.element(heading('Settings')).toBeVisible()
    expect(inputsOf(logInToDesk)).toEqual([
      { name: 'R. Finance', password: 'a good password', code: null },
      { name: 'R. Finance', password: 'a good password', code: '123456' },
    ])
    await expect.poll(() => headersOf(listOperators)[0]?.get('authorization')).toBe('new-token')
    expect(receivedMessages()).toContainEqual({ type: 'login', token: 'new-token' })
  })

  test('shows why the server rejected it', async () => {
    reject(logInToDesk, 'credentialsWrong', 'Name or password is wrong.')
    await openDesk('/', { as: null })
    await fillLogin()
    await expect.element(page.getByText('Name or password is wrong.')).toBeVisible()
  })

  test('a session that has ended says so', async () => {
    reject(listOperators, 'sessionGone', 'Log in again.')
    await openDesk('/settings/operators')
    await expect.element(page.getByText('Your session has ended. Log in again.')).toBeVisible()
  })

  test('logging out removes all data of the desk', async () => {
    await openDesk('/settings/operators')
    await page.getByText('R. Finance').click()
    await press('Log out')
    await expect.element(heading('Log in')).toBeVisible()
    expect(inputsOf(logOutOfDesk)).toHaveLength(1)
    expect(sessionStorage.getItem('fairlot.desk.token')).toBe(null)
  })
})

describe('an invitation', () => {
  test('sets a password, then a second factor', async () => {
    const operator = self({ needsSecondFactor: true })
    answer(joinDesk, { token: 'new-token', self: operator })
    answer(getDeskSelf, operator)
    answer(prepareDeskFactor, { secret: 'ABCD EFGH', address: 'otpauth://totp/x' })
    await openDesk('/join?invitation=once%2Bonly', { as: null })
    await press('Join')
    await expect.element(field('Confirmation key')).toHaveAccessibleDescription('Enter the confirmation key.')
    await field('Confirmation key').fill('k7m2p-aaaaa')
    await field('New password').fill('a good password')
    await press('Join')
    await expect.element(heading('Second factor')).toBeVisible()
    expect(inputsOf(joinDesk)).toEqual([
      { invitation: 'once+only', confirmation: 'k7m2p-aaaaa', password: 'a good password' },
    ])
  })

  test('shows a wrong confirmation key at its field, and can be submitted again', async () => {
    reject(joinDesk, 'confirmationWrong', 'The confirmation key is wrong.')
    await openDesk('/join?invitation=once', { as: null })
    await field('Confirmation key').fill('wrong')
    await field('New password').fill('a good password')
    await press('Join')
    await expect
      .element(field('Confirmation key'))
      .toHaveAccessibleDescription('The confirmation key is wrong.')
    const operator = self({ needsSecondFactor: true })
    answer(joinDesk, { token: 'new-token', self: operator })
    answer(getDeskSelf, operator)
    answer(prepareDeskFactor, { secret: 'ABCD EFGH', address: 'otpauth://totp/x' })
    await field('Confirmation key').fill('right')
    await press('Join')
    await expect.element(heading('Second factor')).toBeVisible()
  })
})

describe('the second factor', () => {
  const operator = self({ needsSecondFactor: true })
  const open = () => {
    answer(prepareDeskFactor, { secret: 'ABCD EFGH', address: 'otpauth://totp/x' })
    return openDesk('/settings', { as: operator })
  }

  test('is set up before anything else', async () => {
    await open()
    await expect.element(page.getByRole('img', { name: /QR code/ })).toBeVisible()
    expect(inputsOf(listOperators)).toEqual([])
    expect(inputsOf(prepareDeskFactor)).toHaveLength(1)
  })

  test('a wrong code is shown at its field', async () => {
    await open()
    reject(confirmDeskFactor, 'secondFactorWrong', 'The code is wrong.')
    await field('Code').fill('000000')
    await press('Switch on')
    await expect.element(field('Code')).toHaveAccessibleDescription('The code is wrong.')
  })

  test('recovery codes are shown once, then the desk', async () => {
    await open()
    answer(confirmDeskFactor, { recoveryCodes: ['one-1', 'two-2'] })
    await field('Code').fill('123456')
    await press('Switch on')
    await expect.element(page.getByText('two-2', { exact: true })).toBeVisible()
    answer(getDeskSelf, self())
    await press('I have saved the codes')
    await expect.element(heading('Settings')).toBeVisible()
  })
})

describe("an operator's own password", () => {
  const openDialog = async () => {
    await openDesk('/settings/operators')
    await page.getByText('R. Finance').click()
    await press('Change password')
  }

  test('shows missing input and rejections at their fields, and sends nothing before it is complete', async () => {
    await openDialog()
    await press('Change')
    await expect
      .element(field('Current password'))
      .toHaveAccessibleDescription('Enter your current password.')
    await expect.element(field('Code')).toHaveAccessibleDescription('Enter the authentication code.')
    expect(inputsOf(changeDeskPassword)).toEqual([])
    await field('Current password').fill('a good password')
    await field('New password').fill('short')
    await field('Code').fill('123456')
    reject(changeDeskPassword, 'passwordTooShort', 'It is too short.')
    await press('Change')
    await expect.element(field('New password')).toHaveAccessibleDescription('It is too short.')
    reject(changeDeskPassword, 'passwordWrong', 'That is not your password.')
    await press('Change')
    await expect.element(field('Current password')).toHaveAccessibleDescription('That is not your password.')
  })

  test('is changed, and the other sessions are logged out', async () => {
    await openDialog()
    answer(changeDeskPassword, null)
    await field('Current password').fill('a good password')
    await field('New password').fill('a better password')
    await field('Code').fill('123456')
    await press('Change')
    await expect
      .element(page.getByText('Password changed. Your other sessions were logged out.').first())
      .toBeVisible()
    await expect.element(page.getByText('Change your password')).not.toBeInTheDocument()
    expect(inputsOf(changeDeskPassword)).toEqual([
      { oldPassword: 'a good password', password: 'a better password', code: '123456' },
    ])
  })
})
