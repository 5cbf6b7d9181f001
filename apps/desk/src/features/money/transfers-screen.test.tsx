import { listTransfers, transfersFile } from '@fairlot/contract/desk'
import { money } from '@fairlot/core/number'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, overflowing, savedName, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, file } from '../../testing/fake-server.ts'

withFakeServer()

const DEPOSIT = {
  id: 7,
  at: Date.UTC(2026, 10, 20, 9),
  kind: 'deposit',
  accountId: 2,
  debit: 'house:real:deposits',
  credit: 'available:2',
  amount: money(12_000_000_000n),
  orderId: null,
  caseId: 31,
} as const

test('lists all transfers under Money, filtered by user, kind, time and number', async () => {
  answer(listTransfers, { transfers: [DEPOSIT] })
  await openDesk('/money/transfers', { as: self({ role: 'finance' }) })
  const row = page.getByRole('row', { name: /Deposit/ })
  await expect.element(row).toMatchTextContent('12,000.00')
  await expect.element(row).toMatchTextContent('Broker, deposits')
  await expect.element(row).toMatchTextContent('100002, available')
  await page.getByLabelText('Kind').selectOptions('Withdrawal: paid')
  await page.getByLabelText('User number').fill('100002')
  await page.getByLabelText('From').fill('2026-11-19')
  await page.getByLabelText('Until').fill('2026-11-20')
  await page.getByRole('searchbox').fill('0xabc')
  await expect
    .poll(() => inputsOf(listTransfers).at(-1))
    .toEqual({
      ledger: 'real',
      accountId: 2,
      kind: 'withdrawalPaid',
      reference: '0xabc',
      since: Date.UTC(2026, 10, 19),
      until: Date.UTC(2026, 10, 21),
      page: 1,
    })
})

test('exports the filtered list, and fits a phone', async () => {
  answer(listTransfers, { transfers: [DEPOSIT] })
  await openDesk('/money/transfers', { size: PHONE })
  await expect.element(page.getByText('12,000.00')).toBeVisible()
  expect(overflowing()).toEqual([])
  file(`${transfersFile.path}?ledger=real`, 'id')
  const save = () => page.getByRole('button', { name: 'Export' }).first().click()
  expect(await savedName(save)).toBe('transfers-real.csv')
})
