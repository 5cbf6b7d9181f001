import {
  getBalanceHistory,
  getDeposit,
  getFunds,
  getOrder,
  getStatement,
  listLedgerRecords,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sticksOut } from '../../../../../testing/sticks-out.ts'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, hold, push, refuse } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const main = () => page.getByRole('main')
const rows = () => main().getByRole('listitem')
const open = () => openApp('/mine/history', { as: 'real' })

describe('the account’s movements', () => {
  test('have each what for, when, how much, and the balance after it', async () => {
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/Fee of order no\. 41/)
    await expect.element(rows()).toMatchTextContent(/Jan 7, 2026, 12:00:00/)
    await expect.element(rows()).toMatchTextContent(/−3\.61/)
    await expect.element(rows()).toMatchTextContent(/Balance 99,996\.39/)
  })

  test('money that came in has a plus', async () => {
    const record = sample.ledgerRecord({ amount: sample.amount('250'), memo: 'Deposit' })
    answer(listLedgerRecords, { records: [record], total: 1 })
    await open()
    await expect.element(rows()).toMatchTextContent(/\+250\.00/)
  })

  test('stand below what is available and what is frozen', async () => {
    answer(getFunds, { available: sample.amount('1234.5'), frozen: sample.amount('80') })
    await open()
    await expect.element(main()).toMatchTextContent(/Available balance\s*1,234\.50/)
    await expect.element(main()).toMatchTextContent(/Frozen\s*80\.00/)
  })

  test('none yet says so', async () => {
    await open()
    await expect.element(page.getByText('No booking yet')).toBeVisible()
  })

  test('on their way are neither none nor failed', async () => {
    const release = hold(listLedgerRecords)
    await open()
    await expect.element(page.getByRole('heading', { name: 'Bookings' })).toBeVisible()
    await expect.element(page.getByText('No booking yet')).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText('No booking yet')).toBeVisible()
  })

  test('that could not be loaded are not lost, and are asked for again', async () => {
    cut(listLedgerRecords)
    await open()
    await expect.element(page.getByText('The bookings could not be loaded')).toBeVisible()
    answer(listLedgerRecords, { records: [sample.ledgerRecord()], total: 1 })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(rows()).toBeVisible()
  })

  test('longer than a page come page by page', async () => {
    const all = Array.from({ length: 15 }, (_, at) => sample.ledgerRecord({ id: 100 + at }))
    answer(listLedgerRecords, ({ page: number }) => ({
      records: all.slice((number - 1) * 10, number * 10),
      total: all.length,
    }))
    await open()
    await expect.poll(() => rows().elements().length).toBe(10)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows().elements().length).toBe(15)
    await expect.element(page.getByRole('button', { name: 'Show more' })).not.toBeInTheDocument()
    expect(asked(listLedgerRecords).map(({ page: number }) => number)).toEqual([1, 2])
  })

  test('a booking appears the moment it happens, with what it leaves', async () => {
    await open()
    await expect.element(page.getByText('No booking yet')).toBeVisible()
    const record = sample.ledgerRecord({
      id: 901,
      memo: 'Result of order no. 41',
      amount: sample.amount('3'),
    })
    push({
      ...{ type: 'funds', userId: 8, seq: 1, available: sample.amount('100003') },
      ...{ frozen: sample.amount('0'), records: [record] },
    })
    await expect.element(rows()).toMatchTextContent('Result of order no. 41')
    await expect.element(main()).toMatchTextContent(/Available balance\s*100,003\.00/)
  })

  test('one that happens while the first answer is on its way is not lost', async () => {
    const release = hold(listLedgerRecords)
    const late = sample.ledgerRecord({ id: 901, memo: 'Result of order no. 41' })
    answer(listLedgerRecords, () =>
      asked(listLedgerRecords).length === 1
        ? { records: [sample.ledgerRecord()], total: 1 }
        : { records: [late, sample.ledgerRecord()], total: 2 },
    )
    await open()
    await expect.poll(() => asked(listLedgerRecords).length).toBe(1)
    push({
      ...{ type: 'funds', userId: 8, seq: 1, available: sample.amount('100003') },
      ...{ frozen: sample.amount('0'), records: [late] },
    })
    release()
    await expect.poll(() => rows().elements().length).toBe(2)
  })

  test('are filtered by kind, each kind with its own pages', async () => {
    const fee = sample.ledgerRecord()
    const night = sample.ledgerRecord({ id: 880, kind: 'swap', memo: 'Overnight financing of order 41' })
    answer(listLedgerRecords, ({ group }) =>
      group === null
        ? { records: [fee, night], total: 2 }
        : { records: group === 'nights' ? [night] : [], total: group === 'nights' ? 1 : 0 },
    )
    await open()
    await expect.poll(() => rows().elements().length).toBe(2)
    await page.getByRole('button', { name: 'Nights' }).click()
    await expect.poll(() => rows().elements().length).toBe(1)
    await page.getByRole('button', { name: 'Money in, out' }).click()
    await expect.element(page.getByText('No booking of this kind')).toBeVisible()
    push({
      ...{ type: 'funds', userId: 8, seq: 1, available: sample.amount('1'), frozen: sample.amount('0') },
      records: [
        sample.ledgerRecord({ id: 902 }),
        sample.ledgerRecord({ id: 903, kind: 'deposit', orderId: null }),
      ],
    })
    await expect.poll(() => rows().elements().length).toBe(1)
  })

  test('lead to their order with its receipts, and to their case', async () => {
    const about = { id: 880, orderId: null, caseId: 12 }
    const held = sample.ledgerRecord({ ...about, kind: 'withdrawalHeld', memo: 'Withdrawal: set aside' })
    const paid = sample.ledgerRecord({ ...about, id: 879, kind: 'deposit', memo: 'Deposit', caseId: 9 })
    answer(listLedgerRecords, { records: [sample.ledgerRecord(), held, paid], total: 3 })
    answer(getOrder, sample.closedOrder({ receipts: [sample.receipt()] }))
    answer(getDeposit, {
      ...{ id: 9, amount: sample.amount('500'), kind: 'coin', currency: 'USDT', network: 'TRC20' },
      ...{ status: 'finished', createdAt: 0, remark: '', credited: sample.amount('498'), endedAt: 1 },
    })
    await open()
    await page.getByRole('link', { name: /Fee of order/ }).click()
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/Receipt/)
    expect(asked(getOrder)).toEqual([{ orderId: 41 }])
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await page.getByRole('link', { name: /^Deposit/ }).click()
    await expect.element(page.getByRole('dialog')).toMatchTextContent(/Credited\s*498\.00/)
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('link', { name: /set aside.*No\. 12/ }))
      .toHaveAttribute('href', '#/mine/withdraw?id=12')
  })

  test('of frozen money tell what is left of that, and are no loss', async () => {
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

  test('that the server refuses say why', async () => {
    refuse(listLedgerRecords, 'tooManyRequests', 'Too many requests.')
    await open()
    await expect.element(page.getByText('Too many requests.')).toBeVisible()
  })

  test('stand below how the balance came to be, over a time to choose', async () => {
    const points = ['100', '150'].map((text, at) => ({ at, balance: sample.amount(text) }))
    answer(getBalanceHistory, { points })
    answer(getFunds, { available: sample.amount('175'), frozen: sample.amount('0') })
    await open()
    await expect
      .element(page.getByRole('img', { name: /^Balance from 100\.00 .* to 175\.00 now$/ }))
      .toBeVisible()
    cut(getBalanceHistory)
    await page.getByRole('radiogroup', { name: 'Time shown' }).getByText('A year').click()
    await expect.element(page.getByRole('radio', { name: 'A year' })).toBeChecked()
    await expect.element(page.getByText('The curve could not be loaded.')).toBeVisible()
    const days = asked(getBalanceHistory).map(({ from }) => Math.round((Date.now() - from) / 86_400_000))
    expect([days[0], days.at(-1)]).toEqual([30, 365])
  })

  test('can be had as a statement of a month or of days', async () => {
    refuse(getStatement, 'statementTooLong', 'This period has more than 1000 rows.')
    await open()
    await page.getByRole('button', { name: 'Statement as PDF or CSV' }).click()
    await page.getByRole('button', { name: 'PDF', exact: true }).click()
    await expect.element(page.getByText('This period has more than 1000 rows.').first()).toBeVisible()
    await page.getByLabelText('Period').selectOptions('Other days')
    await expect.element(page.getByRole('button', { name: 'CSV', exact: true })).toBeDisabled()
    await page.getByLabelText('From').fill('2026-01-05')
    await page.getByLabelText('To, included').fill('2026-01-06')
    await page.getByRole('button', { name: 'CSV', exact: true }).click()
    await expect
      .poll(() => asked(getStatement).at(-1))
      .toEqual({
        ...{ from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 6), format: 'csv' },
      })
  })

  test('a long memo makes the page no wider than the screen', async () => {
    const memo = 'Kontoführungsgebührenrückerstattungsanspruch '.repeat(4)
    answer(listLedgerRecords, { records: [sample.ledgerRecord({ memo })], total: 1 })
    await openApp('/mine/history', { as: 'real', size: [320, 640] })
    await expect.element(rows()).toBeVisible()
    expect(sticksOut()).toEqual([])
  })

  test('are for those who are logged in; a visitor is asked to', async () => {
    await openApp('/mine/history')
    await expect.element(page.getByText('Log in to go to Account movements.')).toBeVisible()
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect.poll(() => location.hash).toBe('#/login?from=%2Fmine%2Fhistory')
  })
})
