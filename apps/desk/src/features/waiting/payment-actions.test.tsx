import {
  approveWithdrawal,
  DESK_FILE_PATH,
  decideApproval,
  findReference,
  finishDeposit,
  getPayment,
  getWaitingCase,
  listWaiting,
  payWithdrawal,
  previewCredit,
  refuseDeposit,
  refuseWithdrawal,
  type CreditPreview,
  type PaymentDetail,
} from '@fairlot/contract/desk'
import { money } from '@fairlot/core/number'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, PHONE, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf, picture, reject } from '../../testing/fake-server.ts'
import { waitingCase, waitingDetail } from '../../testing/waiting-case.ts'

withFakeServer()

const PROOF = 'a'.repeat(32)
const press = (name: string | RegExp) => page.getByRole('button', { name }).last().click()
const reason = () => page.getByLabelText('Reason')

const paymentOf = (change: Partial<PaymentDetail> = {}): PaymentDetail => ({
  kind: 'withdrawal',
  id: 41,
  accountId: 17,
  proof: null,
  isApproved: false,
  approvedBy: null,
  isPaying: false,
  currency: 'USDT',
  reportedAt: null,
  received: '388 USDT',
  payTo: 'TR7NHq',
  ...change,
})

const creditOf = (change: Partial<CreditPreview> = {}): CreditPreview => ({
  currency: 'EUR',
  accountCurrency: 'USD',
  rate: 10_834_000_000n,
  isRateFixed: false,
  rateNow: 10_835_000_000n,
  credited: money(1_083_400_000n),
  needsSecond: false,
  ...change,
})

async function openCase(
  kind: 'deposit' | 'withdrawal',
  options: Parameters<typeof openDesk>[1] = {},
  detail: Parameters<typeof waitingDetail>[0] = {},
) {
  const shown = waitingCase({
    caseKey: `${kind}:41`,
    kind,
    title: `Case 41`,
    amount: money(400_000_000n),
    needsSecond: false,
    askedBy: null,
  })
  answer(listWaiting, { cases: [shown], total: 1, all: 1, kinds: [], next: null })
  answer(getWaitingCase, waitingDetail({ case: shown, decision: kind, ...detail }))
  await openDesk(`/waiting/${kind}:41`, options)
}

describe('a deposit', () => {
  test('is credited with the entered amount, never with the reported one', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(finishDeposit, { approvalId: null })
    answer(previewCredit, creditOf())
    await openCase('deposit')
    await press('Credit…')
    await reason().fill('arrived')
    await press('Credit')
    await expect.element(page.getByText('Enter the amount received above, such as 499.50.')).toBeVisible()
    await page.getByLabelText('Amount received, in USDT').fill('399.5')
    await press('Credit')
    await expect
      .poll(() => inputsOf(finishDeposit))
      .toEqual([{ id: 41, amount: 39_950_000_000n, arrivedAt: null, reason: 'arrived' }])
  })

  test('shows the rate and the credit before it is sent, for the minute in which the money arrived', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit', currency: 'EUR' }))
    answer(previewCredit, creditOf())
    answer(finishDeposit, { approvalId: null })
    await openCase('deposit')
    await press('Credit…')
    await page.getByLabelText('Amount received, in EUR').fill('1000')
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toMatchTextContent('1 EUR = 1.0834 USD')
    await expect.element(dialog).toMatchTextContent('1,083.40 USD')
    await page.getByLabelText('Received at (UTC)').fill('2026-11-23T18:45')
    const arrivedAt = Date.UTC(2026, 10, 23, 18, 45)
    await expect
      .poll(() => inputsOf(previewCredit).at(-1))
      .toEqual({ id: 41, amount: 100_000_000_000n, arrivedAt })
    await reason().fill('confirmed by the bank')
    await press('Credit')
    await expect
      .poll(() => inputsOf(finishDeposit))
      .toEqual([{ id: 41, amount: 100_000_000_000n, arrivedAt, reason: 'confirmed by the bank' }])
  })

  test('says at once why an arrival time is not valid', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit', currency: 'EUR' }))
    reject(previewCredit, 'arrivalInvalid', 'The arrival lies between the report of the deposit and now.')
    await openCase('deposit')
    await press('Credit…')
    await page.getByLabelText('Amount received, in EUR').fill('1000')
    await expect.element(page.getByText(/lies between the report/)).toBeVisible()
  })

  test('shows its proof first, and the full picture once it is opened', async () => {
    const tall = new OffscreenCanvas(300, 1_200)
    tall.getContext('2d')?.fillRect(0, 0, 300, 1_200)
    picture(`${DESK_FILE_PATH}${PROOF}`, await tall.convertToBlob())
    answer(getPayment, paymentOf({ kind: 'deposit', proof: PROOF }))
    await openCase('deposit')
    const proof = page.getByRole('button', { name: /^Open the image/ })
    await expect.element(proof).toBeInViewport({ ratio: 1 })
    const balance = page.getByText('Balance', { exact: true }).element()
    expect(proof.element().compareDocumentPosition(balance)).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    await proof.click()
    const shown = page.getByAltText('Proof of the transfer')
    await expect.poll(() => shown.element().getBoundingClientRect().height).toBeGreaterThan(300)
    await expect.element(shown).toBeInViewport({ ratio: 1 })
  })

  test('says when it waits for a second operator', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(finishDeposit, { approvalId: 7 })
    answer(previewCredit, creditOf({ needsSecond: true }))
    await openCase('deposit')
    await press('Credit…')
    await page.getByLabelText('Amount received, in USDT').fill('20000')
    await expect.element(page.getByText(/^This needs a second operator/)).toBeVisible()
    await reason().fill('arrived')
    await press('Credit')
    await expect.element(page.getByText(/waits for a second operator/)).toBeVisible()
  })

  test('is rejected or invalid, each with a reason', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(refuseDeposit, null)
    await openCase('deposit')
    await press('Invalid…')
    await reason().fill('no such transfer')
    await press('Mark as invalid')
    await expect
      .poll(() => inputsOf(refuseDeposit))
      .toEqual([{ id: 41, outcome: 'invalid', reason: 'no such transfer' }])
  })

  test('links to open cases about the same transfer, and to the user of a closed one', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    const other = { caseKey: 'deposit:7', title: 'Deposit 7', accountId: 18, why: 'same picture' }
    const closed = { ...other, caseKey: 'deposit:8', title: 'Deposit 8', state: 'rejected', waits: false }
    await openCase('deposit', {}, { related: [{ ...other, state: 'open', waits: true }, closed] })
    await expect
      .element(page.getByRole('link', { name: 'Deposit 7' }))
      .toHaveAttribute('href', '#/waiting/deposit:7')
    await expect.element(page.getByRole('link', { name: 'Deposit 8' })).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('link', { name: '100018' }).last())
      .toHaveAttribute('href', '#/people/18')
  })

  test('that waits for a second operator is approved by the id of its approval', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit' }))
    answer(decideApproval, { confirmation: null })
    await openCase('deposit', {}, { decision: 'approval', approvalId: 7 })
    await press(/^Approve/)
    await reason().fill('seen as well')
    await press('Approve')
    await expect
      .poll(() => inputsOf(decideApproval))
      .toEqual([{ id: 7, isApproved: true, reason: 'seen as well' }])
  })

  test('shows its picture only once an operator opens it', async () => {
    answer(getPayment, paymentOf({ kind: 'deposit', proof: 'k'.repeat(32) }))
    await openCase('deposit')
    await expect.element(page.getByRole('button', { name: /recorded in the audit log/ })).toBeVisible()
    await expect.element(page.getByRole('img', { name: 'Proof of the transfer' })).not.toBeInTheDocument()
  })
})

describe('a withdrawal', () => {
  test('is approved first, with the amount and the payee shown', async () => {
    answer(getPayment, paymentOf())
    answer(approveWithdrawal, null)
    await openCase('withdrawal')
    await press('Approve…')
    await expect.element(page.getByRole('dialog').getByText('388 USDT')).toBeVisible()
    await reason().fill('checked')
    await press('Approve')
    await expect.poll(() => inputsOf(approveWithdrawal)).toEqual([{ id: 41, reason: 'checked' }])
  })

  test('is paid with its transaction number', async () => {
    answer(getPayment, paymentOf({ isApproved: true, approvedBy: 'Ben' }))
    answer(payWithdrawal, null)
    await openCase('withdrawal')
    await press('Mark as paid…')
    await reason().fill('sent')
    await press('Mark as paid')
    await expect.element(page.getByText('Enter the transaction number above.')).toBeVisible()
    const other = {
      caseKey: 'withdrawal:7',
      title: 'Withdrawal 7',
      accountId: 18,
      why: 'the same number',
    }
    answer(findReference, { cases: [{ ...other, state: 'paid', waits: false }] })
    await page.getByLabelText('Transaction number').fill(' tx 77 ')
    await expect.element(page.getByText('Withdrawal 7 has this number already.')).toBeVisible()
    await press('Mark as paid')
    await expect.poll(() => inputsOf(payWithdrawal)).toEqual([{ id: 41, reference: 'tx 77', reason: 'sent' }])
  })

  test('is rejected with a reason, on a phone too', async () => {
    answer(getPayment, paymentOf())
    answer(refuseWithdrawal, null)
    await openCase('withdrawal', { size: PHONE })
    await press('Reject…')
    await reason().fill('another name')
    await press('Reject')
    await expect.poll(() => inputsOf(refuseWithdrawal)).toEqual([{ id: 41, reason: 'another name' }])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE[0])
  })
})
