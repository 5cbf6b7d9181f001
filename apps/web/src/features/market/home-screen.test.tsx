import { getBasicInfo, createDemoAccount, listCategories, listInstruments, logIn } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { overflowing } from '../../../../../testing/overflow.ts'
import { answerInstruments, notice, openApp, withFakeServer } from '../../testing/app.tsx'
import {
  answer,
  inputsOf,
  acceptConnections,
  failConnection,
  garble,
  loseConnections,
  hold,
  push,
  reject,
} from '../../testing/fake-server.ts'
import * as sample from '../../testing/samples.ts'

withFakeServer()

const rows = () => page.getByRole('list', { name: 'Instruments' }).getByRole('link')
const row = (code: string) => rows().filter({ hasText: code })
const search = () => page.getByRole('searchbox', { name: 'Search instruments' })
const codes = () =>
  rows()
    .elements()
    .map((element) => element.querySelector('bdi')?.textContent)

describe('the list of markets', () => {
  test('shows every instrument in the server’s order, with its price and the day’s change', async () => {
    await openApp('/')
    await expect.element(row('EUR/USD')).toMatchTextContent('1.08472')
    expect(codes()).toEqual(['EUR/USD', 'XAU/USD', 'ACME'])
    await expect.element(row('EUR/USD')).toMatchTextContent('+0.21')
    await expect.element(row('XAU/USD')).toMatchTextContent('2,650.25')
    await expect.element(row('XAU/USD')).toMatchTextContent('−0.37')
  })

  test('shows the logo of each: two coins of a pair', async () => {
    await openApp('/')
    await expect.element(row('EUR/USD')).toMatchTextContent(/^[€$]{2}EUR\/USD/)
  })

  test('names pairs by their currencies, other instruments by the server’s name', async () => {
    await openApp('/')
    await expect.element(row('EUR/USD')).toMatchTextContent('Euro · US Dollar')
    await expect.element(row('ACME')).toMatchTextContent('Acme Corporation')
  })

  test('shows ten placeholders while the rows are loading', async () => {
    const release = hold(listInstruments)
    await openApp('/')
    const loading = page.getByRole('status', { name: 'Loading' })
    await expect.element(loading).toBeVisible()
    expect(loading.element().children).toHaveLength(10)
    release()
    await expect.element(row('EUR/USD')).toBeVisible()
    await expect.element(page.getByRole('status', { name: 'Loading' })).not.toBeInTheDocument()
  })

  test('shows a failure, and loads on retry', async () => {
    failConnection(listInstruments)
    await openApp('/')
    await expect.element(page.getByText('The list could not be loaded')).toBeVisible()
    answerInstruments(sample.eurusd())
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(row('EUR/USD')).toBeVisible()
  })

  test('treats a proxy’s page as a missing response, and shows its status', async () => {
    garble(listInstruments)
    await openApp('/')
    await expect.element(page.getByText('The list could not be loaded')).toBeVisible()
    await expect.element(notice(/could not be reached \(HTTP 502\)/)).toBeVisible()
  })

  test('shows the server’s message when rejected', async () => {
    reject(listInstruments, 'engineUnavailable', 'The market is starting. Try again in a minute.')
    await openApp('/')
    await expect.element(notice('The market is starting. Try again in a minute.')).toBeVisible()
  })

  test('works without the names of the categories', async () => {
    failConnection(listCategories)
    await openApp('/')
    await expect.element(row('EUR/USD')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'All', exact: true })).toBeVisible()
  })
})

describe('a row shows why there is no price to trade at', () => {
  test('how old the price is, once it is too old', async () => {
    answerInstruments(sample.eurusd({ freshnessMs: 1 }))
    await openApp('/')
    await expect.element(row('EUR/USD')).toMatchTextContent(/\d s old/)
  })

  test('when a closed market opens', async () => {
    const nextOpenAt = new Date().setUTCHours(23, 59, 0, 0)
    answerInstruments(sample.share({ isOpen: false, nextOpenAt }))
    await openApp('/')
    await expect.element(row('ACME')).toMatchTextContent('closed · opens 23:59')
  })

  test('that it is closed, beside the change of its day', async () => {
    answerInstruments(sample.share({ isOpen: false }))
    await openApp('/')
    await expect.element(row('ACME')).toMatchTextContent(/[+−]\d+\.\d\d %/)
    await expect.element(row('ACME')).toMatchTextContent('closed')
  })

  test('that it is closed, when the opening time is unknown', async () => {
    answerInstruments(sample.share({ isOpen: false }))
    await openApp('/')
    await expect.element(row('ACME')).toMatchTextContent('closed')
  })

  test('that an operator has halted it, in the operator’s words', async () => {
    answerInstruments(sample.share({ isOpen: false, haltReason: 'Merger talks' }))
    await openApp('/')
    await expect.element(row('ACME')).toMatchTextContent('Halted: Merger talks')
    await expect.element(row('ACME').getByText('halted', { exact: true })).toBeVisible()
  })

  test('that there has been none yet', async () => {
    answerInstruments(sample.unpriced())
    await openApp('/')
    await expect.element(row('GBP/USD')).toMatchTextContent('no price')
  })
})

describe('what is pushed', () => {
  test('a new price appears at once in its row, and nowhere else', async () => {
    const eurusd = sample.eurusd()
    answerInstruments(eurusd, sample.gold())
    await openApp('/')
    await expect.element(row('EUR/USD')).toMatchTextContent('1.08472')
    push({ type: 'quotes', quotes: [sample.tick(eurusd, '1.09997', '1.10003', '1.10000')] })
    await expect.element(row('EUR/USD')).toMatchTextContent('1.10000')
    await expect.element(row('XAU/USD')).toMatchTextContent('2,650.25')
  })

  test('the direction of the day changes with the price', async () => {
    const eurusd = sample.eurusd()
    answerInstruments(eurusd)
    await openApp('/')
    await expect.element(row('EUR/USD')).toMatchTextContent('+0.21')
    const chart = page.getByRole('img', { name: /EUR\/USD/ })
    await expect.element(chart).toBeVisible()
    const rising = getComputedStyle(chart.element()).color
    push({ type: 'quotes', quotes: [sample.tick(eurusd, '1.07164', '1.07170', '1.07167')] })
    await expect.element(row('EUR/USD')).toMatchTextContent('−1.00')
    expect(getComputedStyle(chart.element()).color).not.toBe(rising)
  })

  test('the first price replaces the text for a missing one', async () => {
    const fresh = sample.unpriced({ id: 901, code: 'USDCHF', showCode: 'USD/CHF' })
    answerInstruments(fresh)
    await openApp('/')
    await expect.element(row('USD/CHF')).toMatchTextContent('no price')
    push({ type: 'quotes', quotes: [sample.tick(fresh, '0.90000', '0.90006', '0.90003')] })
    await expect.element(row('USD/CHF')).toMatchTextContent('0.90003')
  })

  test('a halt is shown before the list is fetched again', async () => {
    await openApp('/')
    await expect.element(row('ACME')).toBeVisible()
    const release = hold(listInstruments)
    const halts = [{ instrumentId: 3, reason: 'Exchange outage' }]
    push({ type: 'marketState', mode: 'normal', reason: '', halts, changedTerms: [] })
    await expect.element(row('ACME')).toMatchTextContent('Halted: Exchange outage')
    release()
  })

  test('changed terms make the list be fetched again', async () => {
    await openApp('/')
    await expect.element(row('ACME')).toBeVisible()
    answerInstruments(sample.share({ name: 'Acme Holdings' }))
    push({ type: 'marketState', mode: 'normal', reason: '', halts: [], changedTerms: [3] })
    await expect.element(row('ACME')).toMatchTextContent('Acme Holdings')
  })

  test('a renamed category appears on its chip at once', async () => {
    answer(listCategories, [{ id: 1, name: 'Forex' }])
    await openApp('/')
    const chip = (name: string) => page.getByRole('button', { name, exact: true })
    await expect.element(chip('Forex')).toBeVisible()
    answer(listCategories, [{ id: 1, name: 'Currencies' }])
    push({ type: 'marketState', mode: 'normal', reason: '', halts: [], changedTerms: [1] })
    await expect.element(chip('Currencies')).toBeVisible()
  })

  test('a recovery without the approval of two operators is announced above every screen', async () => {
    const recovery = { recoveryAt: Date.now() + 3_600_000, recoveryReason: 'the phone is lost' }
    answer(getBasicInfo, sample.basicInfo(recovery))
    await openApp('/')
    await expect
      .element(page.getByText(/operator log-in can be recovered .* Reason: the phone is lost/))
      .toBeVisible()
  })

  test('a pause of trading is shown above every screen until it ends', async () => {
    const banner = page.getByText(/No new positions at the moment: a storm/)
    await openApp('/')
    await expect.element(row('ACME')).toBeVisible()
    push({ type: 'marketState', mode: 'reduceOnly', reason: 'a storm', halts: [], changedTerms: [] })
    await expect.element(banner).toBeVisible()
    push({ type: 'marketState', mode: 'normal', reason: '', halts: [], changedTerms: [] })
    await expect.element(banner).not.toBeInTheDocument()
  })
})

describe('finding an instrument', () => {
  test('by a part of its code, in lower case and without the slash', async () => {
    await openApp('/')
    await search().fill('eurusd')
    await expect.poll(codes).toEqual(['EUR/USD'])
  })

  test('by its name', async () => {
    await openApp('/')
    await search().fill('acme corp')
    await expect.poll(codes).toEqual(['ACME'])
  })

  test('shows that nothing matches, and all again with one tap', async () => {
    await openApp('/')
    await search().fill('zzz')
    await expect.element(page.getByText('No instrument matches “zzz”')).toBeVisible()
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(codes).toHaveLength(3)
    await expect.element(search()).toHaveValue('')
  })

  test('Escape and the cross empty the field', async () => {
    await openApp('/')
    await search().fill('gold')
    await userEvent.keyboard('{Escape}')
    await expect.element(search()).toHaveValue('')
    await search().fill('gold')
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.element(search()).toHaveValue('')
  })

  test('by its category', async () => {
    await openApp('/')
    const metals = page.getByRole('button', { name: 'Metals' })
    await metals.click()
    await expect.poll(codes).toEqual(['XAU/USD'])
    await expect.element(metals).toHaveAttribute('aria-pressed', 'true')
  })

  test('rows outside a category are not updated, and come back with the current price', async () => {
    const eurusd = sample.eurusd()
    answerInstruments(eurusd, sample.gold())
    await openApp('/')
    await expect.element(row('EUR/USD')).toMatchTextContent('1.08472')
    const before = row('EUR/USD').element()
    await page.getByRole('button', { name: 'Metals' }).click()
    await expect.poll(codes).toEqual(['XAU/USD'])
    push({ type: 'quotes', quotes: [sample.tick(eurusd, '1.09997', '1.10003', '1.10000')] })
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await expect.poll(codes).toEqual(['EUR/USD', 'XAU/USD'])
    await expect.element(row('EUR/USD')).toMatchTextContent('1.10000')
    expect(row('EUR/USD').element()).toBe(before)
    // No tint: the price did not move just now.
    expect(before.querySelector('[data-flash]')).toBeNull()
  })

  test('shows that a category has no instruments', async () => {
    answerInstruments(sample.eurusd())
    await openApp('/')
    await page.getByRole('button', { name: 'Shares' }).click()
    await expect.element(page.getByText('No instruments in this category')).toBeVisible()
  })

  test('has its own screen, with the field focused', async () => {
    await openApp('/')
    await page.getByRole('link', { name: 'Find an instrument' }).click()
    await expect.element(page.getByRole('heading', { name: 'Find an instrument' })).toBeVisible()
    await userEvent.keyboard('acme')
    await expect.poll(codes).toEqual(['ACME'])
  })
})

describe('from the list', () => {
  test('a tap leads to the instrument’s own address', async () => {
    await openApp('/')
    await row('XAU/USD').click()
    await expect.poll(() => location.hash).toBe('#/trade?code=XAUUSD')
    await expect.element(page.getByRole('button', { name: /Instruments.*XAU\/USD/ })).toBeVisible()
  })

  test('pulling it down fetches it again', async () => {
    await openApp('/')
    await expect.element(row('EUR/USD')).toBeVisible()
    const before = inputsOf(listInstruments).length
    const at = row('EUR/USD').element()
    const touch = (type: string, clientY: number) =>
      at.dispatchEvent(
        new TouchEvent(type, {
          bubbles: true,
          touches: [new Touch({ identifier: 1, target: at, clientX: 100, clientY })],
        }),
      )
    touch('touchstart', 200)
    touch('touchmove', 360)
    touch('touchend', 360)
    await expect.poll(() => inputsOf(listInstruments).length).toBeGreaterThan(before)
  })
})

describe('a visitor', () => {
  test('is invited to the demo, and can log in instead', async () => {
    await openApp('/')
    await expect.element(page.getByRole('heading', { name: /nothing at stake/ })).toBeVisible()
    await page.getByRole('link', { name: 'Log in' }).click()
    await expect.element(page.getByRole('heading', { name: 'Log in' })).toBeVisible()
  })

  test('opens a demo with one tap, and sees its balance', async () => {
    answer(createDemoAccount, { demoId: 'secret' })
    answer(logIn, { token: 't', user: sample.demoUser() })
    await openApp('/')
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await expect.element(page.getByText('Equity')).toBeVisible()
    await expect.element(page.getByText('100,000.00').first()).toBeVisible()
    expect(inputsOf(logIn)).toEqual([{ demoId: 'secret' }])
  })

  test('the button keeps its label until the demo is open', async () => {
    answer(createDemoAccount, { demoId: 'secret' })
    answer(logIn, { token: 't', user: sample.demoUser() })
    const release = hold(logIn)
    await openApp('/')
    const button = page.getByRole('button', { name: 'Try the demo' })
    await button.click()
    await expect.poll(() => inputsOf(logIn).length).toBe(1)
    await expect.element(button).toBeDisabled()
    release()
    await expect.element(button).not.toBeInTheDocument()
  })

  test('reopens the demo of this device, or opens a new one if the server no longer knows it', async () => {
    answer(createDemoAccount, { demoId: 'first' })
    answer(logIn, { token: 't', user: sample.demoUser() })
    const { keepDemo } = await import('../../live/session/user.ts')
    keepDemo('forgotten by the server')
    reject(logIn, 'demoIdUnknown', 'There is no such demo.')
    await openApp('/')
    await page.getByRole('button', { name: 'Open your demo again' }).click()
    await expect
      .poll(() => inputsOf(logIn))
      .toEqual([{ demoId: 'forgotten by the server' }, { demoId: 'first' }])
  })

  test('sees why no demo account was opened', async () => {
    reject(createDemoAccount, 'tooManyRequests', 'Too many demo accounts from here. Try again in an hour.')
    await openApp('/')
    await page.getByRole('button', { name: 'Try the demo' }).click()
    await expect.element(notice(/Too many demo accounts from here/)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Try the demo' })).toBeEnabled()
  })
})

describe('the source of the prices is always shown', () => {
  const chip = (text: string) => page.getByText(text, { exact: true })

  test('to a visitor', async () => {
    await openApp('/')
    await expect.element(chip('Simulated')).toBeVisible()
  })

  test('to a demo account, marked as such', async () => {
    await openApp('/', { as: 'demo' })
    await expect.element(chip('Demo · simulated')).toBeVisible()
  })

  test('of mixed sources the least real', async () => {
    answerInstruments(sample.eurusd({ source: 'live' }), sample.gold({ source: 'recorded' }))
    await openApp('/')
    await expect.element(chip('Recorded')).toBeVisible()
  })
})

describe('without a connection', () => {
  test('a banner shows the time of the last prices, and disappears after the reconnect', async () => {
    await openApp('/')
    await expect.element(row('EUR/USD')).toBeVisible()
    loseConnections()
    await expect.element(page.getByText(/No connection. Prices and figures are from \d\d:\d\d/)).toBeVisible()
    await expect.element(row('EUR/USD')).toBeVisible()
    acceptConnections()
    window.dispatchEvent(new Event('online'))
    await expect.element(page.getByText(/No connection/)).not.toBeInTheDocument()
  })

  test('after a reconnect everything on the screen is fetched again: messages were missed', async () => {
    await openApp('/')
    await expect.element(row('EUR/USD')).toBeVisible()
    loseConnections()
    answerInstruments(sample.eurusd({ name: 'x', showCode: 'EUR-USD' }))
    acceptConnections()
    window.dispatchEvent(new Event('online'))
    await expect.element(row('EUR-USD')).toBeVisible()
  })
})

describe('long texts', () => {
  const LONG = 'Aktiengesellschaftsbeteiligungsverwaltungsgesellschaft '.repeat(4)

  test('a long name or reason makes the page no wider than the screen', async () => {
    answerInstruments(sample.share({ name: LONG, showCode: 'LONGCODE.EXCHANGE', haltReason: LONG }))
    await openApp('/', { size: [320, 700] })
    await expect.element(row('LONGCODE')).toBeVisible()
    expect(overflowing()).toEqual([])
    expect(row('LONGCODE').element().getBoundingClientRect().right).toBeLessThanOrEqual(320)
  })
})

describe('in another language', () => {
  test('texts and names are those of the language', async () => {
    await openApp('/', { language: 'hk' })
    await expect.element(page.getByText('歐元 · 美元')).toBeVisible()
    expect(document.documentElement.lang).toBe('zh-HK')
  })

  test.each([
    ['hk', undefined],
    ['jp', 'red'],
  ] as const)('the colour of a rise is that of %s', async (language, rise) => {
    await openApp('/', { language })
    await expect.poll(() => document.documentElement.dataset['rise']).toBe(rise)
  })

  test('requests to the server name it', async () => {
    const { headersOf } = await import('../../testing/fake-server.ts')
    await openApp('/', { language: 'hk' })
    await expect.poll(() => headersOf(listCategories)[0]?.get('lang')).toBe('hk')
  })
})
