import { closeAllOrders, closeOrder, listOrders } from '@fairlot/contract'
import { lots } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { overflowing } from '../../../../../../testing/overflow.ts'
import {
  answerInstruments,
  answerOrders,
  choose,
  DESKTOP,
  notice,
  openApp,
  settled,
  withFakeServer,
} from '../../../testing/app.tsx'
import { answer, inputsOf, failConnection, hold, push, reject } from '../../../testing/fake-server.ts'
import { openOrders, openOrderSheet, orderRow, orderSheet, confirmation } from '../../../testing/orders.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

const tab = (name: RegExp | string) => page.getByRole('radio', { name })

describe('the lists of orders', () => {
  test('open positions, with opening price, current price and profit', async () => {
    await openOrders({ holding: [sample.position(), sample.goldPosition()] })
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('Buy 0.10')
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('1.08439 → 1.08469')
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('+3.000000')
    await expect.element(orderRow('XAU/USD')).toMatchTextContent('Sell 0.50')
    await expect.element(orderRow('XAU/USD')).toMatchTextContent('−532.50')
  })

  test('show their number of orders', async () => {
    await openOrders({ holding: [sample.position()], pending: [sample.pendingOrder()] })
    await expect.element(tab('Positions 1')).toBeChecked()
    await expect.element(tab('Pending 1')).toBeVisible()
    await expect.element(tab('History')).toBeVisible()
  })

  test('pending orders, with their price', async () => {
    await openOrders({ pending: [sample.pendingOrder()] })
    await choose(/Pending/)
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('waits for 1.08000')
  })

  test('ended orders, with reason and time', async () => {
    const ends = ['user', 'stopLoss', 'stopOut', 'operator'] as const
    await openOrders({ history: ends.map((endReason, at) => sample.closedOrder({ id: 70 + at, endReason })) })
    await choose('History')
    for (const why of ['Closed by you', 'Stop loss reached', 'Stopped out', 'Closed by the operator'])
      await expect.element(orderRow(why)).toBeVisible()
    await expect.element(orderRow('Closed by you')).toMatchTextContent('Jan 7, 2026, 12:01:00')
  })

  test('the history shows the total booked profit', async () => {
    await openOrders({
      history: [sample.closedOrder(), sample.closedOrder({ id: 72, profit: sample.amount('40') })],
    })
    await choose('History')
    await expect.element(page.getByText('Booked in history')).toBeVisible()
    await expect.element(page.getByText(/\+43\.00/)).toBeVisible()
  })

  test.each([
    [/Positions/, 'No open position', true],
    [/Pending/, 'No pending order', true],
    [/History/, 'No history yet', false],
  ])('an empty list (%s) shows a notice', async (name, title, leadsToTrade) => {
    await openOrders({})
    await choose(name)
    await expect.element(page.getByText(title)).toBeVisible()
    const onward = page.getByRole('link', { name: 'Go to the chart' })
    if (leadsToTrade) await expect.element(onward).toBeVisible()
    else await expect.element(onward).not.toBeInTheDocument()
  })

  test('a list that failed to load shows that the orders are not affected, and loads on retry', async () => {
    failConnection(listOrders)
    await openApp('/order', { as: 'demo' })
    await expect.element(page.getByText('Your orders could not be loaded')).toBeVisible()
    await expect.element(page.getByText(/Your orders are not affected/)).toBeVisible()
    answerOrders({ holding: [sample.position()] })
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.element(orderRow('EUR/USD')).toBeVisible()
  })

  test('a list that is loading is neither empty nor failed', async () => {
    const release = hold(listOrders)
    await openApp('/order', { as: 'demo' })
    await expect.element(tab('Positions')).toBeVisible()
    await expect.element(page.getByText('No open position')).not.toBeInTheDocument()
    release()
    await expect.element(page.getByText('No open position')).toBeVisible()
  })

  test('a position opened while the first response is loading is not lost', async () => {
    const release = hold(listOrders)
    const requestCount = () => inputsOf(listOrders).filter(({ list }) => list === 'holding').length
    answer(listOrders, ({ list }) =>
      sample.pageOf(list === 'holding' && requestCount() > 1 ? [sample.position()] : []),
    )
    await openApp('/order', { as: 'demo' })
    await expect.poll(requestCount).toBe(1)
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.position()] })
    release()
    await expect.element(orderRow('EUR/USD')).toBeVisible()
  })

  test('a long list is loaded page by page', async () => {
    const all = Array.from({ length: 23 }, (_, at) => sample.closedOrder({ id: 100 + at }))
    answer(listOrders, ({ list, before }) => {
      const from = all.findIndex(({ id }) => id === before) + 1
      return list === 'history' ? sample.pageOf(all.slice(from, from + 10), all.length) : sample.pageOf([])
    })
    await openApp('/order', { as: 'demo' })
    await choose('History')
    const more = page.getByRole('button', { name: 'Show more' })
    await expect.poll(() => orderRow('EUR/USD').elements().length).toBe(10)
    await more.click()
    await expect.poll(() => orderRow('EUR/USD').elements().length).toBe(20)
    await more.click()
    await expect.poll(() => orderRow('EUR/USD').elements().length).toBe(23)
    await expect.element(more).not.toBeInTheDocument()
  })
})

/** Pushes a loss of position 41. */
const pushLoss = () =>
  push({
    type: 'account',
    userId: 7,
    seq: 1,
    level: sample.decimal('27000'),
    margin: sample.amount('361'),
    profit: sample.amount('-7.5'),
    balance: sample.amount('99996.38'),
    reserved: sample.amount('0'),
    orders: [{ id: 41, currentPrice: sample.decimal('1.08364'), profit: sample.amount('-7.5') }],
    computedAt: Date.now(),
  })

describe('what is pushed', () => {
  test('profit and price of a position update without fetching the list', async () => {
    await openOrders({ holding: [sample.position()] })
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('+3.00')
    await settled()
    const before = inputsOf(listOrders).length
    pushLoss()
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('→ 1.08364')
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('−7.50')
    expect(inputsOf(listOrders).length).toBe(before)
  })

  test('the figures of a closed position are final, whatever was pushed before', async () => {
    await openOrders({ holding: [sample.position()] })
    await settled()
    pushLoss()
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('−7.50')
    answerOrders({ history: [sample.closedOrder()] })
    push({ type: 'orders', userId: 7, seq: 2, orders: [sample.closedOrder()] })
    await choose('History')
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('+3.00')
    await expect.element(orderRow('EUR/USD')).toMatchTextContent('→ 1.08469')
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet()).toMatchTextContent('+3.00')
    await expect.element(orderSheet()).not.toMatchTextContent('7.50')
    await expect.element(orderSheet()).toMatchTextContent(/Closed at\s*1\.08469/)
  })

  test('an order filled on another device appears', async () => {
    await openOrders({})
    await expect.element(page.getByText('No open position')).toBeVisible()
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.position()] })
    await expect.element(orderRow('EUR/USD')).toBeVisible()
    await expect.element(tab('Positions 1')).toBeVisible()
  })

  test('a position closed elsewhere is removed, and its open sheet closes', async () => {
    await openOrders({ holding: [sample.position()] })
    await openOrderSheet('EUR/USD')
    answerOrders({ history: [sample.closedOrder()] })
    push({ type: 'orders', userId: 7, seq: 1, orders: [sample.closedOrder()] })
    push({ type: 'closed', seq: 2, orderIds: [41] })
    await expect.element(orderSheet()).not.toBeInTheDocument()
    await expect.element(page.getByText('No open position')).toBeVisible()
  })

  test('a gap in the sequence numbers fetches the lists again', async () => {
    await openOrders({})
    await expect.element(page.getByText('No open position')).toBeVisible()
    push({ type: 'closed', seq: 10, orderIds: [] })
    answerOrders({ holding: [sample.position()] })
    push({ type: 'closed', seq: 12, orderIds: [] })
    await expect.element(orderRow('EUR/USD')).toBeVisible()
  })
})

describe('closing in the row', () => {
  test('closes all of it, and shows the price and the booked profit', async () => {
    await openOrders({ holding: [sample.position()] })
    answer(closeOrder, sample.closedOrder())
    await page.getByRole('button', { name: 'Close Buy 0.10 EUR/USD' }).click()
    await expect.element(page.getByText(/Closed at 1\.08469\. Booked \+3\.00/)).toBeVisible()
    expect(inputsOf(closeOrder)).toEqual([{ orderId: 41, lots: null }])
  })

  test('closes half, and shows what stays open', async () => {
    await openOrders({ holding: [sample.position()] })
    answer(closeOrder, sample.closedOrder({ id: 43, parentId: 41, lots: lots(500) }))
    await page.getByRole('button', { name: 'Half: close Buy 0.05 of EUR/USD' }).click()
    await expect.element(page.getByText(/Closed 0\.05 at .* 0\.05 stays open/)).toBeVisible()
    expect(inputsOf(closeOrder)).toEqual([{ orderId: 41, lots: 500 }])
  })

  test('shows a rejection and keeps the position', async () => {
    await openOrders({ holding: [sample.position()] })
    reject(closeOrder, 'stalePrice', 'The last price is too old.')
    await page.getByRole('button', { name: 'Close Buy 0.10 EUR/USD' }).click()
    await expect.element(notice('The last price is too old.')).toBeVisible()
    await expect.element(orderRow('EUR/USD')).toBeVisible()
  })

  test('can be tapped only once while in progress', async () => {
    await openOrders({ holding: [sample.position()] })
    answer(closeOrder, sample.closedOrder())
    const release = hold(closeOrder)
    const button = page.getByRole('button', { name: 'Close Buy 0.10 EUR/USD' })
    await button.click()
    await expect.element(button).toBeDisabled()
    release()
    await expect.element(page.getByText(/Closed at/)).toBeVisible()
    expect(inputsOf(closeOrder)).toHaveLength(1)
  })

  test.each([
    ['closed', { isOpen: false }, 'The market is closed.'],
    ['halted', { isOpen: false, haltReason: 'Merger talks' }, 'Trading is halted: Merger talks'],
    ['stale', { freshnessMs: 1 }, 'The last price is too old to close at.'],
  ])('is not offered while the market is %s, and the row shows why', async (_what, change, text) => {
    answerInstruments(sample.eurusd(change))
    await openOrders({ holding: [sample.position()] })
    await expect.element(orderRow('EUR/USD')).toMatchTextContent(text)
    await expect.element(page.getByRole('button', { name: 'Close Buy 0.10 EUR/USD' })).toBeDisabled()
  })
})

describe('closing everything', () => {
  test('requires a confirmation, with number and profit', async () => {
    await openOrders({ holding: [sample.position(), sample.goldPosition()] })
    await page.getByRole('button', { name: 'Close all' }).click()
    await expect.element(confirmation()).toMatchTextContent('Close all 2 positions?')
    await expect.element(confirmation()).toMatchTextContent('+3.00')
    await confirmation().getByRole('button', { name: 'Keep open' }).click()
    await expect.element(confirmation()).not.toBeInTheDocument()
    expect(inputsOf(closeAllOrders)).toEqual([])
  })

  test('shows which stay open and why', async () => {
    answerInstruments(sample.eurusd(), sample.gold({ isOpen: false }))
    await openOrders({ holding: [sample.position(), sample.goldPosition()] })
    answer(closeAllOrders, { orders: [sample.closedOrder()], remainingCount: 1 })
    answerOrders({ holding: [sample.goldPosition()], history: [sample.closedOrder()] })
    await page.getByRole('button', { name: 'Close all' }).click()
    await confirmation().getByRole('button', { name: 'Close all' }).click()
    await expect.element(page.getByText(/Closed 1 position\. Booked \+3\.00/)).toBeVisible()
    const left = page.getByRole('status').filter({ hasText: '1 position stays open' })
    await expect.element(left).toMatchTextContent('XAU/USD: The market is closed.')
    await left.getByRole('button', { name: 'Close', exact: true }).click()
    await expect.element(left).not.toBeInTheDocument()
  })

  test('a rejection leaves everything open', async () => {
    await openOrders({ holding: [sample.position()] })
    reject(closeAllOrders, 'marketHalted', 'Trading is halted.')
    await page.getByRole('button', { name: 'Close all' }).click()
    await confirmation().getByRole('button', { name: 'Close all' }).click()
    await expect.element(notice('Trading is halted.')).toBeVisible()
    await expect.element(confirmation()).not.toBeInTheDocument()
    await expect.element(orderRow('EUR/USD')).toBeVisible()
  })
})

describe('on the desktop', () => {
  test('orders are a table, and Details opens the details of one', async () => {
    answerOrders({ holding: [sample.position()] })
    await openApp('/order', { as: 'demo', size: DESKTOP })
    const line = page.getByRole('row').filter({ hasText: 'EUR/USD' })
    await expect.element(line).toMatchTextContent(/EUR\/USD\s*Buy\s*0\.10\s*1\.08439\s*1\.08469/)
    await line.getByRole('button', { name: 'Details' }).click()
    await expect.element(orderSheet()).toMatchTextContent('No. 41')
  })

  test('an empty table shows a notice', async () => {
    await openApp('/order', { as: 'demo', size: DESKTOP })
    await expect.element(page.getByText('No open position')).toBeVisible()
  })
})

describe('long texts and narrow screens', () => {
  test('a long code makes the page no wider than the screen', async () => {
    const order = sample.position()
    const instrument = { ...order.instrument, showCode: 'AVERYLONGCODE.OFANEXCHANGE' }
    answerOrders({ holding: [sample.position({ instrument })] })
    await openApp('/order', { as: 'demo', size: [320, 640] })
    await expect.element(orderRow('AVERYLONGCODE')).toBeVisible()
    expect(overflowing()).toEqual([])
  })
})
