import {
  askWithdrawal,
  getWithdrawal,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  takeBackWithdrawal,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, asked, refuse } from '../../../testing/fake-server.ts'
import * as pay from '../../../testing/payment-samples.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

beforeEach(() => {
  answer(listPayoutCurrencies, [pay.payoutCurrency()])
  answer(listReceivingMethods, [pay.receivingMethod()])
  answer(listWithdrawals, { withdrawals: [], total: 0 })
})

const main = () => page.getByRole('main')
const open = (path = '/mine/withdraw') => openApp(path, { as: 'real' })
const send = () => page.getByRole('button', { name: 'Withdraw', exact: true })

describe('withdrawing', () => {
  test('shows the fee and what arrives before anything is sent', async () => {
    await open()
    await page.getByLabelText('Amount').fill('400')
    await expect.element(main()).toMatchTextContent(/Fee, all of it\s*12\.00/)
    await expect.element(main()).toMatchTextContent(/You receive\s*388\.00 USDT/)
    await page.getByLabelText('Amount').fill('5')
    await expect.element(main()).toMatchTextContent(/You receive\s*0\.00 USDT/)
    expect(asked(askWithdrawal)).toEqual([])
  })

  test('shows as many digits of a coin as arrive', async () => {
    const coin = {
      id: 2,
      code: 'BTC',
      network: 'bitcoin',
      feeType: 'rate',
      feeRate: sample.amount('0.01'),
    } as const
    answer(listPayoutCurrencies, [pay.payoutCurrency({ ...coin, price: sample.decimal('0.00001') })])
    await open()
    await page.getByLabelText('Amount').fill('100')
    await expect.element(main()).toMatchTextContent(/You receive\s*0\.00099 BTC/)
  })

  test('sends what was typed, and shows the way of the money', async () => {
    answer(askWithdrawal, pay.withdrawal())
    answer(getWithdrawal, pay.withdrawal())
    await open()
    await page.getByLabelText('Amount').fill('400')
    await page.getByLabelText(/Memo/).fill('rent')
    await send().click()
    await expect.element(page.getByRole('heading', { name: 'Withdrawal 41' })).toBeVisible()
    expect(asked(askWithdrawal)).toEqual([
      { currencyId: 1, amount: sample.amount('400'), memo: 'rent', methodId: 5, authCode: null },
    ])
  })

  test('without a receiving method leads to where one is bound', async () => {
    answer(listReceivingMethods, [])
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await expect.element(page.getByText('Set up a receiving account first')).toBeVisible()
    await page.getByRole('button', { name: 'Set one up' }).click()
    await expect.poll(() => location.hash).toBe('#/mine/withdraw-way?type=1')
  })

  test('that is refused says why at the amount, and keeps what was typed', async () => {
    refuse(askWithdrawal, 'notEnoughMoney', 'Only 10.00 can leave.')
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await expect.element(page.getByText('Only 10.00 can leave.')).toBeVisible()
    await expect.element(page.getByLabelText('Amount')).toHaveValue('400')
  })

  test('of somebody whose identity nobody has seen says so in a sentence', async () => {
    const sentence = 'Withdrawals are open once your identity has been verified.'
    refuse(askWithdrawal, 'identityUnverified', sentence)
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await expect.element(main().getByText(sentence)).toBeVisible()
    await expect.element(page.getByLabelText('Amount')).toHaveValue('400')
  })

  test('asks for a code where a second factor is on', async () => {
    refuse(askWithdrawal, 'secondFactorNeeded', 'Enter the code of your app.')
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await expect.element(page.getByLabelText('Code of your authenticator app')).toBeVisible()
  })
})

describe('the way of a withdrawal', () => {
  const road = '/mine/withdraw?id=41'

  test('says who has it now and what is still to come', async () => {
    answer(getWithdrawal, pay.withdrawal())
    await open(road)
    await expect.element(main()).toMatchTextContent(/Asked by you.*To be decided by finance.*Paid/)
    await expect.element(main()).toMatchTextContent('no payment is ever asked to release a withdrawal')
  })

  test('that was rejected has the reason in its last step', async () => {
    const [asking] = pay.withdrawal().steps
    const end = {
      kind: 'rejected',
      at: Date.UTC(2026, 0, 7, 13),
      role: 'finance',
      reason: 'another name',
    } as const
    const steps = asking ? [asking, end] : [end]
    answer(getWithdrawal, pay.withdrawal({ status: 'rejected', holder: '', remark: end.reason, steps }))
    await open(road)
    await expect.element(main()).toMatchTextContent(/Rejected.*finance · another name/)
    await expect.element(page.getByRole('button', { name: 'Take it back' })).not.toBeInTheDocument()
  })

  test('is taken back while it waits', async () => {
    answer(getWithdrawal, pay.withdrawal())
    answer(takeBackWithdrawal, pay.withdrawal({ status: 'cancelled' }))
    await open(road)
    await page.getByRole('button', { name: 'Take it back' }).click()
    const dialog = page.getByRole('alertdialog')
    answer(getWithdrawal, pay.withdrawal({ status: 'cancelled', statusName: 'Taken back', holder: '' }))
    await dialog.getByRole('button', { name: 'Take it back' }).click()
    await expect.poll(() => asked(takeBackWithdrawal)).toEqual([{ id: 41 }])
    await expect.element(page.getByRole('button', { name: 'Take it back' })).not.toBeInTheDocument()
  })

  test('is no wider than a small phone', async () => {
    answer(getWithdrawal, pay.withdrawal({ reference: 'f'.repeat(90), status: 'paid' }))
    await openApp(road, { as: 'real', size: [320, 640] })
    await expect.element(page.getByText('f'.repeat(90))).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  })
})
