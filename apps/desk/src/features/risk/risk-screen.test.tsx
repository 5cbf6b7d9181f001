import {
  type BookLine,
  type BookTotals,
  foretellMove,
  getExposure,
  getHouseSummary,
  listNearAccounts,
  type MoveEffect,
} from '@fairlot/contract/desk'
import { money, type Money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, asked } from '../../testing/fake-server.ts'

withFakeServer()

const AT = Date.UTC(2026, 10, 22, 10, 2)
const usd = (amount: number): Money => money(BigInt(Math.round(amount * 1e6)))

const line = (changes: Partial<BookLine> = {}): BookLine => ({
  ...{ instrumentId: 1, code: 'EURUSD', category: 'Forex', positions: 3, accounts: 2 },
  ...{ longLots: 1.5 as never, shortLots: 8 as never, netLots: -6.5 as never },
  ...{ longValue: usd(160_000), shortValue: usd(972_000), netValue: usd(-812_000) },
  ...{ clientsProfit: usd(-41.2), priceAgeMs: 120 },
  ...changes,
})

const totals: BookTotals = {
  ...{ accounts: 40, trading: 11, positions: 19, balance: usd(90_000), equity: usd(89_958.8) },
  ...{
    margin: usd(25_000),
    clientsProfit: usd(-41.2),
    netValue: usd(-1_204_300),
    grossValue: usd(2_000_000),
  },
  ...{ warned: 7, stoppedOut: 0 },
}

const effect = (changes: Partial<MoveEffect> = {}): MoveEffect => ({
  ...{ at: AT, instruments: 55, accounts: 11, lookedAt: 11, clientsChange: usd(-5_000), stoppedOut: 2 },
  ...{ marginCalls: 1, coveredAccounts: 1, covered: usd(201.5), closedByStopOut: 3, closedByStopLoss: 4 },
  ...{ closedByTakeProfit: 5, opened: 6 },
  hits: [
    {
      ...{ accountId: 100_274, change: usd(-998.5), levelBefore: 199.7 as never, levelAfter: null },
      ...{ isStoppedOut: true, covered: usd(201.5) },
    },
  ],
  ...changes,
})

const openAt = async (path: string, options: Parameters<typeof openDesk>[1] = {}) => {
  answer(getExposure, { at: AT, currency: 'EUR', totals, instruments: [line()] })
  await openDesk(path, options)
}
const plot = (name: string) => page.getByRole('figure', { name })
const drawn = () => document.querySelector('canvas[data-drawn="true"]')

describe('exposure', () => {
  test('is drawn, told in words, and listed', async () => {
    await openAt('/risk')
    await expect
      .element(page.getByRole('region', { name: 'Exposure, net' }))
      .toMatchTextContent('−1,204,300.00 EUR')
    await expect
      .element(plot('Net value by instrument'))
      .toMatchTextContent('largest EURUSD, −812,000.00: clients short')
    await expect.poll(drawn).not.toBeNull()
    await expect.element(page.getByRole('row', { name: /EURUSD/ })).toMatchTextContent('−6.5')
  })

  test('of nobody draws no plot and says so', async () => {
    answer(getExposure, { at: AT, currency: 'EUR', totals, instruments: [] })
    await openDesk('/risk/exposure')
    await expect.element(page.getByText('Nobody holds anything')).toBeVisible()
    expect(document.querySelector('canvas')).toBeNull()
  })

  test('keeps real money and demo apart', async () => {
    await openAt('/risk')
    await page.getByRole('radio', { name: 'Demo' }).click({ force: true })
    await expect.poll(() => asked(getExposure).at(-1)?.ledger).toBe('demo')
  })

  test('is read on a phone too', async () => {
    await openAt('/risk', { size: PHONE })
    await expect
      .element(page.getByRole('list', { name: 'Exposure by instrument' }))
      .toMatchTextContent('net lots −6.5')
  })
})

test('accounts near their stop-out, the nearest first', async () => {
  answer(listNearAccounts, {
    ...{ at: AT, stopOutLevel: 50 as never, warningLevel: 100 as never },
    accounts: [
      {
        ...{ accountId: 100_274, level: 53 as never, equity: usd(530), margin: usd(1_000) },
        ...{ clientsProfit: usd(-400), distance: usd(30), positions: 2 },
        largest: {
          ...{ orderId: 9, code: 'EURUSD', side: 'buy', lots: 0.1 as never, profit: usd(-400) },
          stopOutPrice: 1.0721 as never,
        },
      },
    ],
  })
  await openAt('/risk/accounts')
  await expect.element(page.getByRole('row', { name: /100274/ })).toMatchTextContent('53 %')
  await expect.element(page.getByRole('row', { name: /100274/ })).toMatchTextContent('buy 0.1 EURUSD, of 2')
  await expect.element(page.getByRole('link', { name: '100274' })).toHaveAttribute('href', '#/people/100274')
})

describe('what if', () => {
  test('asks for the move that somebody types, of the prices that they choose', async () => {
    answer(foretellMove, effect())
    await openAt('/risk/move')
    await expect.element(page.getByText(/^All instruments −1 %: 55 prices moved/)).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Stopped out' })).toMatchTextContent('2 accounts')
    await expect
      .element(page.getByRole('region', { name: 'The house would' }))
      .toMatchTextContent('+5,000.00')
    await expect.element(page.getByRole('row', { name: /100274/ })).toMatchTextContent('−998.50')

    await userEvent.fill(page.getByLabelText('Move, percent'), '-2.5')
    await page.getByLabelText('Of').selectOptions('EURUSD')
    await page.getByRole('button', { name: 'Work it out' }).click()
    await expect
      .poll(() => asked(foretellMove).at(-1))
      .toMatchObject({ ledger: 'real', percent: -2.5, instrumentId: 1, category: null })
  })

  test('says what no move is, and asks nobody', async () => {
    answer(foretellMove, effect())
    await openAt('/risk/move')
    await expect.element(page.getByText(/prices moved/)).toBeVisible()
    const before = asked(foretellMove).length
    await userEvent.fill(page.getByLabelText('Move, percent'), 'much')
    await page.getByRole('button', { name: 'Work it out' }).click()
    await expect.element(page.getByLabelText('Move, percent')).toHaveAccessibleDescription(/From −90 to 300/)
    expect(asked(foretellMove)).toHaveLength(before)
  })

  test('says when not all accounts could be looked at', async () => {
    answer(foretellMove, effect({ accounts: 90_000, lookedAt: 60_000 }))
    await openAt('/risk/move')
    await expect.element(page.getByText(/Only 60000 of 90000 accounts/)).toBeVisible()
  })
})

describe('under what waits', () => {
  const waiting = (role: 'finance' | 'support') => {
    answer(getHouseSummary, {
      ...{ at: AT, ledger: 'real', currency: 'EUR', netValue: usd(-1_204_300), underHundred: 7 },
      ...{ largest: { code: 'EURUSD', netValue: usd(-812_000) } },
      nearest: { accountId: 100_274, level: 53 as never },
      houseToday: usd(1_842.07),
      houseDays: [
        { day: AT - 86_400_000, total: usd(-20) },
        { day: AT, total: usd(1_842.07) },
      ],
    })
    return openDesk('/waiting', { as: self({ role }) })
  }

  test('the house stands at a glance', async () => {
    await waiting('finance')
    const card = (name: string) => page.getByRole('region', { name })
    await expect.element(card('Exposure, net')).toMatchTextContent('largest EURUSD −812,000.00')
    await expect.element(card('Accounts under 100 %')).toMatchTextContent('nearest 53 % · 100274')
    await expect.element(card('House today')).toMatchTextContent('+1,842.07')
    await expect
      .element(page.getByRole('img', { name: /Result by day/ }))
      .toHaveAccessibleName('Result by day: 21 Nov −20.00, 22 Nov +1,842.07')
  })

  test('but not for whoever may not see risk', async () => {
    await waiting('support')
    await expect.element(page.getByRole('region', { name: 'Journal' })).toBeVisible()
    expect(page.getByRole('link', { name: 'Risk' }).elements()).toHaveLength(0)
    expect(asked(getHouseSummary)).toHaveLength(0)
  })
})
