import {
  getBasicInfo,
  getDeposit,
  listDepositAccounts,
  listDepositAddresses,
  listDepositCurrencies,
  listDeposits,
  reportCoinDeposit,
  reportWireDeposit,
} from '@fairlot/contract'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { openApp, withFakeServer } from '../../../testing/app.tsx'
import { setPreferences } from '../../../live/device/preferences.ts'
import { answer, inputsOf, failConnection, hold, push, reject } from '../../../testing/fake-server.ts'
import * as pay from '../../../testing/payment-samples.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

beforeEach(() => {
  answer(listDepositAddresses, [])
  answer(listDepositCurrencies, [])
  answer(listDeposits, { deposits: [], total: 0 })
})

const main = () => page.getByRole('main')
const open = () => openApp('/mine/charge', { as: 'real' })

describe('a deposit', () => {
  test('without a deposit method shows a notice and no form', async () => {
    await open()
    await expect.element(page.getByText('Deposits are not available yet')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Send deposit request' })).not.toBeInTheDocument()
    await page.getByText('Card', { exact: true }).click()
    await expect.element(page.getByText('Deposits are not available yet')).toBeVisible()
  })

  test('is not available, and shows no form, while the broker has one operator', async () => {
    answer(getBasicInfo, sample.basicInfo({ isSingleOperator: true, cardLink: 'https://cards.example/pay' }))
    answer(listDepositAddresses, [pay.depositAddress()])
    await open()
    await expect.element(page.getByText(/Deposits require a second operator/)).toBeVisible()
    await expect.element(page.getByRole('img', { name: 'Address of USDT on TRC20' })).not.toBeInTheDocument()
    await page.getByText('Card', { exact: true }).click()
    await expect.element(page.getByRole('link', { name: 'Go to the card page' })).not.toBeInTheDocument()
  })

  test('of a coin with a tag shows the tag, and says what happens without it', async () => {
    const address = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'
    answer(listDepositAddresses, [
      pay.depositAddress({ currency: 'XRP', network: 'XRP', address, tag: '40077' }),
    ])
    await open()
    await expect.element(main().getByText('40077').first()).toBeVisible()
    await expect.element(main().getByText(/Send it with this tag or memo/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Copy the tag or memo' })).toBeVisible()
  })

  test.each([
    [
      'Coin',
      () => answer(listDepositAddresses, [pay.depositAddress()]),
      () => page.getByRole('img', { name: 'Address of USDT on TRC20' }),
    ],
    [
      'Bank wire',
      () => {
        answer(listDepositCurrencies, [{ currency: 'EUR' }])
        answer(listDepositAccounts, [pay.depositAccount()])
      },
      () => page.getByText('DE89370400440532013000').first(),
    ],
    [
      'Card',
      () => answer(getBasicInfo, sample.basicInfo({ cardLink: 'https://cards.example/pay' })),
      () => page.getByRole('link', { name: 'Go to the card page' }),
    ],
  ] as const)(
    '%s: a method that is set up meanwhile appears without a reload',
    async (tab, setUp, method) => {
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
      onTestFinished(() => void vi.useRealTimers())
      await open()
      await page.getByText(tab, { exact: true }).click()
      await expect.element(page.getByText('Deposits are not available yet')).toBeVisible()
      setUp()
      vi.advanceTimersByTime(10_000)
      await expect.element(method()).toBeVisible()
    },
  )

  test('is available without a reload once a second operator has joined', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    answer(getBasicInfo, sample.basicInfo({ isSingleOperator: true }))
    answer(listDepositAddresses, [pay.depositAddress()])
    await open()
    await expect.element(page.getByText(/Deposits require a second operator/)).toBeVisible()
    answer(getBasicInfo, sample.basicInfo())
    vi.advanceTimersByTime(10_000)
    await expect.element(page.getByRole('img', { name: 'Address of USDT on TRC20' })).toBeVisible()
  })

  test('shows a notice for the kinds that are not set up', async () => {
    answer(listDepositAddresses, [pay.depositAddress()])
    await open()
    await page.getByText('Card', { exact: true }).click()
    await expect.element(page.getByText('No deposit method of this kind yet')).toBeVisible()
  })

  test('by card links to the payment provider’s page', async () => {
    answer(getBasicInfo, sample.basicInfo({ cardLink: 'https://cards.example/pay' }))
    await open()
    await page.getByText('Card', { exact: true }).click()
    const link = page.getByRole('link', { name: 'Go to the card page' })
    await expect.element(link).toHaveAttribute('href', 'https://cards.example/pay')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('by coin shows the address of the chosen network, as text and as a QR code', async () => {
    const bitcoin = {
      id: 2,
      currency: 'BTC',
      network: 'bitcoin',
      address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    }
    answer(listDepositAddresses, [pay.depositAddress(), pay.depositAddress(bitcoin)])
    await open()
    await expect.element(page.getByRole('img', { name: 'Address of USDT on TRC20' })).toBeVisible()
    await page.getByLabelText('Coin and network').selectOptions('BTC · bitcoin')
    await expect.element(page.getByText(bitcoin.address).first()).toBeVisible()
    await expect.element(main()).toMatchTextContent('Send only BTC on bitcoin here')
  })

  test('shares the address through another app where the device can', async () => {
    const shared: ShareData[] = []
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: (data: ShareData) => Promise.resolve(void shared.push(data)),
    })
    answer(listDepositAddresses, [pay.depositAddress()])
    await open()
    await page.getByRole('button', { name: 'Share' }).click()
    const { address } = pay.depositAddress()
    expect(shared).toEqual([{ title: 'Address of USDT on TRC20', text: address }])
    Reflect.deleteProperty(navigator, 'share')
  })

  test('shows what is left of the daily limit', async () => {
    answer(listDepositAddresses, [pay.depositAddress({ leftToday: sample.amount('40') })])
    await open()
    await expect.element(main()).toMatchTextContent('40.00 USD of today’s limit left')
  })

  test('requires an amount and a picture, and shows which is missing', async () => {
    answer(listDepositAddresses, [pay.depositAddress()])
    await open()
    await page.getByRole('button', { name: 'Send deposit request' }).click()
    await expect.element(page.getByText('Enter an amount such as 100.50.')).toBeVisible()
    await expect.element(page.getByText('Add a picture of the transfer.')).toBeVisible()
    expect(inputsOf(reportCoinDeposit)).toEqual([])
  })

  test('by wire shows the full account for the currency', async () => {
    answer(listDepositCurrencies, [{ currency: 'EUR' }, { currency: 'CHF' }])
    answer(listDepositAccounts, [pay.depositAccount()])
    await open()
    await page.getByText('Bank wire', { exact: true }).click()
    await expect.element(main()).toMatchTextContent('DE89370400440532013000')
    await expect.element(main()).toMatchTextContent('DEUTDEFF')
    expect(inputsOf(listDepositAccounts)).toEqual([{ currency: 'EUR' }])
    await page.getByLabelText('Currency').selectOptions('CHF')
    await expect.poll(() => inputsOf(listDepositAccounts).at(-1)).toEqual({ currency: 'CHF' })
    expect(inputsOf(reportWireDeposit)).toEqual([])
  })

  test('lists the amount sent, the credit, or the reason for none', async () => {
    const deposits = [
      pay.deposit({ id: 13, status: 'finished', credited: sample.amount('499.5') }),
      pay.deposit({ id: 12, status: 'rejected', remark: 'nothing has arrived' }),
    ]
    answer(listDeposits, { deposits, total: 2 })
    await open()
    await expect.element(main()).toMatchTextContent('499.50 USD credited')
    await expect.element(main()).toMatchTextContent('Reason: nothing has arrived')
  })

  test('lists each one with the name of its status', async () => {
    const deposits = [
      pay.deposit({ id: 14 }),
      pay.deposit({ id: 13, status: 'finished' }),
      pay.deposit({ id: 12, status: 'rejected' }),
      pay.deposit({ id: 11, status: 'invalid' }),
    ]
    answer(listDeposits, { deposits, total: 4 })
    await open()
    const named = [
      /Deposit 14.*Unchecked/,
      /Deposit 13.*Finished/,
      /Deposit 12.*Rejected/,
      /Deposit 11.*Invalid/,
    ]
    for (const text of named)
      await expect.element(main().getByRole('listitem').filter({ hasText: text })).toBeVisible()
  })

  test('shows a pushed change of status at once', async () => {
    answer(listDeposits, { deposits: [pay.deposit()], total: 1 })
    await open()
    await expect.element(page.getByText('Unchecked')).toBeVisible()
    answer(listDeposits, { deposits: [pay.deposit({ status: 'invalid', remark: 'not ours' })], total: 1 })
    push({
      type: 'funds',
      userId: 8,
      seq: 1,
      available: sample.amount('0'),
      frozen: sample.amount('0'),
      records: [],
    })
    await expect.element(page.getByText('Invalid')).toBeVisible()
  })

  test('is no wider than a small phone', async () => {
    answer(listDepositAddresses, [pay.depositAddress()])
    await openApp('/mine/charge', { as: 'real', size: [320, 640] })
    await expect.element(page.getByRole('img', { name: /Address of/ })).toBeVisible()
    expect(overflowing()).toEqual([])
  })
})

describe('a deposit in its own currency', () => {
  const bitcoin = {
    currency: 'BTC',
    network: 'bitcoin',
    address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    rate: 642_105_000_000_000n,
    isRateFixed: false,
  }

  test('shows its current value while the amount is typed', async () => {
    answer(listDepositAddresses, [pay.depositAddress(bitcoin)])
    await open()
    await page.getByLabelText('Amount sent, in BTC').fill('0.01234567')
    await expect.element(main()).toMatchTextContent('1 BTC = 64,210.5 USD now')
    await expect.element(main()).toMatchTextContent('About 792.72 USD now.')
  })

  test('shows the credit at a fixed rate', async () => {
    answer(listDepositAddresses, [pay.depositAddress({ leftToday: sample.amount('40') })])
    await open()
    await page.getByLabelText('Amount sent, in USDT').fill('100,5')
    await expect.element(main()).toMatchTextContent('1 USDT = 1 USD, fixed.')
    await expect.element(main()).toMatchTextContent('100.50 USD will be credited.')
  })

  const reported = {
    id: 12,
    amount: 50_000_000n,
    currency: 'BTC',
    network: 'bitcoin',
    estimate: sample.amount('32105.25'),
    estimatedRate: bitcoin.rate,
  }

  test('shows an estimate before the decision', async () => {
    answer(getDeposit, pay.deposit(reported))
    await openApp('/mine/charge?id=12', { as: 'real' })
    await expect.element(main()).toMatchTextContent('0.50 BTC')
    await expect.element(main()).toMatchTextContent('Rate when requested')
    await expect.element(main()).toMatchTextContent('32,105.25 USD')
  })

  test('shows amount, currency, rate and credit after the decision', async () => {
    const decided = {
      ...reported,
      status: 'finished',
      arrived: 49_900_000n,
      rate: 650_000_000_000_000n,
      credited: sample.amount('32435'),
      endedAt: 1,
    } as const
    answer(getDeposit, pay.deposit(decided))
    await openApp('/mine/charge?id=12', { as: 'real' })
    await expect.element(main()).toMatchTextContent('0.499 BTC')
    await expect.element(main()).toMatchTextContent('1 BTC = 65,000 USD')
    await expect.element(main()).toMatchTextContent('32,435.00 USD')
    expect(main().element().textContent).not.toContain('32,105.25')
  })
})

describe('the deposit screen', () => {
  test('shows placeholders while loading, neither emptiness nor failure', async () => {
    const release = hold(listDepositAddresses)
    const releaseList = hold(listDeposits)
    await open()
    await expect.element(page.getByRole('heading', { name: 'Your deposits' })).toBeVisible()
    expect(main().element().textContent).not.toMatch(/not available yet|None yet|could not/)
    answer(listDepositAddresses, [pay.depositAddress()])
    release()
    releaseList()
    await expect.element(page.getByRole('img', { name: /Address of/ })).toBeVisible()
    await expect.element(page.getByText('None yet.')).toBeVisible()
  })

  test('can be loaded again after a failure, and shows the server’s message when rejected', async () => {
    reject(listDepositAddresses, 'tooManyRequests', 'Too many requests. Wait a minute.')
    await open()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
    failConnection(listDepositAddresses)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('Your money is not affected. Try again in a moment.')).toBeVisible()
    answer(listDepositAddresses, [pay.depositAddress()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('img', { name: /Address of/ })).toBeVisible()
  })

  test('loads deposits page by page; a failed page shows an error and keeps the rows before it', async () => {
    const all = Array.from({ length: 12 }, (_, at) => pay.deposit({ id: 100 + at }))
    answer(listDeposits, ({ page: number }) => ({
      deposits: all.slice((number - 1) * 10, number * 10),
      total: all.length,
    }))
    await open()
    await expect.element(page.getByText('Deposit 109')).toBeVisible()
    failConnection(listDeposits)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(page.getByText('More entries could not be loaded.')).toBeVisible()
    await expect.element(page.getByText('Deposit 109')).toBeVisible()
    answer(listDeposits, { deposits: all.slice(10), total: all.length })
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(page.getByText('Deposit 111')).toBeVisible()
    await expect.element(page.getByText('More entries could not be loaded.')).not.toBeInTheDocument()
  })

  test('shows no amount while amounts are hidden', async () => {
    setPreferences({ isBalanceHidden: true })
    answer(listDeposits, {
      deposits: [pay.deposit({ status: 'finished', credited: sample.amount('499.5') })],
      total: 1,
    })
    await open()
    await expect.element(page.getByText('•••••• USDT')).toBeVisible()
    expect(main().element().textContent).not.toMatch(/499|500/)
  })
})
