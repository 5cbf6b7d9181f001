import {
  bindReceivingMethod,
  listPayoutCurrencies,
  listReceivingMethods,
  removeReceivingMethod,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sticksOut } from '../../../../../../testing/sticks-out.ts'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, asked, cut, hold, refuse } from '../../../testing/fake-server.ts'
import * as pay from '../../../testing/payment-samples.ts'

withFakeServer()

beforeEach(() => {
  answer(listPayoutCurrencies, ({ kind }) => [
    pay.payoutCurrency(kind === 'bank' ? { id: 3, code: 'EUR', network: '' } : {}),
  ])
  answer(listReceivingMethods, ({ kind }) => (kind === 'coin' ? [pay.receivingMethod()] : []))
})

const main = () => page.getByRole('main')
const bind = () => page.getByRole('button', { name: 'Add it' })

describe('receiving methods', () => {
  test('stand in the wallet by kind, with how many there are', async () => {
    await openApp('/mine/wallet', { as: 'real' })
    await expect.element(page.getByRole('link', { name: /Coin addresses/ })).toMatchTextContent('1')
    await page.getByRole('link', { name: /Bank accounts/ }).click()
    await expect.element(page.getByText('None bound yet')).toBeVisible()
    await page.getByRole('link', { name: 'Add a bank account' }).click()
    await expect.poll(() => location.hash).toBe('#/mine/withdraw-way?type=2')
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toBeVisible()
  })

  test('are bound with the password', async () => {
    answer(bindReceivingMethod, pay.receivingMethod())
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await page.getByLabelText('Address').fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await page.getByLabelText('Your password').fill('four grey herons')
    await bind().click()
    await expect.poll(() => location.hash).toBe('#/mine/coin-address-list')
    expect(asked(bindReceivingMethod)).toMatchObject([
      { kind: 'coin', currencyId: 1, password: 'four grey herons', authCode: null, accountType: null },
    ])
  })

  test('say at the field what is wrong', async () => {
    refuse(bindReceivingMethod, 'ibanInvalid', 'This is no IBAN.')
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await bind().click()
    await expect.element(page.getByText('Enter an IBAN or an account number.')).toBeVisible()
    await page.getByLabelText('Payee', { exact: true }).fill('Ada')
    await page.getByLabelText('Bank', { exact: true }).fill('A bank')
    await page.getByLabelText('IBAN', { exact: true }).fill('DE00')
    await page.getByLabelText('Your password').fill('four grey herons')
    await bind().click()
    await expect.element(page.getByText('This is no IBAN.')).toBeVisible()
    await expect.element(page.getByLabelText('Payee', { exact: true })).toHaveValue('Ada')
  })

  test('take no more signs than the server, and numbers of banks from left to right', async () => {
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await expect.element(page.getByLabelText('Payee', { exact: true })).toHaveAttribute('maxlength', '140')
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toHaveAttribute('maxlength', '40')
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toHaveAttribute('dir', 'ltr')
  })

  test('ask for a code in place of the password where a second factor is on', async () => {
    refuse(bindReceivingMethod, 'secondFactorNeeded', 'Enter the code of your app.')
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await page.getByLabelText('Address').fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await page.getByLabelText('Your password').fill('four grey herons')
    await bind().click()
    await expect.element(page.getByLabelText('Code of your authenticator app')).toBeVisible()
    await expect.element(page.getByLabelText('Your password')).not.toBeInTheDocument()
  })

  test('are removed once that is confirmed', async () => {
    answer(removeReceivingMethod, null)
    await openApp('/mine/coin-address-list', { as: 'real' })
    await expect.element(main()).toMatchTextContent('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await page.getByRole('button', { name: 'Remove' }).click()
    answer(listReceivingMethods, [])
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect.element(page.getByText('None bound yet')).toBeVisible()
    expect(asked(removeReceivingMethod)).toEqual([{ id: 5 }])
  })

  test('that are new say from when on they are paid to', async () => {
    answer(listReceivingMethods, [pay.receivingMethod({ usableAt: Date.now() + 3_600_000 })])
    await openApp('/mine/coin-address-list', { as: 'real' })
    await expect.element(page.getByText(/Can be paid to from/)).toBeVisible()
  })

  test('that could not be had are asked for again, and none is said to be there meanwhile', async () => {
    cut(listReceivingMethods)
    await openApp('/mine/wallet', { as: 'real' })
    const coins = page.getByRole('link', { name: /Coin addresses/ })
    await expect.element(coins).toBeVisible()
    await expect.element(coins).not.toMatchTextContent(/\d/)
    await coins.click()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(page.getByText('None bound yet')).not.toBeInTheDocument()
    answer(listReceivingMethods, [pay.receivingMethod()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('button', { name: 'Remove' })).toBeVisible()
  })

  test('are removed once, however often that is confirmed; a refusal says why and keeps it', async () => {
    await openApp('/mine/coin-address-list', { as: 'real' })
    await page.getByRole('button', { name: 'Remove' }).click()
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Remove' })
    refuse(removeReceivingMethod, 'engineUnavailable', 'Not now. Try again in a minute.')
    const release = hold(removeReceivingMethod)
    await confirm.click()
    await expect.element(confirm).toBeDisabled()
    release()
    await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
    await expect.element(confirm).not.toBeInTheDocument()
    await expect.element(main()).toMatchTextContent('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    expect(asked(removeReceivingMethod)).toHaveLength(1)
  })

  test('stay within a small phone, read from either side', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'
    const account = { kind: 'bank', address: '', currency: { id: 3, code: 'EUR', network: '' } } as const
    answer(listReceivingMethods, [
      pay.receivingMethod({ ...account, bankName: long, payeeName: long, iban: 'X'.repeat(34) }),
    ])
    await openApp('/mine/bank-card-list', { as: 'real', size: [320, 640] })
    document.documentElement.dir = 'rtl'
    await expect.element(page.getByText('X'.repeat(34))).toBeVisible()
    expect(sticksOut()).toEqual([])
  })
})

describe('binding', () => {
  const address = () => page.getByLabelText('Address', { exact: true })
  const password = () => page.getByLabelText('Your password')

  test('says all that is missing at once, sends nothing, and leads to the first field', async () => {
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await bind().click()
    await expect.element(page.getByLabelText('Payee', { exact: true })).toHaveFocus()
    for (const name of ['Payee', 'Bank'])
      await expect
        .element(page.getByLabelText(name, { exact: true }))
        .toHaveAccessibleDescription('Please fill this in.')
    await expect.element(password()).toHaveAccessibleDescription('Enter your password.')
    await page.getByLabelText('Account number (where there is no IBAN)').fill('12345678')
    await bind().click()
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toBeValid()
    expect(asked(bindReceivingMethod)).toEqual([])
  })

  test('is sent once, and a wrong password keeps the address', async () => {
    refuse(bindReceivingMethod, 'passwordWrong', 'This is not your password.')
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await address().fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await password().fill('four grey hens')
    const release = hold(bindReceivingMethod)
    await userEvent.keyboard('{Enter}')
    await expect.element(bind()).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    release()
    await expect.element(password()).toHaveAccessibleDescription('This is not your password.')
    await expect.element(password()).toHaveFocus()
    await expect.element(address()).toHaveValue('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    expect(asked(bindReceivingMethod)).toHaveLength(1)
  })

  test('has no form where nothing is paid out, nor before that is known', async () => {
    const release = hold(listPayoutCurrencies)
    answer(listPayoutCurrencies, [])
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await expect.element(main()).toBeVisible()
    await expect.element(bind()).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText('Nothing can be paid out this way yet')).toBeVisible()
    await expect.element(bind()).not.toBeInTheDocument()
  })
})
