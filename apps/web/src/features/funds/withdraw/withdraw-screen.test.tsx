import {
  askWithdrawal,
  getWithdrawal,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  takeBackWithdrawal,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sticksOut } from '../../../../../../testing/sticks-out.ts'
import { notice, openApp, withFakeServer } from '../../../testing/app.tsx'
import { setPreferences } from '../../../live/device/preferences.ts'
import { answer, asked, askedWith, cut, hold, refuse } from '../../../testing/fake-server.ts'
import { queryClient } from '../../../live/requests/query-client.ts'
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

describe('the form of a withdrawal', () => {
  test('is not sent without an amount, and leads to it', async () => {
    await open()
    await page.getByLabelText('Amount').fill('0')
    await send().click()
    await expect
      .element(page.getByLabelText('Amount'))
      .toHaveAccessibleDescription('Enter an amount such as 100.50.')
    await expect.element(page.getByLabelText('Amount')).toHaveFocus()
    expect(asked(askWithdrawal)).toEqual([])
  })

  test('keeps what was typed when another currency is chosen, and offers the methods of that one', async () => {
    const bitcoin = pay.payoutCurrency({ id: 2, code: 'BTC', network: 'bitcoin' })
    answer(listPayoutCurrencies, [pay.payoutCurrency(), bitcoin])
    answer(listReceivingMethods, [
      pay.receivingMethod(),
      pay.receivingMethod({ id: 6, currencyId: 2, address: 'bc1qshort', currency: bitcoin }),
    ])
    await open()
    await page.getByLabelText('Amount').fill('400')
    await page.getByLabelText('Currency').selectOptions('BTC · bitcoin')
    await expect.element(page.getByLabelText('Amount')).toHaveValue('400')
    await expect.element(page.getByLabelText('Paid to')).toHaveValue('6')
    answer(askWithdrawal, pay.withdrawal())
    answer(getWithdrawal, pay.withdrawal())
    await send().click()
    await expect.poll(() => asked(askWithdrawal)).toMatchObject([{ currencyId: 2, methodId: 6 }])
  })

  test('is sent once under one name, however often it is tapped and however long it takes', async () => {
    cut(askWithdrawal)
    await open()
    await page.getByLabelText('Amount').fill('400')
    const release = hold(askWithdrawal)
    await userEvent.keyboard('{Enter}')
    await expect.element(send()).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    release()
    await expect.element(page.getByRole('alert').getByText(/could not be reached/)).toBeVisible()
    answer(askWithdrawal, pay.withdrawal())
    answer(getWithdrawal, pay.withdrawal())
    await send().click()
    await expect.element(page.getByRole('heading', { name: 'Withdrawal 41' })).toBeVisible()
    const names = askedWith(askWithdrawal).map((headers) => headers.get('idempotency-key'))
    expect(names).toHaveLength(2)
    expect(names[1]).toBe(names[0])
  })

  test('says how much can leave, how much of it today, and of a new method from when on', async () => {
    answer(listPayoutCurrencies, [pay.payoutCurrency({ leftToday: sample.amount('2500') })])
    answer(listReceivingMethods, [pay.receivingMethod({ usableAt: Date.now() + 86_400_000 })])
    await open()
    await expect
      .element(page.getByLabelText('Amount'))
      .toHaveAccessibleDescription('At most 100,000.00 · 2,500.00 more can be used today')
    await expect.element(page.getByLabelText('Paid to')).toMatchTextContent(/TR7NHq…gjLj6t \(from /)
  })

  test('is not there before its methods are, nor where nothing can be paid out', async () => {
    cut(listReceivingMethods)
    await open()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(send()).not.toBeInTheDocument()
    answer(listReceivingMethods, [pay.receivingMethod()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(send()).toBeVisible()
    answer(listPayoutCurrencies, [])
    await page.getByText('To a bank account', { exact: true }).click()
    await expect.element(page.getByText('Nothing can be paid out this way yet')).toBeVisible()
    await expect.element(send()).not.toBeInTheDocument()
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
    expect(sticksOut()).toEqual([])
  })

  test('that could not be had is asked for again; one that is not there is said in the server’s words', async () => {
    cut(getWithdrawal)
    await open(road)
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    refuse(getWithdrawal, 'caseNotFound', 'There is no such withdrawal.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('There is no such withdrawal.')).toBeVisible()
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect.poll(() => location.hash).toBe('#/mine/withdraw')
  })

  test('cannot be taken back twice; refused, it says why and goes on', async () => {
    answer(getWithdrawal, pay.withdrawal())
    refuse(takeBackWithdrawal, 'withdrawalApproved', 'It has been decided meanwhile.')
    await open(road)
    await page.getByRole('button', { name: 'Take it back' }).click()
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Take it back' })
    const release = hold(takeBackWithdrawal)
    await confirm.click()
    await expect.element(confirm).toBeDisabled()
    release()
    await expect.element(notice('It has been decided meanwhile.')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Withdrawal 41' })).toBeVisible()
    expect(asked(takeBackWithdrawal)).toHaveLength(1)
  })

  test('marks the step that it is at, and names who pays and by which transaction', async () => {
    const [asking] = pay.withdrawal().steps
    if (!asking) throw new Error('a withdrawal begins with a step')
    const currentStep = () => document.querySelector('[aria-current=step]')?.textContent
    const step = (kind: 'approved' | 'paid') => ({ ...asking, kind, role: 'finance' }) as const
    answer(getWithdrawal, pay.withdrawal({ status: 'approved', steps: [asking, step('approved')] }))
    await open(road)
    await expect.element(page.getByText('To be paid by finance')).toBeVisible()
    expect(currentStep()).toMatch(/^To be paid by finance/)
    answer(
      getWithdrawal,
      pay.withdrawal({
        ...{ status: 'paid', holder: '', reference: 'tx-77' },
        steps: [asking, step('approved'), step('paid')],
      }),
    )
    await queryClient.invalidateQueries()
    await expect.element(main()).toMatchTextContent(/Paid out\s*388\.00 USDT/)
    await expect.element(main()).toMatchTextContent(/finance · tx-77/)
    expect(currentStep()).toBeUndefined()
  })

  test('shows no amount while amounts are hidden, neither in money nor in coins', async () => {
    setPreferences({ isBalanceHidden: true })
    answer(getWithdrawal, pay.withdrawal())
    answer(listWithdrawals, { withdrawals: [pay.withdrawal()], total: 1 })
    await open(road)
    await expect.element(main()).toMatchTextContent(/On its way\s*•••••• USDT/)
    expect(main().element().textContent).not.toMatch(/388|400|12\.00/)
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect.element(page.getByRole('link', { name: /^Withdrawal 41/ })).toMatchTextContent('••••••')
  })
})
