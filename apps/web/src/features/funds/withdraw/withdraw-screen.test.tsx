import {
  getBasicInfo,
  getUser,
  requestWithdrawal,
  getWithdrawal,
  listPayoutCurrencies,
  listReceivingMethods,
  listWithdrawals,
  cancelWithdrawal,
  type User,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { notice, openApp, settled, withFakeServer } from '../../../testing/app.tsx'
import { setPreferences } from '../../../live/device/preferences.ts'
import { answer, inputsOf, headersOf, failConnection, hold, reject } from '../../../testing/fake-server.ts'
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
const confirm = () => page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()

describe('the identity that withdrawals need', () => {
  const section = () => page.getByRole('region', { name: 'Withdrawals need a verified identity' })
  const openAs = async (identityCheck: User['identityCheck']) => {
    await open()
    answer(getUser, sample.realUser({ identityCheck }))
    await queryClient.invalidateQueries({ queryKey: ['user'] })
    await settled()
  }

  test.each(['form', 'rejected'] as const)(
    'is said before the form, with the way there: %s',
    async (status) => {
      await openAs(status)
      await expect.element(section()).toBeVisible()
      await expect.element(page.getByLabelText('Amount')).toBeVisible()
      const isBefore =
        section().element().compareDocumentPosition(page.getByLabelText('Amount').element()) &
        Node.DOCUMENT_POSITION_FOLLOWING
      expect(isBefore).toBeTruthy()
      await section().getByRole('link', { name: 'Verify your identity' }).click()
      await expect.poll(() => location.hash).toBe('#/mine/auth')
    },
  )

  test('is being checked, which its user cannot speed up', async () => {
    await openAs('waiting')
    await expect.element(section()).toMatchTextContent(/compliance team is checking/)
    await expect.element(section().getByRole('link')).not.toBeInTheDocument()
  })

  test('is not mentioned once verified, nor where the deployment does without', async () => {
    await openAs('verified')
    await expect.element(page.getByLabelText('Amount')).toBeVisible()
    await expect.element(section()).not.toBeInTheDocument()
    answer(getBasicInfo, sample.basicInfo({ needsIdentityToWithdraw: false }))
    await queryClient.invalidateQueries({ queryKey: ['basicInfo'] })
    answer(getUser, sample.realUser({ identityCheck: 'form' }))
    await queryClient.invalidateQueries({ queryKey: ['user'] })
    await settled()
    await expect.element(section()).not.toBeInTheDocument()
  })
})

describe('a withdrawal request', () => {
  test('shows the fee and the payout before anything is sent', async () => {
    await open()
    await page.getByLabelText('Amount').fill('400')
    await expect.element(main()).toMatchTextContent(/Total fee\s*12\.00/)
    await expect.element(main()).toMatchTextContent(/You receive\s*388\.00 USDT/)
    await page.getByLabelText('Amount').fill('5')
    await expect.element(main()).toMatchTextContent(/You receive\s*0\.00 USDT/)
    expect(inputsOf(requestWithdrawal)).toEqual([])
  })

  test('shows all decimals of a coin payout', async () => {
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

  test('sends what was typed, and shows the timeline', async () => {
    answer(requestWithdrawal, pay.withdrawal())
    answer(getWithdrawal, pay.withdrawal())
    await open()
    await page.getByLabelText('Amount').fill('400')
    await page.getByLabelText(/Memo/).fill('rent')
    await send().click()
    const confirmation = page.getByRole('alertdialog', { name: 'Send this withdrawal?' })
    for (const text of [
      /Amount\s*400\.00/,
      /Total fee\s*12\.00/,
      /You receive\s*388\.00 USDT/,
      /Memo\s*rent/,
    ])
      await expect.element(confirmation).toMatchTextContent(text)
    expect(inputsOf(requestWithdrawal)).toEqual([])
    await confirm()
    await expect.element(page.getByRole('heading', { name: 'Withdrawal 41' })).toBeVisible()
    expect(inputsOf(requestWithdrawal)).toEqual([
      {
        currencyId: 1,
        amount: sample.amount('400'),
        memo: 'rent',
        methodId: 5,
        authCode: null,
        // What the screen has shown.
        quotedFee: sample.amount('12'),
        quotedPrice: 1,
        quotedReceived: 388,
      },
    ])
  })

  test('without a receiving method leads to the screen that adds one', async () => {
    answer(listReceivingMethods, [])
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await expect.element(page.getByText('Set up a receiving method first')).toBeVisible()
    await page.getByRole('button', { name: 'Not now' }).click()
    await expect.element(page.getByText('Set up a receiving method first')).not.toBeInTheDocument()
    await send().click()
    await page.getByRole('button', { name: 'Set one up' }).click()
    await expect.poll(() => location.hash).toBe('#/mine/withdraw-way?type=1')
  })

  test('that is rejected shows the reason at the amount, and keeps what was typed', async () => {
    reject(requestWithdrawal, 'notEnoughMoney', 'Only 10.00 can be withdrawn.')
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await confirm()
    await expect.element(page.getByText('Only 10.00 can be withdrawn.')).toBeVisible()
    await expect.element(page.getByLabelText('Amount')).toHaveValue('400')
  })

  test('of an unverified user shows the server’s message', async () => {
    const sentence = 'Withdrawals are open once your identity has been verified.'
    reject(requestWithdrawal, 'identityUnverified', sentence)
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await confirm()
    await expect.element(main().getByText(sentence)).toBeVisible()
    await expect.element(page.getByLabelText('Amount')).toHaveValue('400')
  })

  test('requires a code where a second factor is on', async () => {
    reject(requestWithdrawal, 'secondFactorNeeded', 'Enter the code of your app.')
    await open()
    await page.getByLabelText('Amount').fill('400')
    await send().click()
    await confirm()
    await expect.element(page.getByLabelText('Code of your authenticator app')).toBeVisible()
  })
})

describe('the form of a withdrawal', () => {
  test('is not sent without an amount, and focuses it', async () => {
    await open()
    await page.getByLabelText('Amount').fill('0')
    await send().click()
    await expect
      .element(page.getByLabelText('Amount'))
      .toHaveAccessibleDescription('Enter an amount such as 100.50.')
    await expect.element(page.getByLabelText('Amount')).toHaveFocus()
    expect(inputsOf(requestWithdrawal)).toEqual([])
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
    answer(requestWithdrawal, pay.withdrawal())
    answer(getWithdrawal, pay.withdrawal())
    await send().click()
    await confirm()
    await expect.poll(() => inputsOf(requestWithdrawal)).toMatchObject([{ currencyId: 2, methodId: 6 }])
  })

  test('is sent once under one request id, however often it is tapped and however long it takes', async () => {
    failConnection(requestWithdrawal)
    await open()
    await page.getByLabelText('Amount').fill('400')
    const release = hold(requestWithdrawal)
    await userEvent.keyboard('{Enter}')
    await confirm()
    await expect.element(send()).toBeDisabled()
    await userEvent.keyboard('{Enter}')
    release()
    await expect.element(page.getByRole('alert').getByText(/could not be reached/)).toBeVisible()
    answer(requestWithdrawal, pay.withdrawal())
    answer(getWithdrawal, pay.withdrawal())
    await send().click()
    await confirm()
    await expect.element(page.getByRole('heading', { name: 'Withdrawal 41' })).toBeVisible()
    const names = headersOf(requestWithdrawal).map((headers) => headers.get('idempotency-key'))
    expect(names).toHaveLength(2)
    expect(names[1]).toBe(names[0])
  })

  test('shows the withdrawable amount, today’s limit, and when a new method becomes available', async () => {
    answer(listPayoutCurrencies, [pay.payoutCurrency({ leftToday: sample.amount('2500') })])
    answer(listReceivingMethods, [pay.receivingMethod({ usableAt: Date.now() + 86_400_000 })])
    await open()
    await expect
      .element(page.getByLabelText('Amount'))
      .toHaveAccessibleDescription('At most 100,000.00 · 2,500.00 of today’s limit left')
    await expect.element(page.getByLabelText('Paid to')).toMatchTextContent(/TR7NHq…gjLj6t \(from /)
  })

  test('is not shown before its methods are loaded, nor without payout currencies', async () => {
    failConnection(listReceivingMethods)
    await open()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(send()).not.toBeInTheDocument()
    answer(listReceivingMethods, [pay.receivingMethod()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(send()).toBeVisible()
    answer(listPayoutCurrencies, [])
    await page.getByText('To a bank account', { exact: true }).click()
    await expect.element(page.getByText('This withdrawal method is not available yet')).toBeVisible()
    await expect.element(send()).not.toBeInTheDocument()
  })
})

describe('the details of a withdrawal', () => {
  const detailPath = '/mine/withdraw?id=41'

  test('show the current and the next step', async () => {
    answer(getWithdrawal, pay.withdrawal())
    await open(detailPath)
    await expect.element(main()).toMatchTextContent(/Requested by you.*Awaiting approval by finance.*Paid/)
    await expect.element(main()).toMatchTextContent('no payment is ever required to release a withdrawal')
  })

  test('show the reason of a rejection in the last step', async () => {
    const [request] = pay.withdrawal().steps
    const end = {
      kind: 'rejected',
      at: Date.UTC(2026, 0, 7, 13),
      role: 'finance',
      reason: 'another name',
    } as const
    const steps = request ? [request, end] : [end]
    answer(getWithdrawal, pay.withdrawal({ status: 'rejected', holder: '', remark: end.reason, steps }))
    await open(detailPath)
    await expect.element(main()).toMatchTextContent(/Rejected.*finance · another name/)
    await expect.element(page.getByRole('button', { name: 'Cancel withdrawal' })).not.toBeInTheDocument()
  })

  test('allow cancelling while it waits', async () => {
    answer(getWithdrawal, pay.withdrawal())
    answer(cancelWithdrawal, pay.withdrawal({ status: 'cancelled' }))
    await open(detailPath)
    await page.getByRole('button', { name: 'Cancel withdrawal' }).click()
    const dialog = page.getByRole('alertdialog')
    answer(getWithdrawal, pay.withdrawal({ status: 'cancelled', statusName: 'Cancelled', holder: '' }))
    await dialog.getByRole('button', { name: 'Cancel withdrawal' }).click()
    await expect.poll(() => inputsOf(cancelWithdrawal)).toEqual([{ id: 41 }])
    await expect.element(page.getByRole('button', { name: 'Cancel withdrawal' })).not.toBeInTheDocument()
  })

  test('fit a small phone', async () => {
    answer(getWithdrawal, pay.withdrawal({ reference: 'f'.repeat(90), status: 'paid' }))
    await openApp(detailPath, { as: 'real', size: [320, 640] })
    await expect.element(page.getByText('f'.repeat(90))).toBeVisible()
    expect(overflowing()).toEqual([])
  })

  test('can be loaded again after a failure; an unknown one shows the server’s message', async () => {
    failConnection(getWithdrawal)
    await open(detailPath)
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    reject(getWithdrawal, 'caseNotFound', 'There is no such withdrawal.')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('There is no such withdrawal.')).toBeVisible()
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect.poll(() => location.hash).toBe('#/mine/withdraw')
  })

  test('allow cancelling once; a rejection shows its reason', async () => {
    answer(getWithdrawal, pay.withdrawal())
    reject(cancelWithdrawal, 'withdrawalApproved', 'It has been decided meanwhile.')
    await open(detailPath)
    await page.getByRole('button', { name: 'Cancel withdrawal' }).click()
    const confirm = page.getByRole('alertdialog').getByRole('button', { name: 'Cancel withdrawal' })
    const release = hold(cancelWithdrawal)
    await confirm.click()
    await expect.element(confirm).toBeDisabled()
    release()
    await expect.element(notice('It has been decided meanwhile.')).toBeVisible()
    await expect.element(page.getByRole('heading', { name: 'Withdrawal 41' })).toBeVisible()
    expect(inputsOf(cancelWithdrawal)).toHaveLength(1)
  })

  test('mark the current step, and name the payer and the transaction', async () => {
    const [request] = pay.withdrawal().steps
    if (!request) throw new Error('a withdrawal begins with a step')
    const currentStep = () => document.querySelector('[aria-current=step]')?.textContent
    const step = (kind: 'approved' | 'paid') => ({ ...request, kind, role: 'finance' }) as const
    answer(getWithdrawal, pay.withdrawal({ status: 'approved', steps: [request, step('approved')] }))
    await open(detailPath)
    await expect.element(page.getByText('Awaiting payment by finance')).toBeVisible()
    expect(currentStep()).toMatch(/^Awaiting payment by finance/)
    answer(
      getWithdrawal,
      pay.withdrawal({
        status: 'paid',
        holder: '',
        reference: 'tx-77',
        steps: [request, step('approved'), step('paid')],
      }),
    )
    await queryClient.invalidateQueries()
    await expect.element(main()).toMatchTextContent(/Paid out\s*388\.00 USDT/)
    await expect.element(main()).toMatchTextContent(/finance · tx-77/)
    expect(currentStep()).toBeUndefined()
  })

  test('show no amount while amounts are hidden, neither in money nor in coins', async () => {
    setPreferences({ isBalanceHidden: true })
    answer(getWithdrawal, pay.withdrawal())
    answer(listWithdrawals, { withdrawals: [pay.withdrawal()], total: 1 })
    await open(detailPath)
    await expect.element(main()).toMatchTextContent(/In progress\s*•••••• USDT/)
    expect(main().element().textContent).not.toMatch(/388|400|12\.00/)
    await page.getByRole('link', { name: 'All withdrawals' }).click()
    await expect.element(page.getByRole('link', { name: /^Withdrawal 41/ })).toMatchTextContent('••••••')
  })
})
