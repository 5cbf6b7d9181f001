import {
  getOperatorMode,
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
import { isLeftAlone, translatePage } from '../../../../../testing/translated-page.ts'
import { cleanup } from 'vitest-browser-react'
import { LONG, openDesk, PHONE, overflowing, self, withFakeServer } from '../../testing/app.tsx'
import {
  answer,
  inputsOf,
  headersOf,
  failConnection,
  leaveUnanswered,
  reject,
} from '../../testing/fake-server.ts'

withFakeServer()

const ROW = {
  version: 2,
  changedAt: Date.UTC(2026, 10, 20),
  isOn: true,
  personDayLimit: null,
  fixedRate: null,
  rateNow: 10_000_000_000n,
  comingLimits: null,
}
const channel = (change: Partial<DepositChannel> = {}): DepositChannel => ({
  ...ROW,
  id: 1,
  currencyCode: 'USDT',
  protocolCode: 'TRC20',
  dayLimit: money(5_000_000_000n),
  address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  tag: '',
  ...change,
})
const wire = (change: Partial<WireAccount> = {}): WireAccount => ({
  ...ROW,
  id: 1,
  currencyCode: 'EUR',
  bankName: 'Harbour Bank',
  bankAddress: '2 Quay',
  bankSwift: 'HARBMTMT',
  payeeName: 'Fairlot',
  payeeAccount: 'MT84MALT011000012345MTLCAST001S',
  bankRemark: '',
  dayLimit: null,
  ...change,
})
const currency = (change: Partial<WithdrawalCurrency> = {}): WithdrawalCurrency => ({
  ...ROW,
  id: 1,
  code: 'USDT',
  protocol: 'TRC20',
  kind: 'coin',
  feeType: 'fixed',
  usdPrice: 1 as never,
  fee: money(1_000_000n),
  minimum: money(10_000_000n),
  maximum: null,
  ...change,
})
const press = (name: string) => page.getByRole('button', { name, exact: true }).last().click()
const block = (name: string) => page.getByRole('region', { name })

test('shows the loading, empty and failed states', async () => {
  leaveUnanswered(getPaymentSetup)
  const { unmount } = await openDesk('/money/setup')
  await expect.element(page.getByRole('status', { name: 'Deposit addresses: loading' })).toBeVisible()
  await unmount()
  reject(getPaymentSetup, 'engineUnavailable', 'The database is not available.')
  await openDesk('/money/setup')
  await expect.element(page.getByText('The database is not available.').first()).toBeVisible()
  answer(getPaymentSetup, { channels: [], wires: [], currencies: [] })
  await page.getByRole('button', { name: 'Try again' }).first().click()
  for (const text of ['No deposit address', 'No bank account', 'No withdrawal currency'])
    await expect.element(page.getByText(text)).toBeVisible()
})

test('a change of an address shows both values, and stays one case when it is retried', async () => {
  answer(getPaymentSetup, { channels: [channel()], wires: [], currencies: [] })
  await openDesk('/money/setup')
  await page.getByRole('row', { name: /TRC20/ }).click()
  await press('Change')
  await expect.element(page.getByText(/needs a second operator/)).toBeVisible()
  await page.getByLabelText('Address', { exact: true }).fill('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  await expect.element(page.getByRole('insertion')).toHaveTextContent('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  await page.getByLabelText('Daily limit, all users').fill('plenty')
  await page.getByLabelText('Reason').fill('a new wallet')
  await press('Request')
  await expect.element(page.getByText('Enter limits as amounts.')).toBeVisible()
  await page.getByLabelText('Daily limit, all users').fill('')
  reject(saveDepositChannel, 'notUnderstood', 'This address has too many characters.', 'address')
  await press('Request')
  await expect.element(page.getByText('Address: This address has too many characters.')).toBeVisible()
  reject(saveDepositChannel, 'paymentFieldInvalid', 'This field is not valid.', 'personDayLimit')
  await press('Request')
  await expect.element(page.getByText('Daily limit per user: This field is not valid.')).toBeVisible()
  failConnection(saveDepositChannel)
  await press('Request')
  await expect.element(page.getByText(/did not answer/).first()).toBeVisible()
  answer(saveDepositChannel, { approvalId: 3 })
  await press('Request')
  await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
  expect(inputsOf(saveDepositChannel).at(-1)).toMatchObject({ id: 1, version: 2, dayLimit: null })
  const names = headersOf(saveDepositChannel).map((headers) => headers.get('idempotency-key'))
  expect(new Set(names).size).toBe(1)
  await press('Switch off')
  await page.getByLabelText('Reason').fill('the key is lost')
  answer(switchOffReceiving, null)
  await press('Switch off')
  await expect.element(page.getByText('Switched off.').first()).toBeVisible()
  expect(inputsOf(switchOffReceiving)).toEqual([
    { kind: 'channel', id: 1, version: 2, reason: 'the key is lost' },
  ])
})

test('a network is chosen from a list; another one only with its warning', async () => {
  answer(getPaymentSetup, { channels: [channel({ protocolCode: 'USDT-TRC20' })], wires: [], currencies: [] })
  await openDesk('/money/setup')
  await page.getByRole('row', { name: /TRC20/ }).click()
  await press('Change')
  const network = page.getByLabelText('Network', { exact: true })
  await expect.element(network).toHaveValue('TRC20')
  await expect.element(page.getByLabelText('Tag or memo')).not.toBeInTheDocument()
  await network.selectOptions('XRP')
  await page.getByLabelText('Tag or memo').fill('77')
  await page.getByLabelText('Reason').fill('an exchange')
  answer(saveDepositChannel, { approvalId: 3 })
  await press('Request')
  await expect
    .poll(() => inputsOf(saveDepositChannel).at(-1))
    .toMatchObject({ protocolCode: 'XRP', tag: '77', isUnlistedNetwork: false })
  await press('Change')
  await network.selectOptions('other')
  await expect.element(page.getByText(/Nothing can be checked on a network/)).toBeVisible()
  await page.getByLabelText('Name of the network').fill('Kaspa')
  await page.getByText('Use it although its addresses cannot be checked').click()
  await page.getByLabelText('Reason').fill('a new coin')
  await press('Request')
  await expect
    .poll(() => inputsOf(saveDepositChannel).at(-1))
    .toMatchObject({ protocolCode: 'Kaspa', tag: '', isUnlistedNetwork: true })
})

test('a dialog names the roles that can approve, or says that there is no second operator', async () => {
  answer(getPaymentSetup, { channels: [channel()], wires: [], currencies: [] })
  await openDesk('/money/setup')
  await page.getByRole('row', { name: /TRC20/ }).click()
  await press('Change')
  await expect
    .element(page.getByText(/Roles that can approve: Finance, Compliance, or Administrator/))
    .toBeVisible()
  await cleanup()
  answer(getOperatorMode, { isSingleOperator: true, recovery: null })
  await openDesk('/money/setup')
  await page.getByRole('row', { name: /TRC20/ }).click()
  await press('Change')
  await expect.element(page.getByText(/this desk has only one. Invite another first/)).toBeVisible()
})

test('a withdrawal currency rejects figures that are not numbers', async () => {
  answer(getPaymentSetup, { channels: [], wires: [], currencies: [currency()] })
  await openDesk('/money/setup')
  await block('Withdrawal currencies').getByRole('row', { name: /USDT/ }).click()
  await press('Change')
  await expect.element(page.getByText(/needs a second operator/)).toBeVisible()
  await page.getByLabelText('Minimum').fill('-')
  await page.getByLabelText('Reason').fill('costs rose')
  await press('Save')
  await expect.element(page.getByText('Enter all figures as numbers.')).toBeVisible()
  await page.getByLabelText('Minimum').fill('20')
  failConnection(saveWithdrawalCurrency)
  await press('Save')
  await expect.element(page.getByText(/did not answer/).first()).toBeVisible()
  answer(saveWithdrawalCurrency, { approvalId: 5 })
  await press('Save')
  await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
  expect(inputsOf(saveWithdrawalCurrency).at(-1)).toMatchObject({
    id: 1,
    minimum: 20_000_000n,
    maximum: null,
  })
  const names = headersOf(saveWithdrawalCurrency).map((headers) => headers.get('idempotency-key'))
  expect(new Set(names).size).toBe(1)
  await press('Change')
  await page.getByText('Offered to users').click()
  await page.getByLabelText('Reason').fill('the exchange is down')
  answer(saveWithdrawalCurrency, { approvalId: null })
  await press('Save')
  await expect.element(page.getByText('Switched off.').first()).toBeVisible()
  expect(inputsOf(saveWithdrawalCurrency).at(-1)).toMatchObject({ id: 1, isOn: false })
})

test('names a rejected field of a bank account by its label, and keeps the input', async () => {
  answer(getPaymentSetup, { channels: [], wires: [wire()], currencies: [] })
  await openDesk('/money/setup')
  await block('Deposit bank accounts').getByRole('row', { name: /EUR/ }).click()
  await press('Change')
  await page.getByLabelText('Reason').fill('moved')
  await page.getByLabelText('Daily limit per user').fill('1,00,0')
  await press('Request')
  await expect.element(page.getByText('Enter limits as amounts.')).toBeVisible()
  expect(inputsOf(saveWireAccount)).toEqual([])
  await page.getByLabelText('Daily limit per user').fill('')
  for (const [field, label, typed] of [
    ['currencyCode', 'Currency', 'euro'],
    ['bankName', 'Bank', 'Quay'],
    ['bankAddress', 'Bank address', '3 Quay'],
    ['bankSwift', 'BIC', 'QUAY'],
    ['payeeName', 'Payee', 'Broker'],
    ['payeeAccount', 'Account or IBAN', 'MT85'],
    ['bankRemark', 'Remark for the user', 'your number'],
    ['dayLimit', 'Daily limit, all users', '5'],
  ] as const) {
    await page.getByLabelText(label, { exact: true }).fill(typed)
    reject(saveWireAccount, 'paymentFieldInvalid', 'This field is not valid.', field)
    await press('Request')
    await expect.element(page.getByText(`${label}: This field is not valid.`)).toBeVisible()
    await expect.element(page.getByLabelText(label, { exact: true })).toHaveValue(typed)
  }
  answer(saveWireAccount, { approvalId: 4 })
  await press('Request')
  await expect.element(page.getByText(/waits for a second operator/).first()).toBeVisible()
  expect(inputsOf(saveWireAccount).at(-1)).toMatchObject({
    id: 1,
    currencyCode: 'euro',
    bankSwift: 'QUAY',
    payeeAccount: 'MT85',
    dayLimit: money(5_000_000n),
  })
})

test('names a rejected field of a currency by its label', async () => {
  answer(getPaymentSetup, { channels: [], wires: [], currencies: [] })
  await openDesk('/money/setup')
  await block('Withdrawal currencies').getByRole('button', { name: 'Add' }).click()
  await page.getByLabelText('Reason').fill('a new method')
  await press('Save')
  await expect.element(page.getByText('Enter all figures as numbers.')).toBeVisible()
  await page.getByLabelText('Fee', { exact: true }).last().fill('1')
  await page.getByLabelText('Minimum', { exact: true }).fill('10')
  await page.getByLabelText('Maximum', { exact: true }).fill('plenty')
  await press('Save')
  await expect.element(page.getByText('Enter all figures as numbers.')).toBeVisible()
  await page.getByLabelText('Maximum', { exact: true }).fill('5')
  for (const [field, label] of [
    ['code', 'Currency'],
    ['protocol', 'Network'],
    ['fee', 'Fee'],
    ['usdPrice', 'Paid out for 1 of the account currency'],
    ['minimum', 'Minimum'],
    ['maximum', 'Maximum'],
    ['personDayLimit', 'Daily maximum per user'],
  ] as const) {
    reject(saveWithdrawalCurrency, 'paymentFieldInvalid', 'This field is not valid.', field)
    await press('Save')
    await expect.element(page.getByText(`${label}: This field is not valid.`)).toBeVisible()
  }
})

const SIZES = [
  [1440, 900],
  [1280, 600],
  [1024, 600],
  [844, 390],
  [390, 844],
  [390, 664],
] as const

test.each(SIZES)('the long forms keep their buttons in view at %i x %i', async (...size) => {
  answer(getPaymentSetup, { channels: [], wires: [], currencies: [] })
  await openDesk('/money/setup', { size })
  for (const [name, send] of [
    ['Deposit bank accounts', 'Request'],
    ['Withdrawal currencies', 'Save'],
  ] as const) {
    await block(name).getByRole('button', { name: 'Add' }).click()
    const dialog = page.getByRole('dialog').last()
    await expect.element(dialog).toBeInViewport({ ratio: 1 })
    for (const button of ['Cancel', send])
      await expect
        .element(dialog.getByRole('button', { name: button, exact: true }))
        .toBeInViewport({ ratio: 1 })
    await dialog.getByLabelText('Reason').fill('a new method')
    await expect.element(dialog.getByLabelText('Reason')).toBeInViewport({ ratio: 1 })
    await expect.element(dialog.getByRole('button', { name: send, exact: true })).toBeInViewport({ ratio: 1 })
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
    await expect.element(dialog).not.toBeInTheDocument()
  }
})

test('long names and addresses do not overflow, also for read-only roles', async () => {
  const setup = {
    channels: [channel({ address: LONG, currencyCode: 'USDT', protocolCode: LONG })],
    wires: [wire({ bankName: LONG, bankAddress: LONG, payeeName: LONG, payeeAccount: LONG, isOn: false })],
    currencies: [currency({ code: LONG, protocol: LONG })],
  }
  answer(getPaymentSetup, setup)
  const { unmount } = await openDesk('/money/setup', { as: self({ role: 'compliance' }) })
  await block('Deposit bank accounts').getByRole('row', { name: /EUR/ }).click()
  await expect.element(page.getByText('Off', { exact: true }).first()).toBeVisible()
  for (const name of ['Add', 'Change', 'Switch on'])
    expect(page.getByRole('button', { name }).query()).toBe(null)
  expect(overflowing()).toEqual([])
  await unmount()
  await openDesk('/money/setup', { size: PHONE })
  await page.getByText('EUR').first().click()
  await expect.element(page.getByRole('button', { name: 'Switch on' })).toBeVisible()
  expect(overflowing()).toEqual([])
})

test('a translator leaves addresses, account numbers, codes and amounts alone, and not what they are called', async () => {
  answer(getPaymentSetup, { channels: [channel()], wires: [wire()], currencies: [currency()] })
  await openDesk('/money/setup')
  await page.getByRole('row', { name: /TRC20/ }).first().click()
  translatePage()
  for (const text of [channel().address, wire().payeeAccount, '5,000.00', '1.00', 'TRC20', 'USDT'])
    await expect.poll(() => ({ text, isLeftAlone: isLeftAlone(text) })).toEqual({ text, isLeftAlone: true })
  expect(isLeftAlone('Deposit addresses')).toBe(false)
})
