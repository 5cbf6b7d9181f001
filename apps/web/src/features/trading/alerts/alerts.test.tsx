import { listAlerts, removeAlert, setAlert, type AlertView } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import { choose, notice, openApp, settled, withFakeServer } from '../../../testing/app.tsx'
import { answer, failConnection, hold, inputsOf, push, reject } from '../../../testing/fake-server.ts'
import { openOrders, openOrderSheet, orderSheet } from '../../../testing/orders.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const waiting: AlertView = {
  id: 4,
  condition: {
    kind: 'price',
    instrumentId: 1,
    side: 'bid',
    direction: 'above',
    price: sample.decimal('1.089'),
  },
  pauseMs: null,
  expiresAt: null,
  endedAt: null,
  awaitsReturn: false,
  setAt: sample.NOON,
  state: 'waiting',
  wakesAt: null,
  target: null,
  fired: null,
}
const fired: AlertView = {
  ...waiting,
  id: 3,
  state: 'fired',
  fired: {
    time: sample.NOON,
    instrumentId: 1,
    bid: sample.decimal('1.08902'),
    ask: sample.decimal('1.08908'),
    seq: 48_213,
    quoteTime: sample.NOON,
    source: 'simulated',
    price: sample.decimal('1.08902'),
    reference: null,
    level: null,
  },
}

const main = () => page.getByRole('main')
const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name })
const submit = () => dialog().getByRole('button', { name: 'Set alert' })
const openList = () => openApp('/mine/notices?tab=alerts', { as: 'demo' })

describe('the alerts under the bell', () => {
  test('are those that wait and those that fired, with price, time and tick', async () => {
    answer(listAlerts, [waiting, fired])
    await openList()
    const rows = main().getByRole('listitem')
    await expect.element(rows.nth(0)).toMatchTextContent(/EUR\/USD\s*Bid at or above 1\.08900\s*Once · set /)
    await expect.element(rows.nth(1)).toMatchTextContent(/1\.08902 on .* tick 48,213/)
    await expect.element(rows.nth(1).getByRole('button')).not.toBeInTheDocument()
  })

  test('say until when they wait, and for what', async () => {
    const expiresAt = sample.NOON + 3 * 86_400_000
    answer(listAlerts, [
      { ...waiting, expiresAt },
      { ...waiting, id: 5, pauseMs: 3_600_000, wakesAt: sample.NOON, awaitsReturn: true, fired: fired.fired },
    ])
    await openList()
    const rows = main().getByRole('listitem')
    await expect.element(rows.nth(0)).toMatchTextContent(/Once · set .* · until /)
    await expect
      .element(rows.nth(1))
      .toMatchTextContent(/Can fire again once the price has been on the other side.*tick 48,213/)
  })

  test('that ended without firing say why and when, and cannot be removed', async () => {
    const endedAt = sample.NOON
    answer(listAlerts, [
      { ...waiting, state: 'expired', expiresAt: endedAt, endedAt },
      { ...waiting, id: 5, state: 'instrumentOff', endedAt },
    ])
    await openList()
    await expect.element(main().getByRole('heading', { name: 'Ended' })).toBeVisible()
    const rows = main().getByRole('listitem')
    await expect.element(rows.nth(0)).toMatchTextContent(/EUR\/USD\s*Bid at or above 1\.08900\s*Expired /)
    await expect.element(rows.nth(1)).toMatchTextContent(/Instrument switched off, /)
    await expect.element(rows.nth(0).getByRole('button')).not.toBeInTheDocument()
  })

  test('are reached from the notices, and back', async () => {
    await openApp('/mine/notices', { as: 'demo' })
    await choose('Alerts')
    await expect.element(main().getByText('No alerts yet')).toBeVisible()
    await choose('Notices')
    await expect.element(main().getByText('No notices yet')).toBeVisible()
  })

  test('show that they are loading, and a failure that can be tried again', async () => {
    const release = hold(listAlerts)
    await openList()
    await expect.element(main().getByText('No alerts yet')).not.toBeInTheDocument()
    failConnection(listAlerts)
    release()
    await expect.element(main().getByText('The alerts could not be loaded')).toBeVisible()
    answer(listAlerts, [waiting])
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(main().getByText(/Bid at or above/)).toBeVisible()
  })

  test('change as soon as one fires', async () => {
    answer(listAlerts, [waiting])
    await openList()
    await expect.element(main().getByText(/Once/)).toBeVisible()
    await settled()
    answer(listAlerts, [fired])
    push({ type: 'alerts', userId: 7, seq: 2 })
    await expect.element(main().getByText(/tick 48,213/)).toBeVisible()
  })

  test('are removed one by one', async () => {
    answer(listAlerts, [waiting])
    answer(removeAlert, null)
    await openList()
    const button = main().getByRole('button', { name: 'Remove alert: EUR/USD Bid at or above 1.08900' })
    await expect.element(button).toBeVisible()
    answer(listAlerts, [])
    await button.click()
    await expect.element(main().getByText('No alerts yet')).toBeVisible()
    expect(inputsOf(removeAlert)).toEqual([{ alertId: 4 }])
  })

  test('fit a small phone', async () => {
    const move = {
      kind: 'dayMove',
      instrumentId: 1,
      direction: 'below',
      percent: sample.decimal('0.0125'),
    } as const
    answer(listAlerts, [{ ...waiting, condition: move, target: sample.decimal('1.084585') }, fired])
    await openApp('/mine/notices?tab=alerts', { as: 'demo', size: [320, 640] })
    await expect.element(main().getByText('Falls 0.0125 % in the day, to 1.084585')).toBeVisible()
    expect(overflowing()).toEqual([])
  })
})

describe('a new alert', () => {
  test('reads a price near that of the market where a comma may group thousands', async () => {
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Set an alert' }).click()
    await field('Price').fill('1,089')
    await expect.element(dialog()).toMatchTextContent('Fires when the mid is at or above 1.08900.')
  })

  test('is set on a price; its direction follows from the price now', async () => {
    answer(setAlert, waiting)
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Set an alert' }).click()
    await expect.element(dialog()).toMatchTextContent('Alert on EUR/USD')
    await field('Price').fill('1.0801')
    await expect.element(dialog()).toMatchTextContent('Fires when the mid is at or below 1.08010.')
    await field('Price').fill('1.089')
    await choose('Bid')
    await expect.element(dialog()).toMatchTextContent('Fires when the bid is at or above 1.08900.')
    await dialog().getByRole('combobox', { name: 'How often' }).selectOptions('Again after 1 hour')
    await submit().click()
    await expect.element(notice('Alert set. It is listed under the bell.')).toBeVisible()
    expect(inputsOf(setAlert)).toEqual([
      { condition: waiting.condition, pauseMs: 3_600_000, expiresAt: null },
    ])
    await expect.element(dialog()).not.toBeInTheDocument()
  })

  test.each([
    ['24 hours', 86_400_000],
    ['A week', 7 * 86_400_000],
    ['30 days', 30 * 86_400_000],
  ])('can be valid for %s', async (name, ms) => {
    answer(setAlert, waiting)
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Set an alert' }).click()
    await dialog().getByRole('combobox', { name: 'Valid until' }).selectOptions(name)
    const before = Date.now()
    await submit().click()
    await expect.poll(() => inputsOf(setAlert)).toHaveLength(1)
    const [sent] = inputsOf(setAlert)
    expect(Math.abs(Number(sent?.expiresAt) - before - ms)).toBeLessThan(60_000)
  })

  test('can be valid until a date and time, in the future and within a year', async () => {
    answer(setAlert, waiting)
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Set an alert' }).click()
    await dialog().getByRole('combobox', { name: 'Valid until' }).selectOptions('Another time')
    await expect.element(dialog().getByText('Enter an expiry time.')).toBeVisible()
    await expect.element(submit()).toBeDisabled()
    const until = dialog().getByLabelText('Date and time')
    await until.fill('2020-01-01T12:00')
    await expect.element(dialog().getByText('This time is in the past. Choose a later one.')).toBeVisible()
    await until.fill('2999-01-01T12:00')
    await expect.element(dialog().getByText('Choose a time within 366 days.')).toBeVisible()
    await expect.element(submit()).toBeDisabled()
    const text = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 16)
    await until.fill(text)
    await submit().click()
    await expect.poll(() => inputsOf(setAlert)).toMatchObject([{ expiresAt: Date.parse(text) }])
  })

  test('is set on a move of the day', async () => {
    answer(setAlert, waiting)
    await openList()
    await main().getByRole('button', { name: 'New alert' }).click()
    await dialog().getByRole('combobox', { name: 'Instrument' }).selectOptions('XAU/USD')
    await choose('Move of the day')
    await choose('Falls')
    await field('Percent').fill('2.5')
    await submit().click()
    await expect
      .poll(() => inputsOf(setAlert))
      .toMatchObject([
        { condition: { kind: 'dayMove', instrumentId: 2, direction: 'below', percent: 2.5 }, pauseMs: null },
      ])
  })

  test('at an unreadable or a reached price cannot be sent', async () => {
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Set an alert' }).click()
    await field('Price').fill('one')
    await expect.element(dialog().getByText(/^Enter a price such as/)).toBeVisible()
    await expect.element(submit()).toBeDisabled()
    await field('Price').fill('1.08472')
    await expect.element(dialog().getByText(/^The price is there now/)).toBeVisible()
    await expect.element(submit()).toBeDisabled()
  })

  test('that the server rejects keeps its form, with the reason at the field', async () => {
    reject(setAlert, 'tooManyAlerts', 'An account has at most 50 alerts. Remove one first.')
    await openApp('/trade', { as: 'demo' })
    await page.getByRole('button', { name: 'Set an alert' }).click()
    await submit().click()
    await expect
      .element(dialog().getByText('An account has at most 50 alerts.', { exact: false }))
      .toBeVisible()
  })

  test('from a position watches the side at which it closes', async () => {
    answer(setAlert, waiting)
    await openOrders({ holding: [sample.position()] })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Alert', exact: true }).click()
    await orderSheet().getByRole('textbox', { name: 'Price' }).fill('1.089')
    await expect.element(orderSheet()).toMatchTextContent('Fires when the bid is at or above 1.08900.')
    await orderSheet().getByRole('button', { name: 'Set alert' }).click()
    await expect
      .poll(() => inputsOf(setAlert))
      .toEqual([{ condition: waiting.condition, pauseMs: null, expiresAt: null }])
  })

  test('on the margin level is set in the account', async () => {
    const margin: AlertView = { ...waiting, condition: { kind: 'marginLevel', level: 120 } }
    answer(setAlert, margin)
    await openApp('/user', { as: 'demo' })
    await main().getByRole('button', { name: 'Set a margin alert' }).click()
    await field('Margin level in percent').fill('120')
    await expect
      .element(dialog())
      .toMatchTextContent(/Fires when your margin level falls to 120\s?% or below\./)
    answer(listAlerts, [margin])
    await submit().click()
    await expect
      .poll(() => inputsOf(setAlert))
      .toEqual([{ condition: margin.condition, pauseMs: null, expiresAt: null }])
    await expect
      .element(main().getByRole('region', { name: 'Margin alerts' }))
      .toMatchTextContent(/At or below 120/)
  })

  test('is not offered to a visitor', async () => {
    await openApp('/trade')
    await expect.element(page.getByRole('button', { name: 'Chart settings' })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Set an alert' })).not.toBeInTheDocument()
  })
})
