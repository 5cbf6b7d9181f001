import { cancelOrder, closeOrder, getOrder, reverseOrder, setStops, setTrailing } from '@fairlot/contract'
import { lots } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { choose, notice, withFakeServer } from '../../../testing/app.tsx'
import { answer, asked, refuse } from '../../../testing/fake-server.ts'
import { openOrders, openOrderSheet, orderSheet, question } from '../../../testing/orders.ts'
import * as sample from '../../../testing/samples.ts'

withFakeServer()

describe('an order in full', () => {
  test('has its terms, with stops that are none and without rows that do not apply', async () => {
    await openOrders({ holding: [sample.position()] })
    await openOrderSheet('EUR/USD')
    for (const text of [
      /No\. 41/,
      /Filled at\s*1\.08439/,
      /Stop loss\s*none/,
      /Leverage\s*30 ×/,
      /Fee, once\s*3\.61/,
    ])
      await expect.element(orderSheet()).toMatchTextContent(text)
    await expect.element(orderSheet()).not.toMatchTextContent('Expires')
    await expect.element(orderSheet()).not.toMatchTextContent('Overnight')
  })

  test('names the fixed margin of a lot, where its own was taken by it', async () => {
    const { instrument } = sample.position()
    const order = { instrument: { ...instrument, marginMode: 'fixed' as const, contractSize: 1_000 } }
    await openOrders({ holding: [sample.position({ ...order, originalMargin: sample.amount('100') })] })
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet()).toMatchTextContent(/Margin of a lot, fixed\s*1,000\.000000/)
  })

  test('does not where its margin was taken by other terms', async () => {
    const { instrument } = sample.position()
    const order = { instrument: { ...instrument, marginMode: 'fixed' as const, contractSize: 1_000 } }
    await openOrders({ holding: [sample.position({ ...order, originalMargin: sample.amount('99') })] })
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet()).toMatchTextContent(/Margin\s*99\.000000/)
    await expect.element(orderSheet()).not.toMatchTextContent('of a lot')
  })

  test('closes by its button after asking', async () => {
    await openOrders({ holding: [sample.position()] })
    answer(closeOrder, sample.closedOrder())
    await openOrderSheet('EUR/USD')
    await orderSheet()
      .getByRole('button', { name: /^Close \+3\.00/ })
      .click()
    await expect.element(question()).toMatchTextContent('Buy 0.10 lots closes at about 1.08469')
    await question()
      .getByRole('button', { name: /^Close/ })
      .click()
    await expect.element(page.getByText(/Closed at 1\.08469/)).toBeVisible()
    await expect.element(orderSheet()).not.toBeInTheDocument()
  })

  test('a refusal of the close puts the question away and says why', async () => {
    await openOrders({ holding: [sample.position()] })
    refuse(closeOrder, 'marketClosed', 'The market has just closed.')
    await openOrderSheet('EUR/USD')
    await orderSheet()
      .getByRole('button', { name: /^Close \+/ })
      .click()
    await question()
      .getByRole('button', { name: /^Close/ })
      .click()
    await expect.element(notice('The market has just closed.')).toBeVisible()
    await expect.element(question()).not.toBeInTheDocument()
  })

  test('can be reversed after it was said what that books and takes', async () => {
    await openOrders({ holding: [sample.position()] })
    answer(reverseOrder, sample.position({ id: 44, side: 'sell', openPrice: sample.decimal('1.08469') }))
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Reverse' }).click()
    await expect
      .element(question())
      .toMatchTextContent(/Sell 0\.10 lots opens at the same price, for 361\.56/)
    await question().getByRole('button', { name: 'Reverse' }).click()
    await expect.element(page.getByText('Reversed: Sell 0.10 opened at 1.08469.')).toBeVisible()
  })

  test('shows of a closed part the position that it was cut from, and the way back', async () => {
    answer(getOrder, sample.position({ lots: lots(500) }))
    await openOrders({ history: [sample.closedOrder({ id: 43, parentId: 41, lots: lots(500) })] })
    await choose('History')
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Show the position' }).click()
    await expect.element(orderSheet()).toMatchTextContent('No. 41')
    await orderSheet().getByRole('button', { name: 'Back to the part' }).click()
    await expect.element(orderSheet()).toMatchTextContent('No. 43')
  })

  test('has nothing to press once it has ended', async () => {
    await openOrders({ history: [sample.closedOrder()] })
    await choose('History')
    await openOrderSheet('EUR/USD')
    await expect.element(orderSheet()).toMatchTextContent(/Why it ended\s*Closed by you/)
    await expect.element(orderSheet().getByRole('button', { name: 'Set stops' })).not.toBeInTheDocument()
  })
})

describe('stops of a position', () => {
  const openStops = async (change: Parameters<typeof sample.position>[0] = {}) => {
    await openOrders({ holding: [sample.position(change)] })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Set stops' }).click()
  }
  const field = (name: string) => orderSheet().getByRole('textbox', { name })
  const save = () => orderSheet().getByRole('button', { name: 'Save stops' }).click()

  test('are set, and the server’s sentence about it is shown', async () => {
    await openStops()
    answer(
      setStops,
      { stopLoss: sample.decimal('1.08'), takeProfit: null, warning: null },
      'The stops are set.',
    )
    await expect.element(field('Stop loss')).toHaveAccessibleDescription('Below 1.08469')
    await expect.element(field('Stop profit')).toHaveAccessibleDescription('Above 1.08469')
    await field('Stop loss').fill('1.08')
    await save()
    await expect.element(page.getByText('The stops are set.')).toBeVisible()
    expect(asked(setStops)).toEqual([{ orderId: 41, stopLoss: 1.08, takeProfit: null }])
  })

  test('are cleared by an empty field, and by 0', async () => {
    await openStops({ stopLoss: sample.decimal('1.08'), takeProfit: sample.decimal('1.09') })
    answer(setStops, { stopLoss: null, takeProfit: null, warning: null })
    await field('Stop loss').fill('')
    await field('Stop profit').fill('0')
    await save()
    await expect.poll(() => asked(setStops)).toEqual([{ orderId: 41, stopLoss: null, takeProfit: null }])
  })

  test.each(['x', '-1', '1.084391'])('%j is no price of it, and nothing is sent', async (text) => {
    await openStops()
    await field('Stop loss').fill(text)
    await save()
    await expect.element(field('Stop loss')).toHaveAccessibleDescription(/Write a price such as/)
    expect(asked(setStops)).toEqual([])
  })

  test('a refusal stands at the field that it is about, and what was typed stays', async () => {
    await openStops()
    refuse(setStops, 'takeProfitWrongSide', 'The stop profit must lie above 1.08475.')
    await field('Stop profit').fill('1.01')
    await save()
    await expect
      .element(field('Stop profit'))
      .toHaveAccessibleDescription('The stop profit must lie above 1.08475.')
    await expect.element(field('Stop profit')).toHaveValue('1.01')
  })

  test('a warning about them stays on the screen', async () => {
    await openStops()
    const warning = { code: 'stopLossBeyondStopOut', message: 'The stop-out comes first, at 1.05.' } as const
    answer(setStops, { stopLoss: sample.decimal('1'), takeProfit: null, warning })
    await field('Stop loss').fill('1')
    await save()
    await expect.element(notice('The stop-out comes first, at 1.05.')).toBeVisible()
  })

  test('setting them ends the following, and that is said before', async () => {
    await openStops({ stopLoss: sample.decimal('1.08'), trailingDistance: sample.decimal('0.005') })
    await expect.element(orderSheet()).toMatchTextContent('The stop follows the price now.')
  })
})

describe('a stop that follows', () => {
  const openTrailing = async (change: Parameters<typeof sample.position>[0] = {}) => {
    await openOrders({ holding: [sample.position(change)] })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Trail stop' }).click()
  }
  const distance = () => orderSheet().getByRole('textbox', { name: 'Distance in price' })

  test('starts where it is said that it starts', async () => {
    await openTrailing()
    await distance().fill('0.005')
    await expect
      .element(orderSheet())
      .toMatchTextContent('It would close now at 1.08469. The stop starts at 1.07969.')
    answer(
      setTrailing,
      sample.position({ stopLoss: sample.decimal('1.07969'), trailingDistance: sample.decimal('0.005') }),
    )
    await orderSheet().getByRole('button', { name: 'Follow', exact: true }).click()
    await expect.element(page.getByText('The stop follows the price. It stands at 1.07969.')).toBeVisible()
    expect(asked(setTrailing)).toEqual([{ orderId: 41, distance: 0.005 }])
  })

  test('is left where it stands', async () => {
    await openTrailing({ stopLoss: sample.decimal('1.07969'), trailingDistance: sample.decimal('0.005') })
    answer(setTrailing, sample.position({ stopLoss: sample.decimal('1.07969') }))
    await orderSheet().getByRole('button', { name: 'Stop following' }).click()
    await expect.element(page.getByText(/The stop has stopped following/)).toBeVisible()
    expect(asked(setTrailing)).toEqual([{ orderId: 41, distance: null }])
  })

  test('needs a distance', async () => {
    await openTrailing()
    await distance().fill('far')
    await expect.element(distance()).toHaveAccessibleDescription(/Write a distance such as/)
    await expect.element(orderSheet().getByRole('button', { name: 'Follow', exact: true })).toBeDisabled()
  })

  test('a refusal stands at the distance', async () => {
    await openTrailing()
    refuse(setTrailing, 'trailingDistanceInvalid', 'At least 0.00006.')
    await orderSheet().getByRole('button', { name: 'Follow', exact: true }).click()
    await expect.element(distance()).toHaveAccessibleDescription('At least 0.00006.')
  })
})

describe('closing a part', () => {
  const openPart = async () => {
    await openOrders({ holding: [sample.position()] })
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Close part' }).click()
  }
  const partLots = () => orderSheet().getByRole('textbox', { name: 'Lots to close' })

  test('takes a share or lots as typed, and says what stays', async () => {
    await openPart()
    await expect.element(partLots()).toHaveValue('0.05')
    await orderSheet().getByRole('button', { name: /^25/ }).click()
    await expect.element(partLots()).not.toHaveValue('0.05')
    await partLots().fill('0.04')
    await expect
      .element(orderSheet())
      .toMatchTextContent('0.04 lots close at about 1.08469 and book about +1.20')
    await expect.element(orderSheet()).toMatchTextContent('0.06 lots stay open')
    answer(closeOrder, sample.closedOrder({ id: 43, parentId: 41, lots: lots(400) }))
    await orderSheet().getByRole('button', { name: 'Close 0.04' }).click()
    await expect.element(page.getByText(/Closed 0\.04 at .* 0\.06 stays open/)).toBeVisible()
    expect(asked(closeOrder)).toEqual([{ orderId: 41, lots: 400 }])
  })

  test.each([
    ['0.20', /At most 0\.\d\d lots/],
    ['0', /At least 0\.01 lots/],
    ['0.015', /Lots go in steps of 0\.01/],
    ['some', /Write lots as a number such as 0\.01/],
  ])('%j is refused here: %s', async (text, problem) => {
    await openPart()
    await partLots().fill(text)
    await expect.element(partLots()).toHaveAccessibleDescription(problem)
    await expect
      .element(
        orderSheet()
          .getByRole('button', { name: /^Close / })
          .last(),
      )
      .toBeDisabled()
  })
})

describe('a pending order', () => {
  const openPending = async () => {
    await openOrders({ pending: [sample.pendingOrder()] })
    await choose(/Pending/)
    await openOrderSheet('EUR/USD')
    await orderSheet().getByRole('button', { name: 'Cancel order' }).click()
  }

  test('is cancelled after it was said what becomes free, and the server’s sentence is shown', async () => {
    await openPending()
    answer(
      cancelOrder,
      sample.pendingOrder({ status: 'cancelled', endReason: 'cancelledByUser' }),
      'Cancelled.',
    )
    await expect.element(question()).toMatchTextContent('Buy 0.10 EUR/USD at 1.08000 is withdrawn.')
    await question().getByRole('button', { name: 'Cancel order' }).click()
    await expect.element(page.getByText('Cancelled.')).toBeVisible()
  })

  test('may go on waiting', async () => {
    await openPending()
    await question().getByRole('button', { name: 'Let it wait' }).click()
    await expect.element(question()).not.toBeInTheDocument()
    expect(asked(cancelOrder)).toEqual([])
  })

  test('that was filled in the meantime says so', async () => {
    await openPending()
    refuse(cancelOrder, 'orderNotPending', 'This order has already been filled.')
    await question().getByRole('button', { name: 'Cancel order' }).click()
    await expect.element(notice('This order has already been filled.')).toBeVisible()
    await expect.element(question()).not.toBeInTheDocument()
  })
})
