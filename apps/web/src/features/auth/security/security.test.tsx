import {
  changePassword,
  confirmSecondFactor,
  endSession,
  getSecondFactor,
  listSessions,
  logOut,
  logOutEverywhere,
  prepareSecondFactor,
  removeSecondFactor,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, asked, cut, hold, refuse } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const button = (name: string | RegExp) => page.getByRole('button', { name })
const authCode = () => page.getByRole('textbox', { name: 'Code of your authenticator app' })
const question = () => page.getByRole('alertdialog')
const OTHER = { id: 'there', isCurrent: false, device: '', address: '198.51.100.3' }

describe('changing the password', () => {
  const old = () => page.getByLabelText('Password until now')
  const fresh = () => page.getByLabelText('New password')
  const repeated = () => page.getByLabelText('The same password again')
  const fillIn = async () => {
    await old().fill('the old password')
    await fresh().fill('a fresh password')
    await repeated().fill('a fresh password')
  }

  test('goes on with the fresh session, and says what the server says', async () => {
    answer(changePassword, { token: 'fresh' }, 'The password is changed.')
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await button('Set password').click()
    await expect.element(notice('The password is changed.')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
    expect(asked(changePassword)).toEqual([
      { contact: 'email', oldPassword: 'the old password', newPassword: 'a fresh password', authCode: null },
    ])
  })

  test('says at the old password that it is wrong, and keeps the others', async () => {
    refuse(changePassword, 'passwordWrong', 'This is not your password.')
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await button('Set password').click()
    await expect.element(old()).toHaveAccessibleDescription('This is not your password.')
    await expect.element(fresh()).toHaveValue('a fresh password')
  })

  test('asks for the second factor where it is on', async () => {
    answer(getSecondFactor, { isOn: true, recoveryCodesLeft: 8 })
    answer(changePassword, { token: 'fresh' })
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await authCode().fill('123456')
    await button('Set password').click()
    await expect.poll(() => asked(changePassword)[0]).toMatchObject({ authCode: '123456' })
  })

  test('asks for it too where the server wants it and this device did not know', async () => {
    refuse(changePassword, 'secondFactorNeeded', 'A code is needed.')
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await button('Set password').click()
    await expect.element(authCode()).toHaveAccessibleDescription('A code is needed.')
  })

  test('a demo account is told that this is for real ones', async () => {
    await openApp('/mine/password', { as: 'demo' })
    await expect.element(page.getByText('Change password: for real accounts')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Open an account' })).toBeVisible()
  })
})

describe('the second factor', () => {
  const SECRET = { secret: 'ABCDEFGHIJKLMNOP', address: 'otpauth://totp/Fairlot:ada?secret=ABCDEFGHIJKLMNOP' }

  test('is switched on by password, secret and a code, and gives its recovery codes once', async () => {
    answer(prepareSecondFactor, SECRET)
    answer(confirmSecondFactor, { recoveryCodes: ['one-1111', 'two-2222'] })
    await openApp('/mine/system', { as: 'real' })
    await button('Switch on').click()
    await page.getByLabelText('Password', { exact: true }).fill('my password')
    await button('Go on').click()
    await expect.element(page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
    await expect.element(page.getByText('ABCD EFGH IJKL MNOP')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Open in the app' }))
      .toHaveAttribute('href', SECRET.address)
    await authCode().fill('123456')
    await button('Switch on').click()
    const codes = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
    await expect.element(codes.first()).toMatchTextContent('one-1111')
    expect(codes.elements()).toHaveLength(2)
    await button('I have kept them').click()
    await expect.element(page.getByText(/2 recovery codes are left/)).toBeVisible()
    await expect.element(button('Switch off')).toBeVisible()
    expect(asked(prepareSecondFactor)).toEqual([{ password: 'my password' }])
    expect(asked(confirmSecondFactor)).toEqual([{ authCode: '123456' }])
  })

  test('stays off with a wrong password', async () => {
    refuse(prepareSecondFactor, 'passwordWrong', 'This is not your password.')
    await openApp('/mine/system', { as: 'real' })
    await button('Switch on').click()
    const password = page.getByLabelText('Password', { exact: true })
    await expect.element(password).toHaveFocus()
    await password.fill('wrong')
    await button('Go on').click()
    await expect.element(password).toHaveAccessibleDescription('This is not your password.')
    await button('Cancel').click()
    await expect.element(page.getByText('Off', { exact: true })).toBeVisible()
  })

  test('stays off with a wrong code, and the secret stays in sight', async () => {
    answer(prepareSecondFactor, SECRET)
    refuse(confirmSecondFactor, 'secondFactorWrong', 'This code is not valid.')
    await openApp('/mine/system', { as: 'real' })
    await button('Switch on').click()
    await page.getByLabelText('Password', { exact: true }).fill('my password')
    await button('Go on').click()
    await authCode().fill('000000')
    await button('Switch on').click()
    await expect.element(authCode()).toHaveAccessibleDescription('This code is not valid.')
    await expect.element(page.getByText('ABCD EFGH IJKL MNOP')).toBeVisible()
  })

  test('is switched off by password and code', async () => {
    answer(getSecondFactor, { isOn: true, recoveryCodesLeft: 1 })
    answer(removeSecondFactor, null, 'The second factor is off.')
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/1 recovery code is left/)).toBeVisible()
    await button('Switch off').click()
    await button('Switch off').click()
    await expect.element(authCode()).toHaveAccessibleDescription('Enter the code.')
    await page.getByLabelText('Password', { exact: true }).fill('my password')
    await authCode().fill('123456')
    await button('Switch off').click()
    await expect.element(notice('The second factor is off.')).toBeVisible()
    await expect.element(button('Switch on')).toBeVisible()
  })

  test('without recovery codes says what to do', async () => {
    answer(getSecondFactor, { isOn: true, recoveryCodesLeft: 0 })
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/No recovery code is left: switch it off and on again/)).toBeVisible()
  })

  test('that could not be asked for says so, and asks again', async () => {
    cut(getSecondFactor)
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/This could not be loaded/)).toBeVisible()
    answer(getSecondFactor, { isOn: false, recoveryCodesLeft: 0 })
    await button('Try again').click()
    await expect.element(button('Switch on')).toBeVisible()
  })

  test('is nothing for a demo account', async () => {
    await openApp('/mine/system', { as: 'demo' })
    await expect.element(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Second factor' })).not.toBeInTheDocument()
  })
})

describe('sessions', () => {
  const sessions = () => page.getByRole('listitem').filter({ hasText: /in use now|Last used/ })

  test('are listed with device and address; the one in use cannot be ended here', async () => {
    answer(listSessions, [sample.session(), sample.session(OTHER)])
    await openApp('/mine/system', { as: 'real' })
    const here = sessions().filter({ hasText: 'This one, in use now' })
    await expect.element(here).toMatchTextContent(/Chrome.*192\.0\.2\.7/)
    await expect.element(here.getByRole('button')).not.toBeInTheDocument()
    await expect.element(sessions().filter({ hasText: '198.51.100.3' })).toMatchTextContent('Unknown device')
  })

  test('another one is ended by its button', async () => {
    answer(listSessions, [sample.session(), sample.session(OTHER)])
    answer(endSession, null)
    await openApp('/mine/system', { as: 'real' })
    await expect.element(button(/^Log out Unknown device, last used/)).toBeVisible()
    answer(listSessions, [sample.session()])
    await button(/^Log out Unknown device, last used/).click()
    await expect.poll(() => sessions().elements().length).toBe(1)
    expect(asked(endSession)).toEqual([{ id: 'there' }])
  })

  test('one that has ended already is told', async () => {
    answer(listSessions, [sample.session(), sample.session(OTHER)])
    refuse(endSession, 'sessionUnknown', 'This session has ended already.')
    await openApp('/mine/system', { as: 'real' })
    await button(/^Log out Unknown device/).click()
    await expect.element(notice('This session has ended already.')).toBeVisible()
  })

  test('that could not be loaded are asked for again', async () => {
    cut(listSessions)
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/Your sessions could not be loaded/)).toBeVisible()
    answer(listSessions, [sample.session()])
    await button('Try again').click()
    await expect.element(sessions()).toBeVisible()
  })
})

describe('logging out', () => {
  test('asks first; a demo is warned that it is gone for good', async () => {
    await openApp('/mine/system', { as: 'demo' })
    await button('Log out').click()
    await expect.element(question()).toMatchTextContent(/A demo account cannot be opened again/)
    await question().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(question()).not.toBeInTheDocument()
    expect(asked(logOut)).toEqual([])
  })

  test('leads home, and nothing of the user is left on the screen', async () => {
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    await button('Log out').click()
    await question().getByRole('button', { name: 'Log out' }).click()
    await expect.poll(() => location.hash).toBe('#/')
    await expect.element(button('Try the demo')).toBeVisible()
    await expect.element(page.getByText('ada@example.org')).not.toBeInTheDocument()
    expect(localStorage.getItem('fairlot.token')).toBeNull()
  })

  test('works without an answer: the device forgets the user all the same', async () => {
    cut(logOut)
    await openApp('/user', { as: 'real' })
    await button('Log out').click()
    await question().getByRole('button', { name: 'Log out' }).click()
    await expect.element(button('Try the demo')).toBeVisible()
  })

  test('everywhere ends this session too', async () => {
    answer(logOutEverywhere, null)
    await openApp('/mine/system', { as: 'real' })
    await button('Log out everywhere').click()
    await expect.element(question()).toMatchTextContent(/Open positions stay open/)
    const release = hold(logOutEverywhere)
    await question().getByRole('button', { name: 'Log out everywhere' }).click()
    await expect.element(question().getByRole('button', { name: 'Log out everywhere' })).toBeDisabled()
    release()
    await expect.poll(() => localStorage.getItem('fairlot.token')).toBeNull()
    await expect.element(page.getByRole('heading', { name: 'Second factor' })).not.toBeInTheDocument()
  })

  test('everywhere, refused, says why and keeps the session', async () => {
    refuse(logOutEverywhere, 'engineUnavailable', 'Not now. Try again in a minute.')
    await openApp('/mine/system', { as: 'real' })
    await button('Log out everywhere').click()
    await question().getByRole('button', { name: 'Log out everywhere' }).click()
    await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
    expect(localStorage.getItem('fairlot.token')).not.toBeNull()
  })
})
