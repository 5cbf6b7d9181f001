import { listCandles, listInstruments } from '@fairlot/contract'
import { lots } from '@fairlot/core'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  answerInstruments,
  answerOrders,
  choose,
  DESKTOP,
  openApp,
  withFakeServer,
} from '../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, push } from '../../testing/fake-server.ts'
import { navigate } from '@fairlot/ui/navigation/router.tsx'
import { tradePath } from '../../live/market/selected-instrument.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const header = () => page.getByRole('button', { name: /^Instruments/ })
const ticket = () => page.getByRole('region', { name: 'Order ticket' })
const drawer = () => page.getByRole('dialog', { name: 'Choose an instrument' })

describe('the trade screen', () => {
  test('shows the instrument of the address, with its price and the range of the day', async () => {
    await openApp('/trade?code=XAUUSD')
    await expect.element(header()).toMatchTextContent('XAU/USD')
    await expect.element(page.getByText('2,650.25').first()).toBeVisible()
    await expect.element(page.getByText(/H 2,660\.10/)).toBeVisible()
    await expect.element(page.getByText(/L 2,650\.25/)).toBeVisible()
  })

  test('speaks the price twice a minute, politely and not with every tick', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    await openApp('/trade?code=XAUUSD')
    await expect.element(header()).toMatchTextContent('XAU/USD')
    const spoken = page.getByRole('status').filter({ hasText: '2,650.25' })
    await expect.element(spoken).not.toBeInTheDocument()
    vi.advanceTimersByTime(30_000)
    await expect.element(spoken).toBeInTheDocument()
  })

  test('accepts a code in lower case', async () => {
    await openApp('/trade?code=xauusd')
    await expect.element(header()).toMatchTextContent('XAU/USD')
  })

  test('shows the last selected instrument if the address names none that is listed, and completes the address', async () => {
    await openApp('/trade?code=NOSUCH')
    await expect.element(header()).toMatchTextContent('EUR/USD')
    await expect.poll(() => location.hash).toBe('#/trade?code=EURUSD')
  })

  test('shows a placeholder while the instruments are loading', async () => {
    const release = hold(listInstruments)
    await openApp('/trade')
    await expect.element(page.getByRole('status', { name: 'Loading', exact: true })).toBeVisible()
    release()
    await expect.element(header()).toMatchTextContent('EUR/USD')
  })

  test('shows that the instruments could not be loaded, and loads them on retry', async () => {
    failConnection(listInstruments)
    await openApp('/trade')
    await expect.element(page.getByText('The instruments could not be loaded')).toBeVisible()
    answerInstruments(sample.eurusd())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(header()).toMatchTextContent('EUR/USD')
  })

  test('shows that there is nothing to trade', async () => {
    answerInstruments()
    await openApp('/trade')
    await expect.element(page.getByText('Nothing to trade yet')).toBeVisible()
  })

  test('updates its prices', async () => {
    const eurusd = sample.eurusd()
    answerInstruments(eurusd)
    await openApp('/trade')
    await expect.element(ticket()).toBeVisible()
    push({ type: 'quotes', quotes: [sample.tick(eurusd, '1.11997', '1.12003', '1.12000')] })
    await expect.element(page.getByRole('button', { name: /Buy .* at 1\.12003/ })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Sell .* at 1\.11997/ })).toBeVisible()
  })

  test('shows the age of a price that is too old', async () => {
    answerInstruments(sample.eurusd({ freshnessMs: 1 }))
    await openApp('/trade')
    await expect.element(page.getByText(/^\d+ seconds? old$/)).toBeVisible()
  })

  test.each([
    ['opens', { isOpen: false, nextOpenAt: new Date().setUTCHours(23, 59, 0, 0) }, 'opens 23:59'],
    ['closes', { nextCloseAt: new Date().setUTCHours(23, 59, 0, 0) }, 'closes 23:59'],
    ['never closes', {}, 'open around the clock'],
    ['has no known opening time', { isOpen: false }, 'closed'],
    ['is halted', { isOpen: false, haltReason: 'Merger talks' }, 'Halted: Merger talks'],
    ['is not offered', { isTradable: false }, 'halted'],
  ])('shows when a market %s', async (_what, change, text) => {
    answerInstruments(sample.eurusd(change))
    await openApp('/trade')
    await expect.element(header()).toMatchTextContent(text)
  })

  test('marks the prices of a demo account', async () => {
    await openApp('/trade', { as: 'demo' })
    await expect.element(page.getByText('Demo · simulated')).toBeVisible()
  })
})

describe('the list of instruments', () => {
  test('opens over the screen, marks the one that is shown, and switches it', async () => {
    await openApp('/trade?code=EURUSD')
    await header().click()
    await expect.element(drawer()).toBeVisible()
    await expect
      .element(drawer().getByRole('link', { name: /EUR\/USD/ }))
      .toHaveAttribute('aria-current', 'true')
    await drawer()
      .getByRole('link', { name: /XAU\/USD/ })
      .click()
    await expect.element(header()).toMatchTextContent('XAU/USD')
    await expect.element(drawer()).not.toBeInTheDocument()
  })

  test('back leads to the previous instrument, not into the list', async () => {
    await openApp('/trade?code=EURUSD')
    await header().click()
    await drawer()
      .getByRole('link', { name: /XAU\/USD/ })
      .click()
    await expect.element(header()).toMatchTextContent('XAU/USD')
    history.back()
    await expect.element(header()).toMatchTextContent('EUR/USD')
    await expect.element(drawer()).not.toBeInTheDocument()
  })

  test('is closed for who goes back before the tapped instrument was rendered', async () => {
    await openApp('/trade?code=EURUSD')
    const entry: unknown = history.state
    await header().click()
    await expect.element(drawer()).toBeVisible()
    navigate(tradePath('XAUUSD'))
    // The browser goes back in a task of its own; here in the same one, as on a phone too busy to render between.
    history.replaceState(entry, '', '#/trade?code=EURUSD')
    window.dispatchEvent(new PopStateEvent('popstate'))
    await expect.element(drawer()).not.toBeInTheDocument()
    await expect.element(header()).toMatchTextContent('EUR/USD')
  })

  test('Escape closes it and returns the focus', async () => {
    await openApp('/trade')
    await header().click()
    await expect.element(drawer()).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(drawer()).not.toBeInTheDocument()
    await expect.element(header()).toHaveFocus()
  })

  test('opens from the leading edge: from the right in right-to-left languages', async () => {
    await openApp('/trade')
    document.documentElement.dir = 'rtl'
    await header().click()
    await expect.element(drawer()).toBeVisible()
    await expect.poll(() => Math.round(drawer().element().getBoundingClientRect().right)).toBe(390)
  })
})

describe('the chart', () => {
  test('names instrument, period and price for screen readers', async () => {
    await openApp('/trade')
    await expect
      .element(page.getByRole('img', { name: /EUR\/USD, candles of .*, last price 1\.08472/ }))
      .toBeVisible()
  })

  test('shows that there is no candle yet', async () => {
    answer(listCandles, [])
    await openApp('/trade')
    await expect.element(page.getByText('No candles yet')).toBeVisible()
  })

  test('shows that candles could not be loaded, and loads them on retry; the ticket stays', async () => {
    failConnection(listCandles)
    await openApp('/trade')
    await expect.element(page.getByText('The candles could not be loaded')).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Buy .* at/ })).toBeEnabled()
    answer(listCandles, sample.candles(40))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByRole('img', { name: /EUR\/USD, candles/ })).toBeVisible()
  })

  test('labels the lines of an order with its profit to the cent', async () => {
    const drawn = vi.spyOn(CanvasRenderingContext2D.prototype, 'fillText')
    onTestFinished(() => drawn.mockRestore())
    const stops = { stopLoss: sample.decimal('1.08'), takeProfit: sample.decimal('1.09123') }
    answerOrders({ holding: [sample.position({ lots: lots(123), ...stops })] })
    await openApp('/trade', { as: 'demo' })
    const labels = () => drawn.mock.calls.map(([text]) => text).filter((text) => /[+−]/.test(text))
    await expect.poll(() => new Set(labels()).size).toBeGreaterThanOrEqual(3)
    for (const label of labels()) expect(label).toMatch(/[+−][\d,]+\.\d{2}( [↑↓])?$/)
  })

  test('offers the periods 1M, 5M, 15M, 30M, 1H and 1D', async () => {
    await openApp('/trade')
    const bar = page.getByRole('radiogroup', { name: 'Length of a candle' })
    await expect
      .element(bar)
      .toMatchTextContent(/^1M1 minute5M5 minutes15M15 minutes30M30 minutes1H1 hour1D1 day$/)
  })

  test('another period fetches its own candles', async () => {
    await openApp('/trade')
    await choose('1 hour')
    await expect.poll(() => inputsOf(listCandles).map(({ period }) => period)).toContain('60min')
    await expect.element(page.getByRole('radio', { name: '1 hour' })).toBeChecked()
  })

  test('can be enlarged, and reduced again', async () => {
    await openApp('/trade')
    await page.getByRole('button', { name: 'Tall chart' }).click()
    await expect.element(page.getByRole('button', { name: 'Expand the ticket' })).toBeVisible()
    await page.getByRole('button', { name: 'Chart with ticket' }).click()
    await expect.element(page.getByRole('button', { name: 'Collapse the ticket' })).toBeVisible()
  })

  test('is drawn as chosen, which the device remembers', async () => {
    await openApp('/trade')
    await page.getByRole('button', { name: 'Chart settings' }).click()
    await choose('Area')
    expect(localStorage.getItem('fairlot.chart') ?? '').toContain('"look":"area"')
  })

  test('puts its instrument on the watchlist by the star, and takes it off again', async () => {
    await openApp('/trade')
    const star = page.getByRole('main').getByRole('button', { name: 'EUR/USD on my watchlist' })
    await star.click()
    await expect.element(star).toHaveAttribute('aria-pressed', 'true')
    await star.click()
    await expect.element(star).toHaveAttribute('aria-pressed', 'false')
  })

  test('draws the chosen indicators, and none after they are removed', async () => {
    await openApp('/trade')
    await page.getByRole('button', { name: 'Chart settings' }).click()
    const sheet = page.getByRole('dialog', { name: 'Chart settings' })
    await sheet.getByRole('button', { name: 'MACD' }).click()
    await expect.element(sheet.getByRole('button', { name: 'MACD' })).toHaveAttribute('aria-pressed', 'true')
    await sheet.getByRole('button', { name: 'None' }).click()
    await expect.element(sheet.getByRole('button', { name: 'MACD' })).toHaveAttribute('aria-pressed', 'false')
    await expect.element(sheet.getByRole('button', { name: 'None' })).toBeDisabled()
  })
})

describe('the ticket on the phone', () => {
  test('collapses to its two buttons and the size they trade', async () => {
    await openApp('/trade')
    await page.getByRole('button', { name: 'Collapse the ticket' }).click()
    await expect.element(page.getByText('0.01 lots · 30 ×')).toBeVisible()
    await expect.element(page.getByRole('textbox', { name: 'Lots' })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Expand the ticket' }).click()
    await expect.element(page.getByRole('textbox', { name: 'Lots' })).toBeVisible()
  })

  test('writes the size as the user’s language does while it is collapsed', async () => {
    await openApp('/trade', { language: 'de', size: [320, 568] })
    await expect.element(page.getByText('0,01 Lots · 30 ×')).toBeVisible()
  })

  test('starts collapsed where it would leave no space for the chart', async () => {
    await openApp('/trade', { size: [320, 568] })
    await expect.element(page.getByRole('button', { name: 'Expand the ticket' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Buy .* at/ })).toBeVisible()
  })

  test.each([
    ['320 px', [320, 700]],
    ['390 px', [390, 844]],
    ['a landscape phone', [844, 390]],
  ] as const)('Sell and Buy are visible on %s', async (_what, size) => {
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

describe('the desktop workspace', () => {
  test('has markets, chart, positions and ticket at once', async () => {
    answerOrders({ holding: [sample.position()] })
    await openApp('/trade', { as: 'demo', size: DESKTOP })
    await expect.element(page.getByRole('complementary', { name: 'Markets' })).toBeVisible()
    await expect.element(page.getByRole('complementary', { name: 'Trade' })).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Orders' }).getByRole('table')).toBeVisible()
    await expect.element(page.getByRole('img', { name: /EUR\/USD, candles/ })).toBeVisible()
  })

  test('the list switches the instrument of the other panes', async () => {
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

  test('a key focuses the search', async () => {
    await openApp('/', { size: DESKTOP })
    await expect.element(page.getByRole('searchbox')).toBeVisible()
    await userEvent.keyboard('/')
    await expect.element(page.getByRole('searchbox')).toHaveFocus()
  })

  test('a visitor sees the demo button in the header and no positions', async () => {
    await openApp('/', { size: DESKTOP })
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Orders' })).not.toBeInTheDocument()
  })

  test('a user sees the account’s figures in the header', async () => {
    await openApp('/', { as: 'real', size: DESKTOP })
    const banner = page.getByRole('banner').first()
    await expect.element(banner).toMatchTextContent('Equity')
    await expect.element(banner).toMatchTextContent('100,000.00')
  })

  test('keeps the input while the window is narrow for a while', async () => {
    await openApp('/trade', { size: DESKTOP })
    const lots = page.getByRole('textbox', { name: 'Lots' })
    await lots.fill('0.77')
    await page.viewport(390, 844)
    await expect.element(page.getByRole('navigation', { name: 'Main screens' })).toBeVisible()
    await page.viewport(...DESKTOP)
    await expect.element(page.getByRole('textbox', { name: 'Lots' })).toHaveValue('0.77')
  })
})
