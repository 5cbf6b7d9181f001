import {
  bindReceivingMethod,
  listPayoutCurrencies,
  listReceivingMethods,
  removeReceivingMethod,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, reject } from '../../../testing/fake-server.ts'
import * as pay from '../../../testing/payment-samples.ts'

withFakeServer()

beforeEach(() => {
  answer(listPayoutCurrencies, ({ kind }) => [
    pay.payoutCurrency(kind === 'bank' ? { id: 3, code: 'EUR', network: '' } : {}),
  ])
  answer(listReceivingMethods, ({ kind }) => (kind === 'coin' ? [pay.receivingMethod()] : []))
})

const main = () => page.getByRole('main')
const add = () => page.getByRole('button', { name: 'Add', exact: true })

describe('receiving methods', () => {
  test('are counted by kind in the wallet', async () => {
    await openApp('/mine/wallet', { as: 'real' })
    await expect.element(page.getByRole('link', { name: /Coin addresses/ })).toMatchTextContent('1')
    await page.getByRole('link', { name: /Bank accounts/ }).click()
    await expect.element(page.getByText('None added yet')).toBeVisible()
    await page.getByRole('link', { name: 'Add a bank account' }).click()
    await expect.poll(() => location.hash).toBe('#/mine/withdraw-way?type=2')
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toBeVisible()
  })

  test('are added with the password', async () => {
    answer(bindReceivingMethod, pay.receivingMethod())
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await page.getByLabelText('Address').fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await page.getByLabelText('Your password').fill('four grey herons')
    await add().click()
    await expect.poll(() => location.hash).toBe('#/mine/coin-address-list')
    expect(inputsOf(bindReceivingMethod)).toMatchObject([
      { kind: 'coin', currencyId: 1, password: 'four grey herons', authCode: null, accountType: null },
    ])
  })

  test('ask for the tag of an address where one may be needed, and show it', async () => {
    answer(listPayoutCurrencies, [
      pay.payoutCurrency(),
      pay.payoutCurrency({ id: 2, code: 'XRP', network: 'XRP' }),
    ])
    answer(bindReceivingMethod, pay.receivingMethod())
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    const tag = page.getByLabelText('Tag or memo', { exact: true })
    await expect.element(page.getByLabelText('Address', { exact: true })).toBeVisible()
    await expect.element(tag).not.toBeInTheDocument()
    await page.getByLabelText('Currency').selectOptions('2')
    await page.getByLabelText('Address', { exact: true }).fill('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')
    await page.getByLabelText('Your password').fill('four grey herons')
    await add().click()
    await expect
      .element(page.getByText('Enter the tag or memo, or confirm that there is none.'))
      .toBeVisible()
    expect(inputsOf(bindReceivingMethod)).toEqual([])
    await tag.fill('77')
    answer(listReceivingMethods, [pay.receivingMethod({ tag: '77' })])
    await add().click()
    await expect.element(main().getByText('Tag or memo: 77')).toBeVisible()
    expect(inputsOf(bindReceivingMethod)).toMatchObject([{ currencyId: 2, tag: '77', hasNoTag: false }])
  })

  test('say that an address needs no tag, and warn where nothing can be checked', async () => {
    answer(listPayoutCurrencies, [
      pay.payoutCurrency({ id: 2, code: 'XRP', network: 'XRP' }),
      pay.payoutCurrency({ id: 3, code: 'KAS', network: 'Kaspa' }),
    ])
    answer(bindReceivingMethod, pay.receivingMethod())
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await page.getByLabelText('Address', { exact: true }).fill('rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh')
    await page.getByLabelText('Your password').fill('four grey herons')
    await page.getByText('My address needs no tag or memo').click()
    await add().click()
    await expect.poll(() => inputsOf(bindReceivingMethod)).toMatchObject([{ tag: '', hasNoTag: true }])
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await page.getByLabelText('Currency').selectOptions('3')
    await expect.element(page.getByText(/Addresses on this network cannot be checked/)).toBeVisible()
  })

  test('keep a remark for the bank, and show it', async () => {
    answer(bindReceivingMethod, pay.receivingMethod())
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await page.getByLabelText('Payee', { exact: true }).fill('Ada')
    await page.getByLabelText('Bank', { exact: true }).fill('A bank')
    await page.getByLabelText('IBAN', { exact: true }).fill('DE89370400440532013000')
    await page.getByLabelText('Remark for the bank (optional)').fill('Branch 12')
    await page.getByLabelText('Your password').fill('four grey herons')
    answer(listReceivingMethods, [
      pay.receivingMethod({ kind: 'bank', address: '', bankName: 'A bank', remark: 'Branch 12' }),
    ])
    await add().click()
    await expect.element(main().getByText('Branch 12')).toBeVisible()
    expect(inputsOf(bindReceivingMethod)).toMatchObject([{ kind: 'bank', remark: 'Branch 12' }])
  })

  test('are a savings or a checking account, as chosen', async () => {
    answer(bindReceivingMethod, pay.receivingMethod())
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    const kind = page.getByLabelText('Type of account')
    await expect.element(kind).toHaveValue('checking')
    await kind.selectOptions('Savings account')
    await page.getByLabelText('Payee', { exact: true }).fill('Ada')
    await page.getByLabelText('Bank', { exact: true }).fill('A bank')
    await page.getByLabelText('IBAN', { exact: true }).fill('DE89370400440532013000')
    await page.getByLabelText('Your password').fill('four grey herons')
    await add().click()
    await expect.poll(() => inputsOf(bindReceivingMethod)).toMatchObject([{ accountType: 'savings' }])
  })

  test('show errors at their fields', async () => {
    reject(bindReceivingMethod, 'ibanInvalid', 'This is no IBAN.')
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await add().click()
    await expect.element(page.getByText('Enter an IBAN or an account number.')).toBeVisible()
    await page.getByLabelText('Payee', { exact: true }).fill('Ada')
    await page.getByLabelText('Bank', { exact: true }).fill('A bank')
    await page.getByLabelText('IBAN', { exact: true }).fill('DE00')
    await page.getByLabelText('Your password').fill('four grey herons')
    await add().click()
    await expect.element(page.getByText('This is no IBAN.')).toBeVisible()
    await expect.element(page.getByLabelText('Payee', { exact: true })).toHaveValue('Ada')
  })

  test('take payee and bank as documents carry them, and say at the field what a name cannot have', async () => {
    answer(bindReceivingMethod, pay.receivingMethod())
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await page.getByLabelText('Payee', { exact: true }).fill('O´Brien 🙂')
    await page.getByLabelText('Bank', { exact: true }).fill('Bank \u202eknaB')
    await page.getByLabelText('IBAN', { exact: true }).fill('DE89370400440532013000')
    await page.getByLabelText('Your password').fill('four grey herons')
    await add().click()
    await expect.poll(() => page.getByText(/^A name has letters, digits/).elements().length).toBe(2)
    expect(inputsOf(bindReceivingMethod)).toEqual([])
    await page.getByLabelText('Payee', { exact: true }).fill('O´Brien')
    await page.getByLabelText('Bank', { exact: true }).fill('山田銀行 (東京)')
    await add().click()
    await expect
      .poll(() => inputsOf(bindReceivingMethod))
      .toMatchObject([{ payeeName: 'O´Brien', bankName: '山田銀行 (東京)' }])
  })

  test('accept no more characters than the server, and set bank numbers left to right', async () => {
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await expect.element(page.getByLabelText('Payee', { exact: true })).toHaveAttribute('maxlength', '140')
    // Longer than any IBAN: one of 31 characters is typed in groups, with the word before it.
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toHaveAttribute('maxlength', '100')
    await expect
      .element(page.getByLabelText('Account number (where there is no IBAN)'))
      .toHaveAttribute('maxlength', '100')
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toHaveAttribute('dir', 'ltr')
  })

  test('have room for an address within a long payment link', async () => {
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await expect.element(page.getByLabelText('Address')).toHaveAttribute('maxlength', '1000')
  })

  test('require a code instead of the password where a second factor is on', async () => {
    reject(bindReceivingMethod, 'secondFactorNeeded', 'Enter the code of your app.')
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await page.getByLabelText('Address').fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await page.getByLabelText('Your password').fill('four grey herons')
    await add().click()
    await expect.element(page.getByLabelText('Code of your authenticator app')).toBeVisible()
    await expect.element(page.getByLabelText('Your password')).not.toBeInTheDocument()
  })

  test('are removed after a confirmation', async () => {
    answer(removeReceivingMethod, null)
    await openApp('/mine/coin-address-list', { as: 'real' })
    await expect.element(main()).toMatchTextContent('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await page.getByRole('button', { name: 'Remove' }).click()
    answer(listReceivingMethods, [])
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect.element(page.getByText('None added yet')).toBeVisible()
    expect(inputsOf(removeReceivingMethod)).toEqual([{ id: 5 }])
  })

  test('that are new show when they become available', async () => {
    answer(listReceivingMethods, [pay.receivingMethod({ usableAt: Date.now() + 3_600_000 })])
    await openApp('/mine/coin-address-list', { as: 'real' })
    await expect.element(page.getByText(/Available from/)).toBeVisible()
  })

  test('that failed to load can be loaded again, and are not shown as empty meanwhile', async () => {
    failConnection(listReceivingMethods)
    await openApp('/mine/wallet', { as: 'real' })
    const coins = page.getByRole('link', { name: /Coin addresses/ })
    await expect.element(coins).toBeVisible()
    await expect.element(coins).not.toMatchTextContent(/\d/)
    await coins.click()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(page.getByText('None added yet')).not.toBeInTheDocument()
    answer(listReceivingMethods, [pay.receivingMethod()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('button', { name: 'Remove' })).toBeVisible()
  })

  test('are removed once, however often it is confirmed; a rejection shows its reason and keeps the method', async () => {
    await openApp('/mine/coin-address-list', { as: 'real' })
    await page.getByRole('button', { name: 'Remove' }).click()
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Remove' })
    reject(removeReceivingMethod, 'engineUnavailable', 'Not now. Try again in a minute.')
    const release = hold(removeReceivingMethod)
    await confirm.click()
    await expect.element(confirm).toBeDisabled()
    release()
    await expect.element(notice('Not now. Try again in a minute.')).toBeVisible()
    await expect.element(confirm).not.toBeInTheDocument()
    await expect.element(main()).toMatchTextContent('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    expect(inputsOf(removeReceivingMethod)).toHaveLength(1)
  })

  test('fit a small phone, left to right and right to left', async () => {
    const long = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft'
    const account = { kind: 'bank', address: '', currency: { id: 3, code: 'EUR', network: '' } } as const
    answer(listReceivingMethods, [
      pay.receivingMethod({ ...account, bankName: long, payeeName: long, iban: 'X'.repeat(34) }),
    ])
    await openApp('/mine/bank-card-list', { as: 'real', size: [320, 640] })
    document.documentElement.dir = 'rtl'
    await expect.element(page.getByText('X'.repeat(34))).toBeVisible()
    expect(overflowing()).toEqual([])
  })
})

describe('adding a receiving method', () => {
  const address = () => page.getByLabelText('Address', { exact: true })
  const password = () => page.getByLabelText('Your password')

  test('shows all that is missing at once, sends nothing, and focuses the first field', async () => {
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    await add().click()
    await expect.element(page.getByLabelText('Payee', { exact: true })).toHaveFocus()
    for (const name of ['Payee', 'Bank'])
      await expect
        .element(page.getByLabelText(name, { exact: true }))
        .toHaveAccessibleDescription('Please fill this in.')
    await expect.element(password()).toHaveAccessibleDescription('Enter your password.')
    await page.getByLabelText('Account number (where there is no IBAN)').fill('12345678')
    await add().click()
    await expect.element(page.getByLabelText('IBAN', { exact: true })).toBeValid()
    expect(inputsOf(bindReceivingMethod)).toEqual([])
  })

  test('shows at its field what the server refuses there', async () => {
    const sentence = 'This text is too long: at most 140 characters.'
    reject(bindReceivingMethod, 'textTooLong', sentence, { field: 'payee_name' })
    await openApp('/mine/withdraw-way?type=2', { as: 'real' })
    const payee = page.getByLabelText('Payee', { exact: true })
    await payee.fill('Ada')
    await page.getByLabelText('Bank', { exact: true }).fill('Quay')
    await page.getByLabelText('Account number (where there is no IBAN)').fill('12345678')
    await password().fill('four grey hens')
    await add().click()
    await expect.element(payee).toHaveAccessibleDescription(sentence)
    await expect.element(payee).toHaveFocus()
  })

  test('is sent once, and a wrong password keeps the address', async () => {
    reject(bindReceivingMethod, 'passwordWrong', 'This is not your password.')
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await address().fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    await password().fill('four grey hens')
    const release = hold(bindReceivingMethod)
    await userEvent.keyboard('{Enter}')
    await expect.element(add()).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    release()
    await expect.element(password()).toHaveAccessibleDescription('This is not your password.')
    await expect.element(password()).toHaveFocus()
    await expect.element(address()).toHaveValue('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
    expect(inputsOf(bindReceivingMethod)).toHaveLength(1)
  })

  test('has no form without payout currencies, nor before they are loaded', async () => {
    const release = hold(listPayoutCurrencies)
    answer(listPayoutCurrencies, [])
    await openApp('/mine/withdraw-way?type=1', { as: 'real' })
    await expect.element(main()).toBeVisible()
    await expect.element(add()).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText('This withdrawal method is not available yet')).toBeVisible()
    await expect.element(add()).not.toBeInTheDocument()
  })
})
