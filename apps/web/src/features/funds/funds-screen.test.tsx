import { getFunds, listLedgerRecords } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, withFakeServer } from '../../testing/app.tsx'
import { answer, asked, cut, hold, push } from '../../testing/fake-server.ts'
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

  test('a long memo makes the page no wider than the screen', async () => {
    const memo = 'Kontoführungsgebührenrückerstattungsanspruch '.repeat(4)
    answer(listLedgerRecords, { records: [sample.ledgerRecord({ memo })], total: 1 })
    await openApp('/mine/history', { as: 'real', size: [320, 640] })
    await expect.element(rows()).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  })

  test('are for those who are logged in; a visitor is asked to', async () => {
    await openApp('/mine/history')
    await expect.element(page.getByText('Log in to go to Account movements.')).toBeVisible()
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect.poll(() => location.hash).toBe('#/login?from=%2Fmine%2Fhistory')
  })
})
