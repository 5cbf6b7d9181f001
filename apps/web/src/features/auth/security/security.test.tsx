import {
  changePassword,
  confirmSecondFactor,
  endSession,
  getBasicInfo,
  getSecondFactor,
  listPasskeys,
  listSessions,
  logOut,
  logOutEverywhere,
  type PasskeyView,
  preparePasskey,
  prepareSecondFactor,
  removePasskey,
  removeSecondFactor,
  renewRecoveryCodes,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, reject } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const button = (name: string | RegExp) => page.getByRole('button', { name })
const authCode = () => page.getByRole('textbox', { name: 'Code of your authenticator app' })
const confirmation = () => page.getByRole('alertdialog')
const OTHER = { id: 'there', isCurrent: false, device: '', address: '198.51.100.3' }

describe('changing the password', () => {
  const old = () => page.getByLabelText('Current password')
  const fresh = () => page.getByLabelText('New password')
  const repeated = () => page.getByLabelText('Repeat the password')
  const fillIn = async () => {
    await old().fill('the old password')
    await fresh().fill('a fresh password')
    await repeated().fill('a fresh password')
  }

  test('continues with the new session, and shows the server’s message', async () => {
    answer(changePassword, { token: 'fresh' }, 'The password is changed.')
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await button('Set password').click()
    await expect.element(notice('The password is changed.')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible()
    expect(inputsOf(changePassword)).toEqual([
      { contact: 'email', oldPassword: 'the old password', newPassword: 'a fresh password', authCode: null },
    ])
  })

  test('asks for each password that is missing or differs, and sends nothing', async () => {
    await openApp('/mine/password', { as: 'real' })
    await button('Set password').click()
    await expect.element(old()).toHaveAccessibleDescription('Enter your current password.')
    await expect.element(fresh()).toHaveAccessibleDescription('Enter a password.')
    await fillIn()
    await repeated().fill('another password')
    await button('Set password').click()
    await expect.element(repeated()).toHaveAccessibleDescription('The two passwords are not the same.')
    expect(inputsOf(changePassword)).toEqual([])
  })

  test('shows a wrong old password at its field, and keeps the other fields', async () => {
    reject(changePassword, 'passwordWrong', 'This is not your password.')
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await button('Set password').click()
    await expect.element(old()).toHaveAccessibleDescription('This is not your password.')
    await expect.element(fresh()).toHaveValue('a fresh password')
  })

  test('requires the second factor where it is on', async () => {
    answer(getSecondFactor, { isOn: true, hasApp: true, passkeys: 0, recoveryCodesLeft: 8 })
    answer(changePassword, { token: 'fresh' })
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await authCode().fill('123456')
    await button('Set password').click()
    await expect.poll(() => inputsOf(changePassword)[0]).toMatchObject({ authCode: '123456' })
  })

  test('requires it when the server requests it and this device did not know', async () => {
    reject(changePassword, 'secondFactorNeeded', 'A code is needed.')
    await openApp('/mine/password', { as: 'real' })
    await fillIn()
    await button('Set password').click()
    await expect.element(authCode()).toHaveAccessibleDescription('A code is needed.')
  })

  test('is for real accounts only', async () => {
    await openApp('/mine/password', { as: 'demo' })
    await expect.element(page.getByText('Change password: for real accounts only')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Open an account' })).toBeVisible()
  })
})

describe('the second factor', () => {
  const SECRET = { secret: 'ABCDEFGHIJKLMNOP', address: 'otpauth://totp/Fairlot:ada?secret=ABCDEFGHIJKLMNOP' }

  test('is switched on with password, secret and a code, and shows its recovery codes once', async () => {
    answer(prepareSecondFactor, SECRET)
    answer(confirmSecondFactor, { recoveryCodes: ['one-1111', 'two-2222'] })
    await openApp('/mine/system', { as: 'real' })
    await button('Switch on').click()
    await page.getByLabelText('Password', { exact: true }).fill('my password')
    await button('Continue').click()
    await expect.element(page.getByRole('img', { name: 'QR code of the secret' })).toBeVisible()
    await expect.element(page.getByText('ABCD EFGH IJKL MNOP')).toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Open in the app' }))
      .toHaveAttribute('href', SECRET.address)
    await authCode().fill('123456')
    answer(getSecondFactor, { isOn: true, hasApp: true, passkeys: 0, recoveryCodesLeft: 2 })
    await button('Switch on').click()
    const codes = page.getByRole('list', { name: 'Your recovery codes' }).getByRole('listitem')
    await expect.element(codes.first()).toMatchTextContent('one-1111')
    expect(codes.elements()).toHaveLength(2)
    await button('I have saved them').click()
    await expect.element(page.getByText(/2 recovery codes are left/)).toBeVisible()
    await expect.element(button('Switch off')).toBeVisible()
    expect(inputsOf(prepareSecondFactor)).toEqual([{ password: 'my password', authCode: null }])
    expect(inputsOf(confirmSecondFactor)).toEqual([{ authCode: '123456' }])
  })

  test('stays off with a wrong password', async () => {
    reject(prepareSecondFactor, 'passwordWrong', 'This is not your password.')
    await openApp('/mine/system', { as: 'real' })
    await button('Switch on').click()
    const password = page.getByLabelText('Password', { exact: true })
    await expect.element(password).toHaveFocus()
    await password.fill('wrong')
    await button('Continue').click()
    await expect.element(password).toHaveAccessibleDescription('This is not your password.')
    await button('Cancel').click()
    await expect.element(page.getByText('Off', { exact: true })).toBeVisible()
  })

  test('stays off with a wrong code, and keeps showing the secret', async () => {
    answer(prepareSecondFactor, SECRET)
    reject(confirmSecondFactor, 'secondFactorWrong', 'This code is not valid.')
    await openApp('/mine/system', { as: 'real' })
    await button('Switch on').click()
    await page.getByLabelText('Password', { exact: true }).fill('my password')
    await button('Continue').click()
    await authCode().fill('000000')
    await button('Switch on').click()
    await expect.element(authCode()).toHaveAccessibleDescription('This code is not valid.')
    await expect.element(page.getByText('ABCD EFGH IJKL MNOP')).toBeVisible()
  })

  test('is switched off with password and code', async () => {
    answer(getSecondFactor, { isOn: true, hasApp: true, passkeys: 0, recoveryCodesLeft: 1 })
    answer(removeSecondFactor, null, 'The second factor is off.')
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/1 recovery code is left/)).toBeVisible()
    await button('Switch off').click()
    await button('Switch off').click()
    await expect.element(authCode()).toHaveAccessibleDescription('Enter the code.')
    await page.getByLabelText('Password', { exact: true }).fill('my password')
    await authCode().fill('123456')
    answer(getSecondFactor, { isOn: false, hasApp: false, passkeys: 0, recoveryCodesLeft: 0 })
    await button('Switch off').click()
    await expect.element(notice('The second factor is off.')).toBeVisible()
    await expect.element(button('Switch on')).toBeVisible()
  })

  test('without recovery codes shows what to do', async () => {
    answer(getSecondFactor, { isOn: true, hasApp: true, passkeys: 0, recoveryCodesLeft: 0 })
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/No recovery code is left. Make new ones/)).toBeVisible()
  })

  test('shows that its state could not be loaded, and loads it again', async () => {
    failConnection(getSecondFactor)
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/This could not be loaded/)).toBeVisible()
    answer(getSecondFactor, { isOn: false, hasApp: false, passkeys: 0, recoveryCodesLeft: 0 })
    await button('Try again').click()
    await expect.element(button('Switch on')).toBeVisible()
  })

  test('is not offered to a demo account', async () => {
    await openApp('/mine/system', { as: 'demo' })
    await expect.element(page.getByRole('heading', { name: 'Where you are logged in' })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Authenticator app' })).not.toBeInTheDocument()
  })
})

describe('passkeys', () => {
  const PHONE: PasskeyView = {
    id: 'phone',
    name: 'Phone',
    createdAt: Date.UTC(2026, 9, 1),
    usedAt: null,
    isSynced: true,
    isOfOtherDomain: false,
  }
  const open = async (passkeys: readonly PasskeyView[], { hasApp = false } = {}) => {
    answer(getBasicInfo, sample.basicInfo({ passkeyDomain: 'localhost' }))
    answer(listPasskeys, { passkeys })
    const isOn = hasApp || passkeys.length > 0
    answer(getSecondFactor, { isOn, hasApp, passkeys: passkeys.length, recoveryCodesLeft: isOn ? 9 : 0 })
    await openApp('/mine/system', { as: 'real' })
  }
  const remove = () => button('Remove passkey Phone').click()

  test('are not mentioned where this address has none', async () => {
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByRole('heading', { name: 'Authenticator app' })).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Passkeys' })).not.toBeInTheDocument()
  })

  test('are listed with name and use; those of another domain say so', async () => {
    await open([PHONE, { ...PHONE, id: 'old', name: 'Old', isSynced: false, isOfOtherDomain: true }])
    await expect.element(page.getByText(/Not used yet/).first()).toBeVisible()
    await expect.element(page.getByText(/Does not work at this address/)).toBeVisible()
    await expect.element(page.getByText(/9 recovery codes are left/)).toBeVisible()
  })

  test('adding one asks for the password first, and shows a wrong one at its field, twice', async () => {
    await open([])
    reject(preparePasskey, 'passwordWrong', 'This is not your password.')
    await button('Add a passkey').click()
    const password = page.getByLabelText('Password', { exact: true })
    for (const typed of ['wrong', 'wrong again']) {
      await password.fill(typed)
      await button('Continue').click()
      await expect.element(password).toHaveAccessibleDescription('This is not your password.')
    }
    await button('Cancel').click()
    await expect.element(button('Add a passkey')).toBeVisible()
  })

  test('removing the last one says that the second factor is off then', async () => {
    await open([PHONE])
    await remove()
    await expect.element(page.getByText(/Then the second factor is off/)).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Recovery code' })).toBeVisible()
  })

  test('removing the last one beside an app says that its codes are needed then', async () => {
    await open([PHONE], { hasApp: true })
    await remove()
    await expect
      .element(page.getByText(/need your password and a code of your authenticator app/))
      .toBeVisible()
  })

  test('is removed with a code; a refusal is shown and it can be tried again', async () => {
    await open([PHONE])
    await remove()
    const code = page.getByRole('textbox', { name: 'Recovery code' })
    reject(removePasskey, 'passkeyReserveNeeded', 'First make new recovery codes.')
    await code.fill('AAAAA-BBBBB')
    await button('Remove').click()
    await expect.element(page.getByText('First make new recovery codes.')).toBeVisible()
    answer(removePasskey, null, 'The passkey is removed.')
    await button('Remove').click()
    await expect.element(notice('The passkey is removed.')).toBeVisible()
    expect(inputsOf(removePasskey)).toContainEqual({ id: 'phone', password: null, authCode: 'AAAAA-BBBBB' })
  })

  test('new recovery codes are made with a code and shown once', async () => {
    await open([PHONE])
    answer(renewRecoveryCodes, { recoveryCodes: ['one-1111', 'two-2222'] })
    await button('New recovery codes').click()
    await page.getByRole('textbox', { name: 'Recovery code' }).fill('AAAAA-BBBBB')
    await button('New recovery codes').click()
    await expect.element(page.getByText('two-2222')).toBeVisible()
    await button('I have saved them').click()
    await expect.element(page.getByText('two-2222')).not.toBeInTheDocument()
  })
})

describe('sessions', () => {
  const sessions = () => page.getByRole('listitem').filter({ hasText: /in use now|Last used/ })

  test('are listed with device and address; the one in use cannot be ended here', async () => {
    answer(listSessions, [sample.session(), sample.session(OTHER)])
    await openApp('/mine/system', { as: 'real' })
    const here = sessions().filter({ hasText: 'This session, in use now' })
    await expect.element(here).toMatchTextContent(/Chrome.*192\.0\.2\.7/)
    await expect.element(here.getByRole('button')).not.toBeInTheDocument()
    await expect.element(sessions().filter({ hasText: '198.51.100.3' })).toMatchTextContent('Unknown device')
  })

  test('others can be ended', async () => {
    answer(listSessions, [sample.session(), sample.session(OTHER)])
    answer(endSession, null)
    await openApp('/mine/system', { as: 'real' })
    await expect.element(button(/^Log out Unknown device, last used/)).toBeVisible()
    answer(listSessions, [sample.session()])
    await button(/^Log out Unknown device, last used/).click()
    await expect.poll(() => sessions().elements().length).toBe(1)
    expect(inputsOf(endSession)).toEqual([{ id: 'there' }])
  })

  test('one that has already ended shows a message', async () => {
    answer(listSessions, [sample.session(), sample.session(OTHER)])
    reject(endSession, 'sessionUnknown', 'This session has ended already.')
    await openApp('/mine/system', { as: 'real' })
    await button(/^Log out Unknown device/).click()
    await expect.element(notice('This session has ended already.')).toBeVisible()
  })

  test('can be loaded again after a failure', async () => {
    failConnection(listSessions)
    await openApp('/mine/system', { as: 'real' })
    await expect.element(page.getByText(/Your sessions could not be loaded/)).toBeVisible()
    answer(listSessions, [sample.session()])
    await button('Try again').click()
    await expect.element(sessions()).toBeVisible()
  })
})

describe('logging out', () => {
  test('needs a confirmation; a demo user is warned', async () => {
    await openApp('/mine/system', { as: 'demo' })
    await button('Log out').click()
    await expect.element(confirmation()).toMatchTextContent(/A demo account cannot be opened again/)
    await confirmation().getByRole('button', { name: 'Cancel' }).click()
    await expect.element(confirmation()).not.toBeInTheDocument()
    expect(inputsOf(logOut)).toEqual([])
  })

  test('leads home, and nothing of the user is left on the screen', async () => {
    await openApp('/user', { as: 'real' })
    await expect.element(page.getByText('ada@example.org')).toBeVisible()
    await button('Log out').click()
    await confirmation().getByRole('button', { name: 'Log out' }).click()
    await expect.poll(() => location.hash).toBe('#/')
    await expect.element(button('Try the demo')).toBeVisible()
    await expect.element(page.getByText('ada@example.org')).not.toBeInTheDocument()
    expect(localStorage.getItem('fairlot.token')).toBeNull()
  })

  test('is possible from the settings too', async () => {
    await openApp('/mine/system', { as: 'real' })
    const logOutHere = page.getByRole('button', { name: 'Log out', exact: true })
    await logOutHere.click()
    await confirmation().getByRole('button', { name: 'Log out' }).click()
    await expect.element(logOutHere).not.toBeInTheDocument()
    expect(inputsOf(logOut)).toHaveLength(1)
    expect(localStorage.getItem('fairlot.token')).toBeNull()
  })

  test('works without a response: the device forgets the user anyway', async () => {
    failConnection(logOut)
    await openApp('/user', { as: 'real' })
    await button('Log out').click()
    await confirmation().getByRole('button', { name: 'Log out' }).click()
    await expect.element(button('Try the demo')).toBeVisible()
  })

  test('everywhere ends this session too', async () => {
    answer(logOutEverywhere, null)
    await openApp('/mine/system', { as: 'real' })
    await button('Log out everywhere').click()
    await expect.element(confirmation()).toMatchTextContent(/Open positions stay open/)
    const release = hold(logOutEverywhere)
    await confirmation().getByRole('button', { name: 'Log out everywhere' }).click()
    await expect.element(confirmation().getByRole('button', { name: 'Log out everywhere' })).toBeDisabled()
    release()
    await expect.poll(() => localStorage.getItem('fairlot.token')).toBeNull()
    await expect.element(page.getByRole('heading', { name: 'Second factor' })).not.toBeInTheDocument()
  })

  test('everywhere, when rejected, shows the reason and keeps the session', async () => {
    reject(logOutEverywhere, 'engineUnavailable', 'Not now. Try again in a minute.')
    await openApp('/mine/system', { as: 'real' })
    await button('Log out everywhere').click()
    await confirmation().getByRole('button', { name: 'Log out everywhere' }).click()
    await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
    expect(localStorage.getItem('fairlot.token')).not.toBeNull()
  })
})
