import {
  type BookLine,
  type BookTotals,
  getMoveScenario,
  getExposure,
  getBrokerSummary,
  type LinkedPair,
  listLinkedAccounts,
  listNearAccounts,
  type MoveEffect,
} from '@fairlot/contract/desk'
import { money, type Money } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openDesk, PHONE, self, withFakeServer } from '../../testing/app.tsx'
import { answer, inputsOf } from '../../testing/fake-server.ts'

withFakeServer()

const AT = Date.UTC(2026, 10, 22, 10, 2)
const usd = (amount: number): Money => money(BigInt(Math.round(amount * 1e6)))

const line = (changes: Partial<BookLine> = {}): BookLine => ({
  instrumentId: 1,
  code: 'EURUSD',
  category: 'Forex',
  positions: 3,
  accounts: 2,
  longLots: 1.5 as never,
  shortLots: 8 as never,
  netLots: -6.5 as never,
  longValue: usd(160_000),
  shortValue: usd(972_000),
  netValue: usd(-812_000),
  usersProfit: usd(-41.2),
  priceAgeMs: 120,
  ...changes,
})

const totals: BookTotals = {
  accounts: 40,
  accountsWithPositions: 11,
  positions: 19,
  balance: usd(90_000),
  equity: usd(89_958.8),
  margin: usd(25_000),
  usersProfit: usd(-41.2),
  netValue: usd(-1_204_300),
  grossValue: usd(2_000_000),
  accountsInMarginCall: 7,
  accountsAtStopOut: 0,
}

const effect = (changes: Partial<MoveEffect> = {}): MoveEffect => ({
  at: AT,
  instruments: 55,
  accounts: 11,
  lookedAt: 11,
  usersChange: usd(-5_000),
  stoppedOut: 2,
  marginCalls: 1,
  coveredAccounts: 1,
  covered: usd(201.5),
  closedByStopOut: 3,
  closedByStopLoss: 4,
  closedByTakeProfit: 5,
  opened: 6,
  hits: [
    {
      accountId: 274,
      change: usd(-998.5),
      levelBefore: 199.7 as never,
      levelAfter: null,
      isStoppedOut: true,
      covered: usd(201.5),
    },
  ],
  ...changes,
})

type Options = Parameters<typeof openDesk>[1] & { lines?: readonly BookLine[] }

const openAt = async (path: string, { lines = [line()], ...options }: Options = {}) => {
  answer(getExposure, { at: AT, currency: 'EUR', totals, instruments: lines })
  await openDesk(path, options)
}
const plot = (name: string) => page.getByRole('figure', { name })
const renderedPlot = () => document.querySelector('canvas[data-rendered="true"]')

describe('exposure', () => {
  test('is plotted, summarized and listed', async () => {
    await openAt('/risk')
    await expect
      .element(page.getByRole('region', { name: 'Net exposure' }))
      .toMatchTextContent('−1,204,300.00 EUR')
    await expect
      .element(plot('Net value by instrument'))
      .toMatchTextContent('largest EURUSD, −812,000.00: users short')
    await expect.poll(renderedPlot).not.toBeNull()
    await expect.element(page.getByRole('row', { name: /EURUSD/ })).toMatchTextContent('−6.5')
  })

  test.each([
    ['above zero', usd(812_000), 'largest EURUSD, 812,000.00: users long'],
    ['zero', usd(0), 'largest EURUSD, 0.00: long and short are equal'],
    ['without a price', null, 'largest EURUSD, no price'],
  ])('a largest net value %s is summarized as it is', async (_, netValue, text) => {
    await openAt('/risk', { lines: [line({ netValue })] })
    await expect.element(plot('Net value by instrument').getByText(text, { exact: true })).toBeVisible()
  })

  test('shows a text instead of a plot without open positions', async () => {
    await openAt('/risk/exposure', { lines: [] })
    await expect.element(page.getByText('No open positions')).toBeVisible()
    expect(document.querySelector('canvas')).toBeNull()
  })

  test('keeps real money and demo apart', async () => {
    await openAt('/risk')
    await page.getByRole('radio', { name: 'Demo' }).click({ force: true })
    await expect.poll(() => inputsOf(getExposure).at(-1)?.ledger).toBe('demo')
  })

  test('is shown on a phone too', async () => {
    await openAt('/risk', { size: PHONE })
    await expect
      .element(page.getByRole('list', { name: 'Exposure by instrument' }))
      .toMatchTextContent('net lots −6.5')
  })
})

test('accounts near their stop-out, the nearest first', async () => {
  answer(listNearAccounts, {
    at: AT,
    stopOutLevel: 50 as never,
    warningLevel: 100 as never,
    accounts: [
      {
        accountId: 274,
        level: 53 as never,
        equity: usd(530),
        margin: usd(1_000),
        usersProfit: usd(-400),
        distance: usd(30),
        positions: 2,
        largest: {
          orderId: 9,
          code: 'EURUSD',
          side: 'buy',
          lots: 0.1 as never,
          profit: usd(-400),
          stopOutPrice: 1.0721 as never,
        },
      },
    ],
  })
  await openAt('/risk/accounts')
  await expect.element(page.getByRole('row', { name: /100274/ })).toMatchTextContent('53 %')
  await expect.element(page.getByRole('row', { name: /100274/ })).toMatchTextContent('buy 0.1 EURUSD, of 2')
  await expect.element(page.getByRole('link', { name: '100274' })).toHaveAttribute('href', '#/people/274')
})

describe('what if', () => {
  test('calculates the entered move of the chosen instruments', async () => {
    answer(getMoveScenario, effect())
    await openAt('/risk/move')
    await expect.element(page.getByText(/^All instruments −1 %: 55 prices moved/)).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Stopped out' })).toMatchTextContent('2 accounts')
    await expect
      .element(page.getByRole('region', { name: "Broker's result" }))
      .toMatchTextContent('+5,000.00')
    await expect.element(page.getByRole('row', { name: /100274/ })).toMatchTextContent('−998.50')

    await userEvent.fill(page.getByLabelText('Price move, %'), '-2.5')
    await page.getByLabelText('Applies to').selectOptions('EURUSD')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await expect
      .poll(() => inputsOf(getMoveScenario).at(-1))
      .toMatchObject({ ledger: 'real', percent: -2.5, instrumentId: 1, category: null })
  })

  test('rejects a text that is not a move without a request', async () => {
    answer(getMoveScenario, effect())
    await openAt('/risk/move')
    await expect.element(page.getByText(/prices moved/)).toBeVisible()
    const before = inputsOf(getMoveScenario).length
    await userEvent.fill(page.getByLabelText('Price move, %'), 'much')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await expect.element(page.getByLabelText('Price move, %')).toHaveAccessibleDescription(/From −90 to 300/)
    expect(inputsOf(getMoveScenario)).toHaveLength(before)
  })

  test('applies to all instruments again when the chosen one is no longer offered', async () => {
    answer(getMoveScenario, effect())
    answer(getExposure, ({ ledger }) => ({
      at: AT,
      currency: 'EUR',
      totals,
      instruments: ledger === 'real' ? [line()] : [],
    }))
    await openDesk('/risk/move')
    await page.getByLabelText('Applies to').selectOptions('EURUSD')
    await page.getByRole('radio', { name: 'Demo' }).click({ force: true })
    await expect.element(page.getByRole('option', { name: 'EURUSD' })).not.toBeInTheDocument()
    await userEvent.fill(page.getByLabelText('Price move, %'), '5')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await expect.element(page.getByText(/^All instruments \+5 %/)).toBeVisible()
    expect(inputsOf(getMoveScenario).at(-1)).toMatchObject({
      ledger: 'demo',
      instrumentId: null,
      category: null,
    })
  })

  test('says when not all accounts could be checked', async () => {
    answer(getMoveScenario, effect({ accounts: 90_000, lookedAt: 60_000 }))
    await openAt('/risk/move')
    await expect.element(page.getByText(/Only 60000 of 90000 accounts/)).toBeVisible()
  })
})

describe('the risk cards below the open cases', () => {
  const waiting = (role: 'finance' | 'support') => {
    answer(getBrokerSummary, {
      at: AT,
      ledger: 'real',
      currency: 'EUR',
      netValue: usd(-1_204_300),
      underHundred: 7,
      largest: { code: 'EURUSD', netValue: usd(-812_000) },
      nearest: { accountId: 274, level: 53 as never },
      positions: 40,
      demoPositions: 3,
      houseToday: usd(1_842.07),
      houseDays: [
        { day: AT - 86_400_000, total: usd(-20) },
        { day: AT, total: usd(1_842.07) },
      ],
    })
    return openDesk('/waiting', { as: self({ role }) })
  }

  test('show exposure, accounts near stop-out and the result today', async () => {
    await waiting('finance')
    const card = (name: string) => page.getByRole('region', { name })
    await expect.element(card('Net exposure')).toMatchTextContent('largest EURUSD −812,000.00')
    await expect.element(card('Accounts under 100 %')).toMatchTextContent('nearest 53 % · 100274')
    await expect.element(card("Broker's result today")).toMatchTextContent('+1,842.07')
    await expect
      .element(page.getByRole('img', { name: /Result by day/ }))
      .toHaveAccessibleName('Result by day: 21 Nov −20.00, 22 Nov +1,842.07')
  })

  test.each([
    [{ positions: 0, demoPositions: 3 }, 'no real positions, 3 demo positions'],
    [{ positions: 0, demoPositions: 1 }, 'no real positions, 1 demo position'],
    [{ positions: 2, demoPositions: 3 }, '2 positions without a price'],
    [{ positions: 0, demoPositions: 0 }, 'no open positions, demo accounts included'],
  ])('%o: says which positions are open', async (positions, text) => {
    answer(getBrokerSummary, {
      at: AT,
      ledger: 'real',
      currency: 'EUR',
      netValue: usd(0),
      underHundred: 0,
      largest: null,
      nearest: null,
      houseToday: usd(0),
      houseDays: [],
      ...positions,
    })
    await openDesk('/waiting', { as: self({ role: 'finance' }) })
    await expect
      .element(page.getByRole('region', { name: 'Net exposure' }).getByText(text, { exact: true }))
      .toBeVisible()
  })

  test('are hidden from roles that may not see risk', async () => {
    await waiting('support')
    await expect.element(page.getByRole('region', { name: 'Journal' })).toBeVisible()
    expect(page.getByRole('link', { name: 'Risk' }).elements()).toHaveLength(0)
    expect(inputsOf(getBrokerSummary)).toHaveLength(0)
  })
})

describe('linked accounts', () => {
  const side = (accountId: number, changes: Partial<LinkedPair['first']> = {}): LinkedPair['first'] => ({
    accountId,
    side: 'buy',
    lots: 0.5 as never,
    result: usd(-310),
    protection: usd(0),
    ...changes,
  })
  const pair: LinkedPair = {
    instrumentId: 1,
    code: 'EURUSD',
    links: ['device', 'payout'],
    isOpen: false,
    since: AT - 86_400_000,
    first: side(274, { protection: usd(201.5) }),
    second: side(280, { side: 'sell', result: usd(512.4) }),
  }
  const linked = (changes: object = {}) =>
    answer(listLinkedAccounts, {
      at: AT,
      currency: 'EUR',
      days: 30,
      isWhole: true,
      pairs: [pair],
      ...changes,
    })

  test('are listed with what they share, their results and the protection paid', async () => {
    linked()
    await openAt('/risk/linked')
    const row = page.getByRole('row', { name: /100274/ })
    await expect.element(row).toMatchTextContent('same browser and network, same payout account')
    await expect.element(row).toMatchTextContent('EURUSD: buy 0.5, sell 0.5')
    await expect.element(row).toMatchTextContent('201.50')
    await expect.element(row).toMatchTextContent('+512.40')
    await expect.element(page.getByRole('link', { name: '100280' })).toHaveAttribute('href', '#/people/280')
  })

  test('are not restricted by the list itself', async () => {
    linked({ pairs: [], isWhole: false })
    await openAt('/risk/linked', { size: PHONE })
    await expect.element(page.getByText(/being listed here restricts nothing/)).toBeVisible()
    await expect.element(page.getByText(/more accounts with positions than were checked/)).toBeVisible()
    await expect.element(page.getByText('No linked accounts hold opposite positions')).toBeVisible()
  })
})
