import {
  getBasicInfo,
  listChargeAccounts,
  listChargeChannels,
  listChargeCurrencies,
  listDeposits,
  tellCoinDeposit,
  tellWireDeposit,
} from '@fairlot/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { sticksOut } from '../../../../../../testing/sticks-out.ts'
import { openApp, withFakeServer } from '../../../testing/app.tsx'
import { setPreferences } from '../../../live/device/preferences.ts'
import { answer, asked, cut, hold, push, refuse } from '../../../testing/fake-server.ts'
import * as pay from '../../../testing/payment-samples.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

beforeEach(() => {
  answer(listChargeChannels, [])
  answer(listChargeCurrencies, [])
  answer(listDeposits, { deposits: [], total: 0 })
})

const main = () => page.getByRole('main')
const open = () => openApp('/mine/charge', { as: 'real' })

describe('paying in', () => {
  test('without a channel says so and shows no form that could not be sent', async () => {
    await open()
    await expect.element(page.getByText('No way to pay in here yet')).toBeVisible()
    await expect
      .element(page.getByRole('button', { name: 'Tell us about this deposit' }))
      .not.toBeInTheDocument()
    await page.getByText('Card', { exact: true }).click()
    await expect.element(page.getByText('No way to pay in here yet')).toBeVisible()
  })

  test('by card leads to the provider, where the card is typed', async () => {
    answer(getBasicInfo, sample.basicInfo({ cardLink: 'https://cards.example/pay' }))
    await open()
    await page.getByText('Card', { exact: true }).click()
    const link = page.getByRole('link', { name: 'Go to the card page' })
    await expect.element(link).toHaveAttribute('href', 'https://cards.example/pay')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
  })

  test('by coin shows the address of the network that is chosen, as text and as a code', async () => {
    const bitcoin = {
      id: 2,
      currency: 'BTC',
      network: 'bitcoin',
      address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    }
    answer(listChargeChannels, [pay.chargeChannel(), pay.chargeChannel(bitcoin)])
    await open()
    await expect.element(page.getByRole('img', { name: 'Address of USDT on TRC20' })).toBeVisible()
    await page.getByLabelText('Coin and network').selectOptions('BTC · bitcoin')
    await expect.element(page.getByText(bitcoin.address).first()).toBeVisible()
    await expect.element(main()).toMatchTextContent('Send only BTC on bitcoin here')
  })

  test('hands the address to another app where the device can', async () => {
    const shared: ShareData[] = []
    Object.defineProperty(navigator, 'share', {
      configurable: true,
      value: (data: ShareData) => Promise.resolve(void shared.push(data)),
    })
    answer(listChargeChannels, [pay.chargeChannel()])
    await open()
    await page.getByRole('button', { name: 'Share' }).click()
    const { address } = pay.chargeChannel()
    expect(shared).toEqual([{ title: 'Address of USDT on TRC20', text: address }])
    Reflect.deleteProperty(navigator, 'share')
  })

  test('shows what is left of the limit of a day', async () => {
    answer(listChargeChannels, [pay.chargeChannel({ leftToday: sample.amount('40') })])
    await open()
    await expect.element(main()).toMatchTextContent('40.00 more can be used today')
  })

  test('needs an amount and a picture, and says which is missing', async () => {
    answer(listChargeChannels, [pay.chargeChannel()])
    await open()
    await page.getByRole('button', { name: 'Tell us about this deposit' }).click()
    await expect.element(page.getByText('Enter an amount such as 100.50.')).toBeVisible()
    await expect.element(page.getByText('Add a picture of the transfer.')).toBeVisible()
    expect(asked(tellCoinDeposit)).toEqual([])
  })

  test('by wire shows the whole account of the currency', async () => {
    answer(listChargeCurrencies, [{ currency: 'EUR' }, { currency: 'CHF' }])
    answer(listChargeAccounts, [pay.chargeAccount()])
    await open()
    await page.getByText('Bank wire', { exact: true }).click()
    await expect.element(main()).toMatchTextContent('DE89370400440532013000')
    await expect.element(main()).toMatchTextContent('DEUTDEFF')
    expect(asked(listChargeAccounts)).toEqual([{ currency: 'EUR' }])
    await page.getByLabelText('Currency').selectOptions('CHF')
    await expect.poll(() => asked(listChargeAccounts).at(-1)).toEqual({ currency: 'CHF' })
    expect(asked(tellWireDeposit)).toEqual([])
  })

  test('lists what was told, what was credited, and why not', async () => {
    const deposits = [
      pay.deposit({ id: 13, status: 'finished', credited: sample.amount('499.5') }),
      pay.deposit({ id: 12, status: 'rejected', remark: 'nothing has arrived' }),
    ]
    answer(listDeposits, { deposits, total: 2 })
    await open()
    await expect.element(main()).toMatchTextContent('499.50 credited')
    await expect.element(main()).toMatchTextContent('Reason: nothing has arrived')
  })

  test('shows a step of a deposit the moment it is taken', async () => {
    answer(listDeposits, { deposits: [pay.deposit()], total: 1 })
    await open()
    await expect.element(page.getByText('Unchecked')).toBeVisible()
    answer(listDeposits, { deposits: [pay.deposit({ status: 'invalid', remark: 'not ours' })], total: 1 })
    push({
      ...{ type: 'funds', userId: 8, seq: 1, available: sample.amount('0') },
      ...{ frozen: sample.amount('0'), records: [] },
    })
    await expect.element(page.getByText('Invalid')).toBeVisible()
  })

  test('is no wider than a small phone', async () => {
    answer(listChargeChannels, [pay.chargeChannel()])
    await openApp('/mine/charge', { as: 'real', size: [320, 640] })
    await expect.element(page.getByRole('img', { name: /Address of/ })).toBeVisible()
    expect(sticksOut()).toEqual([])
  })
})

describe('what is asked for on the way in', () => {
  test('is in its shape while it comes, and neither missing nor failed', async () => {
    const release = hold(listChargeChannels)
    const releaseList = hold(listDeposits)
    await open()
    await expect.element(page.getByRole('heading', { name: 'Your deposits' })).toBeVisible()
    expect(main().element().textContent).not.toMatch(/No way|None yet|could not/)
    answer(listChargeChannels, [pay.chargeChannel()])
    release()
    releaseList()
    await expect.element(page.getByRole('img', { name: /Address of/ })).toBeVisible()
    await expect.element(page.getByText('None yet.')).toBeVisible()
  })

  test('and could not be had is asked for again, with the server’s own sentence where it refuses', async () => {
    refuse(listChargeChannels, 'tooManyRequests', 'Too many requests. Wait a minute.')
    await open()
    await expect.element(page.getByText('This could not be loaded')).toBeVisible()
    await expect.element(page.getByText('Too many requests. Wait a minute.')).toBeVisible()
    cut(listChargeChannels)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('Nothing is lost. Try again in a moment.')).toBeVisible()
    answer(listChargeChannels, [pay.chargeChannel()])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('img', { name: /Address of/ })).toBeVisible()
  })

  test('comes page by page; a page that did not come is said, and the rows before it stay', async () => {
    const all = Array.from({ length: 12 }, (_, at) => pay.deposit({ id: 100 + at }))
    answer(listDeposits, ({ page: number }) => ({
      deposits: all.slice((number - 1) * 10, number * 10),
      total: all.length,
    }))
    await open()
    await expect.element(page.getByText('Deposit 109')).toBeVisible()
    cut(listDeposits)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(page.getByText('The next ones could not be loaded.')).toBeVisible()
    await expect.element(page.getByText('Deposit 109')).toBeVisible()
    answer(listDeposits, { deposits: all.slice(10), total: all.length })
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.element(page.getByText('Deposit 111')).toBeVisible()
    await expect.element(page.getByText('The next ones could not be loaded.')).not.toBeInTheDocument()
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
