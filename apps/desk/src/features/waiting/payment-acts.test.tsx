import {
  approveWithdrawal,
  decideApproval,
  findReference,
  finishDeposit,
  getPayment,
  getWaitingCase,
  listWaiting,
  payWithdrawal,
  refuseDeposit,
  refuseWithdrawal,
  type PaymentDetail,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core/number'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, withFakeServer } from '../../testing/app.tsx'
import { answer, asked } from '../../testing/fake-server.ts'
import { waitingCase, waitingDetail } from '../../testing/waiting-case.ts'

withFakeServer()

const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()
const reason = () => page.getByLabelText('Reason')

const paymentOf = (change: Partial<PaymentDetail> = {}): PaymentDetail => ({
  ...{ kind: 'withdrawal', id: 41, accountId: 100_017, proof: null, isApproved: false, approvedBy: null },
  ...{ received: '388 USDT', payTo: 'TR7NHq' },
  ...change,
})

async function openCase(
  kind: 'deposit' | 'withdrawal',
  options: Parameters<typeof openDesk>[1] = {},
  detail: Parameters<typeof waitingDetail>[0] = {},
) {
  const shown = waitingCase({
    ...{ caseKey: `${kind}:41`, kind, title: `Case 41`, amount: money(400_000_000n), needsSecond: false },
    askedBy: null,
  })
  answer(listWaiting, { cases: [shown], total: 1, all: 1, kinds: [] })
  answer(getWaitingCase, waitingDetail({ case: shown, decision: kind, ...detail }))
  await openDesk(`/waiting/${kind}:41`, options)
}

describe('a deposit', () => {
  test('is credited at what is typed, never at what was told', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(finishDeposit, { approvalId: null })
    await openCase('deposit')
    await press('Credit…')
    await reason().fill('arrived')
    await press('Credit')
    await expect.element(page.getByText('Write what has arrived, such as 499.50, above.')).toBeVisible()
    await page.getByLabelText('Has arrived').fill('399.5')
    await press('Credit')
    await expect
      .poll(() => asked(finishDeposit))
      .toEqual([{ id: 41, amount: money(399_500_000n), reason: 'arrived' }])
  })

  test('says when it waits for a second person', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(finishDeposit, { approvalId: 7 })
    await openCase('deposit')
    await press('Credit…')
    await page.getByLabelText('Has arrived').fill('20000')
    await reason().fill('arrived')
    await press('Credit')
    await expect.element(page.getByText(/waits for a second person/)).toBeVisible()
  })

  test('is rejected or invalid, each with a reason', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(refuseDeposit, null)
    await openCase('deposit')
    await press('Invalid…')
    await reason().fill('no such transfer')
    await press('Mark as invalid')
    await expect
      .poll(() => asked(refuseDeposit))
      .toEqual([{ id: 41, outcome: 'invalid', reason: 'no such transfer' }])
  })

  test('leads to the cases that tell of the same transfer, and to the person of one that is over', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    const other = { caseKey: 'deposit:7', title: 'Deposit 7', accountId: 100_018, why: 'the same picture' }
    const over = { ...other, caseKey: 'deposit:8', title: 'Deposit 8', state: 'rejected', waits: false }
    await openCase('deposit', {}, { related: [{ ...other, state: 'open', waits: true }, over] })
    await expect
      .element(page.getByRole('link', { name: 'Deposit 7' }))
      .toHaveAttribute('href', '#/waiting/deposit:7')
    await expect.element(page.getByRole('link', { name: 'Deposit 8' })).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('link', { name: '100018' }).last())
      .toHaveAttribute('href', '#/people/100018')
  })

  test('that waits for a second person is approved by the number of its approval', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(decideApproval, null)
    await openCase('deposit', {}, { decision: 'approval', approvalId: 7 })
    await press(/^Approve/)
    await reason().fill('seen as well')
    await press('Approve')
    await expect
      .poll(() => asked(decideApproval))
      .toEqual([{ id: 7, isApproved: true, reason: 'seen as well' }])
  })

  test('shows its picture once somebody asks to see it', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit', proof: 'k'.repeat(32) }))
    await openCase('deposit')
    await expect.element(page.getByRole('button', { name: /the view is written down/ })).toBeVisible()
    await expect.element(page.getByRole('img', { name: 'Proof of the transfer' })).not.toBeInTheDocument()
  })
})

describe('a withdrawal', () => {
  test('is approved first, with what it pays and to whom', async () => {
    answer(getPayment, paymentOf())
    answer(approveWithdrawal, null)
    await openCase('withdrawal')
    await press('Approve…')
    await expect.element(page.getByRole('dialog').getByText('388 USDT')).toBeVisible()
    await reason().fill('checked')
    await press('Approve')
    await expect.poll(() => asked(approveWithdrawal)).toEqual([{ id: 41, reason: 'checked' }])
  })

  test('is paid with its transaction number', async () => {
    answer(getPayment, paymentOf({ isApproved: true, approvedBy: 'Ben' }))
    answer(payWithdrawal, null)
    await openCase('withdrawal')
    await press('Paid…')
    await reason().fill('sent')
    await press('It is paid')
    await expect.element(page.getByText('Write the transaction number above.')).toBeVisible()
    const other = {
      caseKey: 'withdrawal:7',
      title: 'Withdrawal 7',
      accountId: 100_018,
      why: 'the same number',
    }
    answer(findReference, { cases: [{ ...other, state: 'paid', waits: false }] })
    await page.getByLabelText('Transaction number').fill(' tx 77 ')
    await expect.element(page.getByText('Withdrawal 7 has this number already.')).toBeVisible()
    await press('It is paid')
    await expect.poll(() => asked(payWithdrawal)).toEqual([{ id: 41, reference: 'tx 77', reason: 'sent' }])
  })

  test('is rejected with a reason, on a phone too', async () => {
    answer(getPayment, paymentOf())
    answer(refuseWithdrawal, null)
    await openCase('withdrawal', { size: PHONE })
    await press('Reject…')
    await reason().fill('another name')
    await press('Reject')
    await expect.poll(() => asked(refuseWithdrawal)).toEqual([{ id: 41, reason: 'another name' }])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE[0])
  })
})
