import {
  getBalanceHistory,
  getDeposit,
  getFunds,
  getOrder,
  getStatement,
  listLedgerRecords,
} from '@fairlot/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, push, reject } from '../../testing/fake-server.ts'
import * as pay from '../../testing/payment-samples.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const rows = () => main().getByRole('listitem')
const open = () => openApp('/mine/history', { as: 'real' })

describe('the account’s transactions', () => {
  test('show purpose, time, amount and the balance after each', async () => {
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/Fee of order no\. 41/)
    await expect.element(rows()).toMatchTextContent(/Jan 7, 2026, 12:00:00/)
    await expect.element(rows()).toMatchTextContent(/−3\.61(?!\d)/)
    await expect.element(rows()).toMatchTextContent(/Balance 99,996\.39/)
  })

  test('show dates as in the user’s region', async () => {
    const languages = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB', 'en'])
    onTestFinished(() => languages.mockRestore())
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/7 Jan 2026, 12:00:00/)
  })

  test('an incoming amount has a plus sign', async () => {
    const record = sample.ledgerRecord({ amount: sample.amount('250'), memo: 'Deposit' })
    answer(listLedgerRecords, { records: [record], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/\+250\.00(?!\d)/)
  })

  test('are below the available and the frozen funds', async () => {
    answer(getFunds, { available: sample.amount('1234.5'), frozen: sample.amount('80') })
    await open()
    await expect.element(main()).toMatchTextContent(/Available balance\s*1,234\.50/)
    await expect.element(main()).toMatchTextContent(/Frozen\s*80\.00/)
  })

  test('show a notice when there are none', async () => {
    await open()
    await expect.element(page.getByText('No transactions yet')).toBeVisible()
  })

  test('show neither emptiness nor failure while loading', async () => {
    const release = hold(listLedgerRecords)
    await open()
    await expect.element(page.getByRole('heading', { name: 'Transaction list' })).toBeVisible()
    await expect.element(page.getByText('No transactions yet')).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText('No transactions yet')).toBeVisible()
  })

  test('can be loaded again after a failure', async () => {
    failConnection(listLedgerRecords)
    await open()
    await expect.element(page.getByText('The transactions could not be loaded')).toBeVisible()
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(rows()).toBeVisible()
  })

  test('are loaded page by page, each after the last row of the one before', async () => {
    const all = Array.from({ length: 15 }, (_, at) => sample.ledgerRecord({ id: 200 - at }))
    answer(listLedgerRecords, ({ before }) => ({
      records: all.filter(({ id }) => before === null || id < before).slice(0, 10),
      total: all.length,
    }))
    await open()
    await expect.poll(() => rows().elements().length).toBe(10)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows().elements().length).toBe(15)
    await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
    expect(inputsOf(listLedgerRecords).map(({ before }) => before)).toEqual([null, 191])
  })

  test('a pushed booking appears at once, with the new balance', async () => {
    await open()
    await expect.element(page.getByText('No transactions yet')).toBeVisible()
    const record = sample.ledgerRecord({
      id: 901,
      memo: 'Result of order no. 41',
      amount: sample.amount('3'),
    })
    push({
      type: 'funds',
      userId: 8,
      seq: 1,
      available: sample.amount('100003'),
      frozen: sample.amount('0'),
      records: [record],
    })
    await expect.element(rows()).toMatchTextContent('Result of order no. 41')
    await expect.element(main()).toMatchTextContent(/Available balance\s*100,003\.00/)
  })

  test('a booking pushed while the first response is loading is not lost', async () => {
    const release = hold(listLedgerRecords)
    const late = sample.ledgerRecord({ id: 901, memo: 'Result of order no. 41' })
    answer(listLedgerRecords, () =>
      inputsOf(listLedgerRecords).length === 1
        ? { records: [sample.ledgerRecord()], total: 1 }
        : { records: [late, sample.ledgerRecord()], total: 2 },
    )
    await open()
    await expect.poll(() => inputsOf(listLedgerRecords).length).toBe(1)
    push({
      type: 'funds',
      userId: 8,
      seq: 1,
      available: sample.amount('100003'),
      frozen: sample.amount('0'),
      records: [late],
    })
    release()
    await expect.poll(() => rows().elements().length).toBe(2)
  })

  test('are filtered by kind, each kind with its own pages', async () => {
    const fee = sample.ledgerRecord()
    const swap = sample.ledgerRecord({ id: 880, kind: 'swap', memo: 'Swap of order 41' })
    answer(listLedgerRecords, ({ group }) =>
      group === null
        ? { records: [fee, swap], total: 2 }
        : { records: group === 'nights' ? [swap] : [], total: group === 'nights' ? 1 : 0 },
    )
    await open()
    await expect.poll(() => rows().elements().length).toBe(2)
    await page.getByRole('button', { name: 'Swaps' }).click()
    await expect.poll(() => rows().elements().length).toBe(1)
    await page.getByRole('button', { name: 'Payments' }).click()
    await expect.element(page.getByText('No transactions of this kind')).toBeVisible()
    push({
      type: 'funds',
      userId: 8,
      seq: 1,
      available: sample.amount('1'),
      frozen: sample.amount('0'),
      records: [
        sample.ledgerRecord({ id: 902 }),
        sample.ledgerRecord({ id: 903, kind: 'deposit', orderId: null }),
      ],
    })
    await expect.poll(() => rows().elements().length).toBe(1)
  })

  test('link to their order with its receipts, and to their deposit or withdrawal', async () => {
    const about = { id: 880, orderId: null, caseId: 12 }
    const held = sample.ledgerRecord({ ...about, kind: 'withdrawalHeld', memo: 'Withdrawal: set aside' })
    const paid = sample.ledgerRecord({ ...about, id: 879, kind: 'deposit', memo: 'Deposit', caseId: 9 })
    answer(listLedgerRecords, { records: [sample.ledgerRecord(), held, paid], total: 3 })
    answer(getOrder, sample.closedOrder({ receipts: [sample.receipt()] }))
    answer(getDeposit, pay.deposit({ id: 9, status: 'finished', credited: sample.amount('498'), endedAt: 1 }))
    await open()
    await page.getByRole('link', { name: /Fee of order/ }).click()
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/Receipt/)
    expect(inputsOf(getOrder)).toEqual([{ orderId: 41 }])
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await page.getByRole('link', { name: /^Deposit/ }).click()
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/Credited\s*498\.00/)
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('link', { name: /Withdrawal 12 · held.*set aside/ }))
      .toHaveAttribute('href', '#/mine/withdraw?id=12')
  })

  test('of one withdrawal are one line with its parts, each to the cent', async () => {
    const about = { orderId: null, caseId: 12, balance: sample.amount('88000') }
    const records = [
      sample.ledgerRecord({
        ...about,
        id: 882,
        kind: 'withdrawalFee',
        isFrozen: true,
        memo: 'Fee',
        amount: sample.amount('-1'),
      }),
      sample.ledgerRecord({
        ...about,
        id: 881,
        kind: 'withdrawalPaid',
        isFrozen: true,
        memo: 'Paid out',
        amount: sample.amount('-11999'),
      }),
      sample.ledgerRecord({
        ...about,
        id: 880,
        kind: 'withdrawalHeld',
        memo: 'Set aside',
        amount: sample.amount('-12000'),
      }),
    ]
    answer(listLedgerRecords, { records, total: 3 })
    await open()
    await expect.element(rows()).toMatchTextContent(/Withdrawal 12 · paid/)
    await expect.element(rows()).toMatchTextContent('Set aside −12,000.00 · Paid out −11,999.00 · Fee −1.00')
    expect(rows().elements()).toHaveLength(1)
    await expect.element(rows().getByText('−12,000.00', { exact: true }).first()).toBeVisible()
    expect(main().element().textContent).not.toMatch(/\.\d{3}/)
  })

  test('of frozen funds show what is left of them, and are not shown as a loss', async () => {
    const fee = {
      kind: 'withdrawalFee',
      isFrozen: true,
      balance: sample.amount('0'),
      caseId: 12,
      orderId: null,
    } as const
    answer(listLedgerRecords, { records: [sample.ledgerRecord(fee)], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/Frozen 0\.00/)
  })

  test('show the server’s message when rejected', async () => {
    reject(listLedgerRecords, 'tooManyRequests', 'Too many requests.')
    await open()
    await expect.element(page.getByText('Too many requests.')).toBeVisible()
  })

  test('are below the balance over a chosen period', async () => {
    const points = ['100', '150'].map((text, at) => ({ at, balance: sample.amount(text) }))
    answer(getBalanceHistory, { points })
    answer(getFunds, { available: sample.amount('175'), frozen: sample.amount('0') })
    await open()
    await expect
      .element(page.getByRole('img', { name: /^Balance from 100\.00 .* to 175\.00 now$/ }))
      .toBeVisible()
    failConnection(getBalanceHistory)
    await page.getByRole('radiogroup', { name: 'Time range' }).getByText('1 year').click()
    await expect.element(page.getByRole('radio', { name: '1 year' })).toBeChecked()
    await expect.element(page.getByText('The chart could not be loaded.')).toBeVisible()
    const days = inputsOf(getBalanceHistory).map(({ from }) => Math.round((Date.now() - from) / 86_400_000))
    expect([days[0], days.at(-1)]).toEqual([30, 365])
  })

  test('can be downloaded as a statement of a month or of days', async () => {
    reject(getStatement, 'statementTooLong', 'This period has more than 1000 rows.')
    await open()
    await page.getByRole('button', { name: 'Statement as PDF or CSV' }).click()
    await page.getByRole('button', { name: 'PDF', exact: true }).click()
    await expect.element(page.getByText('This period has more than 1000 rows.').first()).toBeVisible()
    await page.getByLabelText('Period').selectOptions('Other period')
    await expect.element(page.getByRole('button', { name: 'CSV', exact: true })).toBeDisabled()
    await page.getByLabelText('From').fill('2026-01-05')
    await page.getByLabelText('To (inclusive)').fill('2026-01-06')
    await page.getByRole('button', { name: 'CSV', exact: true }).click()
    await expect
      .poll(() => inputsOf(getStatement).at(-1))
      .toEqual({
        from: Date.UTC(2026, 0, 5),
        to: Date.UTC(2026, 0, 6),
        format: 'csv',
      })
  })

  test('a long memo makes the page no wider than the screen', async () => {
    const memo = 'Kontoführungsgebührenrückerstattungsanspruch '.repeat(4)
    answer(listLedgerRecords, { records: [sample.ledgerRecord({ memo })], total: 1 })
    await openApp('/mine/history', { as: 'real', size: [320, 640] })
    await expect.element(rows()).toBeVisible()
    expect(overflowing()).toEqual([])
  })

  test('require a log-in', async () => {
    await openApp('/mine/history')
    await expect.element(page.getByText('Log in to go to Transactions.')).toBeVisible()
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect.poll(() => location.hash).toBe('#/login?from=%2Fmine%2Fhistory')
  })
})
