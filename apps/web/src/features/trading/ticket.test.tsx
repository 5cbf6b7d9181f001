import { getFigures, submitOrder } from '@fairlot/contract'
import type { TakenOrder } from '@fairlot/contract'
import { lots, ratio } from '@fairlot/core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  answerInstruments,
  answerOrders,
  choose,
  notice,
  openApp,
  withFakeServer,
} from '../../testing/app.tsx'
import { answer, inputsOf, headersOf, failConnection, hold, push, reject } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const buy = () => page.getByRole('button', { name: /^Buy/ })
const sell = () => page.getByRole('button', { name: /^Sell/ })
/** Found by the start of its label, which also contains the profit at the stop. */
const field = (name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) })
const taken = (change: Partial<TakenOrder> = {}): TakenOrder => ({
  ...sample.position({ id: 61, lots: lots(100), openPrice: sample.decimal('1.08475') }),
  warning: null,
  ...change,
})

describe('a fixed margin', () => {
  test('is shown per lot, with the effect of the leverage', async () => {
    answerInstruments(sample.eurusd({ marginMode: 'fixed', contractSize: 1_000 }))
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('The margin is fixed: 1,000.00 for each lot.')).toBeVisible()
    await page.getByRole('button', { name: /Leverage/ }).click()
    await expect.element(page.getByText(/fixed at any leverage/)).toBeVisible()
    expect(page.getByText(/reserves less margin/).query()).toBe(null)
  })
})

describe('an order at the market', () => {
  test('is sent with side, size, leverage and no price of its own', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect
      .poll(() => inputsOf(submitOrder))
      .toEqual([
        {
          side: 'buy',
          lots: 100,
          instrumentId: 1,
          orderType: 'market',
          leverage: 30,
          targetPrice: null,
          stopLoss: null,
          takeProfit: null,
          expiresAt: null,
          kind: null,
        },
      ])
  })

  test.each([100, 200])(
    'shows every digit of a price with nine decimals, and the spread beside them, on a narrow phone, with text at %i percent',
    async (percent) => {
      document.documentElement.style.fontSize = `${percent}%`
      onTestFinished(() => void document.documentElement.style.removeProperty('font-size'))
      const long = { bid: sample.decimal('1.084690017'), ask: sample.decimal('1.084751234') }
      answerInstruments(sample.eurusd({ priceDecimals: 9, ...long }))
      await openApp('/trade', { as: 'demo', size: [360, 640] })
      const spread = page.getByTitle(/^Spread/)
      await expect.element(spread).toBeVisible()
      const chip = spread.element().getBoundingClientRect()
      for (const button of [sell(), buy()]) {
        const digits = [...button.element().querySelectorAll('bdi span')].map((part) =>
          part.getBoundingClientRect(),
        )
        const box = button.element().getBoundingClientRect()
        expect(digits.length).toBeGreaterThan(0)
        for (const { left, right, top } of digits) {
          expect(left).toBeGreaterThanOrEqual(box.left)
          expect(right).toBeLessThanOrEqual(box.right)
          expect(top >= chip.bottom || right <= chip.left || left >= chip.right).toBe(true)
        }
      }
    },
  )

  test('is shown beside the risk warning, on a phone too', async () => {
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText(sample.basicInfo().riskWarning)).toBeVisible()
  })

  test('shows the fill price', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(page.getByText('Bought 0.01 EUR/USD at 1.08475, the price shown.')).toBeVisible()
  })

  test('is opened from its confirmation', async () => {
    answer(submitOrder, taken())
    answerOrders({ holding: [sample.position({ id: 61 })] })
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await page.getByRole('button', { name: /^Bought 0\.01/ }).click()
    await expect.poll(() => location.hash).toBe('#/order?list=holding&order=61')
    await expect.element(page.getByRole('dialog', { name: 'EUR/USD' })).toMatchTextContent('No. 61')
  })

  test('covers neither the chart nor the account that it speaks of', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    const toast = page.getByRole('button', { name: /^Bought 0\.01/ })
    await expect.element(toast).toBeVisible()
    const boxOf = (element: Element) => element.getBoundingClientRect()
    const { top, bottom } = boxOf(toast.element())
    expect(top).toBeGreaterThanOrEqual(boxOf(page.getByRole('img', { name: /candles/ }).element()).bottom)
    expect(bottom).toBeLessThanOrEqual(boxOf(buy().element()).top)
  })

  test('replaces the previous message, above the buttons and below the chart’s header', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo', size: [390, 664] })
    await buy().click()
    await expect.element(page.getByText(/^Bought 0\.01/)).toBeVisible()
    answer(submitOrder, taken({ side: 'sell' }))
    await sell().click()
    const toast = page.getByRole('button', { name: /^Sold 0\.01/ })
    await expect.element(toast).toBeVisible()
    await expect.element(page.getByText(/^Bought 0\.01/)).not.toBeInTheDocument()
    const box = toast.element().getBoundingClientRect()
    expect(box.bottom).toBeLessThanOrEqual(
      page
        .getByRole('button', { name: /^Sell .* at/ })
        .element()
        .getBoundingClientRect().top,
    )
    expect(box.top).toBeGreaterThan(
      page
        .getByTitle(/^Last price/)
        .element()
        .getBoundingClientRect().bottom,
    )
  })

  test.each([
    ['buy', '1.08478', '0.00003 worse than shown'],
    ['buy', '1.08470', '0.00005 better than shown'],
    ['sell', '1.08460', '0.00009 worse than shown'],
  ] as const)('a %s filled at %s is %s', async (side, openPrice, text) => {
    answer(submitOrder, taken({ side, openPrice: sample.decimal(openPrice) }))
    await openApp('/trade', { as: 'demo' })
    await (side === 'buy' ? buy() : sell()).click()
    await expect.element(page.getByText(new RegExp(text))).toBeVisible()
  })

  test('a second tap while it is being sent is ignored', async () => {
    answer(submitOrder, taken())
    const release = hold(submitOrder)
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(buy()).toBeDisabled()
    await expect.element(buy()).toHaveAttribute('aria-busy', 'true')
    await expect.element(sell()).toBeDisabled()
    release()
    await expect.element(buy()).toBeEnabled()
    expect(inputsOf(submitOrder)).toHaveLength(1)
  })

  test('a warning stays until it is dismissed', async () => {
    const warning = { code: 'stopLossBeyondStopOut', message: 'The stop-out would come first.' } as const
    answer(submitOrder, taken({ warning }))
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    const toast = notice(/The stop-out would come first/)
    await expect.element(toast).toBeVisible()
    await page.getByRole('button', { name: 'Close', includeHidden: true }).click()
    await expect.element(toast).not.toBeInTheDocument()
  })

  test('leads a visitor to the log-in, and back to the instrument', async () => {
    await openApp('/trade?code=XAUUSD')
    await buy().click()
    await expect.poll(() => location.hash).toBe('#/login?from=%2Ftrade%3Fcode%3DXAUUSD')
    expect(inputsOf(submitOrder)).toEqual([])
  })

  test('its size is suggested for the next order of the same instrument only', async () => {
    answer(submitOrder, taken({ lots: lots(2500) }))
    await openApp('/trade?code=EURUSD', { as: 'demo' })
    await field('Lots').fill('0.25')
    await buy().click()
    await expect.element(page.getByText(/^Bought 0.25/)).toBeVisible()
    await page.getByRole('button', { name: /^Instruments/ }).click()
    await page.getByRole('dialog').getByRole('link', { name: /XAU/ }).click()
    await expect.element(field('Lots')).toHaveValue('0.01')
    history.back()
    await expect.element(field('Lots')).toHaveValue('0.25')
  })
})

describe('a rejected order', () => {
  test('shows the reason and keeps the input', async () => {
    reject(submitOrder, 'notEnoughPrepayment', 'You need 361.58 and have 12.00.')
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.10')
    await field('Stop loss').fill('1.08')
    await buy().click()
    await expect.element(page.getByRole('alert').filter({ hasText: 'You need 361.58' })).toBeVisible()
    await expect.element(field('Lots')).toHaveValue('0.10')
    await expect.element(field('Stop loss')).toHaveValue('1.08')
    await expect.element(buy()).toBeEnabled()
  })

  test('shows it at its field', async () => {
    reject(submitOrder, 'lotsAboveMaximum', 'At most 50 lots now.')
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(field('Lots')).toBeInvalid()
    await expect.element(field('Lots')).toHaveAccessibleDescription('At most 50 lots now.')
  })

  test('removes the message after a change', async () => {
    reject(submitOrder, 'notEnoughPrepayment', 'You need 361.58 and have 12.00.')
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(page.getByText(/You need 361.58/)).toBeVisible()
    await page.getByRole('button', { name: 'More lots' }).click()
    await expect.element(page.getByText(/You need 361.58/)).not.toBeInTheDocument()
  })

  test('is shown above the buttons while the ticket is collapsed', async () => {
    reject(submitOrder, 'lotsAboveMaximum', 'At most 50 lots now.')
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Collapse the ticket' }).click()
    await buy().click()
    await expect.element(page.getByRole('alert').filter({ hasText: 'At most 50 lots now.' })).toBeVisible()
  })

  test('is sent again under the same request id after a missing response, so that it is placed once', async () => {
    failConnection(submitOrder)
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(notice(/The server could not be reached/)).toBeVisible()
    answer(submitOrder, taken())
    await buy().click()
    await expect.element(page.getByText(/^Bought/)).toBeVisible()
    const [first, second] = headersOf(submitOrder).map((headers) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
  })

  test('the next order of the same kind has its own request id', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.poll(() => inputsOf(submitOrder)).toHaveLength(1)
    await expect.element(buy()).toBeEnabled()
    await buy().click()
    await expect.poll(() => inputsOf(submitOrder)).toHaveLength(2)
    const names = headersOf(submitOrder).map((headers) => headers.get('idempotency-key'))
    expect(new Set(names).size).toBe(2)
  })

  test('of an ended session leads to the log-in, and back', async () => {
    reject(submitOrder, 'sessionGone', 'You have been logged out.')
    await openApp('/trade?code=EURUSD', { as: 'demo' })
    await buy().click()
    await expect.element(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
    expect(location.hash).toBe('#/login?from=%2Ftrade%3Fcode%3DEURUSD')
  })
})

describe('the size', () => {
  test('moves by the instrument’s step, and stops at its smallest', async () => {
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'More lots' }).click()
    await expect.element(field('Lots')).toHaveValue('0.02')
    await page.getByRole('button', { name: 'Fewer lots' }).click()
    await expect.element(field('Lots')).toHaveValue('0.01')
    await expect.element(page.getByRole('button', { name: 'Fewer lots' })).toBeDisabled()
  })

  test('is shown on the buttons', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.35')
    await expect.element(page.getByRole('button', { name: 'Buy 0.35 lots at 1.08475' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Sell 0.35 lots at 1.08469' })).toBeVisible()
  })

  test('may be written with a comma, or in other digits', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0,35')
    await expect.element(page.getByRole('button', { name: 'Buy 0.35 lots at 1.08475' })).toBeVisible()
    await field('Lots').fill('٠٫٤')
    await expect.element(page.getByRole('button', { name: 'Buy 0.4 lots at 1.08475' })).toBeVisible()
  })

  test.each([
    ['', 'Enter the lots, at least 0.01.'],
    ['abc', 'Enter lots as a number such as 0.01.'],
    ['-1', 'At least 0.01 lots.'],
    ['1e3', 'Enter lots as a number such as 0.01.'],
    ['0', 'At least 0.01 lots.'],
    ['101', 'At most 100.00 lots.'],
    ['0.015', 'Lots must be a multiple of 0.01; 0.015 is not.'],
  ])('%j is not sent: %s', async (text, problem) => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill(text)
    await buy().click()
    await expect.element(field('Lots')).toHaveAccessibleDescription(problem)
    expect(inputsOf(submitOrder)).toEqual([])
  })

  test('that the funds do not cover names the largest possible size', async () => {
    answer(getFigures, sample.figures({ free: sample.amount('100') }))
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('1')
    await expect
      .element(
        page.getByText(
          /Margin and fee come to .* your free margin is 100\.00\. Up to 0\.02 lots are possible\./,
        ),
      )
      .toBeVisible()
  })

  test('that is too large at any size says so', async () => {
    answer(getFigures, sample.figures({ free: sample.amount('1') }))
    await openApp('/trade', { as: 'demo' })
    await expect
      .element(page.getByText(/your free margin is 1\.00\. It does not cover even the smallest order/))
      .toBeVisible()
  })
})

describe('margin and costs', () => {
  test('follow size and leverage', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.30')
    const region = page.getByRole('region', { name: 'Order ticket' })
    // 0.30 lots · 100,000 · 1.08475 / 30, and a thousandth of the margin's thirty-fold as fee
    await expect.element(region).toMatchTextContent(/Margin\s*1,084\.750000/)
    await page.getByRole('button', { name: 'Leverage' }).click()
    await page.getByRole('dialog', { name: 'Leverage' }).getByRole('button', { name: /^10 ×/ }).click()
    await expect.element(region).toMatchTextContent(/Margin\s*3,254\.250000/)
    await expect.element(page.getByRole('button', { name: 'Leverage' })).toMatchTextContent('10 ×')
  })

  test('list each leverage with its margin, the chosen one marked', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.30')
    await page.getByRole('button', { name: 'Leverage' }).click()
    const sheet = page.getByRole('dialog', { name: 'Leverage' })
    const choices = sheet.getByRole('listitem').getByRole('button')
    await expect.poll(() => choices.elements().length).toBe(6)
    await expect.element(choices.first()).toMatchTextContent(/1 ×.*margin 32,542\.500000/)
    await expect.element(choices.last()).toHaveAttribute('aria-pressed', 'true')
  })

  test('show the day of the triple swap', async () => {
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('Swap per night, ×3 on Wed')).toBeVisible()
  })

  test('show the mark-up included in both prices', async () => {
    answerInstruments(sample.eurusd({ markUp: ratio(100) }))
    await openApp('/trade', { as: 'demo' })
    const region = page.getByRole('region', { name: 'Order ticket' })
    await expect.element(region).toMatchTextContent(/Mark-up included\s*Sell −0\.00011\s*Buy \+0\.00011/)
  })

  test('an instrument without leverage cannot be traded, and says so', async () => {
    answerInstruments(sample.eurusd({ leverages: [] }))
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('No leverage configured, unable to place an order')).toBeVisible()
    await expect.element(buy()).toBeDisabled()
  })
})

describe('while nothing can be sent the ticket shows why', () => {
  const TONIGHT = new Date().setUTCHours(23, 59, 0, 0)
  test.each([
    ['closed', { isOpen: false }, 'The market is closed.'],
    ['closed until', { isOpen: false, nextOpenAt: TONIGHT }, 'The market is closed. It opens 23:59.'],
    ['halted', { isOpen: false, haltReason: 'Merger talks' }, 'Trading is halted: Merger talks'],
    ['not offered', { isTradable: false }, 'This instrument is not offered for trading now.'],
    [
      'stale since before the page was opened',
      { freshnessMs: 5_000, quoteAgeMs: 12_000 },
      /The last price is 1\d seconds old\./,
    ],
    [
      'stale',
      { freshnessMs: 1 },
      /The last price is \d+ seconds? old\. Orders are possible with the next price\./,
    ],
  ])('%s', async (_what, change, text) => {
    answerInstruments(sample.eurusd(change))
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByRole('status').filter({ hasText: text })).toBeVisible()
    await expect.element(buy()).toBeDisabled()
    await expect.element(sell()).toBeDisabled()
  })

  test('no price yet', async () => {
    answerInstruments(sample.unpriced())
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText(/There is no price yet/)).toBeVisible()
    await expect.element(buy()).toBeDisabled()
  })

  test('paused by the operator', async () => {
    await openApp('/trade', { as: 'demo' })
    await expect.element(buy()).toBeEnabled()
    push({ type: 'marketState', mode: 'reduceOnly', reason: 'a storm', halts: [], changedTerms: [] })
    await expect
      .element(page.getByText(/No new positions at the moment: a storm Positions can be closed/))
      .toBeVisible()
    await expect.element(buy()).toBeDisabled()
  })

  test('can be sent again with the first fresh price', async () => {
    const listing = sample.unpriced({ id: 902, code: 'NZDUSD', showCode: 'NZD/USD', baseCurrency: 'NZD' })
    answerInstruments(listing)
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText(/There is no price yet/)).toBeVisible()
    push({ type: 'quotes', quotes: [sample.tick(listing, '0.60000', '0.60006', '0.60003')] })
    await expect.element(page.getByRole('button', { name: /Buy .* at 0\.60006/ })).toBeEnabled()
  })
})

describe('a pending order', () => {
  const openPending = async () => {
    await openApp('/trade', { as: 'demo' })
    await choose('Pending')
  }

  test('requires a target price', async () => {
    await openPending()
    await buy().click()
    await expect.element(field('Open at')).toHaveAccessibleDescription('Enter a target price.')
    expect(inputsOf(submitOrder)).toEqual([])
  })

  test('is a limit or a stop by its price’s side of the market, and shows which', async () => {
    await openPending()
    await field('Open at').fill('1.08')
    await expect.element(page.getByText('A buy here is a limit, a sell a stop.')).toBeVisible()
    await expect
      .element(
        page.getByRole('button', { name: /Buy limit: waits for a better price, at or below 1\.08000/ }),
      )
      .toBeVisible()
    await expect
      .element(page.getByRole('button', { name: /Sell stop: opens once the price has fallen to 1\.08000/ }))
      .toBeVisible()
    await field('Open at').fill('1.09')
    await expect.element(page.getByText('A buy here is a stop, a sell a limit.')).toBeVisible()
  })

  test('is sent with its price, and confirms it', async () => {
    answer(submitOrder, { ...sample.pendingOrder({ lots: lots(100) }), warning: null })
    await openPending()
    await field('Open at').fill('1.08')
    await buy().click()
    await expect
      .poll(() => inputsOf(submitOrder)[0])
      .toMatchObject({ orderType: 'pending', side: 'buy', targetPrice: 1.08, kind: 'limit' })
    await expect.element(page.getByText('Buy limit 0.01 EUR/USD waits for 1.08000.')).toBeVisible()
  })

  test('is valid until cancelled, or until a chosen time', async () => {
    answer(submitOrder, { ...sample.pendingOrder({ lots: lots(100) }), warning: null })
    await openPending()
    await field('Open at').fill('1.08')
    const expiry = page.getByRole('button', { name: 'Valid until' })
    await expect.element(expiry).toMatchTextContent('Until cancelled')
    await expiry.click()
    await page
      .getByRole('dialog', { name: 'Valid until' })
      .getByRole('button', { name: /24 hours/ })
      .click()
    await expect.element(expiry).not.toMatchTextContent('Until cancelled')
    await buy().click()
    await expect.poll(() => inputsOf(submitOrder)).toHaveLength(1)
    const inHours = ((inputsOf(submitOrder)[0]?.expiresAt ?? 0) - Date.now()) / 3_600_000
    expect(inHours).toBeGreaterThan(23.9)
    expect(inHours).toBeLessThanOrEqual(24)
  })

  test('rejects an expiry in the past', async () => {
    await openPending()
    await field('Open at').fill('1.08')
    await page.getByRole('button', { name: 'Valid until' }).click()
    const sheet = page.getByRole('dialog', { name: 'Valid until' })
    await sheet.getByRole('button', { name: /Another time/ }).click()
    await sheet.getByLabelText('Date and time').fill('2020-01-01T10:00')
    await sheet.getByRole('button', { name: 'Done' }).click()
    await buy().click()
    await expect.element(page.getByText('This time is in the past. Choose a later one.')).toBeVisible()
    expect(inputsOf(submitOrder)).toEqual([])
  })

  test('keeps its price while the market moves', async () => {
    const eurusd = sample.eurusd()
    answerInstruments(eurusd)
    await openPending()
    await field('Open at').fill('1.08')
    push({ type: 'quotes', quotes: [sample.tick(eurusd, '1.07000', '1.07006', '1.07003')] })
    await expect.element(page.getByText('A buy here is a stop, a sell a limit.')).toBeVisible()
    await expect.element(field('Open at')).toHaveValue('1.08')
  })
})

describe('stops', () => {
  const press = (name: string) => page.getByRole('button', { name }).click()
  const sideRequest = () => page.getByText('Which order are the stops for?')

  test('require a side if none is known, and start at a sensible distance', async () => {
    await openApp('/trade', { as: 'demo' })
    await press('Higher: Stop loss')
    await expect.element(sideRequest()).toBeVisible()
    await expect.element(field('Stop loss')).toHaveValue('')
    await choose('Buy')
    await expect.element(sideRequest()).not.toBeInTheDocument()
    await expect.element(field('Stop loss')).toHaveValue('1.08270')
    await press('Higher: Take profit')
    await expect.element(field('Take profit')).toHaveValue('1.08660')
    await expect.element(field('Stop loss')).toBeValid()
    await expect.element(field('Take profit')).toBeValid()
  })

  test('are those of the last order on the instrument until another side is chosen', async () => {
    answer(submitOrder, taken({ side: 'sell' }))
    await openApp('/trade', { as: 'demo' })
    await sell().click()
    await expect.element(page.getByText(/^Sold/)).toBeVisible()
    await press('Lower: Stop loss')
    await expect.element(field('Stop loss')).toHaveValue('1.08670')
    await expect.element(page.getByRole('radio', { name: 'Sell' })).toBeChecked()
  })

  test('are still those of the last order after another instrument was shown', async () => {
    answer(submitOrder, taken({ side: 'sell' }))
    await openApp('/trade?code=EURUSD', { as: 'demo' })
    await sell().click()
    await expect.element(page.getByText(/^Sold/)).toBeVisible()
    await page.getByRole('button', { name: /^Instruments/ }).click()
    await page.getByRole('dialog').getByRole('link', { name: /XAU/ }).click()
    await press('Higher: Stop loss')
    await expect.element(sideRequest()).toBeVisible()
    history.back()
    await expect.element(page.getByRole('button', { name: /^Instruments EUR\/USD/ })).toBeVisible()
    await press('Lower: Stop loss')
    await expect.element(field('Stop loss')).toHaveValue('1.08670')
  })

  test('show the profit of their side, and keep their distance on the other', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.10')
    await field('Stop loss').fill('1.08269')
    const named = (name: string) => page.getByRole('textbox', { name })
    await expect.element(named('Stop loss −20.60 · −20.6 pips')).toBeVisible()
    await choose('Sell')
    await expect.element(field('Stop loss')).toHaveValue('1.08675')
    await expect.element(named('Stop loss −20.60 · −20.6 pips')).toBeVisible()
    await field('Take profit').fill('1.09')
    await expect.element(field('Take profit')).toHaveAccessibleDescription(/For a sell, .* or lower\./)
  })

  test('that are empty do not restrict either button', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await press('Higher: Stop loss')
    await choose('Sell')
    await field('Stop loss').fill('')
    await buy().click()
    await expect.poll(() => inputsOf(submitOrder)[0]).toMatchObject({ side: 'buy', stopLoss: null })
  })

  test('show their profit', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.10')
    await field('Take profit').fill('1.09475')
    await expect.element(page.getByRole('textbox', { name: /Take profit \+100\.00/ })).toBeVisible()
  })

  test.each([
    ['buy', 'Stop loss', '1.09', /For a buy, .* or lower\./],
    ['buy', 'Take profit', '1.08', /For a buy, .* or higher\./],
    ['sell', 'Stop loss', '1.08', /For a sell, .* or higher\./],
    ['sell', 'Take profit', '1.09', /For a sell, .* or lower\./],
    ['buy', 'Stop loss', 'x', /Enter a price such as/],
  ] as const)('of a %s: %s at %s is not sent', async (side, name, text, problem) => {
    await openApp('/trade', { as: 'demo' })
    await field(name).fill(text)
    await (side === 'buy' ? buy() : sell()).click()
    await expect.element(field(name)).toHaveAccessibleDescription(problem)
    expect(inputsOf(submitOrder)).toEqual([])
  })

  test('are sent with the order', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await field('Stop loss').fill('1.08')
    await field('Take profit').fill('1.09')
    await buy().click()
    await expect.poll(() => inputsOf(submitOrder)[0]).toMatchObject({ stopLoss: 1.08, takeProfit: 1.09 })
  })

  test('beyond the stop-out price show a warning before anything is sent', async () => {
    answer(
      getFigures,
      sample.figures({
        balance: sample.amount('450'),
        free: sample.amount('450'),
        equity: sample.amount('450'),
      }),
    )
    answerOrders({})
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.10')
    await field('Stop loss').fill('1.02')
    await expect.element(page.getByText(/This stop loss is never reached/)).toBeVisible()
  })
})
