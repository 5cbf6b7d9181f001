import {
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
import { answer, asked, askedWith, heardMessages, refuse } from '../../testing/fake-server.ts'

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
  test('names what is missing before anything is sent', async () => {
    await openDesk('/', { as: null })
    await press('Log in')
    await expect.element(page.getByText('Your name at the desk is missing.')).toBeVisible()
    expect(asked(logInToDesk)).toEqual([])
  })

  test('asks for a code once the server wants one, and leads to where one meant to go', async () => {
    const me = self()
    answer(getDeskSelf, me)
    refuse(logInToDesk, 'secondFactorNeeded', 'A code is needed.')
    await openDesk('/settings/operators', { as: null })
    await fillLogin()
    await field('Code').fill('123456')
    answer(logInToDesk, { token: 'new-token', self: me })
    await press('Log in')
    await expect.element(heading('Settings')).toBeVisible()
    expect(asked(logInToDesk)).toEqual([
      { name: 'R. Finance', password: 'a good password', code: null },
      { name: 'R. Finance', password: 'a good password', code: '123456' },
    ])
    await expect.poll(() => askedWith(listOperators)[0]?.get('authorization')).toBe('new-token')
    expect(heardMessages()).toContainEqual({ type: 'login', token: 'new-token' })
  })

  test('says in the words of the server why it was refused', async () => {
    refuse(logInToDesk, 'credentialsWrong', 'Name or password is wrong.')
    await openDesk('/', { as: null })
    await fillLogin()
    await expect.element(page.getByText('Name or password is wrong.')).toBeVisible()
  })

  test('a session that has ended says so', async () => {
    refuse(listOperators, 'sessionGone', 'Log in again.')
    await openDesk('/settings/operators')
    await expect.element(page.getByText('Your session has ended. Log in again.')).toBeVisible()
  })

  test('nothing of the desk is left after logging out', async () => {
    await openDesk('/settings/operators')
    await page.getByText('R. Finance').click()
    await press('Log out')
    await expect.element(heading('Log in')).toBeVisible()
    expect(asked(logOutOfDesk)).toHaveLength(1)
    expect(sessionStorage.getItem('fairlot.desk.token')).toBe(null)
  })
})

describe('an invitation', () => {
  test('is good for a password, and then for a second factor', async () => {
    const me = self({ needsSecondFactor: true })
    answer(joinDesk, { token: 'new-token', self: me })
    answer(getDeskSelf, me)
    answer(prepareDeskFactor, { secret: 'ABCD EFGH', address: 'otpauth://totp/x' })
    await openDesk('/join?invitation=once%2Bonly', { as: null })
    await field('New password').fill('a good password')
    await press('Join')
    await expect.element(heading('Second factor')).toBeVisible()
    expect(asked(joinDesk)).toEqual([{ invitation: 'once+only', password: 'a good password' }])
  })
})

describe('the second factor', () => {
  const me = self({ needsSecondFactor: true })
  const open = () => {
    answer(prepareDeskFactor, { secret: 'ABCD EFGH', address: 'otpauth://totp/x' })
    return openDesk('/settings', { as: me })
  }

  test('stands before everything else', async () => {
    await open()
    await expect.element(page.getByRole('img', { name: /QR code/ })).toBeVisible()
    expect(asked(listOperators)).toEqual([])
    expect(asked(prepareDeskFactor)).toHaveLength(1)
  })

  test('a wrong code is told at its field', async () => {
    await open()
    refuse(confirmDeskFactor, 'secondFactorWrong', 'The code is wrong.')
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
    await press('I have kept them')
    await expect.element(heading('Settings')).toBeVisible()
  })
})
