import {
  getActiveTraders,
  getFills,
  getHouseResult,
  getLosingShare,
  getMoneyFlow,
  type HouseDay,
} from '@fairlot/contract/desk'
import { money, type Money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openDesk, withFakeServer } from '../../testing/app.tsx'
import { answer, asked } from '../../testing/fake-server.ts'

withFakeServer()

const DAY_MS = 86_400_000
const TODAY = Date.UTC(2026, 10, 22)
const usd = (amount: number): Money => money(BigInt(Math.round(amount * 1e6)))

const houseDay = (day: number, total: number): HouseDay => ({
  ...{ day, fees: usd(total), swaps: usd(0), clientResults: usd(0), protection: usd(0) },
  ...{ withdrawalFees: usd(0), adjustments: usd(0), total: usd(total) },
})
const house = (totals: readonly number[]) => ({
  upTo: TODAY,
  days: totals.map((total, index) => houseDay(TODAY - (totals.length - 1 - index) * DAY_MS, total)),
  sum: houseDay(
    TODAY,
    totals.reduce((sum, total) => sum + total, 0),
  ),
})

const plot = (name: string) => page.getByRole('figure', { name })
const drawn = () => document.querySelector('canvas[data-drawn="true"]')
const card = (name: string) => page.getByRole('region', { name })

describe('the result of the house', () => {
  test('is drawn, told in words, and listed with the newest day first', async () => {
    answer(getHouseResult, house([120, -80, 1_842.07]))
    await openDesk('/reports')
    await expect.element(card('Result')).toMatchTextContent('+1,882.07')
    await expect
      .element(plot('Result of the house'))
      .toMatchTextContent('best 22 Nov +1,842.07, worst 21 Nov −80.00')
    await expect.poll(drawn).not.toBeNull()
    const rows = page.getByRole('row').elements()
    expect(rows[1]?.textContent).toContain('22 Nov')
  })

  test('of quiet days draws no plot and says so', async () => {
    answer(getHouseResult, house([0, 0]))
    await openDesk('/reports/house')
    await expect.element(plot('Result of the house')).toMatchTextContent('Nothing was booked in this time.')
    await expect.element(page.getByText('No bookings')).toBeVisible()
    expect(document.querySelector('canvas')).toBeNull()
  })

  test('is asked for a period and a ledger, which stay for the next report', async () => {
    answer(getHouseResult, house([1]))
    answer(getActiveTraders, { upTo: TODAY, days: [{ day: TODAY, traders: 4, orders: 9 }], weeks: [] })
    await openDesk('/reports')
    await page.getByRole('radio', { name: '90 d' }).click({ force: true })
    await page.getByRole('radio', { name: 'Demo' }).click({ force: true })
    await expect.poll(() => asked(getHouseResult).at(-1)).toEqual({ days: 90, ledger: 'demo' })
    await page.getByRole('button', { name: 'Traders' }).click()
    await expect.element(plot('Active traders')).toMatchTextContent('most on 22 Nov: 4')
    expect(asked(getActiveTraders).at(-1)).toEqual({ days: 90, ledger: 'demo' })
  })
})

test('deposits and withdrawals', async () => {
  const day = {
    ...{ day: TODAY, deposits: 2, deposited: usd(1_500), withdrawals: 1, withdrawn: usd(195) },
    net: usd(1_305),
  }
  answer(getMoneyFlow, { upTo: TODAY, days: [day], sum: day })
  await openDesk('/reports/money')
  await expect.element(card('Deposited')).toMatchTextContent('2 deposits')
  await expect.element(plot('Deposits and withdrawals')).toMatchTextContent('money moved on 1 of 1 days')
  await expect.element(page.getByRole('row', { name: /22 Nov/ })).toMatchTextContent('+1,305.00')
})

test('fills, by what caused them and by instrument', async () => {
  const quality = { fills: 6, better: 0, worse: 1, delayMs: 12.5 as never, delayMostMs: 40 }
  answer(getFills, {
    ...{ upTo: TODAY, sum: quality, triggers: [{ trigger: 'stopLoss', ...quality }] },
    instruments: [
      {
        ...{ instrumentId: 1, code: 'EURUSD', spread: 0.00003 as never, slippage: -0.0001667 as never },
        ...quality,
      },
    ],
  })
  await openDesk('/reports/fills')
  await expect.element(card('Worse than asked')).toMatchTextContent('1 (16.7 %)')
  await expect.poll(drawn).not.toBeNull()
  await expect.element(page.getByRole('row', { name: /EURUSD/ })).toMatchTextContent('0.00003')
})

describe('losing accounts', () => {
  test('say what traders read', async () => {
    answer(getLosingShare, {
      ...{ at: TODAY, from: TODAY - 365 * DAY_MS, accounts: 27, losing: 20, share: 74.07 as never },
      ...{ shownFrom: 10, told: '74% of real accounts lost money here.' },
    })
    await openDesk('/reports/losing')
    await expect.element(card('Lost money')).toMatchTextContent('74.07 %')
    await expect.element(page.getByText('“74% of real accounts lost money here.”')).toBeVisible()
    await expect.poll(drawn).not.toBeNull()
  })

  test('are nobody before the first position is closed', async () => {
    answer(getLosingShare, {
      ...{ at: TODAY, from: TODAY - 365 * DAY_MS, accounts: 0, losing: 0, share: null },
      ...{ shownFrom: 10, told: 'Trading with leverage can lose money quickly.' },
    })
    await openDesk('/reports/losing')
    await expect.element(page.getByText('No real account has closed a position yet.')).toBeVisible()
    expect(document.querySelector('canvas')).toBeNull()
  })
})
