import { listCandles } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerInstruments, choose, openApp, settled, withFakeServer } from '../../../testing/app.tsx'
import {
  answer,
  inputsOf,
  acceptConnections,
  failConnection,
  loseConnections,
  receivedMessages,
  hold,
  push,
} from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const drawing = (name: RegExp | string) => page.getByRole('img', { name })
const open = () => openApp('/trade')
const failed = () => page.getByText('The candles could not be loaded')

describe('candles', () => {
  test('show a placeholder while loading, neither emptiness nor failure', async () => {
    const release = hold(listCandles)
    await open()
    await expect.element(page.getByRole('status', { name: 'Loading candles' })).toBeVisible()
    await expect.element(page.getByText('No candles yet')).not.toBeInTheDocument()
    await expect.element(failed()).not.toBeInTheDocument()
    release()
    await expect.element(drawing(/EUR\/USD, candles of/)).toBeVisible()
    await expect.element(page.getByRole('status', { name: 'Loading candles' })).not.toBeInTheDocument()
  })

  test.each([
    ['en', false],
    ['ar', true],
  ] as const)(
    'in %s have the price axis on the side where lines end, and time from left to right',
    async (language, isLeft) => {
      await openApp('/trade', { language })
      await expect.element(page.getByRole('img', { name: /EUR\/USD.*\d/ })).toBeVisible()
      await settled()
      const chart = page.getByRole('img', { name: /EUR\/USD.*\d/ }).element()
      // Each pane draws the candles and their axis into elements side by side; the widest one holds the candles.
      await expect
        .poll(() => {
          const widths = [...chart.querySelectorAll('canvas')].map((canvas) => canvas.getBoundingClientRect())
          const candles = widths.toSorted(
            (one, other) => other.width * other.height - one.width * one.height,
          )[0]
          return candles && candles.left - chart.getBoundingClientRect().left > 20
        })
        .toBe(isLeft)
    },
  )

  test('of another period keep the old ones visible while loading, and show a failure', async () => {
    await open()
    await expect.element(drawing(/candles of 5 minutes/)).toBeVisible()
    failConnection(listCandles)
    const release = hold(listCandles)
    await choose('1 hour')
    await expect.poll(() => inputsOf(listCandles).at(-1)?.period).toBe('60min')
    await expect.element(drawing(/EUR\/USD, candles/)).toBeVisible()
    release()
    await expect.element(failed()).toBeVisible()
    await expect.element(drawing(/EUR\/USD, candles/)).not.toBeInTheDocument()
    answer(listCandles, sample.candles(40))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(drawing(/candles of 1 hour/)).toBeVisible()
  })

  test('of another instrument never show those of the previous one', async () => {
    await open()
    await expect.element(drawing(/EUR\/USD/)).toBeVisible()
    const release = hold(listCandles)
    location.hash = '#/trade?code=XAUUSD'
    await expect.element(page.getByRole('status', { name: 'Loading candles' })).toBeVisible()
    await expect.element(drawing(/candles/)).not.toBeInTheDocument()
    release()
    await expect.element(drawing(/XAU\/USD, candles of .*, last price 2,650\.25/)).toBeVisible()
  })

  test('stay when they cannot be fetched again after a reconnect', async () => {
    await open()
    await expect.element(drawing(/EUR\/USD/)).toBeVisible()
    loseConnections()
    await expect.element(page.getByText(/No connection/)).toBeVisible()
    failConnection(listCandles)
    const before = inputsOf(listCandles).length
    acceptConnections()
    window.dispatchEvent(new Event('online'))
    await expect.poll(() => inputsOf(listCandles).length).toBeGreaterThan(before)
    await settled()
    await expect.element(drawing(/EUR\/USD/)).toBeVisible()
    await expect.element(failed()).not.toBeInTheDocument()
  })

  test('are subscribed only while their instrument is shown', async () => {
    await open()
    const topics = (type: 'subscribe' | 'unsubscribe') =>
      JSON.stringify(receivedMessages().filter((message) => message.type === type))
    await expect.poll(() => topics('subscribe')).toContain('EURUSD')
    location.hash = '#/trade?code=XAUUSD'
    await expect.poll(() => topics('subscribe')).toContain('XAUUSD')
    await expect.poll(() => topics('unsubscribe')).toContain('EURUSD')
  })

  test('show since when the source has prices', async () => {
    const since = sample.NOON - 3 * 900_000
    answerInstruments(sample.eurusd({ barsSince: since }))
    answer(listCandles, sample.candles(3))
    await open()
    await expect.element(page.getByText(/^Prices since Jan 7.* no earlier ones\.$/)).toBeVisible()
  })

  test('appear with the first one pushed', async () => {
    answer(listCandles, [])
    await open()
    await expect.element(page.getByText('No candles yet')).toBeVisible()
    const [candle] = sample.candles(1)
    if (!candle) throw new Error('the sample has one candle')
    const { instrumentId, code, ...bar } = candle
    push({ type: 'candle', instrumentId, code, bar: { ...bar, period: '5min' } })
    await expect.element(drawing(/EUR\/USD, candles of 5 minutes/)).toBeVisible()
  })
})
