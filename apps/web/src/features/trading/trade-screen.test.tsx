import { listCandles, listInstruments } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  answerInstruments,
  answerOrders,
  choose,
  DESKTOP,
  openApp,
  withFakeServer,
} from '../../testing/app.tsx'
import { answer, asked, cut, hold, push } from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const head = () => page.getByRole('button', { name: /^Instruments/ })
const ticket = () => page.getByRole('region', { name: 'Order ticket' })
const drawer = () => page.getByRole('dialog', { name: 'Choose an instrument' })

describe('the trade screen', () => {
  test('shows the instrument of the address, with its price and the range of the day', async () => {
    await openApp('/trade?code=XAUUSD')
    await expect.element(head()).toMatchTextContent('XAU/USD')
    await expect.element(page.getByText('2,650.25').first()).toBeVisible()
    await expect.element(page.getByText(/H 2,660\.10/)).toBeVisible()
    await expect.element(page.getByText(/L 2,650\.25/)).toBeVisible()
  })

  test('takes a code in small letters', async () => {
    await openApp('/trade?code=xauusd')
    await expect.element(head()).toMatchTextContent('XAU/USD')
  })

  test('shows the last one looked at where the address names none that is listed, and names it', async () => {
    await openApp('/trade?code=NOSUCH')
    await expect.element(head()).toMatchTextContent('EUR/USD')
    await expect.poll(() => location.hash).toBe('#/trade?code=EURUSD')
  })

  test('keeps its shape while the instruments are on their way', async () => {
    const release = hold(listInstruments)
    await openApp('/trade')
    await expect.element(page.getByRole('status', { name: 'Loading', exact: true })).toBeVisible()
    release()
    await expect.element(head()).toMatchTextContent('EUR/USD')
  })

  test('says that the instruments could not be loaded, and loads them when asked again', async () => {
    cut(listInstruments)
    await openApp('/trade')
    await expect.element(page.getByText('The instruments could not be loaded')).toBeVisible()
    answerInstruments(sample.eurusd())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(head()).toMatchTextContent('EUR/USD')
  })

  test('says where there is nothing to trade', async () => {
    answerInstruments()
    await openApp('/trade')
    await expect.element(page.getByText('Nothing to trade yet')).toBeVisible()
  })

  test('the price on it moves with the market', async () => {
    const eurusd = sample.eurusd()
    answerInstruments(eurusd)
    await openApp('/trade')
    await expect.element(ticket()).toBeVisible()
    push({ type: 'quotes', quotes: [sample.tick(eurusd, '1.11997', '1.12003', '1.12000')] })
    await expect.element(page.getByRole('button', { name: /Buy .* at 1\.12003/ })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Sell .* at 1\.11997/ })).toBeVisible()
  })

  test('says how old the price is, once it is too old', async () => {
    answerInstruments(sample.eurusd({ freshnessMs: 1 }))
    await openApp('/trade')
    await expect.element(page.getByText(/^\d+ seconds? old$/)).toBeVisible()
  })

  test.each([
    ['opens', { isOpen: false, nextOpenAt: new Date().setUTCHours(23, 59, 0, 0) }, 'opens 23:59'],
    ['closes', { nextCloseAt: new Date().setUTCHours(23, 59, 0, 0) }, 'closes 23:59'],
    ['never closes', {}, 'open around the clock'],
    ['is closed until who knows when', { isOpen: false }, 'closed'],
    ['is halted', { isOpen: false, haltReason: 'Merger talks' }, 'Halted: Merger talks'],
    ['is not offered', { isTradable: false }, 'halted'],
  ])('says of a market that %s: so', async (_what, change, text) => {
    answerInstruments(sample.eurusd(change))
    await openApp('/trade')
    await expect.element(head()).toMatchTextContent(text)
  })

  test('says of a demo account’s prices that they are a demo’s', async () => {
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('Demo · simulated')).toBeVisible()
  })
})

describe('the list of instruments', () => {
  test('opens over the screen, marks the one that is shown, and switches it', async () => {
    await openApp('/trade?code=EURUSD')
    await head().click()
    await expect.element(drawer()).toBeVisible()
    await expect
      .element(drawer().getByRole('link', { name: /EUR\/USD/ }))
      .toHaveAttribute('aria-current', 'true')
    await drawer()
      .getByRole('link', { name: /XAU\/USD/ })
      .click()
    await expect.element(head()).toMatchTextContent('XAU/USD')
    await expect.element(drawer()).not.toBeInTheDocument()
  })

  test('the way back leads to the instrument before, not into the list', async () => {
    await openApp('/trade?code=EURUSD')
    await head().click()
    await drawer()
      .getByRole('link', { name: /XAU\/USD/ })
      .click()
    await expect.element(head()).toMatchTextContent('XAU/USD')
    history.back()
    await expect.element(head()).toMatchTextContent('EUR/USD')
    await expect.element(drawer()).not.toBeInTheDocument()
  })

  test('Escape closes it, and the keyboard is where it was', async () => {
    await openApp('/trade')
    await head().click()
    await expect.element(drawer()).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(drawer()).not.toBeInTheDocument()
    await expect.element(head()).toHaveFocus()
  })

  test('comes from the leading edge: from the right where one reads from there', async () => {
    await openApp('/trade')
    document.documentElement.dir = 'rtl'
    await head().click()
    await expect.element(drawer()).toBeVisible()
    await expect.poll(() => Math.round(drawer().element().getBoundingClientRect().right)).toBe(390)
  })
})

describe('the chart', () => {
  test('names instrument, length of a candle and price for who cannot see it', async () => {
    await openApp('/trade')
    await expect
      .element(page.getByRole('img', { name: /EUR\/USD, candles of .*, last price 1\.08472/ }))
      .toBeVisible()
  })

  test('says that no candle is there yet', async () => {
    answer(listCandles, [])
    await openApp('/trade')
    await expect.element(page.getByText('No candles yet')).toBeVisible()
  })

  test('says that they could not be loaded, and loads when asked again; the ticket is not touched', async () => {
    cut(listCandles)
    await openApp('/trade')
    await expect.element(page.getByText('The candles could not be loaded')).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Buy .* at/ })).toBeEnabled()
    answer(listCandles, sample.candles(40))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('img', { name: /EUR\/USD, candles/ })).toBeVisible()
  })

  test('another length of a candle asks for its own candles', async () => {
    await openApp('/trade')
    await choose('1 hour')
    await expect.poll(() => asked(listCandles).map(({ period }) => period)).toContain('60min')
    await expect.element(page.getByRole('radio', { name: '1 hour' })).toBeChecked()
  })

  test('may have the screen for itself, and give it back', async () => {
    await openApp('/trade')
    await page.getByRole('button', { name: 'Tall chart' }).click()
    await expect.element(page.getByRole('button', { name: 'Open the ticket' })).toBeVisible()
    await page.getByRole('button', { name: 'Chart with ticket' }).click()
    await expect.element(page.getByRole('button', { name: 'Fold the ticket away' })).toBeVisible()
  })

  test('draws the indicators that are chosen, and none when they are taken back', async () => {
    await openApp('/trade')
    await page.getByRole('button', { name: 'Indicators' }).click()
    const sheet = page.getByRole('dialog', { name: 'Indicators' })
    await sheet.getByRole('button', { name: 'MACD' }).click()
    await expect.element(sheet.getByRole('button', { name: 'MACD' })).toHaveAttribute('aria-pressed', 'true')
    await sheet.getByRole('button', { name: 'None' }).click()
    await expect.element(sheet.getByRole('button', { name: 'MACD' })).toHaveAttribute('aria-pressed', 'false')
    await expect.element(sheet.getByRole('button', { name: 'None' })).toBeDisabled()
  })
})

describe('the ticket on the phone', () => {
  test('folds away to its two buttons and the size they trade', async () => {
    await openApp('/trade')
    await page.getByRole('button', { name: 'Fold the ticket away' }).click()
    await expect.element(page.getByText('0.01 lots · 30 ×')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Lots' })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Open the ticket' }).click()
    await expect.element(page.getByRole('textbox', { name: 'Lots' })).toBeVisible()
  })

  test('begins folded where it would leave the chart no room', async () => {
    await openApp('/trade', { size: [320, 568] })
    await expect.element(page.getByRole('button', { name: 'Open the ticket' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Buy .* at/ })).toBeVisible()
  })

  test.each([
    ['320 px', [320, 700]],
    ['390 px', [390, 844]],
    ['a landscape phone', [844, 390]],
  ] as const)('Sell and Buy are in sight on %s', async (_what, size) => {
    await openApp('/trade', { size })
    for (const side of ['Sell', 'Buy']) {
      const button = page.getByRole('button', { name: new RegExp(`^${side} .* at`) })
      await expect.element(button).toBeVisible()
      const { top, bottom, left, right } = button.element().getBoundingClientRect()
      expect(top).toBeGreaterThanOrEqual(0)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(bottom).toBeLessThanOrEqual(size[1])
      expect(right).toBeLessThanOrEqual(size[0])
    }
  })
})

describe('the workspace of a wide screen', () => {
  test('has markets, chart, positions and ticket at once', async () => {
    answerOrders({ holding: [sample.position()] })
    await openApp('/trade', { as: 'demo', size: DESKTOP })
    await expect.element(page.getByRole('complementary', { name: 'Markets' })).toBeVisible()
    await expect.element(page.getByRole('complementary', { name: 'Trade' })).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Orders' }).getByRole('table')).toBeVisible()
    await expect.element(page.getByRole('img', { name: /EUR\/USD, candles/ })).toBeVisible()
  })

  test('the list switches what the others show', async () => {
    await openApp('/', { size: DESKTOP })
    const list = page.getByRole('complementary', { name: 'Markets' })
    await list.getByRole('link', { name: /XAU\/USD/ }).click()
    await expect.element(page.getByRole('heading', { name: /XAU\/USD/ })).toBeVisible()
    await expect
      .element(
        page
          .getByRole('complementary', { name: 'Trade' })
          .getByRole('button', { name: /Buy .* at 2,650\.45/ }),
      )
      .toBeVisible()
  })

  test('a key leads to the search', async () => {
    await openApp('/', { size: DESKTOP })
    await expect.element(page.getByRole('searchbox')).toBeVisible()
    await userEvent.keyboard('/')
    await expect.element(page.getByRole('searchbox')).toHaveFocus()
  })

  test('a visitor sees the demo in the head and no positions', async () => {
    await openApp('/', { size: DESKTOP })
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Orders' })).not.toBeInTheDocument()
  })

  test('a user sees the account’s figures in the head', async () => {
    await openApp('/', { as: 'real', size: DESKTOP })
    const banner = page.getByRole('banner').first()
    await expect.element(banner).toMatchTextContent('Net value')
    await expect.element(banner).toMatchTextContent('100,000.00')
  })

  test('what was typed is still there after the window was narrow for a while', async () => {
    await openApp('/trade', { size: DESKTOP })
    const lots = page.getByRole('textbox', { name: 'Lots' })
    await lots.fill('0.77')
    await page.viewport(390, 844)
    await expect.element(page.getByRole('navigation', { name: 'Main screens' })).toBeVisible()
    await page.viewport(...DESKTOP)
    await expect.element(page.getByRole('textbox', { name: 'Lots' })).toHaveValue('0.77')
  })
})
