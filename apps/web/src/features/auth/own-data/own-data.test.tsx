import { closeAccount, getClosing, getSecondFactor, getUser, downloadOwnData } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, failConnection, reject } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const units = (integer: number) => money(BigInt(integer) * 1_000_000n)
const nothing = { obstacles: [], leftMax: units(1), balance: units(0) }
const close = () => page.getByRole('button', { name: 'Close the account permanently' })
const password = () => page.getByLabelText('Password', { exact: true })
const code = () => page.getByLabelText(/Code of your authenticator/)

describe('closing the account', () => {
  test('lists all that has to be done first, with links', async () => {
    answer(getClosing, {
      obstacles: [
        { what: 'positionsOpen', count: 2, amount: null },
        { what: 'depositsOpen', count: 1, amount: null },
        { what: 'withdrawalsOpen', count: 2, amount: null },
        { what: 'correctionsOpen', count: 1, amount: null },
        { what: 'balanceLeft', count: null, amount: units(200) },
      ],
      leftMax: units(1),
      balance: units(200),
    })
    await openApp('/mine/data', { as: 'real' })
    const positions = page.getByRole('link', { name: /2 positions are open/ })
    await expect.element(positions).toHaveAttribute('href', '#/order')
    for (const [name, place] of [
      [/1 deposit is in progress/, '#/mine/charge'],
      [/2 withdrawals are in progress.*cancel it/, '#/mine/withdraw'],
      [/1 balance adjustment is in progress/, '#/mine/activity'],
    ] as const)
      await expect.element(page.getByRole('link', { name })).toHaveAttribute('href', place)
    const balance = page.getByRole('link', { name: /200\.00 are left.*at most 1\.00/ })
    await expect.element(balance).toHaveAttribute('href', '#/mine/withdraw')
    await expect.element(close()).not.toBeInTheDocument()
  })

  test('requires the password and a confirmation from a real user, and keeps what was typed', async () => {
    answer(getClosing, nothing)
    await openApp('/mine/data', { as: 'real' })
    await close().click()
    await expect.element(page.getByText('Confirm this first.')).toBeVisible()
    expect(inputsOf(closeAccount)).toEqual([])
    await password().nth(1).fill('a wrong one')
    await page.getByRole('checkbox').click()
    reject(closeAccount, 'passwordWrong', 'The password is wrong.')
    await close().click()
    await expect.element(page.getByText('The password is wrong.')).toBeVisible()
    await expect.element(password().nth(1)).toHaveValue('a wrong one')
    answer(closeAccount, null, 'Your account is closed.')
    await close().click()
    await expect.element(notice('Your account is closed.')).toBeVisible()
    expect(inputsOf(closeAccount).at(-1)).toEqual({ password: 'a wrong one', authCode: null })
    expect(localStorage.getItem('fairlot.token')).toBeNull()
    await expect.poll(() => location.hash).toBe('#/')
  })

  test('requires a code where the second factor is on, and nothing from a demo user', async () => {
    answer(getClosing, nothing)
    answer(getSecondFactor, { isOn: true, hasApp: true, passkeys: 0, recoveryCodesLeft: 8 })
    const real = await openApp('/mine/data', { as: 'real' })
    await expect.element(code().first()).toBeVisible()
    await expect.element(password()).not.toBeInTheDocument()
    await real.unmount()
    const { forgetDevice } = await import('../../../testing/device.ts')
    forgetDevice()
    await openApp('/mine/data', { as: 'demo' })
    await expect.element(page.getByText(/You can open another demo/)).toBeVisible()
    await expect.element(code()).not.toBeInTheDocument()
  })

  test('refers a frozen account to support, and can be loaded again after a failure', async () => {
    failConnection(getClosing)
    await openApp('/mine/data', { as: 'real' })
    await expect.element(page.getByText(/The open items could not be loaded/)).toBeVisible()
    answer(getClosing, nothing)
    answer(getUser, sample.realUser({ restriction: { status: 'frozen', reason: 'papers' } }))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(close()).toBeVisible()
    const { queryClient } = await import('../../../live/requests/query-client.ts')
    await queryClient.invalidateQueries()
    await expect.element(page.getByText(/Contact support to have it closed/)).toBeVisible()
  })
})

describe('the copy of the user’s data', () => {
  test('shows a rejection at its field', async () => {
    answer(getClosing, { ...nothing, obstacles: [{ what: 'depositsOpen', count: 1, amount: null }] })
    reject(downloadOwnData, 'passwordWrong', 'The password is wrong.')
    await openApp('/mine/data', { as: 'real' })
    await page.getByRole('button', { name: 'Download' }).click()
    await expect.element(page.getByText('Enter a password.')).toBeVisible()
    await password().fill('a wrong one')
    await page.getByRole('button', { name: 'Download' }).click()
    await expect.element(page.getByText('The password is wrong.')).toBeVisible()
    reject(downloadOwnData, 'tooManyRequests', 'Too many requests. Try again later.')
    await page.getByRole('button', { name: 'Download' }).click()
    await expect.element(page.getByText('Too many requests. Try again later.')).toBeVisible()
  })
})
