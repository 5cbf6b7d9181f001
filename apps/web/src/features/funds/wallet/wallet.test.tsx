import {
  bindReceivingMethod,
  listPayoutCurrencies,
  listReceivingMethods,
  removeReceivingMethod,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, asked, refuse } from '../../../testing/fake-server.ts'
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
})
