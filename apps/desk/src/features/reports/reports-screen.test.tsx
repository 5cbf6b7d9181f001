import {
  getActiveTraders,
  getFills,
  getBrokerResult,
  getLosingShare,
  getMoneyFlow,
  type BrokerDay,
} from '@fairlot/contract/desk'
import { money, type Money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf } from '../../testing/fake-server.ts'

withFakeServer()

const DAY_MS = 86_400_000
const TODAY = Date.UTC(2026, 10, 22)
const usd = (amount: number): Money => money(BigInt(Math.round(amount * 1e6)))

const brokerDay = (day: number, total: number): BrokerDay => ({
  day,
  fees: usd(total),
  swaps: usd(0),
  clientResults: usd(0),
  protection: usd(0),
  withdrawalFees: usd(0),
  adjustments: usd(0),
  total: usd(total),
})
const brokerResult = (totals: readonly number[]) => ({
  upTo: TODAY,
  days: totals.map((total, index) => brokerDay(TODAY - (totals.length - 1 - index) * DAY_MS, total)),
  sum: brokerDay(
    TODAY,
    totals.reduce((sum, total) => sum + total, 0),
  ),
})

const plot = (name: string) => page.getByRole('figure', { name })
const renderedPlot = () => document.querySelector('canvas[data-rendered="true"]')
const card = (name: string) => page.getByRole('region', { name })

describe("the broker's result", () => {
  test('is plotted, summarized, and listed with the newest day first', async () => {
    answer(getBrokerResult, brokerResult([120, -80, 1_842.07]))
    await openDesk('/reports')
    await expect.element(card('Result')).toMatchTextContent('+1,882.07')
    await expect
      .element(plot("Broker's result"))
      .toMatchTextContent('best 22 Nov +1,842.07, worst 21 Nov −80.00')
    await expect.poll(renderedPlot).not.toBeNull()
    const rows = page.getByRole('row').elements()
    expect(rows[1]?.textContent).toContain('22 Nov')
  })

  test('shows a text instead of a plot when nothing was booked', async () => {
    answer(getBrokerResult, brokerResult([0, 0]))
    await openDesk('/reports/house')
    await expect.element(plot("Broker's result")).toMatchTextContent('Nothing was booked in this period.')
    await expect.element(page.getByText('No bookings')).toBeVisible()
    expect(document.querySelector('canvas')).toBeNull()
  })

  test('is shown with all its parts, which add up to it', async () => {
    const parts = {
      fees: usd(40),
      swaps: usd(-3.5),
      clientResults: usd(100),
      protection: usd(-25),
      withdrawalFees: usd(5),
      adjustments: usd(-1.25),
    }
    const sum = { day: TODAY, ...parts, total: usd(115.25) }
    answer(getBrokerResult, { upTo: TODAY, days: [sum], sum })
    await openDesk('/reports/house')
    await expect.element(card('Result')).toMatchTextContent('+115.25')
    for (const [name, amount] of [
      ['Fees', '+40.00'],
      ['Swaps', '−3.50'],
      ["Client P&L (broker's side)", '+100.00'],
      ['Negative balance protection', '−25.00'],
      ['Withdrawal fees', '+5.00'],
      ['Adjustments', '−1.25'],
    ] as const)
      await expect.element(card(name)).toMatchTextContent(amount)
  })

  test('is listed for a day whose parts cancel each other out', async () => {
    const sum = { ...brokerDay(TODAY, 0), fees: usd(2), adjustments: usd(-2) }
    answer(getBrokerResult, { upTo: TODAY, days: [sum], sum })
    await openDesk('/reports/house')
    await expect.element(page.getByRole('row', { name: /22 Nov/ })).toMatchTextContent('+2.00')
  })

  test('of zero has neither the colour of a gain nor of a loss', async () => {
    answer(getBrokerResult, brokerResult([0.004, 0]))
    await openDesk('/reports/house')
    const figure = card('Result').getByText('0.00', { exact: true })
    await expect.element(figure).toBeVisible()
    await expect.element(figure).not.toHaveClass(/text-(up|down)/)
  })

  test('is fetched for a period and a ledger, which stay selected for the next report', async () => {
    answer(getBrokerResult, brokerResult([1]))
    answer(getActiveTraders, { upTo: TODAY, days: [{ day: TODAY, traders: 4, orders: 9 }], weeks: [] })
    await openDesk('/reports')
    await page.getByRole('radio', { name: '90 d' }).click({ force: true })
    await page.getByRole('radio', { name: 'Demo' }).click({ force: true })
    await expect.poll(() => inputsOf(getBrokerResult).at(-1)).toEqual({ days: 90, ledger: 'demo' })
    await page.getByRole('button', { name: 'Traders' }).click()
    await expect.element(plot('Active traders')).toMatchTextContent('busiest day: 22 Nov, 4 traders')
    expect(inputsOf(getActiveTraders).at(-1)).toEqual({ days: 90, ledger: 'demo' })
  })
})

test('deposits and withdrawals', async () => {
  const day = {
    day: TODAY,
    deposits: 2,
    deposited: usd(1_500),
    withdrawals: 1,
    withdrawn: usd(195),
    net: usd(1_305),
  }
  answer(getMoneyFlow, { upTo: TODAY, days: [day], sum: day })
  await openDesk('/reports/money')
  await expect.element(card('Deposited')).toMatchTextContent('2 deposits')
  await expect.element(plot('Deposits and withdrawals')).toMatchTextContent('payments on 1 of 1 days')
  await expect.element(page.getByRole('row', { name: /22 Nov/ })).toMatchTextContent('+1,305.00')
})

test('fills, by trigger and by instrument', async () => {
  const quality = { fills: 6, better: 0, worse: 1, delayMs: 12.5 as never, delayMostMs: 40 }
  answer(getFills, {
    upTo: TODAY,
    sum: quality,
    triggers: [{ trigger: 'stopLoss', ...quality }],
    instruments: [
      {
        instrumentId: 1,
        code: 'EURUSD',
        spread: 0.00003 as never,
        slippage: -0.0001667 as never,
        ...quality,
      },
    ],
  })
  await openDesk('/reports/fills')
  await expect.element(card('Worse than requested')).toMatchTextContent('1 (16.7 %)')
  await expect.poll(renderedPlot).not.toBeNull()
  await expect.element(page.getByRole('row', { name: /EURUSD/ })).toMatchTextContent('0.00003')
})

describe('losing accounts', () => {
  test('show the risk warning that users see', async () => {
    answer(getLosingShare, {
      at: TODAY,
      from: TODAY - 365 * DAY_MS,
      accounts: 27,
      losing: 20,
      share: 74.07 as never,
      shownFrom: 10,
      told: '74% of real accounts lost money here.',
    })
    await openDesk('/reports/losing')
    await expect.element(card('Lost money')).toMatchTextContent('74.07 %')
    await expect.element(page.getByText('“74% of real accounts lost money here.”')).toBeVisible()
    await expect.poll(renderedPlot).not.toBeNull()
  })

  test('are not counted before the first position is closed', async () => {
    answer(getLosingShare, {
      at: TODAY,
      from: TODAY - 365 * DAY_MS,
      accounts: 0,
      losing: 0,
      share: null,
      shownFrom: 10,
      told: 'Trading with leverage can lose money quickly.',
    })
    await openDesk('/reports/losing')
    await expect.element(page.getByText('No real account has closed a position yet.')).toBeVisible()
    expect(document.querySelector('canvas')).toBeNull()
  })
})
