import { listCandles } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { answerInstruments, choose, openApp, settled, withFakeServer } from '../../../testing/app.tsx'
import {
  answer,
  asked,
  comeUp,
  cut,
  goDown,
  heardMessages,
  hold,
  push,
} from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const drawing = (name: RegExp | string) => page.getByRole('img', { name })
const open = () => openApp('/trade')
const failed = () => page.getByText('The candles could not be loaded')

describe('candles', () => {
  test('on their way leave their shape, neither missing nor failed', async () => {
    const release = hold(listCandles)
    await open()
    await expect.element(page.getByRole('status', { name: 'Loading candles' })).toBeVisible()
    await expect.element(page.getByText('No candles yet')).not.toBeInTheDocument()
    await expect.element(failed()).not.toBeInTheDocument()
    release()
    await expect.element(drawing(/EUR\/USD, candles of/)).toBeVisible()
    await expect.element(page.getByRole('status', { name: 'Loading candles' })).not.toBeInTheDocument()
  })

  test('of another length leave the old ones in sight while they come, and say so when they do not', async () => {
    await open()
    await expect.element(drawing(/candles of 5 minutes/)).toBeVisible()
    cut(listCandles)
    const release = hold(listCandles)
    await choose('1 hour')
    await expect.poll(() => asked(listCandles).at(-1)?.period).toBe('60min')
    await expect.element(drawing(/EUR\/USD, candles/)).toBeVisible()
    release()
    await expect.element(failed()).toBeVisible()
    await expect.element(drawing(/EUR\/USD, candles/)).not.toBeInTheDocument()
    answer(listCandles, sample.candles(40))
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(drawing(/candles of 1 hour/)).toBeVisible()
  })

  test('of another instrument never show those of the one before', async () => {
    await open()
    await expect.element(drawing(/EUR\/USD/)).toBeVisible()
    const release = hold(listCandles)
    location.hash = '#/trade?code=XAUUSD'
    await expect.element(page.getByRole('status', { name: 'Loading candles' })).toBeVisible()
    await expect.element(drawing(/candles/)).not.toBeInTheDocument()
    release()
    await expect.element(drawing(/XAU\/USD, candles of .*, last price 2,650\.25/)).toBeVisible()
  })

  test('stay when they cannot be fetched anew after the connection was lost', async () => {
    await open()
    await expect.element(drawing(/EUR\/USD/)).toBeVisible()
    goDown()
    await expect.element(page.getByText(/No connection/)).toBeVisible()
    cut(listCandles)
    const before = asked(listCandles).length
    comeUp()
    window.dispatchEvent(new Event('online'))
    await expect.poll(() => asked(listCandles).length).toBeGreaterThan(before)
    await settled()
    await expect.element(drawing(/EUR\/USD/)).toBeVisible()
    await expect.element(failed()).not.toBeInTheDocument()
  })

  test('are heard of while their instrument is shown, and no longer after', async () => {
    await open()
    const topics = (type: 'subscribe' | 'unsubscribe') =>
      JSON.stringify(heardMessages().filter((message) => message.type === type))
    await expect.poll(() => topics('subscribe')).toContain('EURUSD')
    location.hash = '#/trade?code=XAUUSD'
    await expect.poll(() => topics('subscribe')).toContain('XAUUSD')
    await expect.poll(() => topics('unsubscribe')).toContain('EURUSD')
  })

  test('begin where the source does, and that is said', async () => {
    const since = sample.NOON - 3 * 900_000
    answerInstruments(sample.eurusd({ barsSince: since }))
    answer(listCandles, sample.candles(3))
    await open()
    await expect.element(page.getByText(/^Prices since Jan 7.* no earlier ones\.$/)).toBeVisible()
  })

  test('are there from the first one that is pushed', async () => {
    answer(listCandles, [])
    await open()
    await expect.element(page.getByText('No candles yet')).toBeVisible()
    const [candle] = sample.candles(1)
    if (!candle) throw new Error('one candle was wished for')
    const { instrumentId, code, ...bar } = candle
    push({ type: 'candle', instrumentId, code, bar: { ...bar, period: '5min' } })
    await expect.element(drawing(/EUR\/USD, candles of 5 minutes/)).toBeVisible()
  })
})
