import {
  getPaymentSetup,
  saveDepositChannel,
  saveWireAccount,
  saveWithdrawalCurrency,
  switchOffReceiving,
  type DepositChannel,
  type WireAccount,
  type WithdrawalCurrency,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core/number'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { LONG, openDesk, PHONE, runsOut, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, askedWith, cut, hold, refuse } from '../../testing/fake-server.ts'

withFakeServer()

const ROW = { version: 2, changedAt: Date.UTC(2026, 10, 20), isOn: true, personDayLimit: null }
const channel = (change: Partial<DepositChannel> = {}): DepositChannel => ({
  ...{ ...ROW, id: 1, currencyCode: 'USDT', protocolCode: 'TRC20', dayLimit: money(5_000_000_000n) },
  address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  ...change,
})
const wire = (change: Partial<WireAccount> = {}): WireAccount => ({
  ...{ ...ROW, id: 1, currencyCode: 'EUR', bankName: 'Harbour Bank', bankAddress: '2 Quay' },
  ...{ bankSwift: 'HARBMTMT', payeeName: 'Fairlot', payeeAccount: 'MT84MALT011000012345MTLCAST001S' },
  ...{ bankRemark: '', dayLimit: null },
  ...change,
})
const currency = (change: Partial<WithdrawalCurrency> = {}): WithdrawalCurrency => ({
  ...{ ...ROW, id: 1, code: 'USDT', protocol: 'TRC20', kind: 'coin', feeType: 'fixed', usdPrice: 1 as never },
  ...{ fee: money(1_000_000n), minimum: money(10_000_000n), maximum: null },
  ...change,
})
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
const block = (name: string) => page.getByRole('region', { name })

test('it says that it loads, what is not offered yet, and why it could not be had', async () => {
  hold(getPaymentSetup)
  const { unmount } = await openDesk('/money/setup')
  await expect.element(page.getByRole('status', { name: 'Addresses for deposits: loading' })).toBeVisible()
  await unmount()
  refuse(getPaymentSetup, 'engineUnavailable', 'The database is away.')
  await openDesk('/money/setup')
  await expect.element(page.getByText('The database is away.').first()).toBeVisible()
  answer(getPaymentSetup, { channels: [], wires: [], currencies: [] })
  await page.getByRole('button', { name: 'Try again' }).first().click()
  for (const text of ['No address is set up', 'No bank account is set up', 'No currency is set up'])
    await expect.element(page.getByText(text)).toBeVisible()
})

test('a change of an address shows before and after, and is one case however often it is sent', async () => {
  answer(getPaymentSetup, { channels: [channel()], wires: [], currencies: [] })
  await openDesk('/money/setup')
  await page.getByRole('row', { name: /TRC20/ }).click()
  await press('Change')
  await expect.element(page.getByText(/needs a second person/)).toBeVisible()
  await page.getByLabelText('Address', { exact: true }).fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  await expect.element(page.getByRole('insertion')).toHaveTextContent('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  await page.getByLabelText('Limit a day, from everybody').fill('plenty')
  await page.getByLabelText('Reason').fill('a new wallet')
  await press('Ask')
  await expect.element(page.getByText('A limit is no amount.')).toBeVisible()
  await page.getByLabelText('Limit a day, from everybody').fill('')
  refuse(saveDepositChannel, 'notUnderstood', 'This address has a letter too much.', 'address')
  await press('Ask')
  await expect.element(page.getByText('Address: This address has a letter too much.')).toBeVisible()
  refuse(saveDepositChannel, 'paymentFieldInvalid', 'This field cannot be taken.', 'personDayLimit')
  await press('Ask')
  await expect
    .element(page.getByText('Limit a day, from one person: This field cannot be taken.'))
    .toBeVisible()
  cut(saveDepositChannel)
  await press('Ask')
  await expect.element(page.getByText(/did not answer/).first()).toBeVisible()
  answer(saveDepositChannel, { approvalId: 3 })
  await press('Ask')
  await expect.element(page.getByText(/waits for a second person/).first()).toBeVisible()
  expect(asked(saveDepositChannel).at(-1)).toMatchObject({ id: 1, version: 2, dayLimit: null })
  const names = askedWith(saveDepositChannel).map((headers) => headers.get('idempotency-key'))
  expect(new Set(names).size).toBe(1)
  await press('Switch off')
  await page.getByLabelText('Reason').fill('the key is lost')
  answer(switchOffReceiving, null)
  await press('Switch off')
  await expect.element(page.getByText('Switched off.').first()).toBeVisible()
  expect(asked(switchOffReceiving)).toEqual([
    { kind: 'channel', id: 1, version: 2, reason: 'the key is lost' },
  ])
})

test('a currency of withdrawals says which figure is none', async () => {
  answer(getPaymentSetup, { channels: [], wires: [], currencies: [currency()] })
  await openDesk('/money/setup')
  await block('Currencies of withdrawals').getByRole('row', { name: /USDT/ }).click()
  await press('Change')
  await page.getByLabelText('At least').fill('-')
  await page.getByLabelText('Reason').fill('costs rose')
  await press('Save')
  await expect.element(page.getByText('One of the figures is none.')).toBeVisible()
  await page.getByLabelText('At least').fill('20')
  answer(saveWithdrawalCurrency, { id: 1, version: 3 })
  await press('Save')
  await expect.element(page.getByText('The currency is saved.').first()).toBeVisible()
  expect(asked(saveWithdrawalCurrency)).toMatchObject([{ id: 1, minimum: 20_000_000n, maximum: null }])
})

test('a refused field of a bank account is named by its label, and what was typed stays', async () => {
  answer(getPaymentSetup, { channels: [], wires: [wire()], currencies: [] })
  await openDesk('/money/setup')
  await block('Bank accounts for deposits').getByRole('row', { name: /EUR/ }).click()
  await press('Change')
  await page.getByLabelText('Reason').fill('moved')
  await page.getByLabelText('Limit a day, from one person').fill('1,00,0')
  await press('Ask')
  await expect.element(page.getByText('A limit is no amount.')).toBeVisible()
  expect(asked(saveWireAccount)).toEqual([])
  await page.getByLabelText('Limit a day, from one person').fill('')
  for (const [field, label, typed] of [
    ['currencyCode', 'Currency', 'euro'],
    ['bankName', 'Bank', 'Quay'],
    ['bankAddress', 'Bank address', '3 Quay'],
    ['bankSwift', 'BIC', 'QUAY'],
    ['payeeName', 'Payee', 'House'],
    ['payeeAccount', 'Account or IBAN', 'MT85'],
    ['bankRemark', 'Remark for the user', 'your number'],
    ['dayLimit', 'Limit a day, from everybody', '5'],
  ] as const) {
    await page.getByLabelText(label, { exact: true }).fill(typed)
    refuse(saveWireAccount, 'paymentFieldInvalid', 'This field cannot be taken.', field)
    await press('Ask')
    await expect.element(page.getByText(`${label}: This field cannot be taken.`)).toBeVisible()
    await expect.element(page.getByLabelText(label, { exact: true })).toHaveValue(typed)
  }
  answer(saveWireAccount, { approvalId: 4 })
  await press('Ask')
  await expect.element(page.getByText(/waits for a second person/).first()).toBeVisible()
  expect(asked(saveWireAccount).at(-1)).toMatchObject({
    ...{ id: 1, currencyCode: 'euro', bankSwift: 'QUAY', payeeAccount: 'MT85', dayLimit: money(5_000_000n) },
  })
})

test('a refused field of a currency is named by its label', async () => {
  answer(getPaymentSetup, { channels: [], wires: [], currencies: [] })
  await openDesk('/money/setup')
  await block('Currencies of withdrawals').getByRole('button', { name: 'Add' }).click()
  await page.getByLabelText('Reason').fill('a new way')
  await press('Save')
  await expect.element(page.getByText('One of the figures is none.')).toBeVisible()
  await page.getByLabelText('Fee', { exact: true }).last().fill('1')
  await page.getByLabelText('At least', { exact: true }).fill('10')
  await page.getByLabelText('At most', { exact: true }).fill('plenty')
  await press('Save')
  await expect.element(page.getByText('One of the figures is none.')).toBeVisible()
  await page.getByLabelText('At most', { exact: true }).fill('5')
  for (const [field, label] of [
    ['code', 'Currency'],
    ['protocol', 'Network'],
    ['fee', 'Fee'],
    ['usdPrice', 'Paid out for 1 of the account currency'],
    ['minimum', 'At least'],
    ['maximum', 'At most'],
    ['personDayLimit', 'At most a day, by one person'],
  ] as const) {
    refuse(saveWithdrawalCurrency, 'paymentFieldInvalid', 'This field cannot be taken.', field)
    await press('Save')
    await expect.element(page.getByText(`${label}: This field cannot be taken.`)).toBeVisible()
  }
})

test('long names and addresses stay within their place, for those who only read too', async () => {
  const setup = {
    channels: [channel({ address: LONG, currencyCode: 'USDT', protocolCode: LONG })],
    wires: [wire({ bankName: LONG, bankAddress: LONG, payeeName: LONG, payeeAccount: LONG, isOn: false })],
    currencies: [currency({ code: LONG, protocol: LONG })],
  }
  answer(getPaymentSetup, setup)
  const { unmount } = await openDesk('/money/setup', { as: self({ role: 'compliance' }) })
  await block('Bank accounts for deposits').getByRole('row', { name: /EUR/ }).click()
  await expect.element(page.getByText('Off', { exact: true }).first()).toBeVisible()
  for (const name of ['Add', 'Change', 'Switch on'])
    expect(page.getByRole('button', { name }).query()).toBe(null)
  expect(runsOut()).toEqual([])
  await unmount()
  await openDesk('/money/setup', { size: PHONE })
  await page.getByText('EUR').first().click()
  await expect.element(page.getByRole('button', { name: 'Switch on' })).toBeVisible()
  expect(runsOut()).toEqual([])
})
