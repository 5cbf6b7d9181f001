import { listAlerts, removeAlert, setAlert, setStops, type AlertView } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerOrders, openApp, withFakeServer } from '../../../testing/app.tsx'
import { answer, inputsOf, push, reject } from '../../../testing/fake-server.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const handle = (name: string) => page.getByRole('slider', { name })
const dialog = (name: string) => page.getByRole('dialog', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Opens the chart of EUR/USD with a buy at 1.08439 and a stop loss at 1.08400. */
async function openChart(): Promise<void> {
  answerOrders({ holding: [sample.position({ stopLoss: sample.decimal('1.084') })] })
  await openApp('/trade', { as: 'demo' })
}

/** Presses keys on a handle. */
async function press(name: string, ...keys: readonly string[]): Promise<void> {
  const element = handle(name)
  await expect.element(element).toBeInTheDocument()
  ;(element.element() as HTMLElement).focus()
  for (const key of keys) await userEvent.keyboard(`{${key}}`)
}

describe('a line of the chart', () => {
  test('moves the stop of its order after one confirmation, and leaves the other stop', async () => {
    await openChart()
    answer(setStops, { stopLoss: sample.decimal('1.0838'), takeProfit: null, warning: null })
    await press('Stop loss of Buy 0.10', 'ArrowDown', 'ArrowDown', 'Enter')
    await expect.element(dialog('Move the stop loss to 1.08380?')).toMatchTextContent(/\(before: −3\.90\)/)
    expect(inputsOf(setStops)).toEqual([])
    await button('Move').click()
    await expect.poll(() => inputsOf(setStops)).toEqual([{ orderId: 41, stopLoss: 1.0838 }])
    await expect.element(page.getByRole('dialog', { name: /^Move/ })).not.toBeInTheDocument()
  })

  test('goes back when the move is given up, and when focus leaves it', async () => {
    await openChart()
    const line = handle('Stop loss of Buy 0.10')
    await press('Stop loss of Buy 0.10', 'ArrowDown')
    await expect.element(line).toHaveAttribute('aria-valuenow', '108390')
    ;(line.element() as HTMLElement).blur()
    await expect.element(line).toHaveAttribute('aria-valuenow', '108400')
    await press('Stop loss of Buy 0.10', 'PageDown', 'Enter')
    await button('Back').click()
    await expect.element(line).toHaveAttribute('aria-valuenow', '108400')
    expect(inputsOf(setStops)).toEqual([])
  })

  test('shows why a move was refused', async () => {
    await openChart()
    reject(setStops, 'stopLossWrongSide', 'The stop loss of a buy must be 1.08463 or lower.')
    await press('Stop loss of Buy 0.10', 'PageUp', 'Enter')
    await button('Move').click()
    await expect.element(page.getByRole('alert')).toMatchTextContent('must be 1.08463 or lower')
  })

  test('says so when the order has ended while it was moved', async () => {
    await openChart()
    await press('Stop loss of Buy 0.10', 'ArrowDown', 'Enter')
    await expect.element(button('Move')).toBeVisible()
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.closedOrder()] })
    await expect.element(page.getByText('This order or alert has ended in the meantime.')).toBeVisible()
    await expect.element(button('Move')).not.toBeInTheDocument()
    await button('Back').click()
    expect(inputsOf(setStops)).toEqual([])
  })

  test('draws a take profit from the entry', async () => {
    await openChart()
    answer(setStops, {
      stopLoss: sample.decimal('1.084'),
      takeProfit: sample.decimal('1.0854'),
      warning: null,
    })
    await press('New stop of Buy 0.10', 'PageUp', 'Enter')
    await expect.element(dialog('Take profit at 1.08539?')).toBeVisible()
    await button('Set').click()
    await expect.poll(() => inputsOf(setStops)).toEqual([{ orderId: 41, takeProfit: 1.08539 }])
  })

  const alert: AlertView = {
    id: 4,
    condition: {
      kind: 'price',
      instrumentId: 1,
      side: 'bid',
      direction: 'above',
      price: sample.decimal('1.085'),
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

  test('does not bring an alert back that was removed on another device', async () => {
    answer(listAlerts, [alert])
    answer(setAlert, { ...alert, id: 5 })
    reject(removeAlert, 'alertNotFound', 'There is no such alert.')
    await openApp('/trade', { as: 'demo' })
    await press('Alert', 'ArrowUp', 'Enter')
    await button('Move').click()
    await expect.poll(() => inputsOf(removeAlert)).toEqual([{ alertId: 4 }, { alertId: 5 }])
    await expect.element(page.getByRole('alert')).toMatchTextContent('There is no such alert.')
  })

  test('moves an alert: the new one is set before the old one goes', async () => {
    answer(listAlerts, [alert])
    answer(setAlert, { ...alert, id: 5 })
    answer(removeAlert, null)
    await openApp('/trade', { as: 'demo' })
    await press('Alert', 'ArrowUp', 'Enter')
    await expect.element(dialog('Move the alert to 1.08510?')).toBeVisible()
    await button('Move').click()
    await expect.poll(() => inputsOf(removeAlert)).toEqual([{ alertId: 4 }])
    expect(inputsOf(setAlert)).toMatchObject([
      { condition: { price: 1.0851, side: 'bid', direction: 'above' }, pauseMs: null },
    ])
  })
})
