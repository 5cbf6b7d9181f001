import {
  confirmSecondFactor,
  getFigures,
  listDepositAddresses,
  listDepositCurrencies,
  listDeposits,
  listPayoutCurrencies,
  listReceivingMethods,
  prepareSecondFactor,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { isLeftAlone, translatePage } from '../../../../testing/translated-page.ts'
import { answerOrders, DESKTOP, openApp, settled, withFakeServer } from '../testing/app.tsx'
import { answer, push } from '../testing/fake-server.ts'
import { openOrderSheet, orderSheet } from '../testing/orders.ts'
import * as pay from '../testing/payment-samples.ts'
import * as sample from '../testing/samples.ts'

withFakeServer()

const eurusd = sample.eurusd()
const moveTo = (bid: string, ask: string, mid: string) =>
  push({ type: 'quotes', quotes: [sample.tick(eurusd, bid, ask, mid)] })
const row = () => page.getByRole('link', { name: /EUR\/USD/ }).first()

describe('a page that the browser translates', () => {
  test('shows the moving prices of the list', async () => {
    await openApp('/')
    await expect.element(row()).toBeVisible()
    translatePage()
    expect(document.querySelector('font')).not.toBeNull()
    moveTo('1.09997', '1.10003', '1.10000')
    await expect.element(row()).toMatchTextContent('1.10000')
    moveTo('1.10997', '1.11003', '1.11000')
    await expect.element(row()).toMatchTextContent('1.11000')
    await expect.element(row()).not.toMatchTextContent('1.10000')
  })

  test.each([
    ['phone', undefined],
    ['desktop', DESKTOP],
  ] as const)('shows the moving prices of the ticket, on the %s', async (_, size) => {
    await openApp('/trade?code=EURUSD', { as: 'demo', ...(size && { size }) })
    const buy = page.getByRole('button', { name: /^Buy/ })
    await expect.element(buy).toBeVisible()
    translatePage()
    for (const [bid, ask, mid] of [
      ['1.09997', '1.10003', '1.10000'],
      ['1.10997', '1.11003', '1.11000'],
    ] as const) {
      moveTo(bid, ask, mid)
      await expect.element(buy).toMatchTextContent(ask)
    }
  })

  test('leaves every marked figure of the market alone', async () => {
    await openApp('/', { as: 'demo' })
    await settled()
    translatePage()
    const figures = [...document.querySelectorAll('bdi[dir="ltr"], [data-price-of]')]
    expect(figures.length).toBeGreaterThan(3)
    expect(figures.filter((figure) => figure.querySelector('font') !== null)).toEqual([])
  })

  test('leaves the codes of instruments alone', async () => {
    await openApp('/')
    await expect.element(row()).toBeVisible()
    translatePage()
    expect(isLeftAlone('EUR/USD', row().element())).toBe(true)
  })

  test('leaves the address for a deposit alone', async () => {
    answer(listDepositAddresses, [pay.depositAddress()])
    answer(listDepositCurrencies, [])
    answer(listDeposits, { deposits: [], total: 0 })
    await openApp('/mine/charge', { as: 'real' })
    translatePage()
    await expect.poll(() => isLeftAlone(pay.depositAddress().address)).toBe(true)
  })

  test.each([
    ['coin', '/mine/coin-address-list', [pay.receivingMethod().address]],
    ['bank', '/mine/bank-card-list', ['DE89370400440532013000', 'Harbour Bank']],
  ] as const)('leaves a bound account alone: %s', async (kind, path, shown) => {
    const bank = { bankName: 'Harbour Bank', iban: 'DE89370400440532013000', address: '' }
    answer(listPayoutCurrencies, [pay.payoutCurrency()])
    answer(listReceivingMethods, [pay.receivingMethod(kind === 'bank' ? { kind, ...bank } : {})])
    await openApp(path, { as: 'real' })
    translatePage()
    for (const text of shown) await expect.poll(() => isLeftAlone(text)).toBe(true)
  })

  test('leaves the secret of the second factor and its recovery codes alone', async () => {
    answer(prepareSecondFactor, { secret: 'ABCDEFGHIJKLMNOP', address: 'otpauth://totp/Fairlot:ada' })
    answer(confirmSecondFactor, { recoveryCodes: ['one-1111', 'two-2222'] })
    await openApp('/mine/system', { as: 'real' })
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByLabelText('Password', { exact: true }).fill('my password')
    await page.getByRole('button', { name: 'Continue' }).click()
    translatePage()
    await expect.poll(() => isLeftAlone('ABCD EFGH IJKL MNOP')).toBe(true)
    await page.getByRole('textbox', { name: 'Code of your authenticator app' }).fill('123456')
    await page.getByRole('button', { name: 'Switch on' }).click()
    for (const code of ['one-1111', 'two-2222']) await expect.poll(() => isLeftAlone(code)).toBe(true)
  })

  test('leaves the link of an invitation alone', async () => {
    await openApp('/mine/invite', { as: 'real' })
    translatePage()
    await expect.poll(() => isLeftAlone('invite_code=ADA1')).toBe(true)
  })

  test('leaves the terms of an order alone, and not what they are called', async () => {
    answerOrders({ holding: [sample.position()] })
    answer(getFigures, sample.figuresWithPosition())
    await openApp('/order', { as: 'real' })
    await openOrderSheet('EUR/USD')
    translatePage()
    const terms = orderSheet().element().querySelector('dl') ?? document.body
    for (const text of ['1.08439', '30 ×', '3.614633'])
      await expect
        .poll(() => ({ text, isLeftAlone: isLeftAlone(text, terms) }))
        .toEqual({ text, isLeftAlone: true })
    expect(isLeftAlone('Opening fee', terms)).toBe(false)
  })

  test('can be used: no screen stops working on the way through the app', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(row()).toBeVisible()
    translatePage()
    for (const path of [
      '/trade',
      '/order',
      '/user',
      '/mine/history',
      '/news',
      '/mine/charge',
      '/rank',
      '/',
    ]) {
      location.hash = `#${path}`
      await settled()
      moveTo('1.09997', '1.10003', '1.10000')
      await expect.element(page.getByText('stopped working')).not.toBeInTheDocument()
    }
    await expect.element(row()).toMatchTextContent('1.10000')
  })
})
