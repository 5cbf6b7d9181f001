import { getFigures, submitOrder } from '@fairlot/contract'
import type { TakenOrder } from '@fairlot/contract'
import { lots, ratio } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  answerInstruments,
  answerOrders,
  choose,
  notice,
  openApp,
  withFakeServer,
} from '../../testing/app.tsx'
import { answer, asked, askedWith, cut, hold, push, refuse } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const buy = () => page.getByRole('button', { name: /^Buy/ })
const sell = () => page.getByRole('button', { name: /^Sell/ })
/** By the beginning of its name: a stop also tells what it would bring. */
const field = (name: string) => page.getByRole('textbox', { name: new RegExp(`^${name}`) })
const taken = (change: Partial<TakenOrder> = {}): TakenOrder => ({
  ...sample.position({ id: 61, lots: lots(100), openPrice: sample.decimal('1.08475') }),
  warning: null,
  ...change,
})

describe('a fixed margin', () => {
  test('is named as a figure for each lot, and what a leverage does then', async () => {
    answerInstruments(sample.eurusd({ marginMode: 'fixed', contractSize: 1_000 }))
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('The margin is fixed: 1,000.00 for each lot.')).toBeVisible()
    await page.getByRole('button', { name: /Leverage/ }).click()
    await expect.element(page.getByText(/whatever the leverage/)).toBeVisible()
    expect(page.getByText(/holds back less margin/).query()).toBe(null)
  })
})

describe('an order at the market', () => {
  test('is sent with side, size, leverage and no price of its own', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect
      .poll(() => asked(submitOrder))
      .toEqual([
        {
          ...{ side: 'buy', lots: 100, instrumentId: 1, entry: 'market', leverage: 30 },
          ...{ targetPrice: null, stopLoss: null, takeProfit: null, expiresAt: null },
        },
      ])
  })

  test('stands beside what is said about the risk, on a phone too', async () => {
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText(sample.basicInfo().riskWarning)).toBeVisible()
  })

  test('says at which price it was filled', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(page.getByText('Bought 0.01 EUR/USD at 1.08475, the price shown.')).toBeVisible()
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

  test('a second tap while it is on its way sends nothing', async () => {
    answer(submitOrder, taken())
    const release = hold(submitOrder)
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(buy()).toBeDisabled()
    await expect.element(buy()).toHaveAttribute('aria-busy', 'true')
    await expect.element(sell()).toBeDisabled()
    release()
    await expect.element(buy()).toBeEnabled()
    expect(asked(submitOrder)).toHaveLength(1)
  })

  test('a warning about it stays until it is put away', async () => {
    const warning = { code: 'stopLossBeyondStopOut', message: 'The stop-out would come first.' } as const
    answer(submitOrder, taken({ warning }))
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    const told = notice(/The stop-out would come first/)
    await expect.element(told).toBeVisible()
    await page.getByRole('button', { name: 'Close', includeHidden: true }).click()
    await expect.element(told).not.toBeInTheDocument()
  })

  test('asks a visitor to log in, and leads back to the instrument', async () => {
    await openApp('/trade?code=XAUUSD')
    await buy().click()
    await expect.poll(() => location.hash).toBe('#/login?from=%2Ftrade%3Fcode%3DXAUUSD')
    expect(asked(submitOrder)).toEqual([])
  })

  test('its size is offered again with the next order of the instrument, and of no other', async () => {
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

describe('a refused order', () => {
  test('says why and keeps what was entered', async () => {
    refuse(submitOrder, 'notEnoughPrepayment', 'You need 361.58 and have 12.00.')
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.10')
    await field('Stop loss').fill('1.08')
    await buy().click()
    await expect.element(page.getByRole('alert').filter({ hasText: 'You need 361.58' })).toBeVisible()
    await expect.element(field('Lots')).toHaveValue('0.10')
    await expect.element(field('Stop loss')).toHaveValue('1.08')
    await expect.element(buy()).toBeEnabled()
  })

  test('says so at the field that it is about', async () => {
    refuse(submitOrder, 'lotsAboveMaximum', 'At most 50 lots now.')
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(field('Lots')).toBeInvalid()
    await expect.element(field('Lots')).toHaveAccessibleDescription('At most 50 lots now.')
  })

  test('takes the sentence back once something is changed', async () => {
    refuse(submitOrder, 'notEnoughPrepayment', 'You need 361.58 and have 12.00.')
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(page.getByText(/You need 361.58/)).toBeVisible()
    await page.getByRole('button', { name: 'More lots' }).click()
    await expect.element(page.getByText(/You need 361.58/)).not.toBeInTheDocument()
  })

  test('is told above the buttons while the fields are folded away', async () => {
    refuse(submitOrder, 'lotsAboveMaximum', 'At most 50 lots now.')
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Fold the ticket away' }).click()
    await buy().click()
    await expect.element(page.getByRole('alert').filter({ hasText: 'At most 50 lots now.' })).toBeVisible()
  })

  test('without an answer is tried again under the same name, so that it happens once', async () => {
    cut(submitOrder)
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.element(notice(/The server could not be reached/)).toBeVisible()
    answer(submitOrder, taken())
    await buy().click()
    await expect.element(page.getByText(/^Bought/)).toBeVisible()
    const [first, second] = askedWith(submitOrder).map((headers) => headers.get('idempotency-key'))
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
  })

  test('the next order of the same kind has a name of its own', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await buy().click()
    await expect.poll(() => asked(submitOrder)).toHaveLength(1)
    await expect.element(buy()).toBeEnabled()
    await buy().click()
    await expect.poll(() => asked(submitOrder)).toHaveLength(2)
    const names = askedWith(submitOrder).map((headers) => headers.get('idempotency-key'))
    expect(new Set(names).size).toBe(2)
  })

  test('of a session that is gone leads to the login, and back', async () => {
    refuse(submitOrder, 'sessionGone', 'You have been logged out.')
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

  test('is said on the button that sends it', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.35')
    await expect.element(page.getByRole('button', { name: 'Buy 0.35 lots at 1.08475' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Sell 0.35 lots at 1.08469' })).toBeVisible()
  })

  test('may be written with a comma', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0,35')
    await expect.element(field('Lots')).toHaveValue('0.35')
  })

  test.each([
    ['', 'Say how many lots, from 0.01.'],
    ['abc', 'Write lots as a number such as 0.01.'],
    ['-1', 'At least 0.01 lots.'],
    ['1e3', 'Write lots as a number such as 0.01.'],
    ['0', 'At least 0.01 lots.'],
    ['101', 'At most 100.00 lots.'],
    ['0.015', 'Lots go in steps of 0.01; 0.015 is between two steps.'],
  ])('%j is not sent: %s', async (text, problem) => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill(text)
    await buy().click()
    await expect.element(field('Lots')).toHaveAccessibleDescription(problem)
    expect(asked(submitOrder)).toEqual([])
  })

  test('that the money does not reach for is told with the one that fits', async () => {
    answer(getFigures, sample.figures({ free: sample.amount('100') }))
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('1')
    await expect
      .element(
        page.getByText(/Margin and fee come to .* and 100\.00 is available\. Up to 0\.02 lots would fit\./),
      )
      .toBeVisible()
  })

  test('where nothing fits says that', async () => {
    answer(getFigures, sample.figures({ free: sample.amount('1') }))
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText(/Nothing fits with this leverage/)).toBeVisible()
  })
})

describe('what it holds back and costs', () => {
  test('follows size and leverage', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.30')
    const region = page.getByRole('region', { name: 'Order ticket' })
    // 0.30 lots · 100,000 · 1.08475 / 30, and a thousandth of the margin's thirty-fold as fee
    await expect.element(region).toMatchTextContent(/Margin\s*1,084\.75/)
    await page.getByRole('button', { name: 'Leverage' }).click()
    await page.getByRole('dialog', { name: 'Leverage' }).getByRole('button', { name: /^10 ×/ }).click()
    await expect.element(region).toMatchTextContent(/Margin\s*3,254\.25/)
    await expect.element(page.getByRole('button', { name: 'Leverage' })).toMatchTextContent('10 ×')
  })

  test('each leverage is listed with the margin it would hold back, the chosen one marked', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.30')
    await page.getByRole('button', { name: 'Leverage' }).click()
    const sheet = page.getByRole('dialog', { name: 'Leverage' })
    const choices = sheet.getByRole('listitem').getByRole('button')
    await expect.poll(() => choices.elements().length).toBe(6)
    await expect.element(choices.first()).toMatchTextContent(/1 ×.*margin 32,542\.5/)
    await expect.element(choices.last()).toHaveAttribute('aria-pressed', 'true')
  })

  test('names the night that counts three times', async () => {
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('One night, ×3 on Wed')).toBeVisible()
  })

  test('names the mark-up in its price on both sides', async () => {
    answerInstruments(sample.eurusd({ markUp: ratio(100) }))
    await openApp('/trade', { as: 'demo' })
    const region = page.getByRole('region', { name: 'Order ticket' })
    await expect.element(region).toMatchTextContent(/Mark-up in it\s*Sell −0\.00011\s*Buy \+0\.00011/)
  })

  test('an instrument without leverage cannot be traded, and says so', async () => {
    answerInstruments(sample.eurusd({ leverages: [] }))
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('No leverage configured, unable to place an order')).toBeVisible()
    await expect.element(buy()).toBeDisabled()
  })
})

describe('while nothing can be sent the ticket says why', () => {
  const TONIGHT = new Date().setUTCHours(23, 59, 0, 0)
  test.each([
    ['closed', { isOpen: false }, 'The market is closed.'],
    ['closed until', { isOpen: false, nextOpenAt: TONIGHT }, 'The market is closed. It opens 23:59.'],
    ['halted', { isOpen: false, haltReason: 'Merger talks' }, 'Trading is halted: Merger talks'],
    ['not offered', { isTradable: false }, 'This instrument is not offered for trading now.'],
    ['stale', { freshnessMs: 1 }, /The last price is \d+ seconds? old\. Orders wait for a fresh one\./],
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
    push({ type: 'marketState', mode: 'cancelOnly', halts: [], changedTerms: [] })
    await expect.element(page.getByText(/Trading is paused by the operator/)).toBeVisible()
    await expect.element(buy()).toBeDisabled()
  })

  test('and opens again by itself with the first fresh price', async () => {
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

  test('needs the price that it waits for', async () => {
    await openPending()
    await buy().click()
    await expect.element(field('Open at')).toHaveAccessibleDescription('Say the price to wait for.')
    expect(asked(submitOrder)).toEqual([])
  })

  test('is a limit or a stop by the side of the market that its price is on, and says which', async () => {
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

  test('is sent with its price, and says what it waits for', async () => {
    answer(submitOrder, { ...sample.pendingOrder({ lots: lots(100) }), warning: null })
    await openPending()
    await field('Open at').fill('1.08')
    await buy().click()
    await expect
      .poll(() => asked(submitOrder)[0])
      .toMatchObject({ entry: 'pending', side: 'buy', targetPrice: 1.08 })
    await expect.element(page.getByText('Buy limit 0.01 EUR/USD waits for 1.08000.')).toBeVisible()
  })

  test('waits until it is cancelled, or until a moment that is chosen', async () => {
    answer(submitOrder, { ...sample.pendingOrder({ lots: lots(100) }), warning: null })
    await openPending()
    await field('Open at').fill('1.08')
    const expiry = page.getByRole('button', { name: 'Waits until' })
    await expect.element(expiry).toMatchTextContent('I cancel it')
    await expiry.click()
    await page
      .getByRole('dialog', { name: 'It waits until' })
      .getByRole('button', { name: /24 hours/ })
      .click()
    await expect.element(expiry).not.toMatchTextContent('I cancel it')
    await buy().click()
    await expect.poll(() => asked(submitOrder)).toHaveLength(1)
    const inHours = ((asked(submitOrder)[0]?.expiresAt ?? 0) - Date.now()) / 3_600_000
    expect(inHours).toBeGreaterThan(23.9)
    expect(inHours).toBeLessThanOrEqual(24)
  })

  test('does not wait for a moment that is over', async () => {
    await openPending()
    await field('Open at').fill('1.08')
    await page.getByRole('button', { name: 'Waits until' }).click()
    const sheet = page.getByRole('dialog', { name: 'It waits until' })
    await sheet.getByRole('button', { name: /Another moment/ }).click()
    await sheet.getByLabelText('Date and time').fill('2020-01-01T10:00')
    await sheet.getByRole('button', { name: 'Done' }).click()
    await buy().click()
    await expect.element(page.getByText('That moment is over. Choose a later one.')).toBeVisible()
    expect(asked(submitOrder)).toEqual([])
  })

  test('is not touched by a price that moves meanwhile', async () => {
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
  test('begin at a sensible distance with the first press', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Lower: Stop loss' }).click()
    await expect.element(field('Stop loss')).not.toHaveValue('')
    await buy().click()
    await expect.element(field('Stop loss')).toBeValid()
  })

  test('tell what they would bring', async () => {
    await openApp('/trade', { as: 'demo' })
    await field('Lots').fill('0.10')
    await field('Stop profit').fill('1.09475')
    await expect.element(page.getByRole('textbox', { name: /Stop profit \+100\.00/ })).toBeVisible()
  })

  test.each([
    ['buy', 'Stop loss', '1.09', /For a buy, .* or lower\./],
    ['buy', 'Stop profit', '1.08', /For a buy, .* or higher\./],
    ['sell', 'Stop loss', '1.08', /For a sell, .* or higher\./],
    ['sell', 'Stop profit', '1.09', /For a sell, .* or lower\./],
    ['buy', 'Stop loss', 'x', /Write a price such as/],
  ] as const)('of a %s: %s at %s is not sent', async (side, name, text, problem) => {
    await openApp('/trade', { as: 'demo' })
    await field(name).fill(text)
    await (side === 'buy' ? buy() : sell()).click()
    await expect.element(field(name)).toHaveAccessibleDescription(problem)
    expect(asked(submitOrder)).toEqual([])
  })

  test('are sent with the order', async () => {
    answer(submitOrder, taken())
    await openApp('/trade', { as: 'demo' })
    await field('Stop loss').fill('1.08')
    await field('Stop profit').fill('1.09')
    await buy().click()
    await expect.poll(() => asked(submitOrder)[0]).toMatchObject({ stopLoss: 1.08, takeProfit: 1.09 })
  })

  test('that the stop-out would forestall are called so before anything is sent', async () => {
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
